package action

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gstack/internal/cdp"
	"gstack/internal/page"
)

// touchPoint is one finger in CDP Input.dispatchTouchEvent.
type touchPoint struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

type touchEvent struct {
	Type      string       `json:"type"`
	Points    []touchPoint `json:"touchPoints"`
	Modifiers Modifier     `json:"modifiers,omitempty"`
	Timestamp float64      `json:"timestamp,omitzero"` // seconds since 1970
}

// tapLimit bounds the wait for the click that the browser makes of a tap.
const tapLimit = 400 * time.Millisecond

// Tap touches an element with one finger, briefly. The page gets touch events and,
// unless it handles these itself, the click that a browser makes of a tap.
func Tap(ctx context.Context, t *page.Tab, el *page.Element, o ClickOptions) (Result, error) {
	r := newRun(t, el, "tap", o.Options)
	w := r.watch()
	defer w.Close()
	res := Result{}
	err := r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		told, untell := r.listen()
		defer untell()
		rep, m, err := r.ready(bounded, readyOptions{Need: "tap", Attempt: n, Count: 1, Position: o.Position})
		if err != nil || m.why != done {
			return m, err
		}
		at, m, err := r.outward(bounded, rep)
		if err != nil || m.why != done {
			return m, err
		}
		s := t.Session()
		sent := []*cdp.Pending{
			s.Start("Input.dispatchTouchEvent", touchEvent{"touchStart", []touchPoint{{at.x, at.y}}, r.held, r.aimed}),
			s.Start("Input.dispatchTouchEvent", touchEvent{"touchEnd", []touchPoint{}, r.held, r.aimed}),
		}
		if err := r.acknowledged(ctx, sent); err != nil {
			r.release(at)
			return miss{}, err
		}
		err = r.el.Frame.Call(ctx, r.el.Doc, "tapped", nil, r.seq, tapLimit.Milliseconds())
		var fin report
		var met *miss
		if err == nil {
			fin, met, err = r.finish(ctx, at, nil)
		}
		if err != nil {
			if !isParted(t, err) && t.Gone() == nil {
				return miss{}, err
			}
			return r.parted(ctx, !o.Force && !rep.Frame, told, &res)
		}
		res.State = fin.State
		if o.Force || rep.Frame {
			return miss{}, nil
		}
		return r.judgeTap(fin, met, &res)
	})
	if err != nil {
		return Result{}, err
	}
	res.Element = r.el
	return r.settle(ctx, w, res)
}

func (r *run) judgeTap(fin report, met *miss, res *Result) (miss, error) {
	switch {
	case fin.Renamed != nil:
		return r.turned(fin.Renamed), nil
	case fin.Wrong != nil:
		return r.stolen(fin.Wrong), nil
	case fin.Seen["click"] > 0:
	case fin.Prevented:
		res.Note = "the page handled the touch itself, so no click came of it"
	case fin.Seen["pointerdown"]+fin.Seen["touchstart"] == 0:
		if met != nil {
			return *met, nil
		}
		return miss{why: unseen}, nil
	default:
		res.Note = "it got the touch, and no click came of that"
	}
	return miss{}, nil
}

// rolled is the answer of browse.rolled: where the scroller under the wheel is.
type rolled struct {
	reply
	None bool    `json:"none"`
	MaxX float64 `json:"maxX"`
	MaxY float64 `json:"maxY"`
}

// Wheel turns the mouse wheel over an element, or where the pointer is: dx and dy
// are CSS pixels to the right and down.
func Wheel(ctx context.Context, t *page.Tab, el *page.Element, dx, dy float64, o Options) (Result, error) {
	r := newRun(t, el, "wheel", o)
	w := r.watch()
	defer w.Close()
	res := Result{}
	if el == nil {
		r.el = t.Main().Document()
		r.el.Doc = t.Main().Doc()
	}
	across := dy == 0
	err := r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		at, m, err := r.wheelPlace(bounded, el, n)
		if err != nil || m.why != done {
			return m, err
		}
		var was, is rolled
		if err := r.el.Frame.Call(bounded, r.el.Doc, "rolled", &was, r.el.ID, across, at.x, at.y, false); err != nil {
			return miss{}, err
		}
		e := map[string]any{"type": "mouseWheel", "x": at.x, "y": at.y, "deltaX": dx, "deltaY": dy, "modifiers": r.held}
		if r.aimed > 0 {
			e["timestamp"] = r.aimed
		}
		if err := r.acknowledged(ctx, []*cdp.Pending{t.Session().Start("Input.dispatchMouseEvent", e)}); err != nil {
			r.release(at)
			return miss{}, err
		}
		if err := r.el.Frame.Call(ctx, r.el.Doc, "rolled", &is, r.el.ID, across, at.x, at.y, true); err != nil {
			return miss{}, err
		}
		fin, met, err := r.finish(ctx, at, nil)
		if err != nil {
			return miss{}, err
		}
		if el != nil && !o.Force {
			switch {
			case fin.Wrong != nil:
				m := r.missed(&reply{Why: "covered", By: fin.Wrong}, r.el.Frame, r.el.Doc)
				m.why = intercepted
				return m, nil
			case fin.Seen["wheel"] == 0 && met != nil:
				return *met, nil
			case fin.Seen["wheel"] == 0:
				return miss{why: unseen}, nil
			}
		}
		switch {
		case fin.Prevented:
			res.Note = "the page handled the wheel itself"
		case is.None:
			res.Note = "nothing there scrolls"
		case is.X == was.X && is.Y == was.Y:
			res.Note = "nothing scrolled"
		default:
			res.Moved = []string{fmt.Sprintf("position: x %.0f of %.0f, y %.0f of %.0f", is.X, is.MaxX, is.Y, is.MaxY)}
		}
		return miss{}, nil
	})
	if err != nil {
		return Result{}, err
	}
	res.Element = el
	return r.settle(ctx, w, res)
}

