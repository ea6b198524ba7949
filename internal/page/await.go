package page

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gstack/internal/api"
)

// State is what an element can be waited for to become.
type State string

// The states.
const (
	Visible  State = "visible"
	Hidden   State = "hidden" // not there, or not visible
	Attached State = "attached"
	Detached State = "detached"
	// Of the first visible element that is named.
	Enabled   State = "enabled"
	Disabled  State = "disabled"
	Checked   State = "checked"
	Unchecked State = "unchecked"
	Focused   State = "focused"
	// Compared with a [Want].
	HasValue State = "value" // what a field holds
	Shows    State = "shows" // the visible text of an element
	Count    State = "count" // how many elements there are
	Title    State = "title" // of the page
)

// Want is what a value is compared with: Op is "==", "~=" (holds, in any case),
// ">=" or "<=" (as numbers).
type Want struct {
	Op   string `json:"op"`
	Text string `json:"text"`
	// Not waits until it is otherwise, which for what describes an element means that
	// there is one.
	Not bool `json:"not,omitempty"`
}

// summed reports whether a state is one of the sum of all frames.
func (s State) summed() bool { return s == Count }

func (w Want) holds(n int) bool {
	want, err := strconv.ParseFloat(w.Text, 64)
	if err != nil {
		return false
	}
	switch w.Op {
	case ">=":
		return float64(n) >= want
	case "<=":
		return float64(n) <= want
	}
	return float64(n) == want
}

const (
	// probeRound is how long one look into the page lasts; the page itself waits.
	probeRound = 250 * time.Millisecond
	// sumRound is how long a look lasts that no frame can end early.
	sumRound = 60 * time.Millisecond
	// probeLate is what a frame other than the first may take beyond a round, so
	// that one that hangs does not hide what the others show.
	probeLate = time.Second
)

// seen is what a look into one frame, or into all, has found.
type seen struct {
	OK      bool   `json:"ok"`
	Total   int    `json:"total"`
	Visible int    `json:"visible"`
	Error   string `json:"error"`
	Now     string `json:"now"`
	Secret  bool   `json:"secret"`
	// silent counts the frames that gave no answer, asked all of them.
	silent, asked int
}

// AwaitState is [Tab.AwaitWant] for states that are compared with nothing.
func (t *Tab) AwaitState(ctx context.Context, until time.Time, in *Frame, target string, state State) error {
	return t.AwaitWant(ctx, until, in, target, state, Want{})
}

// AwaitWant waits until an element of the tab has a state: the element of a ref,
// or any that a locator matches in frame in and below, in any frame for nil. At the time until, the error
// says what was there instead; ctx, which should end later, bounds the last
// answer of the page.
func (t *Tab) AwaitWant(ctx context.Context, until time.Time, in *Frame, target string, state State, want Want) error {
	var el *Element
	if IsRef(target) {
		found, err := t.Ref(target)
		var e *api.Error
		switch {
		case errors.As(err, &e) && e.Code == api.StaleRef && (state == Hidden || state == Detached):
			return nil // its document is gone, and it with it
		case err != nil:
			return err
		}
		el = found
	}
	last := seen{asked: 1, silent: 1}
	for {
		round := max(min(probeRound, time.Until(until)), 0)
		s, err := t.probe(ctx, in, target, el, state, want, round)
		if err != nil {
			return err
		}
		if state.summed() && s.silent == 0 {
			s.OK = want.holds(s.Total) != want.Not
		}
		if s.OK {
			return nil
		}
		if s.Error != "" {
			return api.Errorf(api.BadUsage, "a CSS selector, text=…, role=button[name=\"…\"], or a ref", "%s is not a selector: %s", Quote(target), s.Error)
		}
		// A round that the deadline cut short tells less than the one before.
		if s.silent == 0 || s.Total > 0 || last.silent == last.asked {
			last = s
		}
		if ctx.Err() != nil || round == 0 {
			return api.Errorf(api.Timeout, "browse snapshot -i shows what is there; --timeout MS gives it longer",
				"timed out: %s, %s", unmet(target, state, want), last.describe(state)+only(in))
		}
	}
}

// only says where alone was looked.
func only(in *Frame) string {
	if in == nil {
		return ""
	}
	return " (only the frame " + Quote(in.URL()) + " was looked into; browse frame main leaves it)"
}

