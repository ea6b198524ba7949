package verbs

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"gstack/internal/action"
	"gstack/internal/command"
)

var typeVerb = define(command.Spec{
	Name: "type", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true, FreeText: true, Stdin: command.StdinDash,
	Summary: "Type text into the focused element, key by key",
	Doc: `Goes where the focus is, in whatever frame; the answer names that element, and says when it took
only a part. Fails when nothing there takes text. "-" reads the text from standard input, --file from a file. The text
is never repeated in the answer.`,
	Examples: []string{"type hello world", "type - < note.txt"},
}, typeRun)

type typeIn struct {
	File string   `flag:"file" value:"PATH" help:"read the text from a file"`
	Text []string `arg:"text" rest:"true" optional:"true" help:"what to type; - reads it from standard input"`
	afterIn
}

func typeRun(ctx context.Context, env *Env, in typeIn) (Result, error) {
	text, err := textValue(env, "type", in.Text, in.File)
	if err != nil {
		return Result{}, err
	}
	return in.conclude(ctx, env, func() (Result, error) {
		r, err := act(ctx, env, func() (action.Result, error) { return action.Type(ctx, env.Tab.Tab, text, env.options()) })
		if err != nil {
			return Result{}, err
		}
		did := fmt.Sprintf("Typed %d characters", utf8.RuneCountInString(text))
		switch {
		case r.Fields > 1:
			names := make([]string, len(r.Into))
			for i, el := range r.Into {
				names[i] = el.String()
			}
			did += fmt.Sprintf(" into %d fields, for the page moved the focus: %s", r.Fields, strings.Join(names, ", "))
		case r.Element != nil:
			did += " into " + r.Element.String()
		}
		return acted(env, did, r), nil
	})
}
