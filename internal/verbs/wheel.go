package verbs

import (
	"context"
	"fmt"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var wheelVerb = define(command.Spec{
	Name: "wheel", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Turn the mouse wheel over an element",
	Doc: `For what listens to the wheel itself: maps, zoom, canvases. Distances are CSS pixels to the right
and down. Without a target it turns where the pointer is. To move through a page, use scroll.`,
	Examples: []string{"wheel 0 400 @e3", "wheel 0 -120 '#map'", "wheel 200 0 '#strip'"},
}, wheelRun)

type wheelIn struct {
	DX     float64 `arg:"dx" help:"pixels to the right"`
	DY     float64 `arg:"dy" help:"pixels down"`
	Target string  `arg:"target" optional:"true" help:"ref (@e3) or selector"`
	Force  bool    `flag:"force" help:"turn it at the middle without the checks"`
	afterIn
}

func wheelRun(ctx context.Context, env *Env, in wheelIn) (Result, error) {
	if in.DX == 0 && in.DY == 0 || in.DX-in.DX != 0 || in.DY-in.DY != 0 { // not 0 for infinities and NaN
		return Result{}, api.Errorf(api.BadUsage, "browse wheel 0 400 @e3", "wheel: %v %v is no distance", in.DX, in.DY)
	}
	var el *page.Element
	if in.Target != "" {
		found, err := find(ctx, env, in.Target)
		if err != nil {
			return Result{}, err
		}
		el = found
	}
	o := env.options()
	o.Force = in.Force
	return in.conclude(ctx, env, func() (Result, error) {
		r, err := act(ctx, env, func() (action.Result, error) { return action.Wheel(ctx, env.Tab.Tab, el, in.DX, in.DY, o) })
		if err != nil {
			return Result{}, err
		}
		did := fmt.Sprintf("Turned the wheel by %v,%v", in.DX, in.DY)
		if el != nil {
			did += " over " + el.String()
		}
		return acted(env, did, r), nil
	})
}
