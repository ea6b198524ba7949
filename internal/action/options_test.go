package action_test

import (
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
)

func TestClickPosition(t *testing.T) {
	b := open(t, `<!doctype html><div id=b style="width:200px;height:100px;margin:20px;background:#ddd" onclick="document.title=event.offsetX+','+event.offsetY">box</div>`)
	o := action.ClickOptions{Position: &action.Point{X: 150, Y: 90}}
	if _, err := action.Click(b.ctx, b.tab, b.find("#b"), o); err != nil {
		t.Fatal(text(err))
	}
	b.want("document.title", "150,90")
	o.Position = &action.Point{X: 201, Y: 5}
	_, err := action.Click(b.ctx, b.tab, b.find("#b"), o)
	wantCode(t, err, api.BadUsage, "outside of", "200 × 100")
	b.want("document.title", "150,90")
}

func TestClickModifiers(t *testing.T) {
	b := open(t, `<!doctype html><button id=b>B</button><script>keys=[];addEventListener('keydown',e=>keys.push('+'+e.key));addEventListener('keyup',e=>keys.push('-'+e.key))
b.onclick=e=>document.title=[e.ctrlKey,e.shiftKey,e.altKey,e.metaKey].map(Number).join('')</script>`)
	if _, err := action.Click(b.ctx, b.tab, b.find("#b"), action.ClickOptions{Modifiers: action.Control | action.Shift}); err != nil {
		t.Fatal(text(err))
	}
	b.want("document.title", "1100")
	b.want("keys.join()", "+Control,+Shift,-Control,-Shift")
}

func TestClickNewTab(t *testing.T) {
	b := open(t, `<!doctype html><a id=a href="{{a}}/two">Two</a><button id=b>B</button>`, "/two", `<!doctype html><title>two</title>`)
	res, err := action.Click(b.ctx, b.tab, b.ref("#a"), action.ClickOptions{NewTab: true})
	if err != nil {
		t.Fatal(text(err))
	}
	if len(res.Effects.Popups) != 1 || res.Effects.Navigated {
		t.Errorf("effects: %+v", res.Effects)
	}
	_, err = action.Click(b.ctx, b.tab, b.ref("#b"), action.ClickOptions{NewTab: true})
	wantCode(t, err, api.NotVerified, "no new tab")
}

func TestClickLeaves(t *testing.T) {
	b := open(t, `<!doctype html><a id=a href="{{a}}/slow">Slow</a>`)
	hold := make(chan struct{})
	b.slow = hold
	defer close(hold)
	start := time.Now()
	res, err := action.Click(b.ctx, b.tab, b.ref("#a"), action.ClickOptions{Options: action.Options{Leave: true}})
	if err != nil {
		t.Fatal(text(err))
	}
	if d := time.Since(start); d > 2*time.Second || !res.Effects.Pending {
		t.Errorf("took %v, pending %v", d, res.Effects.Pending)
	}
}

// TestHoverRenames: what turns into something else under the pointer is not pressed.
func TestHoverRenames(t *testing.T) {
	const html = `<!doctype html>` + log + `<button id=b onmouseover="this.textContent='Unfollow'" onmouseout="this.textContent='Following'">Following</button><p id=p style="margin-top:300px">away</p>`
	b := open(t, html)
	_, err := action.Click(b.ctx, b.tab, b.ref("#b"), action.ClickOptions{})
	wantCode(t, err, api.ChangedRef, "Following", `became [button] "Unfollow" when the pointer came over it`)
	b.want("seen.join()", "")
	// Shown as what it is now, it can be pressed.
	b.click("#b")
	b.want("seen.at(-1)", "click:b")

	b = open(t, html)
	_, err = action.Click(b.ctx, b.tab, b.find("text=Following"), action.ClickOptions{})
	wantCode(t, err, api.ChangedRef, "Unfollow")
	b.want("seen.join()", "")
	// A selector that does not name it by what it says still means it.
	if _, err = action.Click(b.ctx, b.tab, b.find("#b"), action.ClickOptions{}); err != nil {
		t.Fatal(text(err))
	}
	b.want("seen.at(-1)", "click:b")
}

func TestSelectHidden(t *testing.T) {
	b := open(t, `<!doctype html><select id=s><option hidden value="">Pick</option><option>A</option><option value=x hidden>A</option><optgroup hidden><option>G</option></optgroup><option style="display:none">N</option></select>`)
	for _, v := range []string{"Pick", "G", "N", "value=x"} {
		_, err := action.Select(b.ctx, b.tab, b.ref("#s"), []string{v}, action.Options{Timeout: 300 * time.Millisecond})
		wantCode(t, err, api.NotVisible, "hidden")
	}
	b.want("s.value", "")
	if _, err := action.Select(b.ctx, b.tab, b.ref("#s"), []string{"A"}, action.Options{}); err != nil {
		t.Fatal(text(err))
	}
	b.want("s.value", "A")
}

// TestCheckReplaced: the state that counts is that of what the page put there.
func TestCheckReplaced(t *testing.T) {
	for _, c := range []struct {
		to   string
		code api.Code
	}{{"checked", ""}, {"", api.NotVerified}} {
		b := open(t, `<!doctype html><div id=d><input type=checkbox id=c aria-label=Box></div><script>c.onchange=()=>d.innerHTML='<input type=checkbox id=c aria-label=Box `+c.to+`>'</script>`)
		for _, el := range []string{"ref", "selector"} {
			b.goTo(b.a + "/")
			target := b.find("#c")
			if el == "ref" {
				target = b.ref("#c")
			}
			res, err := action.Check(b.ctx, b.tab, target, true, action.ClickOptions{})
			if c.code != "" {
				wantCode(t, err, c.code, "put in its place", "not checked")
				continue
			}
			if err != nil {
				t.Fatal(text(err))
			}
			if res.State != "true" || res.Note == "" {
				t.Errorf("%s: %+v", el, res)
			}
		}
	}
}

// TestHeldModifiers: a key that is down counts for what follows.
func TestHeldModifiers(t *testing.T) {
	b := open(t, `<!doctype html><button id=b>B</button><script>keys=[];addEventListener('keydown',e=>keys.push('+'+e.key));b.onclick=e=>document.title=String(e.shiftKey)</script>`)
	b.tab.Pad().Modifiers = int(action.Shift)
	if _, err := action.Click(b.ctx, b.tab, b.find("#b"), action.ClickOptions{Modifiers: action.Shift}); err != nil {
		t.Fatal(text(err))
	}
	b.want("document.title", "true")
	b.want("keys.join()", "")
}
