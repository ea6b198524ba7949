package page

import (
	"context"
	"errors"
	"fmt"
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
)

const (
	// probeRound is how long one look into the page lasts; the page itself waits.
	probeRound = 250 * time.Millisecond
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
	// silent counts the frames that gave no answer, asked all of them.
	silent, asked int
}

// AwaitState waits until an element of the tab has a state: the element of a ref,
// or any that a locator matches in frame in and below, in any frame for nil. At the time until, the error
// says what was there instead; ctx, which should end later, bounds the last
// answer of the page.
func (t *Tab) AwaitState(ctx context.Context, until time.Time, in *Frame, target string, state State) error {
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
		s, err := t.probe(ctx, in, target, el, state, round)
		if err != nil {
			return err
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
				"timed out: %s did not become %s, %s", Quote(target), state, last.describe()+only(in))
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

func (s seen) describe() string {
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
func (t *Tab) probe(ctx context.Context, in *Frame, target string, el *Element, state State, round time.Duration) (seen, error) {
	all := seen{asked: 1}
	if el != nil {
		err := el.Frame.Call(ctx, el.Doc, "probe", &all, el.ID, state, round.Milliseconds())
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
	for _, f := range t.FramesIn(in) {
		calls = append(calls, f.Start(ctx, "", "probe", target, state, round.Milliseconds()))
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
