package verbs

import (
	"context"

	"gstack/internal/action"
	"gstack/internal/command"
	"gstack/internal/page"
)

var fillVerb = define(command.Spec{
	Name: "fill", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true, FreeText: true, Stdin: command.StdinDash,
	Summary: "Set the value of a field",
	Doc: `Works on every kind of text field, on date, time, colour, range and number inputs, and on
editable regions. An empty value clears it. The value is read back: when the page changed it,
the answer says so. "-" reads the value from standard input, --file from a file, so that it stands in
no argument list. Everything after the target is the value, dashes included.`,
	Examples: []string{"fill @e4 'Ann Lee'", "fill '#city' ''", "fill @e5 - < password.txt", "fill --file letter.txt '#message'"},
}, fillRun)

type fillIn struct {
	File   string   `flag:"file" value:"PATH" help:"read the value from a file"`
	Target string   `arg:"target" help:"ref (@e3) or selector"`
	Value  []string `arg:"value" rest:"true" optional:"true" help:"the new value; - reads it from standard input"`
	afterIn
}

func fillRun(ctx context.Context, env *Env, in fillIn) (Result, error) {
	value, err := textValue(env, "fill", in.Value, in.File)
	if err != nil {
		return Result{}, err
	}
	return perform(ctx, env, in.afterIn, in.Target, "Filled", func(el *page.Element) (action.Result, error) {
		return action.Fill(ctx, env.Tab.Tab, el, value, env.options())
	})
}
