package action_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/page"
)

// verb is one action on one element, and the markup of an element that it is for.
type verb struct {
	name, html string
	do         func(b *bench, el *page.Element, o action.Options) error
}

func fileIn(t *testing.T) []action.File {
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(path, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []action.File{{Path: path, Name: "a.txt", Type: "text/plain", Size: 5}}
}

func allVerbs(t *testing.T) []verb {
	files := fileIn(t)
	const button, box = `<button id=t>Target</button>`, `<div id=t role=button tabindex=0>Target</div>`
	err := func(_ action.Result, err error) error { return err }
	pointer := func(f func(context.Context, *page.Tab, *page.Element, action.ClickOptions) (action.Result, error)) func(*bench, *page.Element, action.Options) error {
		return func(b *bench, el *page.Element, o action.Options) error {
			return err(f(b.ctx, b.tab, el, action.ClickOptions{Options: o}))
		}
	}
	return []verb{
		{"click", button, pointer(action.Click)},
		{"dblclick", button, func(b *bench, el *page.Element, o action.Options) error {
			return err(action.Click(b.ctx, b.tab, el, action.ClickOptions{Options: o, Count: 2}))
		}},
		{"hover", button, pointer(action.Hover)},
		{"tap", button, pointer(action.Tap)},
		{"wheel", box, func(b *bench, el *page.Element, o action.Options) error {
			return err(action.Wheel(b.ctx, b.tab, el, 0, 10, o))
		}},
		{"drag", box, func(b *bench, el *page.Element, o action.Options) error {
			return err(action.Drag(b.ctx, b.tab, el, nil, action.DragOptions{Options: o, By: &action.Point{X: 30}, Steps: 2}))
		}},
		{"dragto", box, func(b *bench, el *page.Element, o action.Options) error {
			from, e := action.Find(b.ctx, b.tab, "#from", action.FindOptions{Timeout: o.Timeout})
			if e != nil {
				return e
			}
			return err(action.Drag(b.ctx, b.tab, from, el, action.DragOptions{Options: o, Steps: 2}))
		}},
		{"drop", box, func(b *bench, el *page.Element, o action.Options) error {
			return err(action.Drop(b.ctx, b.tab, el, files, o))
		}},
		{"check", `<input id=t type=checkbox aria-label=Target>`, func(b *bench, el *page.Element, o action.Options) error {
			return err(action.Check(b.ctx, b.tab, el, true, action.ClickOptions{Options: o}))
		}},
		{"fill", `<input id=t aria-label=Target>`, func(b *bench, el *page.Element, o action.Options) error {
			return err(action.Fill(b.ctx, b.tab, el, "x", o))
		}},
		{"press", `<input id=t aria-label=Target>`, func(b *bench, el *page.Element, o action.Options) error {
			return err(action.Press(b.ctx, b.tab, el, "x", o))
		}},
		{"focus", button, func(b *bench, el *page.Element, o action.Options) error {
			return err(action.Focus(b.ctx, b.tab, el, o))
		}},
		{"select", `<select id=t aria-label=Target><option>A<option>B</select>`, func(b *bench, el *page.Element, o action.Options) error {
			return err(action.Select(b.ctx, b.tab, el, []string{"B"}, o))
		}},
		{"upload", `<input id=t type=file aria-label=Target>`, func(b *bench, el *page.Element, o action.Options) error {
			return err(action.Upload(b.ctx, b.tab, el, files, o))
		}},
	}
}

// states are what can be wrong with a target: markup around {}, script, and the
// code that each verb fails with; a verb that is not named does not mind.
var states = []struct {
	name, css, after, script string
	pointer                  api.Code // of those that use the pointer
	keyboard                 api.Code // of those that use the keyboard, or set a value
	but                      map[string]api.Code
}{
	{"covered", "position:absolute;left:20px;top:100px", `<div id=lid style="position:absolute;left:0;top:60px;width:400px;height:150px"></div>`, "", api.Covered, "", nil},
	{"moving", "position:absolute;top:100px;animation:m 7.3s linear infinite", `<style>` + restless + `</style>`, "", api.Moving, "", map[string]api.Code{"wheel": ""}},
	{"disabled", "", "", `t.disabled=true;t.setAttribute('aria-disabled','true')`, api.NotEnabled, api.NotEnabled, map[string]api.Code{"hover": "", "wheel": "", "dragto": ""}},
	{"off-screen", "position:fixed;left:-5000px;top:0", "", "", api.OutsideViewport, "", nil},
	{"zero-size", "position:absolute;left:10px;top:100px;width:0;height:0;padding:0;border:0;overflow:hidden;appearance:none", "", "", api.NotVisible, api.NotVisible, map[string]api.Code{"upload": ""}},
	{"hidden", "display:none", "", "", api.NotVisible, api.NotVisible, map[string]api.Code{"upload": ""}},
	{"detached", "", "", "window.cut=()=>t.remove()", api.StaleRef, api.StaleRef, nil},
	{"pointer-events", "pointer-events:none", "", "", api.NotEnabled, "", nil},
}

var byPointer = map[string]bool{"click": true, "dblclick": true, "hover": true, "tap": true, "wheel": true, "drag": true, "dragto": true, "drop": true, "check": true}

// TestEveryVerbOnEveryState: the right error, in time, and no event on another element.
func TestEveryVerbOnEveryState(t *testing.T) {
	const watch = `<script>strays=[];for(const n of ['pointerdown','mousedown','pointerup','mouseup','click','dblclick','contextmenu','touchstart','touchend','keydown','keypress','beforeinput','input','change','wheel','dragenter','dragover','drop'])
document.addEventListener(n,e=>{const at=e.composedPath()[0];if(e.isTrusted&&at.id!=='t'&&at.id!=='from'&&!document.querySelector('#t')?.contains(at))strays.push(n+':'+(at.id||at.nodeName))},true)</script>`
	b := open(t, "")
	for _, s := range states {
		for _, v := range allVerbs(t) {
			want := s.keyboard
			if byPointer[v.name] {
				want = s.pointer
			}
			if c, ok := s.but[v.name]; ok {
				want = c
			}
			if want == "" {
				continue
			}
			t.Run(s.name+"/"+v.name, func(t *testing.T) {
				b.t = t
				b.pages["/"] = `<!doctype html>` + watch + `<style>div#t{width:80px;height:20px}#t#t{` + s.css + `}#from{width:60px;height:20px;background:#ccc}</style><div id=from>From</div>` + v.html + s.after + `<p id=p style="margin-top:300px">other</p><script>` + s.script + `</script>`
				b.goTo(b.a + "/")
				el := b.ref("#t")
				if s.name == "detached" {
					b.js("cut()")
				}
				start := time.Now()
				err := v.do(b, el, action.Options{Timeout: 250 * time.Millisecond})
				var e *api.Error
				if errors.As(err, &e) && e.Code == api.Timeout { // a busy machine
					err = v.do(b, el, action.Options{Timeout: 4 * time.Second})
				}
				if err == nil {
					t.Fatalf("%s succeeded", v.name)
				}
				wantCode(t, err, want)
				if d := time.Since(start); d > 8*time.Second {
					t.Errorf("took %v", d)
				}
				if got := b.js("strays.join()"); got != "" {
					t.Errorf("other elements got %s", got)
				}
			})
		}
	}
}
