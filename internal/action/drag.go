package action

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/page"

	"github.com/chromedp/cdproto/input"
)

// DragOptions say how [Drag] drags.
type DragOptions struct {
	Options
	// Position is where to take hold of the element, ToPosition where to let go
	// in the target; nil is the middle.
	Position, ToPosition *Point
	// By is the way to go when there is no target.
	By *Point
	// Steps is the number of moves on the way; 0 means 12.
	Steps int
	// Hold is how long the button is down before the first move, as for lists
	// that want a long press.
	Hold time.Duration
	// Modifiers are keys held meanwhile.
	Modifiers Modifier
}

const (
	dragSteps = 12
	// dragStart is how far the first moves go, in CSS pixels: browsers and
	// libraries take shorter ones for a shaky click.
	dragStart = 8
	// interceptLimit bounds the wait for the browser to hand over a drag that
	// the page has begun.
	interceptLimit = 2 * time.Second
)

// standing is the answer of browse.standing.
type standing struct {
	Gone   bool    `json:"gone"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Parent int     `json:"parent"`
	By     *other  `json:"by"`
	Index  int     `json:"index"`
	Value  string  `json:"value"`
	Count  int     `json:"count"`
}

// dragState is the answer of browse.dragState.
type dragState struct {
	Lost      bool           `json:"lost"`
	Pressed   bool           `json:"pressed"`
	Wrong     *other         `json:"wrong"`
	Renamed   *reply         `json:"renamed"`
	Started   bool           `json:"started"`
	Prevented bool           `json:"prevented"`
	Accepted  bool           `json:"accepted"`
	Seen      map[string]int `json:"seen"`
}

// dragEvent is the parameter of CDP Input.dispatchDragEvent.
type dragEvent struct {
	Type      string          `json:"type"`
	X         float64         `json:"x"`
	Y         float64         `json:"y"`
	Data      json.RawMessage `json:"data"`
	Modifiers Modifier        `json:"modifiers,omitempty"`
}

// drag is a drag that goes on.
type drag struct {
	*run
	to    *run // nil when there is no target
	o     DragOptions
	at    way         // where it was taken
	x, y  float64     // where the pointer is
	data  chan []byte // what the browser hands over of a drag of its own
	own   []byte      // the data of a drag of the browser, nil for one by pointer events
	state dragState
	frame bool // what is dragged shows a document, whose guard is not ours
}

// Drag takes hold of an element and lets it go over another one, or some way off,
// with real mouse events and moves between. A drag of the browser's own (HTML
// draggable) is carried on with drag events. The result tells what has changed; a
// target that does not take a drop of the browser's kind is [api.NotVerified].
func Drag(ctx context.Context, t *page.Tab, from, to *page.Element, o DragOptions) (Result, error) {
	d := &drag{run: newRun(t, from, "drag", o.Options), o: o, data: make(chan []byte, 1)}
	if to != nil {
		d.to = newRun(t, to, "drag", o.Options)
	}
	if o.Steps == 0 {
		d.o.Steps = dragSteps
	}
	w := d.watch()
	defer w.Close()
	s := t.Session()
	if err := s.Call(ctx, "Input.setInterceptDrags", map[string]bool{"enabled": true}, nil); err != nil {
		return Result{}, t.Broken(ctx, "the drag did not begin", err)
	}
	stop := cdp.Handle(s, input.DragIntercepted, func(e *input.EventDragIntercepted) {
		if b, err := json.Marshal(e.Data); err == nil {
			select {
			case d.data <- b:
			default:
			}
		}
	})
	defer func() {
		stop()
		if d.to != nil {
			d.to.disarm()
		}
		s.Start("Input.setInterceptDrags", map[string]bool{"enabled": false})
	}()
	if d.to != nil {
		if err := d.to.show(ctx, o.ToPosition); err != nil {
			return Result{}, err
		}
	}
	return d.carry(ctx, w)
}

// show brings a target into view and makes sure that it is not covered.
func (r *run) show(ctx context.Context, at *Point) error {
	return r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		_, m, err := r.ready(bounded, readyOptions{Need: "target", Attempt: n, Position: at})
		return m, err
	})
}

func (d *drag) carry(ctx context.Context, w *page.Watch) (Result, error) {
	res := Result{}
	var was, wasTo standing
	if err := d.take(ctx, &was, &wasTo); err != nil {
		return res, err
	}
	released := false
	defer func() {
		if !released {
			d.letGo()
		}
	}()
	res.Element = d.el
	if !d.inSight(ctx) {
		// It begins where it is: scrolling takes the element from under the pointer.
		if err := d.walk(ctx, d.x+dragStart, d.y+dragStart, 1); err != nil {
			return res, err
		}
	}
	goalX, goalY, err := d.goal(ctx)
	if err != nil {
		return res, err
	}
	if err := d.walk(ctx, goalX, goalY, d.o.Steps); err != nil {
		return res, err
	}
	if d.own != nil {
		err = d.drop(ctx)
	} else {
		err = d.mouse(ctx, mouseEvent{Type: "mouseReleased", Button: "left", ClickCount: 1})
	}
	if err != nil {
		return res, err
	}
	released = true
	if err := d.acknowledged(ctx, d.holdModifiers(d.o.Modifiers, false)); err != nil {
		return res, err
	}
	pad := d.t.Pad()
	pad.X, pad.Y = d.x, d.y
	fin, _, err := d.finish(ctx, way{}, nil)
	if err != nil && !isParted(d.t, err) && d.t.Gone() == nil {
		return res, err
	}
	if err == nil {
		if err := d.judgeDrag(ctx, fin, was, wasTo, &res); err != nil {
			return res, err
		}
	}
	return d.settle(ctx, w, res)
}

// take presses the button on the element and makes the first, short moves, until
// it is known that the press has arrived there.
func (d *drag) take(ctx context.Context, was, wasTo *standing) error {
	return d.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		rep, m, err := d.ready(bounded, readyOptions{Need: "drag", Attempt: n, Position: d.o.Position})
		if err != nil || m.why != done {
			return m, err
		}
		d.frame = rep.Frame
		if d.at, m, err = d.outward(bounded, rep); err != nil || m.why != done {
			return m, err
		}
		stood := d.el.Frame.Start(bounded, d.el.Doc, "standing", d.el.ID)
		if d.to != nil {
			if err := d.to.el.Frame.Call(bounded, d.to.el.Doc, "standing", wasTo, d.to.el.ID); err != nil {
				d.release(d.at)
				return miss{}, err
			}
		}
		if err := stood.Wait(bounded, was); err != nil {
			d.release(d.at)
			return miss{}, err
		}
		if m, err := d.pressDown(ctx); err != nil || m.why != done {
			return m, err
		}
		return miss{}, nil
	})
}

// pressDown puts the button down, and finds out whether the element got that.
func (d *drag) pressDown(ctx context.Context) (miss, error) {
	d.x, d.y = d.at.x, d.at.y
	if err := d.acknowledged(ctx, d.holdModifiers(d.o.Modifiers, true)); err != nil {
		return miss{}, err
	}
	for _, e := range []mouseEvent{
		{Type: "mouseMoved", Button: "none", Timestamp: d.aimed},
		{Type: "mousePressed", Button: "left", Buttons: 1, ClickCount: 1, Timestamp: d.aimed},
	} {
		if err := d.mouse(ctx, e); err != nil {
			return miss{}, err
		}
	}
	if err := d.look(ctx); err != nil {
		return miss{}, err
	}
	if d.o.Force || d.frame || d.state.Pressed {
		d.release(d.at) // the rest of the way leads over anything
		d.at.barred = nil
		if d.o.Hold > 0 && !pause(ctx, d.o.Hold) {
			return miss{}, d.t.Broken(ctx, "the drag was cut short", ctx.Err())
		}
		return miss{}, nil
	}
	d.letGo()
	switch {
	case d.state.Renamed != nil:
		return d.turned(d.state.Renamed), nil
	case d.state.Wrong != nil:
		return d.stolen(d.state.Wrong), nil
	}
	return miss{why: unseen}, nil
}

// look asks the page what has become of the drag.
func (d *drag) look(ctx context.Context) error {
	d.state = dragState{}
	return d.el.Frame.Call(ctx, d.el.Doc, "dragState", &d.state, d.seq)
}

// mouse sends one event at the place of the pointer and waits for its handling,
// which for moves is the next frame: libraries look once per frame.
func (d *drag) mouse(ctx context.Context, e mouseEvent) error {
	e.X, e.Y, e.Modifiers = d.x, d.y, d.o.Modifiers|d.held
	return d.acknowledged(ctx, []*cdp.Pending{d.t.Session().Start("Input.dispatchMouseEvent", e)})
}

// letGo ends a drag that has failed, so that no button stays down.
func (d *drag) letGo() {
	s := d.t.Session()
	if d.own != nil {
		s.Start("Input.dispatchDragEvent", dragEvent{Type: "dragCancel", X: d.x, Y: d.y, Data: d.own})
	}
	if d.own == nil { // a drag of the browser's own ends without
		s.Start("Input.dispatchMouseEvent", mouseEvent{Type: "mouseReleased", X: d.x, Y: d.y, Button: "left", ClickCount: 1})
	}
	d.holdModifiers(d.o.Modifiers, false)
	d.release(d.at)
}

// goal returns where to let go, as it lies now.
func (d *drag) goal(ctx context.Context) (x, y float64, err error) {
	if d.to == nil {
		return d.at.x + d.o.By.X, d.at.y + d.o.By.Y, nil
	}
	return d.to.place(ctx, d.o.ToPosition, d.run)
}

// place finds the point of a target, scrolling only if it is out of view.
func (r *run) place(ctx context.Context, position *Point, dragged *run) (x, y float64, err error) {
	over := 0
	if dragged.el.Frame == r.el.Frame && dragged.el.Doc == r.el.Doc {
		over = dragged.el.ID
	}
	err = r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		var rep reply
		if err := r.el.Frame.Call(bounded, r.el.Doc, "aimed", &rep, r.el.ID, position, over); err != nil {
			return miss{}, err
		}
		m := r.missed(&rep, r.el.Frame, r.el.Doc)
		if m.why == outside || m.why == covered || over == 0 {
			// In a document of its own a guard tells whether it takes a drop.
			need := "target"
			if over == 0 {
				need = "drop"
			}
			if rep, m, err = r.ready(bounded, readyOptions{Need: need, Attempt: n, Position: position}); err != nil {
				return m, err
			}
		}
		if m.why != done {
			return m, nil
		}
		w, m, err := r.project(bounded, rep, true, map[*page.Frame]bool{})
		x, y = w.x, w.y
		return m, err
	})
	return x, y, err
}

// inSight reports whether the target can be reached without scrolling.
func (d *drag) inSight(ctx context.Context) bool {
	if d.to == nil {
		return true
	}
	var rep reply
	err := d.to.el.Frame.Call(ctx, d.to.el.Doc, "aimed", &rep, d.to.el.ID, d.o.ToPosition, 0)
	return err == nil && rep.Why != "outside"
}

// walk moves the pointer to a point in so many steps.
func (d *drag) walk(ctx context.Context, x, y float64, steps int) error {
	x0, y0 := d.x, d.y
	first := min(1, dragStart/max(abs(x-x0)+abs(y-y0), 1))
	moves := []float64{first / 2, first}
	for i := 1; i <= steps; i++ {
		moves = append(moves, first+(1-first)*float64(i)/float64(steps))
	}
	for i, f := range append(moves, 1) { // twice at the goal, as libraries compare two moves
		d.x, d.y = x0+(x-x0)*f, y0+(y-y0)*f
		if err := d.move(ctx); err != nil {
			return err
		}
		if i < 4 && d.own == nil {
			if err := d.adopt(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func abs(v float64) float64 { return max(v, -v) }

func (d *drag) move(ctx context.Context) error {
	if d.own == nil {
		return d.mouse(ctx, mouseEvent{Type: "mouseMoved", Button: "left", Buttons: 1})
	}
	return d.over(ctx, "dragOver")
}

func (d *drag) over(ctx context.Context, typ string) error {
	e := dragEvent{Type: typ, X: d.x, Y: d.y, Data: d.own, Modifiers: d.o.Modifiers | d.held}
	return d.acknowledged(ctx, []*cdp.Pending{d.t.Session().Start("Input.dispatchDragEvent", e)})
}

// adopt takes over a drag that the browser has begun.
func (d *drag) adopt(ctx context.Context) error {
	if err := d.look(ctx); err != nil || !d.state.Started || d.state.Prevented {
		if isParted(d.t, err) {
			return nil
		}
		return err
	}
	wait, cancel := context.WithTimeout(ctx, interceptLimit)
	defer cancel()
	select {
	case d.own = <-d.data:
		return d.over(ctx, "dragEnter")
	case <-wait.Done():
		return nil // the page has ended it
	}
}

// drop ends a drag of the browser's own, if what lies there takes it.
func (d *drag) drop(ctx context.Context) error {
	if d.to != nil {
		at := d.run
		if d.to.el.Doc != d.el.Doc {
			at = d.to
		}
		var state dragState
		if err := d.to.el.Frame.Call(ctx, d.to.el.Doc, "dragState", &state, at.seq); err != nil && !isParted(d.t, err) {
			return err
		}
		if !state.Lost && !state.Accepted {
			return api.Errorf(api.NotVerified, "browse snapshot -i shows what takes drops; --to-position X,Y drops elsewhere in it",
				"%s does not take the drop of %s: the page did not accept the drag there", what(d.to.el), what(d.el))
		}
	}
	return d.over(ctx, "drop")
}

// judgeDrag tells what has changed.
func (d *drag) judgeDrag(ctx context.Context, fin report, was, wasTo standing, res *Result) error {
	var is, isTo standing
	if err := d.el.Frame.Call(ctx, d.el.Doc, "standing", &is, d.el.ID); err != nil {
		if isParted(d.t, err) {
			return nil
		}
		return err
	}
	if d.to != nil {
		_ = d.to.el.Frame.Call(ctx, d.to.el.Doc, "standing", &isTo, d.to.el.ID)
	}
	res.Moved = d.compare(was, is, wasTo, isTo)
	if fin.Seen["drop"] > 0 {
		res.Moved = append([]string{"dropped: the page took it"}, res.Moved...)
	}
	if len(res.Moved) == 0 {
		res.Note = "nothing that can be seen came of it; the page may not let this be dragged"
		if d.own != nil && d.to == nil {
			res.Note = "the drag was begun, but nothing there took the drop"
		}
	}
	return nil
}

// compare says in words how an element stands differently.
func (d *drag) compare(was, is, wasTo, isTo standing) []string {
	var out []string
	switch {
	case is.Gone:
		return append(out, "it is no longer in the page")
	case is.Value != was.Value:
		out = append(out, fmt.Sprintf("value: %s → %s", page.Quote(was.Value), page.Quote(is.Value)))
	}
	switch {
	case is.Parent != was.Parent:
		out = append(out, "moved into "+show(d.t, d.el.Frame, d.el.Doc, is.By))
	case is.Index != was.Index:
		out = append(out, fmt.Sprintf("order: from place %d to %d", was.Index+1, is.Index+1))
	case is.X != was.X || is.Y != was.Y:
		out = append(out, fmt.Sprintf("moved by %v,%v pixels", is.X-was.X, is.Y-was.Y))
	case is.Width != was.Width || is.Height != was.Height:
		out = append(out, fmt.Sprintf("size: %v × %v → %v × %v", was.Width, was.Height, is.Width, is.Height))
	}
	if len(out) == 0 && d.to != nil && !isTo.Gone && isTo.Count != wasTo.Count {
		out = append(out, fmt.Sprintf("the target had %d children, now %d", wasTo.Count, isTo.Count))
	}
	return out
}
