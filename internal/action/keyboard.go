package action

import (
	"context"
	"strings"
	"unicode/utf8"

	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/page"
)

// keyEvent is the parameter of CDP Input.dispatchKeyEvent.
type keyEvent struct {
	Type           string   `json:"type"`
	Modifiers      Modifier `json:"modifiers,omitempty"`
	Key            string   `json:"key,omitempty"`
	Code           string   `json:"code,omitempty"`
	Text           string   `json:"text,omitempty"`
	UnmodifiedText string   `json:"unmodifiedText,omitempty"`
	KeyCode        int      `json:"windowsVirtualKeyCode,omitempty"`
	Location       int      `json:"location,omitempty"`
	IsKeypad       bool     `json:"isKeypad,omitempty"`
	Commands       []string `json:"commands,omitempty"`
	Timestamp      float64  `json:"timestamp,omitzero"` // seconds since 1970
	AutoRepeat     bool     `json:"autoRepeat,omitempty"`
}

// editing are the editing commands of the usual shortcuts. The browser derives
// them from its platform; naming them makes the shortcuts the same on all.
var editing = map[string]string{
	"KeyA": "selectAll", "KeyC": "copy", "KeyX": "cut", "KeyV": "paste", "KeyZ": "undo", "KeyY": "redo",
}

// event returns the event of a key going down or up.
func (k key) event(typ string, mods Modifier) keyEvent {
	e := keyEvent{Type: typ, Modifiers: mods, Key: k.key, Code: k.code, KeyCode: k.keyCode, Location: k.location, IsKeypad: k.location == 3}
	if mods&Shift != 0 && k.shifted != "" {
		e.Key = k.shifted
	}
	if typ == "keyUp" {
		return e
	}
	if mods&^Shift == 0 {
		e.Text = k.text
		if e.Text == "" && len(e.Key) == 1 {
			e.Text = e.Key
		}
		e.UnmodifiedText = e.Text
	}
	if e.Text == "" {
		e.Type = "rawKeyDown"
	}
	if c := editing[k.code]; c != "" && (mods&^Shift == Control || mods&^Shift == Meta) {
		if mods&Shift != 0 {
			c = map[string]string{"undo": "redo"}[c]
		}
		if c != "" {
			e.Commands = []string{c}
		}
	}
	return e
}

// sendKey sends a key event, aimed when the element, or what has the focus, was
// looked at.
func (r *run) sendKey(e keyEvent) *cdp.Pending {
	e.Timestamp = r.aimed
	return r.t.Session().Start("Input.dispatchKeyEvent", e)
}

// keystroke presses and releases a key; hold presses the modifiers as keys too.
// Modifiers that are down already stay so.
func (r *run) keystroke(k key, mods Modifier, hold bool) []*cdp.Pending {
	var sent []*cdp.Pending
	if hold {
		sent = r.holdModifiers(mods, true)
	}
	all := mods | r.held
	sent = append(sent, r.sendKey(k.event("keyDown", all|modifierOf(k))), r.sendKey(k.event("keyUp", all)))
	if hold {
		sent = append(sent, r.holdModifiers(mods, false)...)
	}
	return sent
}

// holdModifiers presses or releases those of the modifier keys that are not down
// already.
func (r *run) holdModifiers(mods Modifier, down bool) []*cdp.Pending {
	var sent []*cdp.Pending
	mods &^= r.held
	now := r.held
	if !down {
		now |= mods
	}
	for _, mk := range modifierKeys {
		if mods&mk.mod == 0 {
			continue
		}
		typ := "keyDown"
		if down {
			now |= mk.mod
		} else {
			typ, now = "keyUp", now&^mk.mod
		}
		sent = append(sent, r.sendKey(keys[mk.name].event(typ, now)))
	}
	return sent
}

