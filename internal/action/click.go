package action

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/page"

	cdpruntime "github.com/chromedp/cdproto/runtime"
)

// ClickOptions say how [Click] clicks. The zero value is one left click.
type ClickOptions struct {
	Options
	// Button is "left", "middle" or "right"; empty means left.
	Button string
	// Count is the number of clicks; 2 is a double click. 0 means 1.
	Count int
	// Modifiers are keys held while clicking.
	Modifiers Modifier
	// Position is where in the element's box to click; nil means its middle, or
	// another place of it that is not covered.
	Position *Point
	// NewTab holds the modifier that opens a link in a tab of its own, and fails
	// when no tab comes of it.
	NewTab bool
	// Follow fails when no tab comes of it.
	Follow bool
}

// mouseEvent is the parameter of CDP Input.dispatchMouseEvent. Coordinates are
// CSS pixels of the top viewport.
type mouseEvent struct {
	Type       string   `json:"type"`
	X          float64  `json:"x"`
	Y          float64  `json:"y"`
	Button     string   `json:"button"`
	Buttons    int      `json:"buttons,omitempty"`
	ClickCount int      `json:"clickCount,omitempty"`
	Modifiers  Modifier `json:"modifiers,omitempty"`
	Timestamp  float64  `json:"timestamp,omitzero"` // seconds since 1970
}

var buttonBits = map[string]int{"left": 1, "right": 2, "middle": 4}

// report is the answer of browse.finish.
type report struct {
	Lost     bool           `json:"lost"`
	Gone     bool           `json:"gone"`
	Replaced bool           `json:"replaced"`
	Hidden   bool           `json:"hidden"`
	Disabled string         `json:"disabled"`
	State    string         `json:"state"`
	Hover    bool           `json:"hover"`
	Download bool           `json:"download"`
	Closing  bool           `json:"closing"` // the page has called window.close
	Focus    *other         `json:"focus"`
	Seen     map[string]int `json:"seen"`
	Wrong    *other         `json:"wrong"`
	Renamed  *reply         `json:"renamed"`
	Slipped  *string        `json:"slipped"`
	Typed    *took          `json:"typed"`
	// Prevented says that the page has handled a touch or the wheel itself.
	Prevented bool `json:"prevented"`
}

// Click clicks an element and verifies that the element received it. A click on
// an option of a native list that was named by a ref selects the option.
// Nothing else ever receives the click: when the element moves away or is
// covered between the check and the click, the click is stopped before the page
// sees it, and tried again.
func Click(ctx context.Context, t *page.Tab, el *page.Element, o ClickOptions) (Result, error) {
	if o.Button == "" {
		o.Button = "left"
	}
	if buttonBits[o.Button] == 0 {
		return Result{}, api.Errorf(api.BadUsage, "browse help click", "button is %q, want one of left, middle, right", o.Button)
	}
	o.Count = max(o.Count, 1)
	if o.NewTab {
		o.Modifiers |= controlOrMeta(runtime.GOOS)
	}
	r := newRun(t, el, "click", o.Options)
	w := r.watch()
	defer w.Close()
	var res Result
	err := r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		told, untell := r.listen()
		defer untell()
		rep, m, err := r.ready(bounded, readyOptions{Need: "click", Attempt: n, Count: o.Count, Position: o.Position})
		if err != nil || m.why != done {
			return m, err
		}
		at, m, err := r.outward(bounded, rep)
		if err != nil || m.why != done {
			return m, err
		}
		m, err = r.press(ctx, at, rep, told, o, &res)
		if n := len(w.Settle(ctx).Dialogs); n > 0 && isUnverified(err) {
			// The release went to the dialog, as it does for a person.
			res.Note, err = "a dialog opened when it was pressed, so it got no click", nil
		}
		return m, err
	})
	if err != nil {
		if r.last.why == isOption && el.Shown {
			return selectOption(ctx, r, w)
		}
		return Result{}, err
	}
	res.Element = r.el
	if r.download && !o.Leave {
		r.awaitDownload(ctx, w)
	}
	if (o.NewTab || o.Follow) && !r.awaitPopup(ctx, w) {
		return Result{}, api.Errorf(api.NotVerified, "browse click "+r.el.Label+" follows a link in this tab", "%s was clicked, but no new tab came of it", what(r.el))
	}
	if r.closing {
		r.awaitClosed(ctx)
	}
	return r.settle(ctx, w, res)
}

