package action_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"gstack/internal/action"
)

// TestSuccessor: the document of the element is replaced between the check and
// the press. Its successor, with a button of its own at the same place, gets
// nothing of the click, the tap, the drag or the keys.
func TestSuccessor(t *testing.T) {
	const button = `<!doctype html><style>body{margin:0}button{width:300px;height:200px}</style>`
	next := button + `<button id=next>Next</button><script>
		for (const e of ['pointerdown','mousedown','touchstart','click','keydown','keypress','keyup']) addEventListener(e, () => { const x = new XMLHttpRequest(); x.open('GET', '/hit/' + e, false); x.send() }, true);
		requestAnimationFrame(() => requestAnimationFrame(() => fetch('/hit/ready')))</script>`
	inner := button + `<button id=go>Go</button><script>fetch('/slow').then(() => location.replace('/next'))</script>`
	verbs := []struct {
		name, method string
		nth          int
		do           func(b *bench) error
	}{
		{"click", "Input.dispatchMouseEvent", 2, func(b *bench) error {
			_, err := action.Click(b.ctx, b.tab, b.find("#go"), action.ClickOptions{Options: action.Options{Timeout: 3 * time.Second}})
			return err
		}},
		{"tap", "Input.dispatchTouchEvent", 1, func(b *bench) error {
			_, err := action.Tap(b.ctx, b.tab, b.find("#go"), action.ClickOptions{Options: action.Options{Timeout: 3 * time.Second}})
			return err
		}},
		{"drag", "Input.dispatchMouseEvent", 2, func(b *bench) error {
			_, err := action.Drag(b.ctx, b.tab, b.find("#go"), nil, action.DragOptions{By: &action.Point{X: 30}, Options: action.Options{Timeout: 3 * time.Second}})
			return err
		}},
		{"press", "Input.dispatchKeyEvent", 1, func(b *bench) error {
			_, err := action.Press(b.ctx, b.tab, b.find("#go"), "Enter", action.Options{Timeout: 3 * time.Second})
			return err
		}},
		{"keydown", "Input.dispatchKeyEvent", 1, func(b *bench) error {
			if _, err := action.Focus(b.ctx, b.tab, b.find("#go"), action.Options{}); err != nil {
				b.t.Error(err)
			}
			_, err := action.Key(b.ctx, b.tab, "ArrowDown", true, action.Options{Timeout: 3 * time.Second})
			return err
		}},
		{"type", "Input.dispatchKeyEvent", 1, func(b *bench) error {
			if _, err := action.Focus(b.ctx, b.tab, b.find("#go"), action.Options{}); err != nil {
				b.t.Error(err)
			}
			_, err := action.Type(b.ctx, b.tab, "abc", action.Options{Timeout: 3 * time.Second})
			return err
		}},
	}
	for _, v := range verbs {
		for _, site := range []string{"{{a}}", "{{b}}"} {
			t.Run(v.name+" "+map[string]string{"{{a}}": "same process", "{{b}}": "other process"}[site], func(t *testing.T) {
				b := open(t, "", "/outer", `<!doctype html><iframe src="`+site+`/inner" width=400 height=300></iframe>`, "/inner", inner, "/next", next)
				ready := make(chan struct{}, 1)
				b.slow = make(chan struct{})
				b.onHit = func(path string) {
					if path == "/hit/ready" {
						ready <- struct{}{}
					}
				}
				b.goTo(b.a + "/outer")
				ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
				defer cancel()
				t.Cleanup(faults.Clear)
				faults.Clear()
				faults.Hold(v.method, v.nth, func() {
					close(b.slow)
					select {
					case <-ready:
					case <-ctx.Done():
						t.Error("the successor did not come")
					}
				})
				if err := v.do(b); err == nil {
					t.Error("it succeeded")
				}
				if got := strings.Join(b.hits(), " "); got != "/hit/ready" {
					t.Errorf("the successor got %s", got)
				}
				// What is aimed at the successor itself arrives.
				if _, err := action.Click(b.ctx, b.tab, b.find("#next"), action.ClickOptions{}); err != nil {
					t.Error(text(err))
				}
				if got := strings.Join(b.hits(), " "); !strings.HasSuffix(got, "/hit/click") {
					t.Errorf("after a click of its own: %s", got)
				}
			})
		}
	}
}

// hits returns the requests for /hit/… so far.
func (b *bench) hits() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.got)
}
