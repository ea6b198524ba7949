package action

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync/atomic"
	"time"

	"gstack/internal/api"
	"gstack/internal/page"
)

// pauses between attempts; the last one repeats.
var pauses = []time.Duration{0, 20 * time.Millisecond, 100 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond}

// reserve is kept of a context's deadline for the answer, so that a user reads
// why the element could not be acted on rather than that time ran out.
const reserve = 150 * time.Millisecond

// seqs numbers the actions of the process; a guard in a page is known by it.
var seqs atomic.Int64

// run is one action on one element.
type run struct {
	t    *page.Tab
	el   *page.Element
	verb string
	o    Options
	seq  int64
	log  tried
	last miss
	// still asks for a measured rest: something moved in an earlier attempt.
	still bool
	// held are modifier keys that are down already.
	held Modifier
	// download says that what was clicked is a link to a file.
	download bool
	// aimed is when the element was last found fit, in seconds since 1970, the
	// timestamp of the input that follows: a document that is younger than the aim
	// takes none of it (early.js). 0 is now.
	aimed float64
	// room is how many characters what has the focus takes, -1 when that is not said.
	room int
	// told is closed when the guard has seen a key.
	told <-chan struct{}
	// closing says that the page has asked for its window to be closed.
	closing bool
}

func newRun(t *page.Tab, el *page.Element, verb string, o Options) *run {
	return &run{t: t, el: el, verb: verb, o: o, seq: seqs.Add(1), held: Modifier(t.Pad().Modifiers)}
}

// watch begins to collect what the action causes. The caller must close it.
func (r *run) watch() *page.Watch { return watch(r.t, r.o) }

func watch(t *page.Tab, o Options) *page.Watch {
	w := t.WatchUntil(o.Until)
	if o.Leave {
		w.Leave()
	}
	return w
}

// within returns the context of the attempts: ctx, but at most d from now, and
// somewhat less than what ctx has left.
func within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		d = DefaultTimeout
	}
	if end, ok := ctx.Deadline(); ok {
		if left := time.Until(end) - reserve; left < d {
			d = max(left, time.Millisecond)
		}
	}
	return context.WithTimeout(ctx, d)
}

// attempt is called with the number of the attempt until it returns no miss, a
// final one, or an error, or until the time is up. The context it gets ends with
// that time; the caller's outlives it, for the part that must not be cut short.
func (r *run) attempt(ctx context.Context, try func(ctx context.Context, n int) (miss, error)) (err error) {
	defer func() {
		if err != nil {
			r.disarm()
		}
	}()
	bounded, cancel := within(ctx, r.o.Timeout)
	defer cancel()
	for n := 0; ; n++ {
		if n > 0 && !pause(bounded, pauses[min(n, len(pauses)-1)]) {
			return r.fail(ctx)
		}
		m, err := try(bounded, n)
		if err != nil {
			m, err = r.excuse(ctx, bounded, err)
		}
		if err != nil {
			return err
		}
		if m.why == done {
			return nil
		}
		r.note(m)
		if m.why == gone && r.el.Shown || m.why.final() {
			return r.fail(ctx)
		}
		if m.why == gone {
			r.resolve(bounded)
		}
	}
}

// disarm takes the guard of the element's document away without waiting.
func (r *run) disarm() {
	if r.el.Doc != "" {
		r.el.Frame.Start(context.Background(), r.el.Doc, "finish", r.seq, r.el.ID)
	}
}

func (r *run) note(m miss) {
	r.log.add(m.say())
	r.last = m
	r.still = r.still || m.why == moving || m.why == intercepted
}

// excuse sorts out errors of calls into the page. A document that went away is a
// miss; running out of the time for attempts is reported as the last miss.
func (r *run) excuse(ctx, bounded context.Context, err error) (miss, error) {
	if isParted(r.t, err) {
		if r.el.Shown {
			return miss{}, api.Errorf(api.StaleRef, "browse snapshot -i", "%s is gone: its document is no longer there", what(r.el))
		}
		return miss{why: gone}, nil
	}
	if bounded.Err() != nil && ctx.Err() == nil && r.last.why != done {
		return miss{}, r.fail(ctx)
	}
	return miss{}, err
}

// fail returns the last miss as an error.
func (r *run) fail(ctx context.Context) error {
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
		return api.Errorf(api.Timeout, "", "cancelled: %s %s", r.verb, what(r.el))
	}
	if r.last.why == gone && !r.el.Shown {
		e := api.Errorf(api.NotFound, "browse snapshot -i", "%s is no longer in the page", page.Quote(r.el.Label))
		e.Tried = r.log.list()
		return e
	}
	return r.last.fail(r.el, r.verb, &r.log)
}

