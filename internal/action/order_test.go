package action_test

import (
	"strings"
	"testing"

	"gstack/internal/action"
	"gstack/internal/page"
)

// What a page sees when a person does it, in the order that UI Events, Pointer
// Events and HTML give. Moves are left out: how many there are is the browser's
// affair, as are repeats of dragover.
var orders = map[string]string{
	"click":    "pointerdown mousedown focus pointerup mouseup click",
	"dblclick": "pointerdown mousedown focus pointerup mouseup click pointerdown mousedown pointerup mouseup click dblclick",
	"right":    "pointerdown mousedown focus contextmenu pointerup mouseup auxclick",
	"hover":    "",
	"tap":      "pointerdown touchstart pointerup touchend mousedown focus mouseup click",
	"wheel":    "wheel",
	"drag":     "pointerdown mousedown focus pointerup mouseup click",
	"check":    "pointerdown mousedown focus pointerup mouseup click input change",
	"fill":     "focus beforeinput input change*",
	"clear":    "focus keydown beforeinput input keyup change*",
	"press":    "focus keydown keypress beforeinput input keyup",
	"chord":    "focus keydown keydown keyup keyup",
	"type":     "keydown keypress beforeinput input keyup keydown keypress beforeinput input keyup",
	"focus":    "focus",
	"select":   "focus input* change*",
	"upload":   "input change",
	"drop":     "dragenter dragover drop",
}

// TestEventOrder: every action makes the events that a person makes, trusted, in
// that order. A star marks those that the browser makes only for the keyboard or
// its own pickers, and that come from a script here.
func TestEventOrder(t *testing.T) {
	files := fileIn(t)
	b := open(t, `<!doctype html><button id=b>B</button><div id=w tabindex=0 style="width:80px;height:20px">wheel</div><input id=c type=checkbox><input id=i><input id=full value=old><select id=s><option>A<option>B</select><input id=f type=file><div id=z style="width:80px;height:20px">zone</div>
<script>got=[];for(const n of ['pointerdown','mousedown','focus','contextmenu','pointerup','mouseup','click','auxclick','dblclick','touchstart','touchend','wheel','keydown','keypress','beforeinput','input','change','keyup','dragenter','dragover','drop'])
document.addEventListener(n,e=>got.push(n+(e.isTrusted?'':'*')),true);b.oncontextmenu=e=>e.preventDefault();z.ondragenter=z.ondragover=z.ondrop=e=>e.preventDefault()</script>`)
	el := func(css string) *page.Element { return b.find(css) }
	do := map[string]func() (action.Result, error){
		"click": func() (action.Result, error) { return action.Click(b.ctx, b.tab, el("#b"), action.ClickOptions{}) },
		"dblclick": func() (action.Result, error) {
			return action.Click(b.ctx, b.tab, el("#b"), action.ClickOptions{Count: 2})
		},
		"right": func() (action.Result, error) {
			return action.Click(b.ctx, b.tab, el("#b"), action.ClickOptions{Button: "right"})
		},
		"hover": func() (action.Result, error) { return action.Hover(b.ctx, b.tab, el("#b"), action.ClickOptions{}) },
		"tap":   func() (action.Result, error) { return action.Tap(b.ctx, b.tab, el("#b"), action.ClickOptions{}) },
		"wheel": func() (action.Result, error) { return action.Wheel(b.ctx, b.tab, el("#w"), 0, 10, action.Options{}) },
		"drag": func() (action.Result, error) {
			return action.Drag(b.ctx, b.tab, el("#w"), nil, action.DragOptions{By: &action.Point{X: 12}, Steps: 2})
		},
		"check": func() (action.Result, error) {
			return action.Check(b.ctx, b.tab, el("#c"), true, action.ClickOptions{})
		},
		"fill":  func() (action.Result, error) { return action.Fill(b.ctx, b.tab, el("#i"), "ab", action.Options{}) },
		"clear": func() (action.Result, error) { return action.Fill(b.ctx, b.tab, el("#full"), "", action.Options{}) },
		"press": func() (action.Result, error) { return action.Press(b.ctx, b.tab, el("#i"), "x", action.Options{}) },
		"chord": func() (action.Result, error) {
			return action.Press(b.ctx, b.tab, el("#i"), "Control+b", action.Options{})
		},
		"type":  func() (action.Result, error) { return action.Type(b.ctx, b.tab, "ab", action.Options{}) },
		"focus": func() (action.Result, error) { return action.Focus(b.ctx, b.tab, el("#b"), action.Options{}) },
		"select": func() (action.Result, error) {
			return action.Select(b.ctx, b.tab, el("#s"), []string{"B"}, action.Options{})
		},
		"upload": func() (action.Result, error) { return action.Upload(b.ctx, b.tab, el("#f"), files, action.Options{}) },
		"drop":   func() (action.Result, error) { return action.Drop(b.ctx, b.tab, el("#z"), files, action.Options{}) },
	}
	for name, want := range orders {
		t.Run(name, func(t *testing.T) {
			b.t = t
			b.goTo(b.a + "/")
			if name == "type" {
				b.js("i.focus()")
			}
			b.js("got=[]")
			if _, err := do[name](); err != nil {
				t.Fatal(text(err))
			}
			if got := b.js("got.filter((n,i)=>n!=='dragover'||got[i-1]!==n).join(' ')"); got != want {
				t.Errorf("the page saw\n%s\nwant\n%s", strings.TrimSpace(got), want)
			}
		})
	}
	if len(do) != len(orders) {
		t.Errorf("%d actions, %d orders", len(do), len(orders))
	}
}

// TestTypeSplitFields: a code that is typed into fields of one character each,
// which pass the focus on, is counted as what it is.
func TestTypeSplitFields(t *testing.T) {
	b := open(t, `<!doctype html><div id=d>`+strings.Repeat(`<input maxlength=1 inputmode=numeric oninput="this.value&&this.nextElementSibling?.focus()">`, 6)+`</div>`)
	b.js("d.firstChild.focus()")
	res, err := action.Type(b.ctx, b.tab, "123456", action.Options{})
	if err != nil {
		t.Fatal(text(err))
	}
	if res.Count != 6 || res.Note != "" {
		t.Errorf("%+v", res)
	}
	b.want("[...d.children].map(i=>i.value).join('')", "123456")
	// One character too many is in no field.
	b.js("for(const i of d.children)i.value='';d.firstChild.focus()")
	if res, err = action.Type(b.ctx, b.tab, "12345678", action.Options{}); err != nil {
		t.Fatal(text(err))
	}
	if res.Note != "only 6 of 8 characters were taken" {
		t.Errorf("note is %q", res.Note)
	}
}

// TestFillNumberLocale: the value of a number is the same in all languages.
func TestFillNumberLocale(t *testing.T) {
	b := open(t, `<!doctype html><html lang=de><input id=n type=number step=any lang=de><input id=neg type=number step=any>`)
	for _, v := range []string{"12.5", "-0.25", "1e3", "7"} {
		for _, id := range []string{"n", "neg"} {
			b.fill("#"+id, v)
			b.want("Number("+id+".value)===Number('"+v+"')", "true")
		}
	}
	b.fillFails("#n", "12,5", "bad_usage", "a number")
}
