package verbs

import (
	"context"

	"gstack/internal/command"
)

var urlVerb = define(command.Spec{
	Name: "url", Group: "Navigation", Scope: command.Read, Tunnel: true, Effect: command.Reads, Output: command.Ack, Nestable: true, AnyPage: true,
	Summary: "Print the address of the page",
}, func(_ context.Context, env *Env, _ noArgs) (Result, error) {
	u := env.Tab.URL()
	return Result{Text: source(u), Data: map[string]string{"url": u}}, nil
})
