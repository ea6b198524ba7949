package verbs

import (
	"context"

	"gstack/internal/command"
)

var textVerb = define(command.Spec{
	Name: "text", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary: "Print what a person would read on the page",
	Doc: `Blocks are separated by line breaks, table cells by tabs; hidden text and scripts are left
out, frames and shadow roots are included. With a target, only that element.`,
	Examples: []string{"text", "text '#main'", "text @e4"},
}, textRun)

type targetIn struct {
	Target string `arg:"target" optional:"true" help:"ref (@e3) or selector; the whole page without one"`
	Frame  string `flag:"frame" value:"FRAME" help:"in this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
}

func textRun(ctx context.Context, env *Env, in targetIn) (Result, error) {
	text, own, err := readFrom(ctx, env, in, env.Tab.Text)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: text, Own: own}, nil
}
