package action

import (
	"context"

	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/page"
)

// filled is the answer of browse.filled.
type filled struct {
	Why     string `json:"why"`
	By      *other `json:"by"`
	Same    bool   `json:"same"`
	Value   string `json:"value"`
	Length  int    `json:"length"`
	Changed bool   `json:"changed"`
	Secret  bool   `json:"secret"`
}

// Fill replaces what a field holds by value and reads it back. Text goes in as
// typed text does (CDP Input.insertText: beforeinput and input events), so that
// frameworks and editors with a model of their own take part; dates, colours and
// sliders get their value at once, with the events of the browser's own picker.
// An empty value clears the field. A page that turns the value into another is
// told of in the result; one that refuses it is [api.NotVerified].
func Fill(ctx context.Context, t *page.Tab, el *page.Element, value string, o Options) (Result, error) {
	return fill(ctx, t, el, value, false, o)
}

// fill is [Fill]; quiet leaves out the change event at its end.
func fill(ctx context.Context, t *page.Tab, el *page.Element, value string, quiet bool, o Options) (Result, error) {
	r := newRun(t, el, "fill", o)
	w := r.watch()
	defer w.Close()
	var res Result
	err := r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		rep, m, err := r.ready(bounded, readyOptions{Need: "fill", Attempt: n, Value: value})
		if err != nil || m.why != done {
			return m, err
		}
		if m, err := r.hasKeyboard(bounded); err != nil || m.why != done {
			return m, err
		}
		res.Secret = rep.Secret
		input := r.enter(rep, value)
		end := r.el.Frame.Start(ctx, r.el.Doc, "filled", r.seq, r.el.ID, value, len(input) > 0, quiet)
		if err := r.acknowledged(ctx, input); err != nil {
			return miss{}, err
		}
		if len(input) > 0 {
			defer r.nudge(ctx)()
		}
		var got filled
		if err := end.Wait(ctx, &got); err != nil {
			if isParted(t, err) {
				res.Note = "the page navigated, so the value could not be read back"
				return miss{}, nil
			}
			return miss{}, err
		}
		return r.verifyFill(&got, value, rep.Set, &res)
	})
	if err != nil {
		return Result{}, err
	}
	res.Element = r.el
	return r.settle(ctx, w, res)
}

// enter sends the input that puts value where the selection is; none when the
// field has it already.
func (r *run) enter(rep reply, value string) []*cdp.Pending {
	s := r.t.Session()
	switch {
	case rep.Set || value == "" && rep.Empty:
		return nil
	case value == "":
		plain := *r
		plain.held = 0 // with Shift it would cut
		return plain.keystroke(keys["Delete"], 0, false)
	}
	return []*cdp.Pending{s.Start("Input.insertText", map[string]string{"text": value})}
}

func (r *run) verifyFill(got *filled, value string, set bool, res *Result) (miss, error) {
	res.Secret = res.Secret || got.Secret
	switch {
	case got.Why == "gone":
		res.Note = "the page replaced the field, so the value could not be read back"
		return miss{}, nil
	case got.Why != "":
		m := r.missed(&reply{Why: got.Why, By: got.By}, r.el.Frame, r.el.Doc)
		return m, nil
	case got.Same:
		res.Value = got.Value
		return miss{}, nil
	}
	holds := page.Quote(got.Value)
	if got.Secret {
		holds = "another value"
	}
	hint := "browse snapshot -i shows the field; or browse click it, browse press ControlOrMeta+A, browse type the text"
	switch {
	case got.Length == 0:
		return miss{}, api.Errorf(api.NotVerified, hint, "%s did not take the value, it is empty", what(r.el))
	case !got.Changed && !set:
		return miss{}, api.Errorf(api.NotVerified, hint, "%s did not take the value, it holds %s", what(r.el), holds)
	}
	res.Value, res.Altered = got.Value, true
	return miss{}, nil
}
