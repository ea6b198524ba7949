package verbs

import (
	"context"

	"gstack/internal/action"
	"gstack/internal/command"
	"gstack/internal/page"
)

var hoverVerb = define(command.Spec{
	Name: "hover", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Move the pointer onto an element",
	Doc: `Waits until the element is visible, still and not covered, scrolls it into view and moves the
mouse to it; the pointer stays there until the next action moves it.`,
	Examples: []string{"hover @e3", "hover 'text=Account'", "hover '#chart' --force"},
}, hoverRun)

type hoverIn struct {
	Target    string   `arg:"target" help:"ref (@e3) or selector"`
	Modifiers []string `flag:"modifiers" value:"KEYS" help:"keys held meanwhile, such as Shift; may be repeated"`
	Position  string   `flag:"position" value:"X,Y" help:"where in the element's box, in CSS pixels from its top left corner"`
	Force     bool     `flag:"force" help:"move to its middle without the checks"`
	afterIn
}

func hoverRun(ctx context.Context, env *Env, in hoverIn) (Result, error) {
	o, err := clickOptions(env, clickIn{Target: in.Target, Count: 1, Modifiers: in.Modifiers, Position: in.Position, Force: in.Force})
	if err != nil {
		return Result{}, err
	}
	return perform(ctx, env, in.afterIn, in.Target, "Hovered", func(el *page.Element) (action.Result, error) {
		return action.Hover(ctx, env.Tab.Tab, el, o)
	})
}
