package verbs

import (
	"context"

	"gstack/internal/action"
	"gstack/internal/command"
	"gstack/internal/page"
)

var focusVerb = define(command.Spec{
	Name: "focus", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Give an element the keyboard focus",
	Doc: `Nothing is clicked. An element that cannot have the focus is refused. Keys go there afterwards:
press, type.`,
	Examples: []string{"focus @e3", "focus '#search'"},
}, focusRun)

type focusIn struct {
	Target string `arg:"target" help:"ref (@e3) or selector"`
	afterIn
}

func focusRun(ctx context.Context, env *Env, in focusIn) (Result, error) {
	return perform(ctx, env, in.afterIn, in.Target, "Focused", func(el *page.Element) (action.Result, error) {
		return action.Focus(ctx, env.Tab.Tab, el, env.options())
	})
}