// closingLimit bounds the wait for a window that has asked to be closed.
const closingLimit = 2 * time.Second

// awaitClosed waits until the tab is gone, so that the next command does not meet
// it on its way out.
func (r *run) awaitClosed(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, closingLimit)
	defer cancel()
	_ = r.t.AwaitClosed(ctx) // a window that stays open is reported as what it is
}

// downloadLimit bounds the wait for a download that a link has promised.
const downloadLimit = time.Second

// awaitDownload waits until the browser reports the download of a link that has
// the download attribute: no event announces it before.
func (r *run) awaitDownload(ctx context.Context, w *page.Watch) {
	ctx, cancel := context.WithTimeout(ctx, downloadLimit)
	defer cancel()
	for n := 1; len(w.Settle(ctx).Downloads) == 0 && pause(ctx, pauses[min(n, 2)]); n++ {
	}
}

// awaitPopup waits until the browser has opened the tab that was asked for.
func (r *run) awaitPopup(ctx context.Context, w *page.Watch) bool {
	ctx, cancel := context.WithTimeout(ctx, downloadLimit)
	defer cancel()
	for n := 1; ; n++ {
		if len(w.Settle(ctx).Popups) > 0 {
			return true
		}
		if !pause(ctx, pauses[min(n, 2)]) {
			return false
		}
	}
}

func isUnverified(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Code == api.NotVerified
}

// settle adds what the action caused.
func (r *run) settle(ctx context.Context, w *page.Watch, res Result) (Result, error) {
	res.Effects = w.Settle(ctx)
	if e := r.t.Gone(); e != nil && e.Code == api.PageCrashed {
		return res, e
	}
	return res, nil
}

// press sends the mouse events of a click and judges what became of them.
func (r *run) press(ctx context.Context, at way, rep reply, told <-chan struct{}, o ClickOptions, res *Result) (miss, error) {
	s := r.t.Session()
	pad := r.t.Pad()
	pad.X, pad.Y = at.x, at.y
	sent := r.holdModifiers(o.Modifiers, true)
	send := func(e mouseEvent) {
		e.X, e.Y, e.Modifiers, e.Timestamp = at.x, at.y, o.Modifiers|r.held, r.aimed
		sent = append(sent, s.Start("Input.dispatchMouseEvent", e))
	}
	send(mouseEvent{Type: "mouseMoved", Button: "none"})
	for i := 1; i <= o.Count; i++ {
		send(mouseEvent{Type: "mousePressed", Button: o.Button, Buttons: buttonBits[o.Button], ClickCount: i})
		send(mouseEvent{Type: "mouseReleased", Button: o.Button, ClickCount: i})
	}
	sent = append(sent, r.holdModifiers(o.Modifiers, false)...)
	guarded := !o.Force && !rep.Frame
	var end *page.Pending
	if guarded {
		end = r.el.Frame.Start(ctx, r.el.Doc, "finish", r.seq, r.el.ID, true)
	}
	if busy, err := r.handled(ctx, sent, told); err != nil || busy {
		r.release(at)
		if busy {
			r.disarm()
			res.Note = "the page is still busy with it"
		}
		return miss{}, err
	}
	last, cancel := ctx, func() {}
	if o.Leave {
		last, cancel = context.WithTimeout(ctx, leaveLimit)
	}
	defer cancel()
	fin, met, err := r.finish(last, at, end)
	if err != nil {
		if last.Err() != nil && ctx.Err() == nil && reached(told) {
			return miss{}, nil // a navigation that has begun keeps the page from answering
		}
		if !isParted(r.t, err) && r.t.Gone() == nil {
			return miss{}, err
		}
		return r.parted(ctx, guarded, told, res)
	}
	res.State, r.download, r.closing = fin.State, fin.Download, fin.Closing
	if f := fin.Focus; f != nil {
		res.Focus = &page.Element{Frame: r.el.Frame, Doc: r.el.Doc, ID: f.ID, Role: f.Role, Name: f.Name}
		res.Focus.Label = r.t.Show(res.Focus)
	}
	if !guarded {
		return miss{}, nil
	}
	return r.judge(fin, met, o, res)
}

