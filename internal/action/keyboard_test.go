package action_test

import (
	"strings"
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
)

func (b *bench) pressKey(chord string) {
	b.t.Helper()
	if _, err := action.Press(b.ctx, b.tab, nil, chord, action.Options{}); err != nil {
		b.t.Fatalf("press %s: %s", chord, text(err))
	}
}

func (b *bench) typeText(s string) action.Result {
	b.t.Helper()
	res, err := action.Type(b.ctx, b.tab, s, action.Options{})
	if err != nil {
		b.t.Fatalf("type: %s", text(err))
	}
	return res
}

const keylog = `<script>ev=[];const mods=e=>(e.ctrlKey?'C':'')+(e.altKey?'A':'')+(e.shiftKey?'S':'')+(e.metaKey?'M':'');
for(const t of ['keydown','keypress','keyup'])addEventListener(t,e=>ev.push([t[3],e.key,e.code,e.keyCode,e.location,mods(e)].join(' ')),true)</script>`

func TestPressKeys(t *testing.T) {
	b := open(t, `<!doctype html>`+keylog+`<p>keys</p>`)
	for chord, want := range map[string]string{
		"a":               "d a KeyA 65 0 |p a  97 0 |u a KeyA 65 0 ",
		"A":               "d A KeyA 65 0 S|p A  65 0 S|u A KeyA 65 0 S",
		"?":               "d ? Slash 191 0 S|p ?  63 0 S|u ? Slash 191 0 S",
		"5":               "d 5 Digit5 53 0 |p 5  53 0 |u 5 Digit5 53 0 ",
		"Enter":           "d Enter Enter 13 0 |p Enter  13 0 |u Enter Enter 13 0 ",
		"enter":           "d Enter Enter 13 0 |p Enter  13 0 |u Enter Enter 13 0 ",
		"Escape":          "d Escape Escape 27 0 |u Escape Escape 27 0 ",
		"esc":             "d Escape Escape 27 0 |u Escape Escape 27 0 ",
		"ArrowDown":       "d ArrowDown ArrowDown 40 0 |u ArrowDown ArrowDown 40 0 ",
		"F1":              "d F1 F1 112 0 |u F1 F1 112 0 ",
		"F12":             "d F12 F12 123 0 |u F12 F12 123 0 ",
		"F24":             "d F24 F24 135 0 |u F24 F24 135 0 ",
		"Space":           "d   Space 32 0 |p    32 0 |u   Space 32 0 ",
		"Tab":             "d Tab Tab 9 0 |u Tab Tab 9 0 ",
		"Numpad7":         "d 7 Numpad7 103 3 |p 7  55 3 |u 7 Numpad7 103 3 ",
		"NumpadEnter":     "d Enter NumpadEnter 13 3 |p Enter  13 3 |u Enter NumpadEnter 13 3 ",
		"+":               "d + Equal 187 0 S|p +  43 0 S|u + Equal 187 0 S",
		"Shift":           "d Shift ShiftLeft 16 1 S|u Shift ShiftLeft 16 1 ",
		"Control+a":       "d Control ControlLeft 17 1 C|d a KeyA 65 0 C|u a KeyA 65 0 C|u Control ControlLeft 17 1 ",
		"Control+Shift+,": "d Control ControlLeft 17 1 C|d Shift ShiftLeft 16 1 CS|d < Comma 188 0 CS|u < Comma 188 0 CS|u Control ControlLeft 17 1 S|u Shift ShiftLeft 16 1 ",
		"Shift+Enter":     "d Shift ShiftLeft 16 1 S|d Enter Enter 13 0 S|p Enter  13 0 S|u Enter Enter 13 0 S|u Shift ShiftLeft 16 1 ",
		"ctrl++":          "d Control ControlLeft 17 1 C|d + Equal 187 0 CS|u + Equal 187 0 CS|u Control ControlLeft 17 1 ",
		"Meta+,":          "d Meta MetaLeft 91 1 M|d , Comma 188 0 M|u , Comma 188 0 M|u Meta MetaLeft 91 1 ",
		"Alt+F4":          "d Alt AltLeft 18 1 A|d F4 F4 115 0 A|u F4 F4 115 0 A|u Alt AltLeft 18 1 ",
	} {
		b.js("ev=[]")
		b.pressKey(chord)
		got := b.js("ev.join('|')")
		// A keypress has no code; Chromium gives it one for keys that CDP names.
		if norm := normal(got); norm != normal(want) {
			t.Errorf("%s:\n got %s\nwant %s", chord, got, want)
		}
	}
}

