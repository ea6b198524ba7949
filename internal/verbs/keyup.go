package verbs

import (
	"context"

	"gstack/internal/command"
)

var keyupVerb = define(command.Spec{
	Name: "keyup", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary:  "Let a key up that keydown has put down",
	Doc:      `Goes to the focused element. The answer says what is still down.`,
	Examples: []string{"keyup Shift"},
}, keyupRun)

func keyupRun(ctx context.Context, env *Env, in keyIn) (Result, error) {
	return moveKey(ctx, env, in, false, "Key up: ")
}