// leaveLimit bounds the wait for the page's report of a click whose consequences
// are not waited for.
const leaveLimit = time.Second

// reached reports whether the guard has seen the click.
func reached(told <-chan struct{}) bool {
	select {
	case <-told:
		return true
	default:
		return false
	}
}

// busyLimit bounds how long a click waits for the page's handlers once it is
// known to have arrived.
const busyLimit = 5 * time.Second

// handled waits until the browser has handled the events of a click. busy says
// that the click has arrived, and that the page is taking long over it.
func (r *run) handled(ctx context.Context, sent []*cdp.Pending, told <-chan struct{}) (busy bool, err error) {
	bounded, cancel := within(ctx, busyLimit)
	defer cancel()
	err = r.acknowledged(bounded, sent)
	if err == nil || bounded.Err() == nil {
		return false, err
	}
	select {
	case <-told:
		return true, nil
	default:
	}
	if ctx.Err() != nil {
		return false, err
	}
	return false, api.Errorf(api.Timeout, "browse status shows whether the page answers", "the page is busy and has not taken the %s of %s yet", r.verb, what(r.el))
}

// acknowledged waits until the browser has handled the input. A tab that closed
// or went elsewhere because of it is no error.
func (r *run) acknowledged(ctx context.Context, sent []*cdp.Pending) error {
	for _, p := range sent {
		err := p.Wait(ctx, nil)
		var refused *cdp.Error
		if err == nil || errors.As(err, &refused) || errors.Is(err, cdp.ErrDetached) {
			continue
		}
		return r.t.Broken(ctx, "the page is still busy with the "+r.verb+" of "+what(r.el), err)
	}
	return nil
}

// finish disarms all guards and returns what arrived: at the element, and at
// the first barred document that stopped something. It is also the round trip
// after which everything that the input caused at once has been reported. end is
// the call of browse.finish that went out with the input, if one did.
func (r *run) finish(ctx context.Context, at way, end *page.Pending) (report, *miss, error) {
	if end == nil {
		end = r.el.Frame.Start(ctx, r.el.Doc, "finish", r.seq, r.el.ID)
	} else {
		defer r.nudge(ctx)()
	}
	sent := make([]*page.Pending, len(at.barred))
	for i, b := range at.barred {
		sent[i] = b.f.Start(ctx, b.doc, "unbar", r.seq)
	}
	var fin report
	err := end.Wait(ctx, &fin)
	var met *miss
	short, cancel := context.WithTimeout(ctx, barLimit)
	defer cancel()
	for i, p := range sent {
		var hit *other
		if p.Wait(short, &hit) == nil && hit != nil && met == nil {
			m := miss{why: intercepted, by: show(r.t, at.barred[i].f, at.barred[i].doc, hit)}
			met = &m
		}
	}
	return fin, met, err
}

// nudgeAfter is how long the report of a guard may be behind the browser's word
// that the input has been handled.
const nudgeAfter = 3 * time.Millisecond

// nudge asks the guard in the element's document for its report when that does
// not come by itself: input that met another document tells it nothing.
func (r *run) nudge(ctx context.Context) (stop func()) {
	f, doc := r.el.Frame, r.el.Doc
	ended := make(chan struct{})
	timer := time.AfterFunc(nudgeAfter, func() {
		defer close(ended)
		if f.Doc() == doc {
			f.Start(ctx, doc, "nudge", r.seq)
		}
	})
	return func() {
		if !timer.Stop() {
			<-ended
		}
	}
}

