package verbs

import (
	"context"

	"gstack/internal/action"
	"gstack/internal/command"
	"gstack/internal/page"
)

var pressVerb = define(command.Spec{
	Name: "press", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Press a key or a chord",
	Doc: `Keys have the names of KeyboardEvent.key (Enter, Escape, ArrowDown, F5, a, A, é), chords join
them with +: Shift+Enter, Control+A, ControlOrMeta+A. Goes to the focused element, or to --target.`,
	Examples: []string{"press Enter", "press Control+A", "press Tab --target @e3"},
}, pressRun)

type pressIn struct {
	Key    string `arg:"key" help:"key or chord"`
	Target string `flag:"target" help:"focus this ref or selector first"`
	afterIn
}

func pressRun(ctx context.Context, env *Env, in pressIn) (Result, error) {
	var el *page.Element
	if in.Target != "" {
		found, err := find(ctx, env, in.Target)
		if err != nil {
			return Result{}, err
		}
		el = found
	}
	return in.conclude(ctx, env, func() (Result, error) {
		r, err := act(ctx, env, func() (action.Result, error) {
			return action.Press(ctx, env.Tab.Tab, el, in.Key, env.options())
		})
		if err != nil {
			return Result{}, err
		}
		return acted(env, "Pressed "+in.Key, r), nil
	})
}
