package verbs

import (
	"context"

	"gstack/internal/action"
	"gstack/internal/command"
	"gstack/internal/page"
)

var dropVerb = define(command.Spec{
	Name: "drop", Group: "Interaction", Scope: command.Write, Output: command.Ack, Nestable: true,
	Summary: "Drop files onto an element",
	Doc: `Drags files over the element, as from a file manager, and drops them if the page accepts them there.
Otherwise nothing is dropped, and the command fails. Files must lie in the working directory or the
temp folder.`,
	Examples: []string{"drop '#zone' photo.png", "drop @e5 a.txt b.txt"},
}, dropRun)

type dropIn struct {
	Target string   `arg:"target" help:"ref (@e3) or selector"`
	Files  []string `arg:"file" rest:"true" help:"files and folders"`
	afterIn
}

func dropRun(ctx context.Context, env *Env, in dropIn) (Result, error) {
	return give(ctx, env, in.afterIn, in.Target, in.Files, func(el *page.Element) string { return "Dropped on " + el.String() },
		func(el *page.Element, files []action.File) (action.Result, error) {
			return action.Drop(ctx, env.Tab.Tab, el, files, env.options())
		})
}