// wheelPlace returns where to turn the wheel. Coordinates are of the top viewport.
func (r *run) wheelPlace(ctx context.Context, el *page.Element, n int) (way, miss, error) {
	if el == nil {
		pad := r.t.Pad()
		return way{x: pad.X, y: pad.Y}, miss{}, nil
	}
	rep, m, err := r.ready(ctx, readyOptions{Need: "wheel", Attempt: n})
	if err != nil || m.why != done {
		return way{}, m, err
	}
	return r.outward(ctx, rep)
}

// Mouse is raw input: the pointer goes to a point of the viewport ("move"), or a
// button goes down or up where it is ("down", "up"). Nothing is checked; the
// result names what is there.
func Mouse(ctx context.Context, t *page.Tab, what, button string, at *Point, o Options) (Result, error) {
	r := newRun(t, t.Main().Document(), "mouse", o)
	w := r.watch()
	defer w.Close()
	pad := t.Pad()
	if at != nil {
		pad.X, pad.Y = at.X, at.Y
	}
	e := r.moved(pad.X, pad.Y, 0)
	var sent []*cdp.Pending
	res := Result{}
	switch what {
	case "down":
		if pad.Buttons&buttonBits[button] != 0 {
			res.Note = "the " + button + " button was down already"
		}
		if at != nil {
			sent = append(sent, t.Session().Start("Input.dispatchMouseEvent", e))
		}
		pad.Buttons |= buttonBits[button]
		e.Type, e.Button, e.Buttons, e.ClickCount = "mousePressed", button, pad.Buttons, 1
	case "up":
		if pad.Buttons&buttonBits[button] == 0 {
			res.Note = "the " + button + " button was not down"
		}
		if at != nil {
			sent = append(sent, t.Session().Start("Input.dispatchMouseEvent", e))
		}
		pad.Buttons &^= buttonBits[button]
		e.Type, e.Button, e.Buttons, e.ClickCount = "mouseReleased", button, pad.Buttons, 1
	}
	sent = append(sent, t.Session().Start("Input.dispatchMouseEvent", e))
	if err := r.acknowledged(ctx, sent); err != nil {
		return res, err
	}
	res.Element = r.under(ctx, pad.X, pad.Y)
	return r.settle(ctx, w, res)
}

// under names what lies at a point of the viewport, nil when that cannot be known.
func (r *run) under(ctx context.Context, x, y float64) *page.Element {
	ctx, cancel := context.WithTimeout(ctx, slowFrame)
	defer cancel()
	var hit *other
	call := r.t.Main().Start(ctx, "", "under", x, y)
	if call.Wait(ctx, &hit) != nil || hit == nil {
		return nil
	}
	el := &page.Element{Frame: r.t.Main(), Doc: call.Doc(), ID: hit.ID, Role: hit.Role, Name: hit.Name}
	el.Label = r.t.Show(el)
	return el
}

// Key puts a key down and leaves it there, or lets it up. Modifier keys that are
// down count for everything that follows in the tab.
func Key(ctx context.Context, t *page.Tab, name string, down bool, o Options) (Result, error) {
	k, shifted, ok := lookup(name)
	if !ok {
		return Result{}, unknownKey(name, name)
	}
	verb, typ := "keyup", "keyUp"
	if down {
		verb, typ = "keydown", "keyDown"
	}
	w := watch(t, o)
	defer w.Close()
	r, err := keyboardRun(ctx, t, nil, verb, o)
	if err != nil {
		return Result{}, err
	}
	defer r.listenForKeys()()
	pad := t.Pad()
	res := Result{}
	mods := modifierOf(k)
	again := pad.Keys[k.code]
	if down {
		pad.Keys[k.code] = true
		pad.Modifiers |= int(mods)
	} else {
		if !again {
			res.Note = "it was not down"
		}
		delete(pad.Keys, k.code)
		pad.Modifiers &^= int(mods)
	}
	held := Modifier(pad.Modifiers)
	if shifted && down {
		held |= Shift
	}
	e := k.event(typ, held)
	e.AutoRepeat = down && again
	if err := r.acknowledged(ctx, []*cdp.Pending{r.sendKey(e)}); err != nil {
		return res, err
	}
	return r.typed(ctx, w, res, typedText{sent: down})
}

// modifierOf returns what a key modifies while it is down, 0 for other keys.
func modifierOf(k key) Modifier {
	for _, mk := range modifierKeys {
		if keys[mk.name].key == k.key {
			return mk.mod
		}
	}
	return 0
}

// HeldKeys are the codes of the keys that are down in a tab, sorted.
func HeldKeys(t *page.Tab) []string {
	var out []string
	for code := range t.Pad().Keys {
		out = append(out, code)
	}
	slices.Sort(out)
	return out
}