// normal leaves out the code of keypress events.
func normal(s string) string {
	parts := strings.Split(s, "|")
	for i, p := range parts {
		if f := strings.Split(p, " "); f[0] == "p" {
			parts[i] = strings.Join(append(f[:2:2], f[len(f)-3:]...), " ")
		}
	}
	return strings.Join(parts, "|")
}

func TestPressUnknown(t *testing.T) {
	b := open(t, `<!doctype html>`+keylog)
	for chord, words := range map[string]string{
		"NoSuchKey": "unknown key", "Entr": "Enter", "ArowDown": "ArrowDown", "Hyper+a": `"Hyper" in Hyper+a`, "": "unknown key", "Control+": "unknown key",
	} {
		_, err := action.Press(b.ctx, b.tab, nil, chord, action.Options{})
		if err == nil {
			t.Errorf("%q succeeded", chord)
			continue
		}
		wantCode(t, err, api.BadUsage, words)
	}
	b.want("ev.length", "0")
}

func TestPressEdits(t *testing.T) {
	b := open(t, `<!doctype html><form onsubmit="event.preventDefault();document.title='sent'"><input id=i value="hello world"><textarea id=ta>one two</textarea><input type=submit></form><div id=ce contenteditable>rich text</div>`)
	for _, id := range []string{"i", "ta", "ce"} {
		read := map[string]string{"i": "i.value", "ta": "ta.value", "ce": "ce.innerText"}[id]
		b.click("#" + id)
		b.pressKey("ControlOrMeta+A")
		b.typeText("ONLY")
		b.want(read, "ONLY")
		b.pressKey("Backspace")
		b.pressKey("Home")
		b.typeText("x")
		b.pressKey("End")
		b.pressKey("Shift+ArrowLeft")
		b.typeText("-")
		b.want(read, "xON-")
		b.pressKey("Control+A")
		b.pressKey("Control+C")
		b.pressKey("End")
		b.pressKey("Control+V")
		b.want(read, "xON-xON-")
		b.pressKey("Control+Z")
		b.want(read, "xON-")
		b.pressKey("Control+Shift+Z")
		b.want(read, "xON-xON-")
	}
	b.click("#i")
	b.pressKey("Enter")
	b.want("document.title", "sent")
	b.pressKey("Tab")
	b.want("document.activeElement.id", "ta")
	b.pressKey("Shift+Tab")
	b.want("document.activeElement.id", "i")
	if _, err := action.Press(b.ctx, b.tab, b.ref("#ta"), "Control+A", action.Options{}); err != nil {
		t.Fatal(text(err))
	}
	b.want("document.activeElement.id", "ta")
	_, err := action.Press(b.ctx, b.tab, b.ref("form"), "a", action.Options{Timeout: 300 * time.Millisecond})
	wantCode(t, err, api.NotEditable, "did not take the focus")
}

func TestType(t *testing.T) {
	b := open(t, `<!doctype html>`+keylog+`<input id=i><textarea id=ta></textarea>`)
	b.click("#ta")
	all := ""
	for c := byte(' '); c < 0x7f; c++ {
		all += string(rune(c))
	}
	res := b.typeText(all + "\nné😀\t")
	if res.Count != len(all)+5 || res.Element == nil || res.Element.Role != "textbox" {
		t.Errorf("%+v", res)
	}
	b.want("ta.value", all+"\nné😀")
	b.click("#i")
	b.js("ev=[]")
	b.typeText("aB")
	b.want("ev.filter(x=>!x.startsWith('p')).join('|')", "d a KeyA 65 0 |u a KeyA 65 0 |d Shift ShiftLeft 16 1 S|d B KeyB 66 0 S|u B KeyB 66 0 S|u Shift ShiftLeft 16 1 ")
	long := strings.Repeat("0123456789", 60)
	b.js("i.value=''")
	b.typeText(long)
	b.want("i.value", long)
	b.js("document.activeElement.blur()")
	_, err := action.Type(b.ctx, b.tab, "/", action.Options{})
	wantCode(t, err, api.NotEditable, "no element has the focus")
}