// listen returns a channel that is closed when the guard in the element's
// document has seen the click. The guard tells it before the page's own handlers
// run, so the word survives a handler that navigates away.
func (r *run) listen() (told <-chan struct{}, stop func()) {
	ch := make(chan struct{})
	var once sync.Once
	s, want := r.el.Frame.Session(), strconv.FormatInt(r.seq, 10)
	stop = cdp.Handle(s, cdpruntime.BindingCalled, func(e *cdpruntime.EventBindingCalled) {
		if e.Name == page.ToldBinding && e.Payload == want {
			once.Do(func() { close(ch) })
		}
	})
	return ch, stop
}

// tellLimit bounds how long the word of a guard may be behind the end of its
// document.
const tellLimit = 250 * time.Millisecond

// parted judges a click whose document, or tab, is gone.
func (r *run) parted(ctx context.Context, guarded bool, told <-chan struct{}, res *Result) (miss, error) {
	if r.t.Gone() != nil {
		res.Note = "the tab closed"
		return miss{}, nil
	}
	if !guarded {
		return miss{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, tellLimit)
	defer cancel()
	select {
	case <-told:
		return miss{}, nil
	case <-ctx.Done():
	}
	return miss{}, api.Errorf(api.NotVerified, "browse snapshot -i",
		"the page navigated while %s was being clicked, before the click reached it", what(r.el))
}

// clickEvents are the events by which an element learns of a click.
var clickEvents = map[string][]string{"left": {"click"}, "middle": {"auxclick"}, "right": {"contextmenu", "auxclick"}}

// choosesOnPress are the roles of things in lists and menus. These choose when
// they are pressed and go away with their list, as those of the system do; for
// anything else that goes away under the pointer the click is lost.
var choosesOnPress = map[string]bool{
	"option": true, "menuitem": true, "menuitemcheckbox": true, "menuitemradio": true, "treeitem": true, "listitem": true, "gridcell": true,
}

// turned is the miss of an element that became something else, or moved away, when
// the pointer came over it.
func (r *run) turned(into *reply) miss {
	m := r.missed(into, r.el.Frame, r.el.Doc)
	if !into.Moved {
		m.why = renamed
	}
	return m
}

// stolen is the miss of input that another element, by, would have got.
func (r *run) stolen(by *other) miss {
	m := r.missed(&reply{Why: "covered", By: by}, r.el.Frame, r.el.Doc)
	m.why = intercepted
	return m
}

// judge decides whether a click has worked.
func (r *run) judge(fin report, met *miss, o ClickOptions, res *Result) (miss, error) {
	if fin.Renamed != nil {
		return r.turned(fin.Renamed), nil
	}
	if fin.Wrong != nil {
		return r.stolen(fin.Wrong), nil
	}
	if fin.Lost {
		return miss{}, api.Errorf(api.NotVerified, "browse snapshot -i", "another action took over while %s was being clicked", what(r.el))
	}
	clicks := 0
	for _, e := range clickEvents[o.Button] {
		clicks = max(clicks, fin.Seen[e])
	}
	switch {
	case clicks >= o.Count:
		return miss{}, nil
	case clicks > 0:
		res.Note = fmt.Sprintf("%d of %d clicks reached it, then it was gone from under the pointer", clicks, o.Count)
		return miss{}, nil
	case fin.Seen["pointerdown"]+fin.Seen["mousedown"] == 0:
		if met != nil {
			return *met, nil
		}
		return miss{why: unseen}, nil
	}
	// It was pressed, and no click came of it. Pressing again could do twice
	// what the page does when pressed.
	again := "browse snapshot -i, then browse click it again"
	switch {
	case (fin.Gone || fin.Hidden) && !fin.Replaced && choosesOnPress[r.el.Role]:
		res.Note = "it went away when it was pressed, as a choice does"
		return miss{}, nil
	case fin.Replaced:
		return miss{}, api.Errorf(api.NotVerified, again, "the page replaced %s while it was pressed, so it got no click", what(r.el))
	case fin.Gone, fin.Hidden:
		how := "hidden"
		if fin.Gone {
			how = "taken out of the page"
		}
		return miss{}, api.Errorf(api.NotVerified, "browse snapshot -i shows whether the press has done it already",
			"%s was %s while it was pressed, so it got no click", what(r.el), how)
	case fin.Disabled != "":
		return miss{}, api.Errorf(api.NotVerified, "browse snapshot -i",
			"%s was disabled by the page while it was pressed, so it got no click", what(r.el))
	}
	return miss{}, api.Errorf(api.NotVerified, again,
		"%s was pressed, but moved away from the pointer before the release, so it got no click", what(r.el))
}

// Hover moves the pointer onto an element and verifies that it is there.
// Of the options it takes Position and Modifiers, which are held meanwhile.
func Hover(ctx context.Context, t *page.Tab, el *page.Element, o ClickOptions) (Result, error) {
	r := newRun(t, el, "hover", o.Options)
	w := r.watch()
	defer w.Close()
	err := r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		rep, m, err := r.ready(bounded, readyOptions{Need: "hover", Attempt: n, Position: o.Position})
		if err != nil || m.why != done {
			return m, err
		}
		at, m, err := r.outward(bounded, rep)
		if err != nil || m.why != done {
			return m, err
		}
		sent := r.holdModifiers(o.Modifiers, true)
		sent = append(sent, r.t.Session().Start("Input.dispatchMouseEvent", r.moved(at.x, at.y, o.Modifiers)))
		sent = append(sent, r.holdModifiers(o.Modifiers, false)...)
		if err := r.acknowledged(ctx, sent); err != nil {
			r.release(at)
			return miss{}, err
		}
		fin, _, err := r.finish(ctx, at, nil)
		if err != nil || fin.Hover || o.Force || rep.Frame {
			return miss{}, err
		}
		return miss{why: unseen}, nil
	})
	if err != nil {
		return Result{}, err
	}
	return r.settle(ctx, w, Result{Element: r.el})
}

