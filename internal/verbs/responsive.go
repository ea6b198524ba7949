package verbs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/session"
)

var responsiveVerb = define(command.Spec{
	Name: "responsive", Group: "Visual", Scope: command.Meta, Effect: command.Writes, Output: command.Ack, Nestable: true, Timeout: 60 * time.Second,
	Summary: "Take pictures of the page at the widths of phone, tablet and desktop",
	Doc: `The whole page at 375x812, 768x1024 and 1280x720, into <prefix>-mobile.png, -tablet.png and
-desktop.png; without a prefix, new files in the temp folder. Pictures larger than 2000 pixels are
scaled down, and the answer says so. The tab's window is then as it was.`,
	Examples: []string{"responsive", "responsive shots/home"},
}, responsiveRun)

type responsiveIn struct {
	Prefix string `arg:"prefix" optional:"true" help:"how the names of the files begin"`
}

// widths are the windows of responsive.
var widths = []struct {
	name          string
	width, height int
}{{"mobile", 375, 812}, {"tablet", 768, 1024}, {"desktop", 1280, 720}}

func responsiveRun(ctx context.Context, env *Env, in responsiveIn) (Result, error) {
	paths := map[string]string{}
	for _, w := range widths {
		if in.Prefix == "" {
			continue
		}
		path, err := env.Paths.Write(in.Prefix + "-" + w.name + ".png")
		if err != nil {
			return Result{}, err
		}
		paths[w.name] = path
	}
	read(ctx, env)
	late := ctx
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	before := env.Tab.Settings()
	defer restoreWindow(late, env.Tab, before)
	var lines []string
	var data []map[string]any
	for _, w := range widths {
		v := &page.Viewport{Width: w.width, Height: w.height, Scale: 1}
		if err := env.Tab.Configure(ctx, func(s *page.Settings) { s.Viewport = v }); err != nil {
			return Result{}, err
		}
		if err := env.Tab.Main().Painted(ctx); err != nil {
			return Result{}, err
		}
		pic, err := env.Tab.Screenshot(ctx, page.Shot{Format: "png", MaxSide: maxSide})
		if err != nil {
			return Result{}, err
		}
		path, err := save(paths[w.name], "browse-responsive-"+w.name, "png", pic.Data)
		if err != nil {
			return Result{}, err
		}
		lines = append(lines, fmt.Sprintf("%s (%dx%d): %s%s", w.name, w.width, w.height, path, scaledNote(pic)))
		data = append(data, map[string]any{"name": w.name, "viewport": [2]int{w.width, w.height}, "path": path, "width": pic.Width, "height": pic.Height, "scale": pic.Scale})
	}
	return Result{Text: strings.Join(lines, "\n"), Data: data}, nil
}

// scaledNote says that a picture was scaled down.
func scaledNote(pic page.Picture) string {
	if pic.Scale >= 1 {
		return ""
	}
	return fmt.Sprintf(" [scaled to %.0f%% of %dx%d]", pic.Scale*100, pic.Width, pic.Height)
}

// restoreWindow gives a tab the window back that it had, even when the command's
// time is over.
func restoreWindow(ctx context.Context, t *session.Tab, before page.Settings) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = t.Configure(ctx, func(s *page.Settings) { s.Viewport = before.Viewport })
}
