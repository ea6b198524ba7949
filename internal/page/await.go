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

// probeRound is how long one look into the page lasts; the page itself waits.
const probeRound = 250 * time.Millisecond

type seen struct {
	OK      bool   `json:"ok"`
	Total   int    `json:"total"`
	Visible int    `json:"visible"`
	Error   string `json:"error"`
}

// AwaitState waits until an element of the tab, in any frame, has a state: the
// element of a ref, or any that a locator matches. At the deadline the error
// says what was there instead.
func (t *Tab) AwaitState(ctx context.Context, target string, state State) error {
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
	var last seen
	for {
		s, err := t.probe(ctx, target, el, state)
		if err != nil {
			return err
		}
		if s.OK {
			return nil
		}
		if s.Error != "" {
			return api.Errorf(api.BadUsage, "a CSS selector, text=…, role=button[name=\"…\"], or a ref", "%s is not a selector: %s", Quote(target), s.Error)
		}
		last = s
		if ctx.Err() != nil {
			return api.Errorf(api.Timeout, "browse snapshot -i shows what is there; --timeout MS gives it longer",
				"timed out: %s did not become %s, %s", Quote(target), state, last.describe())
		}
	}
}

func (s seen) describe() string {
	switch {
	case s.Total == 0:
		return "nothing matches it"
	case s.Visible == 0:
		return fmt.Sprintf("%d match it, none is visible", s.Total)
	}
	return fmt.Sprintf("%d match it, %d of them visible", s.Total, s.Visible)
}

// probe looks into all frames at once for one round.
func (t *Tab) probe(ctx context.Context, target string, el *Element, state State) (seen, error) {
	var all seen
	if el != nil {
		err := el.Frame.Call(ctx, el.Doc, "probe", &all, el.ID, state, probeRound.Milliseconds())
		var e *api.Error
		if errors.As(err, &e) && e.Code == api.StaleRef {
			all.OK = state == Hidden || state == Detached
			return all, onlyIf(!all.OK, err)
		}
		return all, onlyIf(ctx.Err() == nil, err)
	}
	var calls []*Pending
	for _, f := range t.Frames() {
		calls = append(calls, f.Start(ctx, "", "probe", target, state, probeRound.Milliseconds()))
	}
	anyOK, allOK, answered := false, true, false
	for _, c := range calls {
		var s seen
		if err := c.Wait(ctx, &s); err != nil {
			if gone := t.Gone(); gone != nil {
				return all, gone
			}
			continue // a frame that navigated meanwhile: its new document is asked next round
		}
		answered = true
		all.Total += s.Total
		all.Visible += s.Visible
		if s.Error != "" {
			all.Error = s.Error
		}
		anyOK = anyOK || s.OK
		allOK = allOK && s.OK
	}
	if !answered {
		pauseFor(ctx, 20*time.Millisecond)
		return all, nil
	}
	all.OK = anyOK
	if state == Hidden || state == Detached {
		all.OK = allOK
	}
	return all, nil
}

func onlyIf(cond bool, err error) error {
	if cond {
		return err
	}
	return nil
}
