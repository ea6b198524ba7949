package verbs

import (
	"context"

	"gstack/internal/command"
)

var forwardVerb = define(command.Spec{
	Name: "forward", Group: "Navigation", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true, AnyPage: true,
	Summary: "Go to the later page of the tab's history",
	Doc:     `A tab without one stays where it is, and the answer says so.`,
}, func(ctx context.Context, env *Env, _ noArgs) (Result, error) { return history(ctx, env, 1, "Forward") })
