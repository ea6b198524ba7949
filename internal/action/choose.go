package action

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gstack/internal/api"
	"gstack/internal/page"
)

// chosen is the answer of browse.choose.
type chosen struct {
	reply
	Picked []string `json:"picked"`
	Now    []string `json:"now"`
	Kept   bool     `json:"kept"`
	Gone   bool     `json:"gone"`
	List   other    `json:"select"`
	Have   []string `json:"have"`
	Total  int      `json:"total"`
}

// Select selects the options of a list that values name: by value, by label, by
// label in any case, or with a prefix that says which (value=, label=, index=
// counted from 0). A list that allows several gets exactly these. Lists that are
// made of other elements are opened and clicked, as a person does.
func Select(ctx context.Context, t *page.Tab, el *page.Element, values []string, o Options) (Result, error) {
	r := newRun(t, el, "select", o)
	w := r.watch()
	defer w.Close()
	res, err := r.choose(ctx, values)
	if errors.Is(err, errNotNative) {
		return choosePicked(ctx, t, r.el, values, o)
	}
	if err != nil {
		return Result{}, err
	}
	return r.settle(ctx, w, res)
}

// selectOption selects the option that r was to click.
func selectOption(ctx context.Context, r *run, w *page.Watch) (Result, error) {
	res, err := r.choose(ctx, nil)
	if err != nil {
		return Result{}, err
	}
	res.Routed = true
	return r.settle(ctx, w, res)
}

// choose sets the options, or the one that r.el is, and reads them back. An
// option that is not there yet is waited for like an element.
func (r *run) choose(ctx context.Context, values []string) (Result, error) {
	var res Result
	var missing *api.Error
	err := r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		var got chosen
		err := r.el.Frame.Call(bounded, r.el.Doc, "choose", &got, r.el.ID, append([]string{}, values...), readyOptions{Shown: r.expect(), Need: "select"})
		if err != nil {
			return miss{}, err
		}
		missing = nil
		if got.Why == "notselect" {
			return miss{}, errNotNative
		}
		if e, wait := r.refused(&got, values); e != nil {
			if !wait {
				return miss{}, e
			}
			missing = e
			return miss{why: unseen}, nil
		}
		if m := r.missed(&got.reply, r.el.Frame, r.el.Doc); m.why != done {
			return m, nil
		}
		if !got.Kept && !got.Gone {
			return miss{}, api.Errorf(api.NotVerified, "browse snapshot -i", "the page did not keep the selection in %s, it shows %s", what(r.el), quoteAll(got.Now))
		}
		res = Result{Element: r.el, Picked: got.Picked}
		if got.Gone {
			res.Note = "the page replaced the list when it changed; browse snapshot -i shows what it holds now"
		}
		return miss{}, nil
	})
	if err != nil && missing != nil && ctx.Err() == nil {
		err = missing
	}
	return res, err
}

// refused returns the errors that only lists have, and whether waiting can help.
func (r *run) refused(got *chosen, values []string) (*api.Error, bool) {
	name := what(r.el)
	switch got.Why {
	case "nooption":
		s := fmt.Sprintf("%s has no option %s, it has %s", name, page.Quote(got.What), quoteAll(got.Have))
		if got.Total > len(got.Have) {
			s += fmt.Sprintf(" and %d more", got.Total-len(got.Have))
		}
		return api.Errorf(api.NotFound, fmt.Sprintf("browse select %s with one of these", r.el.Label), "%s", s), true
	case "single":
		return api.Errorf(api.BadUsage, fmt.Sprintf("browse select %s %s", r.el.Label, page.Quote(strings.Join(values, " "))),
			"%s takes one option, not %d", name, len(values)), false
	case "optionoff":
		return api.Errorf(api.NotEnabled, "browse snapshot -i", "the option %s of %s is disabled", page.Quote(got.What), name), true
	case "optionhidden":
		return api.Errorf(api.NotVisible, "browse snapshot -i", "the option %s of %s is hidden, so nobody can choose it", page.Quote(got.What), name), true
	}
	return nil, false
}

func quoteAll(ss []string) string {
	if len(ss) == 0 {
		return "none"
	}
	out := make([]string, len(ss))
	for i, s := range ss {
		out[i] = page.Quote(s)
	}
	return strings.Join(out, ", ")
}

// checkState is the answer of browse.checkState.
type checkState struct {
	reply
	Radio bool `json:"radio"`
}

// Check brings something that can be checked (a check box, radio button, switch,
// or a menu item of that kind) into the state on, by a click if it is not there
// yet, and reads it back.
func Check(ctx context.Context, t *page.Tab, el *page.Element, on bool, o ClickOptions) (Result, error) {
	want := fmt.Sprint(on)
	r := newRun(t, el, "check", o.Options)
	var now checkState
	err := r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		now = checkState{}
		if err := r.el.Frame.Call(bounded, r.el.Doc, "checkState", &now, r.el.ID, readyOptions{Shown: r.expect(), Need: "check"}); err != nil {
			return miss{}, err
		}
		return r.missed(&now.reply, r.el.Frame, r.el.Doc), nil
	})
	if err != nil {
		return Result{}, err
	}
	switch {
	case now.State == "":
		return Result{}, api.Errorf(api.BadUsage, "browse click "+r.el.Label, "%s cannot be checked, it has no such state", what(r.el))
	case now.State == want:
		return Result{Element: r.el, State: want, Note: "it was so already"}, nil
	case !on && now.Radio:
		return Result{}, api.Errorf(api.BadUsage, "browse check another one of its group", "%s is a radio button, which cannot be unchecked", what(r.el))
	}
	res, err := Click(ctx, t, r.el, o)
	if err != nil {
		return Result{}, err
	}
	after := checkState{}
	at := r.el
	err = at.Frame.Call(ctx, at.Doc, "checkState", &after, at.ID, readyOptions{Need: "check"})
	if err == nil && after.Why == "gone" {
		if next := r.successor(ctx); next != nil {
			at, after = next, checkState{}
			res.Note = "the page replaced it; this is the state of the new one"
			err = at.Frame.Call(ctx, at.Doc, "checkState", &after, at.ID, readyOptions{Need: "check"})
		}
	}
	switch {
	case err != nil && isParted(t, err) || err == nil && after.Why == "gone":
		res.Note = "the page replaced it, so its state could not be read back; browse snapshot -i shows it"
	case err != nil:
		return Result{}, err
	case after.State != want:
		return Result{}, api.Errorf(api.NotVerified, "browse snapshot -i", "%s was clicked, but %sis %s", what(r.el), map[bool]string{true: "what the page put in its place "}[at != r.el], stateWord(after.State))
	default:
		res.State = want
	}
	return res, nil
}

// successor returns what stands in the place of an element that the page has
// replaced: what its selector finds now, or the only one with its role and name.
func (r *run) successor(ctx context.Context) *page.Element {
	target := r.el.Label
	if r.el.Shown {
		if r.el.Name == "" {
			return nil
		}
		target = fmt.Sprintf("role=%s[name=%q]", r.el.Role, r.el.Name)
	}
	next, err := Find(ctx, r.t, target, FindOptions{Frame: r.el.Frame, NoWait: true})
	if err != nil {
		return nil
	}
	return next
}

func stateWord(s string) string {
	switch s {
	case "true":
		return "still checked"
	case "mixed":
		return "partly checked"
	}
	return "not checked"
}
