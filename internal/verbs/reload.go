package verbs

import (
	"context"

	"gstack/internal/command"
)

var reloadVerb = define(command.Spec{
	Name: "reload", Group: "Navigation", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true, AnyPage: true,
	Summary: "Load the page again",
}, func(ctx context.Context, env *Env, _ noArgs) (Result, error) {
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	n, err := env.Tab.Reload(ctx)
	if err != nil {
		return Result{}, err
	}
	return settled("Reloaded %s", n, source(n.URL)), nil
})
