package verbs

import (
	"context"

	"gstack/internal/command"
)

var uncheckVerb = define(command.Spec{
	Name: "uncheck", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Uncheck a check box or switch",
	Doc: `Clicks it unless it is unchecked already, and reads its state back. A radio button cannot be
unchecked; check another one of its group.`,
	Examples: []string{"uncheck @e4", "uncheck 'label=Newsletter'"},
}, uncheckRun)

func uncheckRun(ctx context.Context, env *Env, in checkedIn) (Result, error) {
	return setChecked(ctx, env, in, false, "Unchecked")
}