// Press presses a key or chord, such as "Enter", "a" or "Control+Shift+K". With
// an element that gets the focus first and must receive the key; without one the
// key goes to whatever has the focus.
func Press(ctx context.Context, t *page.Tab, el *page.Element, keyName string, o Options) (Result, error) {
	c, err := parseChord(keyName)
	if err != nil {
		return Result{}, err
	}
	w := watch(t, o)
	defer w.Close()
	r, err := keyboardRun(ctx, t, el, "press", o)
	if err != nil {
		return Result{}, err
	}
	defer r.listenForKeys()()
	if how, ok := composed[c.text]; ok {
		err = r.acknowledged(ctx, r.compose(how, c.text))
	} else if c.text != "" {
		err = r.acknowledged(ctx, []*cdp.Pending{t.Session().Start("Input.insertText", map[string]string{"text": c.text})})
	} else {
		sent := r.holdModifiers(c.held, true)
		sent = append(sent, r.keystroke(c.key, c.mods, false)...)
		sent = append(sent, r.holdModifiers(c.held, false)...)
		err = r.acknowledged(ctx, sent)
	}
	if err != nil {
		return Result{}, err
	}
	return r.typed(ctx, w, Result{}, typedText{sent: c.text == ""})
}

// keysAtOnce bounds how many key events are on their way at a time.
const keysAtOnce = 64

// Type types text into whatever has the focus, in whatever frame: key events for
// what the US layout has (a line break is Enter, a tab Tab), inserted text for
// the rest.
func Type(ctx context.Context, t *page.Tab, text string, o Options) (Result, error) {
	w := watch(t, o)
	defer w.Close()
	r, err := keyboardRun(ctx, t, nil, "type", o)
	if err != nil {
		return Result{}, err
	}
	defer r.listenForKeys()()
	res := Result{}
	var want typedText
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var sent []*cdp.Pending
	flush := func() error {
		err := r.acknowledged(ctx, sent)
		sent = sent[:0]
		return err
	}
	atOnce := keysAtOnce
	if r.aimed > 0 && r.room >= 0 && r.room < utf8.RuneCountInString(text) {
		atOnce = 1 // the page may hand the focus on when the field is full
	}
	for len(text) > 0 {
		n := untypable(text)
		if n > 0 {
			// Inserted text overtakes keys that are still on their way.
			if err := flush(); err != nil {
				return Result{}, err
			}
			sent = append(sent, t.Session().Start("Input.insertText", map[string]string{"text": text[:n]}))
			runes := utf8.RuneCountInString(text[:n])
			res.Count += runes
			want.chars += runes
			want.open = true
			if err := flush(); err != nil {
				return Result{}, err
			}
			text = text[n:]
			continue
		}
		sent = append(sent, r.typeKey(text[0])...)
		want.sent = true
		want.open = text[0] >= ' '
		if want.open {
			want.keys++
			want.chars++
		}
		res.Count++
		text = text[1:]
		if len(sent) >= atOnce {
			if err := flush(); err != nil {
				return Result{}, err
			}
			if atOnce == 1 && len(text) > 0 {
				if err := r.el.Frame.Call(ctx, r.el.Doc, "turn", nil); err != nil && !isParted(t, err) {
					return Result{}, err
				}
			}
		}
	}
	if err := flush(); err != nil {
		return Result{}, err
	}
	return r.typed(ctx, w, res, want)
}

// untypable returns how many bytes at the start of s no key types.
func untypable(s string) int {
	for i, c := range s {
		if c == '\n' || c == '\t' || c >= 0x20 && c < 0x7f {
			return i
		}
	}
	return len(s)
}

// typeKey sends the keys for one character of the US layout.
func (r *run) typeKey(c byte) []*cdp.Pending {
	name := string(rune(c))
	switch c {
	case '\n':
		name = "Enter"
	case '\t':
		name = "Tab"
	}
	k, shifted, _ := lookup(name)
	if shifted {
		return r.keystroke(k, Shift, true)
	}
	return r.keystroke(k, 0, false)
}

// focused is the answer of browse.focused.
type focused struct {
	Has bool `json:"has"`
	other
	Secret bool    `json:"secret"`
	Time   float64 `json:"time"` // milliseconds since 1970
	// Room is how many characters the field takes, -1 when that is not said.
	Room int `json:"room"`
}

