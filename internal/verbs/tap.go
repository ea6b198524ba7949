package verbs

import (
	"context"

	"gstack/internal/action"
	"gstack/internal/command"
	"gstack/internal/page"
)

var tapVerb = define(command.Spec{
	Name: "tap", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Touch an element with a finger",
	Doc: `As click, with touch events: the page gets touchstart and touchend, and the click that the browser
makes of them unless the page handles the touch itself.`,
	Examples: []string{"tap @e3", "tap '#map' --position 40,25"},
}, tapRun)

type tapIn struct {
	Target   string `arg:"target" help:"ref (@e3) or selector"`
	Position string `flag:"position" value:"X,Y" help:"where in the element's box, in CSS pixels from its top left corner"`
	Force    bool   `flag:"force" help:"tap at its middle without the checks"`
	NoWait   bool   `flag:"no-wait" help:"do not wait for a navigation that it begins"`
	afterIn
}

func tapRun(ctx context.Context, env *Env, in tapIn) (Result, error) {
	o, err := clickOptions(env, clickIn{Target: in.Target, Count: 1, Position: in.Position, Force: in.Force, NoWait: in.NoWait})
	if err != nil {
		return Result{}, err
	}
	return perform(ctx, env, in.afterIn, in.Target, "Tapped", func(el *page.Element) (action.Result, error) {
		return action.Tap(ctx, env.Tab.Tab, el, o)
	})
}
