package verbs

import (
	"context"

	"gstack/internal/action"
	"gstack/internal/command"
)

var hoverVerb = define(command.Spec{
	Name: "hover", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Move the pointer onto an element",
	Doc: `Waits until the element is visible, still and not covered, scrolls it into view and moves the
mouse to it; the pointer stays there until the next action moves it.`,
	Examples: []string{"hover @e3", "hover 'text=Account'", "hover '#chart' --force"},
}, hoverRun)

type hoverIn struct {
	Target string `arg:"target" help:"ref (@e3) or selector"`
	Force  bool   `flag:"force" help:"move to its middle without the checks"`
}

func hoverRun(ctx context.Context, env *Env, in hoverIn) (Result, error) {
	el, err := find(ctx, env, in.Target)
	if err != nil {
		return Result{}, err
	}
	o := env.options()
	o.Force = in.Force
	r, err := act(ctx, env, func() (action.Result, error) {
		return action.Hover(ctx, env.Tab.Tab, el, o)
	})
	if err != nil {
		return Result{}, err
	}
	return acted(env, "Hovered "+el.String(), r), nil
}
