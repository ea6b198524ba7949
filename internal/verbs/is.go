package verbs

import (
	"context"
	"errors"
	"slices"
	"strings"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var isVerb = define(command.Spec{
	Name: "is", Group: "Inspection", Scope: command.Read, Effect: command.Reads, Output: command.Ours, Nestable: true,
	Summary: "Answer whether an element is in a state",
	Doc: `Prints true, or false with exit code 1. States: visible, hidden, enabled, disabled, checked,
editable, focused, selected, expanded, pressed, required, invalid, attached, detached. Nothing is
waited for: browse wait does that. What is not there is hidden and detached, neither visible nor
attached; to ask for another state of it is an error.`,
	Examples: []string{"is visible '#dialog'", "is checked @e5", "is hidden @e7"},
}, isRun)

type isIn struct {
	State  string `arg:"state" enum:"visible,hidden,enabled,disabled,checked,editable,focused,selected,expanded,pressed,required,invalid,attached,detached" help:"what to ask"`
	Target string `arg:"target" help:"ref (@e3) or selector"`
}

// withoutElement answers for what is not in the page.
var withoutElement = map[string]bool{"visible": false, "attached": false, "hidden": true, "detached": true}

func isRun(ctx context.Context, env *Env, in isIn) (Result, error) {
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	el, err := findNow(ctx, env, in.Target)
	yes, no := false, ""
	if err == nil {
		yes, no, err = el.Is(ctx, in.State)
	}
	var e *api.Error
	if absent, known := withoutElement[in.State]; known && errors.As(err, &e) && slices.Contains([]api.Code{api.NotFound, api.StaleRef}, e.Code) {
		yes, err = absent, nil
	}
	if err != nil {
		return Result{}, err
	}
	if no != "" {
		return Result{}, api.Errorf(api.Failed, "browse attrs "+in.Target+" shows what it is", "is: %s %s", el, no)
	}
	if yes {
		return Result{Text: "true", Data: true}, nil
	}
	return Result{Text: "false", Data: false, Code: api.Failed, Why: quote(in.Target) + " is not " + in.State}, nil
}

// findNow is find for those who do not wait for an element.
func findNow(ctx context.Context, env *Env, target string) (*page.Element, error) {
	o := action.FindOptions{NoWait: true}
	if !page.IsRef(target) && strings.TrimSpace(target) != "" {
		var err error
		if o.Frame, err = env.Scope(); err != nil {
			return nil, err
		}
	}
	return action.Find(ctx, env.Tab.Tab, target, o)
}
