package action_test

import (
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/page"
)

func (b *bench) find(locator string) *page.Element {
	b.t.Helper()
	el, err := action.Find(b.ctx, b.tab, locator, action.FindOptions{})
	if err != nil {
		b.t.Fatalf("find %s: %v", locator, err)
	}
	return el
}

func (b *bench) click(locator string) action.Result {
	b.t.Helper()
	res, err := action.Click(b.ctx, b.tab, b.ref(locator), action.ClickOptions{})
	if err != nil {
		b.t.Fatalf("click %s: %v", locator, text(err))
	}
	return res
}

// refuse clicks what cannot be clicked and returns the error.
func (b *bench) refuse(locator string) error {
	b.t.Helper()
	_, err := action.Click(b.ctx, b.tab, b.ref(locator), action.ClickOptions{Options: action.Options{Timeout: 400 * time.Millisecond}})
	if err == nil {
		b.t.Fatalf("click %s succeeded", locator)
	}
	return err
}

func text(err error) string {
	if e, ok := err.(*api.Error); ok {
		return string(e.Code) + ": " + e.Text()
	}
	return err.Error()
}

func TestClickReaches(t *testing.T) {
	b := open(t, `<!doctype html><button id=b>Save</button><p id=o></p>
<script>n=0;b.onclick=e=>{o.textContent=++n+' '+e.isTrusted+' '+e.detail}</script>`)
	res := b.click("#b")
	b.want("o.textContent", "1 true 1")
	if res.Element.Role != "button" || res.Element.Name != "Save" {
		t.Errorf("element is %v", res.Element)
	}
}
