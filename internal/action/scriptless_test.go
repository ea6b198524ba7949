package action_test

import (
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/page"
)

// In a document whose scripts are off no timer fires; whatever an action waits
// for must come all the same, and soon.
func TestScriptless(t *testing.T) {
	inner := `<!doctype html><style>@keyframes m{from{margin-left:300px}}#mover{animation:m .3s linear}</style>
<input id=i><input id=d type=date><textarea id=ta></textarea><div id=ed contenteditable>old</div>
<select id=s><option>a<option>b</select><input type=checkbox id=c><button id=mover>M</button><button id=b>B</button>`
	for name, b := range map[string]*bench{
		"frame": open(t, `<!doctype html><iframe sandbox src="/f" width=600 height=300></iframe>`, "/f", inner),
		"page":  open(t, `<!doctype html>`, "/csp/f", inner),
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			f := b.tab.Frames()[len(b.tab.Frames())-1]
			if name == "page" {
				b.goTo(b.a + "/csp/f")
				f = b.tab.Main()
			}
			start := time.Now()
			for _, c := range []struct{ id, value string }{{"#i", "text"}, {"#d", "2026-02-03"}, {"#ta", "a\nb"}, {"#ed", "new"}, {"#i", ""}} {
				res, err := action.Fill(b.ctx, b.tab, b.find(c.id), c.value, action.Options{})
				if err != nil || res.Altered {
					t.Errorf("fill %s: %+v %v", c.id, res, err)
				}
			}
			if res, err := action.Select(b.ctx, b.tab, b.find("#s"), []string{"b"}, action.Options{}); err != nil || len(res.Picked) != 1 {
				t.Errorf("select: %+v %v", res, err)
			}
			for _, on := range []bool{true, false} {
				if _, err := action.Check(b.ctx, b.tab, b.find("#c"), on, action.ClickOptions{}); err != nil {
					t.Errorf("check %v: %v", on, err)
				}
			}
			b.click("#mover")
			if _, err := action.Hover(b.ctx, b.tab, b.find("#b"), action.ClickOptions{}); err != nil {
				t.Errorf("hover: %v", err)
			}
			b.click("#ta")
			b.typeText("typed")
			var html string
			if err := f.Call(b.ctx, "", "html", &html, 0); err != nil {
				t.Fatal(err)
			}
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("it took %v", d)
			}
			// What is waited for in vain ends at its deadline and says so.
			_, err := action.Find(b.ctx, b.tab, "#never", action.FindOptions{Timeout: 700 * time.Millisecond})
			wantCode(t, err, api.NotFound)
			if err := b.tab.AwaitState(b.ctx, time.Now().Add(700*time.Millisecond), nil, "#b", page.Hidden); err == nil {
				t.Error("a button that is there counts as hidden")
			} else {
				wantCode(t, err, api.Timeout, "it is in the page, and visible")
			}
		})
	}
}
