package verbs

import (
	"context"

	"gstack/internal/action"
	"gstack/internal/command"
	"gstack/internal/page"
)

var uploadVerb = define(command.Spec{
	Name: "upload", Group: "Interaction", Scope: command.Write, Output: command.Ack, Nestable: true,
	Summary: "Give files to a file input, or to what asks for them",
	Doc: `The target is a file input, visible or not, its label, something with one in it, a button that opens
a file chooser, or a zone that files are dropped on. Files must lie in the working directory or the
temp folder; links are followed before that is judged. Whether the input takes several files, a
folder, and files of that kind is checked.`,
	Examples: []string{"upload @e4 photo.png", "upload 'input[type=file]' a.pdf b.pdf", "upload 'text=Add a file' report.csv", "upload '#folder' ./pictures"},
}, uploadRun)

type uploadIn struct {
	Target string   `arg:"target" help:"ref (@e3) or selector"`
	Files  []string `arg:"file" rest:"true" help:"files, or one folder for an input that takes folders"`
	Force  bool     `flag:"force" help:"leave out the check of the accept attribute"`
	afterIn
}

func uploadRun(ctx context.Context, env *Env, in uploadIn) (Result, error) {
	o := env.options()
	o.AnyType = in.Force
	return give(ctx, env, in.afterIn, in.Target, in.Files, func(*page.Element) string { return "Uploaded" },
		func(el *page.Element, files []action.File) (action.Result, error) {
			return action.Upload(ctx, env.Tab.Tab, el, files, o)
		})
}
