package verbs

import (
	"context"

	"gstack/internal/command"
)

var stopVerb = define(command.Spec{
	Name: "stop", Group: "Server", Scope: command.Control, Effect: command.Serves, Output: command.Ours, Needs: command.Nothing,
	Summary: "Stop the daemon and its browser",
	Doc:     `Returns when both processes are gone. A daemon that is dead already counts as stopped.`,
}, func(_ context.Context, env *Env, _ noArgs) (Result, error) {
	env.Daemon.Stop()
	return Result{Text: "Server stopped"}, nil
})
