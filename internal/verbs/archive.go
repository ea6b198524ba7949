package verbs

import (
	"context"
	"fmt"
	"io"
	"time"

	"gstack/internal/command"
)

var archiveVerb = define(command.Spec{
	Name: "archive", Group: "Extraction", Scope: command.Write, Effect: command.Reads, Output: command.Ack, Nestable: true, Timeout: 60 * time.Second,
	Summary:  "Save the page with all that it shows in one file",
	Doc:      `MHTML (RFC 2557), which Chromium opens: the document as it is now, its frames, style sheets and pictures.`,
	Examples: []string{"archive", "archive page.mhtml"},
}, archiveRun)

type archiveIn struct {
	Path string `arg:"path" optional:"true" help:"the file to write"`
}

func archiveRun(ctx context.Context, env *Env, in archiveIn) (Result, error) {
	path := ""
	if in.Path != "" {
		var err error
		if path, err = env.Paths.Write(in.Path); err != nil {
			return Result{}, err
		}
	}
	own := read(ctx, env)
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	size := 0
	path, err := stream(path, "browse-archive", ".mhtml", func(w io.Writer) (err error) {
		size, err = env.Tab.Archive(ctx, w)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	text := fmt.Sprintf("Archive saved: %s (%s, MHTML)", path, kilobytes(int64(size)))
	if own != "" {
		text += "\n" + own
	}
	return Result{Text: text, Data: map[string]any{"path": path, "bytes": size}}, nil
}