// resolve looks a selector up again: frameworks replace elements, and what the
// user named is the selector. A ref is never resolved anew.
func (r *run) resolve(ctx context.Context) {
	el, err := Find(ctx, r.t, r.el.Label, FindOptions{Frame: r.el.Frame, NoWait: true})
	if err == nil {
		r.el = el
	}
}

// pause waits d, or less when ctx ends, which it reports.
func pause(ctx context.Context, d time.Duration) bool {
	if ctx.Err() != nil {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// shown is what an element was shown as; page code refuses it when it differs.
type shown struct {
	Role string `json:"role"`
	Name string `json:"name"`
}

// readyOptions are the second argument of browse.ready.
type readyOptions struct {
	Shown    *shown `json:"shown,omitempty"`
	Need     string `json:"need"`
	Attempt  int    `json:"attempt"`
	Seq      int64  `json:"seq"`
	Count    int    `json:"count,omitempty"`
	Still    bool   `json:"still,omitempty"`
	Force    bool   `json:"force,omitempty"`
	Position *Point `json:"position,omitempty"`
	Named    bool   `json:"named,omitempty"`
	Value    string `json:"value"`
}

// reply is the answer of browse.ready and browse.through.
type reply struct {
	Why    string `json:"why"`
	What   string `json:"what"`
	Sample string `json:"sample"`
	Role   string `json:"role"`
	Name   string `json:"name"`
	Desc   string `json:"desc"`
	By     *other `json:"by"`
	// Moved: role and name are as shown, but not the place; Was and Place say in
	// what it was and is. Was is empty when that is not known.
	Moved  bool    `json:"moved"`
	Was    string  `json:"was"`
	Place  string  `json:"place"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	State  string  `json:"state"`
	Frame  bool    `json:"frame"`
	Shared bool    `json:"shared"`
	Kind   string  `json:"kind"`
	Empty  bool    `json:"empty"`
	Secret bool    `json:"secret"`
	Set    bool    `json:"set"`
	// Time is when the guard was armed, in milliseconds since 1970.
	Time float64 `json:"time"`
}

// namesText matches locators that name an element by what it says.
var namesText = regexp.MustCompile(`(^|>>)\s*((text|role|label|placeholder|alt|title)=|["'])`)

// expect returns the role and name that the page must still find, for a ref.
func (r *run) expect() *shown {
	if !r.el.Shown {
		return nil
	}
	return &shown{Role: r.el.Role, Name: r.el.Name}
}

// miss translates a reply about an element of document doc of frame f.
func (r *run) missed(rep *reply, f *page.Frame, doc page.DocID) miss {
	why, ok := outcomeNames[rep.Why]
	if !ok {
		return miss{why: unknownOutcome, what: rep.Why}
	}
	m := miss{why: why, what: rep.What, now: rep.Sample}
	switch why {
	case changed:
		if rep.Moved {
			m.what, m.now = page.Moved(rep.Was, rep.Place), "in "+page.Quote(rep.Place)
			break
		}
		if rep.Role != "" {
			m.now = fmt.Sprintf("[%s] %s", rep.Role, page.Quote(rep.Name))
		} else {
			m.now = rep.Desc
		}
	case covered, intercepted, unfocused, isOption:
		if rep.By != nil || why != unfocused {
			m.by = show(r.t, f, doc, rep.By)
		}
		if rep.By != nil && rep.By.ID != 0 && len(m.by) > 0 && m.by[0] == '@' {
			m.ref = firstWord(m.by)
		}
	}
	return m
}

func firstWord(s string) string {
	for i := range len(s) {
		if s[i] == ' ' {
			return s[:i]
		}
	}
	return s
}

// ready asks the page whether the element can be acted on.
func (r *run) ready(ctx context.Context, o readyOptions) (reply, miss, error) {
	o.Shown, o.Seq, o.Still, o.Force = r.expect(), r.seq, r.still, r.o.Force
	o.Named = o.Shown == nil && namesText.MatchString(r.el.Label)
	var rep reply
	if err := r.el.Frame.Call(ctx, r.el.Doc, "ready", &rep, r.el.ID, o); err != nil {
		return rep, miss{}, err
	}
	r.aimed = 0
	if !rep.Frame { // the document in a frame element may be of any age
		r.aimed = rep.Time / 1000
	}
	return rep, r.missed(&rep, r.el.Frame, r.el.Doc), nil
}