// Typing where nothing takes text, or not all of it, is not a success.
func TestTypeTaken(t *testing.T) {
	b := open(t, `<!doctype html><style>div:empty{height:1em}</style><button id=b>Save</button><a id=a href="#x">link</a><input id=cb type=checkbox>
<input id=ro readonly value=x><input id=full maxlength=2 value=ab><input id=part maxlength=4><input id=n type=number><textarea id=no onbeforeinput="event.preventDefault()"></textarea>
<input id=deaf onkeydown="event.preventDefault()"><input id=own onkeydown="if(event.key.length==1){event.preventDefault();value+=event.key.toUpperCase()}">
<input id=day type=date><select id=s><option>x<option>north</select><canvas id=cv tabindex=0></canvas>
<div id=ed contenteditable></div><div id=edown contenteditable onbeforeinput="event.preventDefault();this.append(event.data)"></div>
<input id=up oninput="value=value.toUpperCase()"><input id=pw type=password>`)
	for _, c := range []struct {
		id, text string
		code     api.Code // "" for success
		says     string
	}{
		{"b", "hello", api.NotEditable, `[button] "Save"`},
		{"a", "hello", api.NotEditable, `[link] "link"`},
		{"cb", "hello", api.NotEditable, "[checkbox]"},
		{"ro", "hello", api.NotEditable, "read-only"},
		{"ro", "é", api.NotEditable, "read-only"},
		{"full", "cd", api.NotVerified, "maxlength"},
		{"full", "é", api.NotVerified, "maxlength"},
		{"n", "abc", api.NotVerified, "did not take"},
		{"no", "abc", api.NotVerified, "did not take"},
		{"part", "abcdef", "", "only 4 of 6"},
		{"deaf", "abc", "", "handled the keys itself"},
		{"cv", "abc", "", "no field took the text"},
		{"own", "abc", "", ""}, {"day", "0203", "", ""}, {"s", "n", "", ""}, {"ed", "a b\nc é", "", ""},
		{"edown", "abc", "", ""}, {"up", "aBé", "", ""}, {"pw", "x y", "", ""}, {"no", "\n", "", ""},
	} {
		b.js(c.id + ".focus()")
		res, err := action.Type(b.ctx, b.tab, c.text, action.Options{})
		if c.code != "" {
			t.Run(c.id, func(t *testing.T) { wantCode(t, err, c.code, c.says) })
			continue
		}
		if err != nil || c.says == "" && res.Note != "" || !strings.Contains(res.Note, c.says) {
			t.Errorf("%s: %q, want %q; %v", c.id, res.Note, c.says, err)
		}
	}
	b.want("[full.value,part.value,own.value,s.value,edown.textContent,up.value,pw.value].join()", "ab,abcd,ABC,north,abc,ABÉ,x y")
}

func TestTypeInFrames(t *testing.T) {
	b := open(t, `<!doctype html><input id=outer><iframe src="{{b}}/f" width=400 height=100></iframe><p id=out></p><script>addEventListener('message',e=>out.textContent=e.data)</script>`,
		"/f", `<!doctype html><input id=i oninput="top.postMessage(value,'*')" onkeydown="if(event.key=='Enter')top.postMessage('entered '+value,'*')">`)
	b.click("#outer")
	b.typeText("o")
	b.want("outer.value", "o")
	b.click("#i")
	res := b.typeText("Inner é")
	b.want("out.textContent", "Inner é")
	if res.Element == nil || res.Element.Frame == b.tab.Main() {
		t.Errorf("typed into %v", res.Element)
	}
	b.pressKey("Enter")
	b.want("out.textContent", "entered Inner é")
	b.want("outer.value", "o")
	if _, err := action.Press(b.ctx, b.tab, b.ref("#outer"), "x", action.Options{}); err != nil {
		t.Fatal(text(err))
	}
	b.want("outer.value", "ox")
}

