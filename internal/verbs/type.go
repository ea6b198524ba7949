package verbs

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/command"
)

var typeVerb = define(command.Spec{
	Name: "type", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true, FreeText: true, Stdin: command.StdinDash,
	Summary: "Type text into the focused element, key by key",
	Doc: `Goes where the focus is, in whatever frame; the answer names that element, and says when it took
only a part. Fails when nothing there takes text. "-" reads the text from standard input. The text
is never repeated in the answer.`,
	Examples: []string{"type hello world", "type - < note.txt"},
}, typeRun)

type typeIn struct {
	Text []string `arg:"text" rest:"true" help:"what to type; - reads it from standard input"`
}

func typeRun(ctx context.Context, env *Env, in typeIn) (Result, error) {
	text := strings.Join(in.Text, " ")
	if text == "-" && len(in.Text) == 1 {
		if env.Stdin == nil {
			return Result{}, api.Errorf(api.BadUsage, "browse type - < note.txt", "type: nothing on standard input")
		}
		text = strings.TrimSuffix(*env.Stdin, "\n")
	}
	r, err := act(ctx, env, func() (action.Result, error) { return action.Type(ctx, env.Tab.Tab, text, env.options()) })
	if err != nil {
		return Result{}, err
	}
	did := fmt.Sprintf("Typed %d characters", utf8.RuneCountInString(text))
	if r.Element != nil {
		did += " into " + r.Element.String()
	}
	return acted(env, did, r), nil
}