// hasKeyboard verifies that the keys go to the element's frame. A frame of
// another process has the focus for itself at once, but the browser routes keys
// by what it has been told, which shows in the documents around the frame.
func (r *run) hasKeyboard(ctx context.Context) (miss, error) {
	for f := r.el.Frame; f.Parent() != nil; f = f.Parent() {
		if f.Session() == f.Parent().Session() {
			continue
		}
		var at focused
		if err := f.Parent().Call(ctx, "", "focused", &at, 0); err != nil {
			return miss{}, err
		}
		if at.Has {
			return miss{why: unfocused}, nil
		}
	}
	return miss{}, nil
}

// keyboardRun finds what the keys will go to and arms its guard.
func keyboardRun(ctx context.Context, t *page.Tab, el *page.Element, verb string, o Options) (*run, error) {
	if el != nil {
		r := newRun(t, el, verb, o)
		return r, r.focus(ctx)
	}
	r := newRun(t, nil, verb, o)
	frames := t.Frames()
	sent := make([]*page.Pending, len(frames))
	for i, f := range frames {
		if doc := f.Doc(); doc != "" || i == 0 {
			sent[i] = f.Start(ctx, doc, "focused", r.seq)
		}
	}
	r.el = &page.Element{Frame: t.Main()}
	for i, p := range sent {
		if p == nil {
			continue
		}
		var at focused
		err := p.Wait(ctx, &at)
		if i == 0 {
			if err != nil && !isParted(t, err) {
				return nil, err
			}
			r.el.Doc = p.Doc()
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, slowFrame)
			defer cancel()
		}
		if err == nil && at.Has {
			r.el = &page.Element{Frame: frames[i], Doc: p.Doc(), ID: at.ID, Role: at.Role, Name: at.Name}
			r.aimed = at.Time / 1000
			r.room = at.Room
			if at.ID != 0 {
				r.el.Label = t.Show(r.el)
			}
			break
		}
	}
	return r, nil
}

// listenForKeys prepares [run.heard]; the guard is armed, and no key has been sent.
func (r *run) listenForKeys() (stop func()) {
	if r.aimed == 0 {
		return func() {}
	}
	r.told, stop = r.listen()
	return stop
}

// heard reports whether the guard has seen a key before its document went.
func (r *run) heard(ctx context.Context) bool {
	if r.told == nil {
		return true // nothing had the keyboard that could tell
	}
	ctx, cancel := context.WithTimeout(ctx, tellLimit)
	defer cancel()
	select {
	case <-r.told:
		return true
	case <-ctx.Done():
		return false
	}
}

// typedText counts what was sent. The zero value is nothing that could be checked.
type typedText struct {
	sent  bool // any key at all
	keys  int  // characters sent as keys
	chars int  // characters that a field must take, line breaks and tabs left out
	open  bool // a character came last, rather than an Enter that sends a form
}

// typed verifies that keys arrived, and adds what they caused.
func (r *run) typed(ctx context.Context, w *page.Watch, res Result, want typedText) (Result, error) {
	if r.el.ID != 0 {
		res.Element = r.el
	}
	fin, _, err := r.finish(ctx, way{}, nil)
	if err != nil && isParted(r.t, err) && want.sent && !r.heard(ctx) {
		return res, api.Errorf(api.NotVerified, "browse snapshot -i", "the page navigated before the key reached it")
	}
	switch {
	case err != nil && !isParted(r.t, err) && r.t.Gone() == nil:
		return res, err
	case err != nil && want.open && r.t.Gone() == nil:
		res.Note = "the page navigated meanwhile; what was typed after that did not reach the new one"
	case err == nil && fin.Wrong != nil:
		return res, api.Errorf(api.NotVerified, "browse snapshot -i", "%s lost the focus to %s before the key arrived", what(r.el), show(r.t, r.el.Frame, r.el.Doc, fin.Wrong))
	case err == nil && want.sent && !fin.Lost && fin.Seen["keydown"] == 0:
		return res, api.Errorf(api.NotVerified, "browse click the field first, then try again", "no key reached the page")
	case err == nil && !fin.Lost && fin.Typed != nil:
		if err := r.taken(fin, want, &res); err != nil {
			return res, err
		}
	}
	return r.settle(ctx, w, res)
}
