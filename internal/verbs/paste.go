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

var pasteVerb = define(command.Spec{
	Name: "paste", Group: "Interaction", Scope: command.Write, Output: command.Ack, Nestable: true, FreeText: true, Stdin: command.StdinDash,
	Summary: "Paste text, files or pictures where the focus is",
	Doc: `The focused element gets a paste event with the text and the files (--file, may be repeated). Text
that the page does not handle itself is inserted, as the browser does; files that it does not take
are an error. The clipboard of the machine is neither read nor written. "-" reads the text from
standard input. The text is never repeated in the answer.`,
	Examples: []string{"paste 'two words'", "paste - < notes.txt", "paste --file screenshot.png"},
}, pasteRun)

type pasteIn struct {
	Files []string `flag:"file" value:"PATH" help:"a file or picture to paste; may be repeated"`
	Text  []string `arg:"text" rest:"true" optional:"true" help:"what to paste; - reads it from standard input"`
	afterIn
}

func pasteRun(ctx context.Context, env *Env, in pasteIn) (Result, error) {
	text := ""
	if len(in.Text) > 0 {
		var err error
		if text, err = textValue(env, "paste", in.Text, ""); err != nil {
			return Result{}, err
		}
	}
	if text == "" && len(in.Files) == 0 {
		return Result{}, api.Errorf(api.BadUsage, "browse paste 'some text', or browse paste --file picture.png", "paste: there is nothing to paste")
	}
	files, err := inputFiles(env, in.Files)
	if err != nil {
		return Result{}, err
	}
	for _, f := range files {
		if f.Folder {
			return Result{}, api.Errorf(api.FileError, "name its files", "%s is a folder, which cannot be pasted", f.Path)
		}
	}
	return in.conclude(ctx, env, func() (Result, error) { return pasted(ctx, env, text, files) })
}

func pasted(ctx context.Context, env *Env, text string, files []action.File) (Result, error) {
	r, err := act(ctx, env, func() (action.Result, error) {
		return action.Paste(ctx, env.Tab.Tab, text, files, env.options())
	})
	if err != nil {
		return Result{}, err
	}
	var parts []string
	if text != "" {
		parts = append(parts, fmt.Sprintf("%d characters", utf8.RuneCountInString(text)))
	}
	if len(files) > 0 {
		parts = append(parts, listFiles(files))
	}
	did := "Pasted " + strings.Join(parts, " and ")
	if r.Element != nil {
		did += " into " + r.Element.String()
	}
	return acted(env, did, r), nil
}