func TestTypeOneTimeCode(t *testing.T) {
	b := open(t, `<!doctype html><input maxlength=1 id=a oninput="b.focus()"><input maxlength=1 id=b oninput="c.focus()"><input maxlength=1 id=c>`)
	b.click("#a")
	b.typeText("123")
	b.want("a.value+b.value+c.value", "123")
}

func TestPressNavigates(t *testing.T) {
	b := open(t, `<!doctype html><a id=a href="/next">next</a>`, "/next", "<title>next</title>")
	res, err := action.Press(b.ctx, b.tab, b.ref("#a"), "Enter", action.Options{})
	if err != nil {
		t.Fatal(text(err))
	}
	if !res.Effects.Navigated {
		t.Errorf("%+v", res.Effects)
	}
	b.want("document.title", "next")
}

func TestFocusHoverScroll(t *testing.T) {
	b := open(t, `<!doctype html><style>#h:hover{color:red}</style><input id=i><div id=d>plain</div><button id=h onmouseenter="document.title='over'">H</button><div style="height:4000px"></div><p id=low>low</p>`)
	if _, err := action.Focus(b.ctx, b.tab, b.ref("#i"), action.Options{}); err != nil {
		t.Fatal(text(err))
	}
	b.want("document.activeElement.id", "i")
	_, err := action.Focus(b.ctx, b.tab, b.ref("#d"), action.Options{Timeout: 300 * time.Millisecond})
	wantCode(t, err, api.NotEditable, "focus")
	if _, err := action.Hover(b.ctx, b.tab, b.ref("#h"), action.ClickOptions{}); err != nil {
		t.Fatal(text(err))
	}
	b.want("document.title+h.matches(':hover')", "overtrue")
	if _, err := action.ScrollIntoView(b.ctx, b.tab, b.ref("#low"), action.Options{}); err != nil {
		t.Fatal(text(err))
	}
	b.want("low.getBoundingClientRect().top<innerHeight", "true")
	b.js("d.style.display='none'")
	_, err = action.ScrollIntoView(b.ctx, b.tab, b.find("#d"), action.Options{Timeout: 300 * time.Millisecond})
	wantCode(t, err, api.NotVisible)
	b.js("scrollTo(0,0);h.insertAdjacentHTML('afterend','<div id=o style=position:fixed;inset:0>')")
	_, err = action.Hover(b.ctx, b.tab, b.ref("#h"), action.ClickOptions{Options: action.Options{Timeout: 300 * time.Millisecond}})
	wantCode(t, err, api.Covered, `<div id="o">`)
}

// TestPressComposes: a letter with a mark is typed by a dead key and the letter.
func TestPressComposes(t *testing.T) {
	b := open(t, `<!doctype html><input id=i><script>keys=[];i.onkeydown=e=>keys.push(e.key+':'+e.code+':'+e.shiftKey)</script>`)
	for _, c := range []struct{ key, keys string }{
		{"é", "Dead:Quote:false,é:KeyE:false"},
		{"Ö", "Shift:ShiftLeft:true,Dead:Quote:true,Shift:ShiftLeft:true,Ö:KeyO:true"},
		{"ñ", "Shift:ShiftLeft:true,Dead:Backquote:true,ñ:KeyN:false"},
	} {
		b.js("i.value='';keys=[];i.focus()")
		if _, err := action.Press(b.ctx, b.tab, nil, c.key, action.Options{}); err != nil {
			t.Fatal(text(err))
		}
		b.want("keys.join()", c.keys)
		b.want("i.value", c.key)
	}
}
