package verbs

import (
	"context"

	"gstack/internal/command"
)

var backVerb = define(command.Spec{
	Name: "back", Group: "Navigation", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true, AnyPage: true,
	Summary: "Go to the earlier page of the tab's history",
	Doc:     `A tab without one stays where it is, and the answer says so.`,
}, func(ctx context.Context, env *Env, _ noArgs) (Result, error) { return history(ctx, env, -1, "Back") })