// unmet says what was waited for in vain.
func unmet(target string, state State, want Want) string {
	what, did := Quote(target), "did not become "+string(state)
	if want.Not {
		did = "did not cease to be " + string(state)
	}
	if state == Title {
		what = "the title"
	}
	if want.Op == "" {
		return what + " " + did
	}
	did = map[State]string{HasValue: "did not hold", Shows: "did not show", Count: "did not number", Title: "did not become"}[state]
	if want.Not {
		did = "did not cease to be"
	}
	op := map[string]string{"==": "", "~=": "what has in it ", ">=": "at least ", "<=": "at most "}[want.Op]
	if state == Count {
		return what + " " + did + " " + op + want.Text
	}
	return what + " " + did + " " + op + Quote(want.Text)
}

func (s seen) describe(state State) string {
	if s.silent < s.asked && s.Total > 0 {
		switch {
		case s.Secret:
			return "it holds something else, which is secret"
		case state == HasValue || state == Title:
			return "it is " + Quote(s.Now)
		case state == Shows:
			return "it shows " + Quote(s.Now)
		case s.Now != "" && state != Count:
			return "it is " + s.Now
		}
	}
	switch {
	case s.silent == s.asked:
		return "the page did not answer"
	case s.Total == 0 && s.silent > 0:
		return fmt.Sprintf("nothing matches it in the frames that answered, %d of %d did not", s.silent, s.asked)
	case s.Total == 0:
		return "nothing matches it"
	case s.Total == 1 && s.Visible == 0:
		return "it is in the page, but not visible"
	case s.Total == 1:
		return "it is in the page, and visible"
	case s.Visible == 0:
		return fmt.Sprintf("%d match it, none is visible", s.Total)
	}
	return fmt.Sprintf("%d match it, %d of them visible", s.Total, s.Visible)
}

// probe looks into all frames at once for one round.
func (t *Tab) probe(ctx context.Context, in *Frame, target string, el *Element, state State, want Want, round time.Duration) (seen, error) {
	all := seen{asked: 1}
	if el != nil {
		err := el.Frame.Call(ctx, el.Doc, "probe", &all, el.ID, state, round.Milliseconds(), want)
		var e *api.Error
		if errors.As(err, &e) && e.Code == api.StaleRef {
			all.OK = state == Hidden || state == Detached
			return all, onlyIf(!all.OK, err)
		}
		if err != nil {
			all.silent = 1
		}
		return all, onlyIf(ctx.Err() == nil, err)
	}
	var calls []*Pending
	frames := t.FramesIn(in)
	if state == Title {
		frames = frames[:min(len(frames), 1)]
	}
	if state.summed() && len(frames) > 1 {
		round, want = min(round, sumRound), Want{} // no frame knows the sum
	}
	for _, f := range frames {
		if f.Parent() == nil {
			calls = append(calls, f.Start(ctx, "", "probe", target, state, round.Milliseconds(), want))
			continue
		}
		// One without a document is asked again in the next round.
		calls = append(calls, f.startWithin(ctx, 0, "probe", target, state, round.Milliseconds(), want))
	}
	if all.asked = len(calls); all.asked == 0 && in != nil {
		all.OK = state == Hidden || state == Detached // the frame is gone, and what was in it
		return all, onlyIf(!all.OK, in.gone())
	}
	anyOK, allOK := false, true
	for i, c := range calls {
		var s seen
		if err := c.Wait(ctx, &s); err != nil {
			if gone := t.Gone(); gone != nil {
				return all, gone
			}
			if !c.f.Detached() {
				all.silent++ // between two documents, or too slow: asked again next round
			}
			continue
		}
		if i == 0 && len(calls) > 1 {
			late, cancel := context.WithTimeout(ctx, round+probeLate)
			defer cancel()
			ctx = late
		}
		all.Total += s.Total
		all.Visible += s.Visible
		if s.Error != "" {
			all.Error = s.Error
		}
		if s.Now != "" && (all.Now == "" || s.Visible > 0) {
			all.Now, all.Secret = s.Now, s.Secret
		}
		all.Secret = all.Secret || s.Secret
		anyOK = anyOK || s.OK
		allOK = allOK && s.OK
	}
	if all.silent == all.asked {
		pauseFor(ctx, 20*time.Millisecond)
		return all, nil
	}
	all.OK = anyOK
	if state == Hidden || state == Detached {
		all.OK = allOK && all.silent == 0 // it may be where no answer came from
	}
	return all, nil
}

func onlyIf(cond bool, err error) error {
	if cond {
		return err
	}
	return nil
}
