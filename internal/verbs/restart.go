package verbs

import (
	"context"

	"gstack/internal/command"
)

var restartVerb = define(command.Spec{
	Name: "restart", Group: "Server", Scope: command.Control, Effect: command.Serves, Output: command.Ours, Needs: command.Nothing,
	Summary: "Stop the daemon and start a fresh one",
	Doc:     `Tabs, logins and refs are lost.`,
}, func(_ context.Context, env *Env, _ noArgs) (Result, error) {
	env.Daemon.Stop()
	return Result{Text: "Restarting..."}, nil
})
