package verbs

import (
	"context"

	"gstack/internal/command"
	"gstack/internal/page"
)

var dialogDismissVerb = define(command.Spec{
	Name: "dialog-dismiss", Group: "Interaction", Scope: command.Write, Effect: command.Serves, Output: command.Ack, Nestable: true,
	Summary: "Dismiss the next dialog of the tab",
	Doc: `Say it before the command that causes the dialog: confirm returns false, prompt null, and a page
that asks whether to leave it stays. It is for the next dialog in this tab only, as dialog-accept.`,
	Examples: []string{"dialog-dismiss", "dialog-dismiss --then"},
}, func(_ context.Context, env *Env, in armIn) (Result, error) {
	return armDialogs(env, in, page.DialogAnswer{}, "dismissed")
})