// moved returns the event of the pointer coming to a point, with what the tab's
// keyboard and mouse hold, and remembers the place.
func (r *run) moved(x, y float64, mods Modifier) mouseEvent {
	pad := r.t.Pad()
	pad.X, pad.Y = x, y
	return mouseEvent{Type: "mouseMoved", X: x, Y: y, Button: buttonName(pad.Buttons), Buttons: pad.Buttons, Modifiers: mods | r.held, Timestamp: r.aimed}
}

// buttonName names the button that a move with buttons down is reported with.
func buttonName(buttons int) string {
	for _, b := range []string{"left", "right", "middle"} {
		if buttons&buttonBits[b] != 0 {
			return b
		}
	}
	return "none"
}

// ScrollIntoView scrolls everything around an element, frames included, until
// it shows.
func ScrollIntoView(ctx context.Context, t *page.Tab, el *page.Element, o Options) (Result, error) {
	o.Force = true // a covered or disabled element can be looked at
	r := newRun(t, el, "scroll", o)
	err := r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		rep, m, err := r.ready(bounded, readyOptions{Need: "scroll", Attempt: n})
		if err != nil || m.why != done {
			return m, err
		}
		_, m, err = r.outward(bounded, rep)
		return m, err
	})
	return Result{Element: r.el}, err
}

// Focus gives an element the keyboard focus.
func Focus(ctx context.Context, t *page.Tab, el *page.Element, o Options) (Result, error) {
	r := newRun(t, el, "focus", o)
	w := r.watch()
	defer w.Close()
	err := r.focus(ctx)
	if err != nil {
		return Result{}, err
	}
	if _, _, err := r.finish(ctx, way{}, nil); err != nil && !isParted(t, err) {
		return Result{}, err
	}
	return r.settle(ctx, w, Result{Element: r.el})
}

// focus focuses the element and arms its guard for keys.
func (r *run) focus(ctx context.Context) error {
	return r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		_, m, err := r.ready(bounded, readyOptions{Need: "focus", Attempt: n})
		if err != nil || m.why != done {
			return m, err
		}
		return r.hasKeyboard(bounded)
	})
}
