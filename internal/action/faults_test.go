package action_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/page"
)

// typedError wants an error to be one of ours, and in time.
func typedError(t *testing.T, err error, start time.Time, limit time.Duration) {
	t.Helper()
	var e *api.Error
	if err != nil && !errors.As(err, &e) {
		t.Errorf("the error is %v (%T)", err, err)
	}
	if e != nil && e.Message == "" {
		t.Errorf("the error says nothing: %+v", e)
	}
	if d := time.Since(start); d > limit {
		t.Errorf("took %v", d)
	}
}

// works wants the next action in the tab to succeed.
func (b *bench) works() {
	b.t.Helper()
	b.pages["/after"] = `<!doctype html><button id=after onclick="document.title='works'">After</button>`
	b.goTo(b.a + "/after")
	if _, err := action.Click(b.ctx, b.tab, b.find("#after"), action.ClickOptions{}); err != nil {
		b.t.Fatalf("the next action: %s", text(err))
	}
	b.want("document.title", "works")
}

// TestFaultsOfProtocol: each call of each action fails once. There is a typed
// error or none, and the next action works.
func TestFaultsOfProtocol(t *testing.T) {
	methods := []string{
		"Runtime.evaluate", "Runtime.callFunctionOn", "Runtime.releaseObject", "Input.dispatchMouseEvent", "Input.dispatchKeyEvent", "Input.insertText",
		"Input.dispatchTouchEvent", "Input.dispatchDragEvent", "Input.setInterceptDrags", "DOM.setFileInputFiles",
	}
	b := open(t, "")
	t.Cleanup(faults.Clear)
	run := func(v verb, ctx context.Context) (time.Time, error) {
		was := b.ctx
		b.ctx = ctx
		defer func() { b.ctx = was }()
		start := time.Now()
		return start, v.do(b, b.tab.Main().Document(), action.Options{Timeout: 400 * time.Millisecond})
	}
	tested := 0
	for _, v := range allVerbs(t) {
		do := v.do
		v.do = func(b *bench, _ *page.Element, o action.Options) error {
			el, err := action.Find(b.ctx, b.tab, "#t", action.FindOptions{Timeout: o.Timeout})
			if err != nil {
				return err
			}
			return do(b, el, o)
		}
		b.pages["/"] = `<!doctype html><style>div#t,#from{width:80px;height:20px}</style><div id=from>From</div>` + v.html + `<script>t.ondragenter=t.ondragover=t.ondrop=e=>e.preventDefault()</script>`
		b.goTo(b.a + "/")
		faults.Clear()
		if _, err := run(v, b.ctx); err != nil {
			t.Fatalf("%s: %s", v.name, text(err))
		}
		calls := map[string]int{}
		for _, m := range methods {
			calls[m] = faults.Seen(m)
		}
		for m, n := range calls {
			for i := 1; i <= min(n, 6); i++ {
				t.Run(fmt.Sprintf("%s/%s/%d", v.name, m, i), func(t *testing.T) {
					b.t = t
					faults.Clear()
					b.goTo(b.a + "/")
					faults.Clear()
					faults.Fail(m, i, cdp.CodeServerError, "made to fail")
					start, err := run(v, b.ctx)
					faults.Clear()
					typedError(t, err, start, 10*time.Second)
					tested++
				})
			}
		}
		b.t = t
		b.works()
	}
	if tested < 40 {
		t.Errorf("only %d calls failed", tested)
	}
}

// TestFaultsOfPage: the document navigates, its frame goes, or its renderer dies,
// at each step of each action.
func TestFaultsOfPage(t *testing.T) {
	b := open(t, "", "/two", `<!doctype html><title>two</title>`)
	b.onHit = func(path string) {
		if path != "/hit/crash" {
			return
		}
		// The page waits for the answer, and so does not get beyond this step.
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		b.tab.Session().Start("Page.crash", nil)
		_, _ = b.tab.Main().AwaitTrue(ctx, "false")
	}
	triggers := map[string]string{
		"navigates": `parent.location='{{a}}/two'`,
		"detaches":  `frameElement.remove()`,
		"crashes":   `const x=new XMLHttpRequest();x.open('GET','/hit/crash',false);x.send()`,
	}
	steps := map[string][]string{
		"click": {"pointermove", "pointerdown", "mouseup", "click"}, "hover": {"pointermove"}, "tap": {"touchstart", "click"},
		"drag": {"pointermove", "pointerdown", "mouseup"}, "drop": {"dragenter", "dragover", "drop"}, "check": {"pointerdown", "change"},
		"fill": {"focus", "beforeinput", "input"}, "press": {"focus", "keydown", "keyup"}, "focus": {"focus"}, "select": {"focus", "input", "change"}, "upload": {"change"},
	}
	for _, v := range allVerbs(t) {
		for _, at := range steps[v.name] {
			for name, script := range triggers {
				t.Run(v.name+"/"+at+"/"+name, func(t *testing.T) {
					b.t = t
					b.pages["/"] = `<!doctype html><iframe src=/inner style="width:600px;height:300px"></iframe>`
					b.pages["/inner"] = `<!doctype html><style>div#t,#from{width:80px;height:20px}</style><div id=from>From</div>` + v.html +
						`<script>t.ondragenter=t.ondragover=t.ondrop=e=>e.preventDefault();let once=true;document.addEventListener('` + at + `',()=>{if(!once)return;once=false;` + script + `},true)</script>`
					b.goTo(b.a + "/")
					el, err := action.Find(b.ctx, b.tab, "#t", action.FindOptions{})
					if err != nil {
						t.Fatal(text(err))
					}
					start := time.Now()
					ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
					defer cancel()
					was := b.ctx
					b.ctx = ctx
					err = v.do(b, el, action.Options{Timeout: time.Second, Until: start.Add(6 * time.Second)})
					b.ctx = was
					typedError(t, err, start, 14*time.Second)
					var e *api.Error
					if errors.As(err, &e) && e.Code == api.Internal {
						t.Errorf("untold: %s", text(err))
					}
					if name == "crashes" && (e == nil || e.Code != api.PageCrashed) {
						t.Errorf("after a crash: %v", err)
					}
					b.works()
				})
			}
		}
	}
}
