package verbs

import (
	"context"
	"strings"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/command"
)

var fillVerb = define(command.Spec{
	Name: "fill", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true, FreeText: true, Stdin: command.StdinDash,
	Summary: "Set the value of a field",
	Doc: `Works on every kind of text field, on date, time, colour, range and number inputs, and on
editable regions. An empty value clears it. The value is read back: when the page changed it,
the answer says so. "-" reads the value from standard input, so that it stands in no argument
list. Everything after the target is the value, dashes included.`,
	Examples: []string{"fill @e4 'Ann Lee'", "fill '#city' ''", "fill @e5 - < password.txt"},
}, fillRun)

type fillIn struct {
	Target string   `arg:"target" help:"ref (@e3) or selector"`
	Value  []string `arg:"value" rest:"true" help:"the new value; - reads it from standard input"`
}

func fillRun(ctx context.Context, env *Env, in fillIn) (Result, error) {
	value := strings.Join(in.Value, " ")
	if value == "-" && len(in.Value) == 1 {
		if env.Stdin == nil {
			return Result{}, api.Errorf(api.BadUsage, "browse fill @e3 - < value.txt", "fill: nothing on standard input")
		}
		value = strings.TrimSuffix(*env.Stdin, "\n")
	}
	el, err := find(ctx, env, in.Target)
	if err != nil {
		return Result{}, err
	}
	r, err := act(ctx, env, func() (action.Result, error) {
		return action.Fill(ctx, env.Tab.Tab, el, value, env.options())
	})
	if err != nil {
		return Result{}, err
	}
	return acted(env, "Filled "+el.String(), r), nil
}
