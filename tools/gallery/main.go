// Gallery takes a picture in every mode that browse has, of pages that it serves
// itself, and writes one page with all of them, for a person to look at: what a
// test cannot say is whether a picture looks right.
//
//	go run ./tools/gallery                writes gallery-out/index.html
//	go run ./tools/gallery -only frames   only the pictures with that in their name
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gstack/tools/internal/entry"
)

func main() { entry.Main("gallery", run) }

func run(ctx context.Context) error {
	browse := flag.String("browse", "bin/browse", "the program to run")
	out := flag.String("out", "gallery-out", "folder for the page and its pictures")
	only := flag.String("only", "", "only the pictures that have this in their name")
	flag.Parse()

	program, err := filepath.Abs(*browse)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(*out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	site, err := serve(ctx)
	if err != nil {
		return err
	}
	err = hang(ctx, program, dir, site.base, *only)
	return errors.Join(err, site.close())
}

// hang takes the pictures, in a workspace outside of any repository, and writes
// the page. One that fails is on the page with its error, and fails the run.
func hang(ctx context.Context, program, dir, base, only string) error {
	workspace, err := os.MkdirTemp("", "browse-gallery-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(workspace)
	c := camera{program: program, workspace: workspace, out: dir, base: base}
	var hung []hungShot
	var failed []string
	for _, s := range shots {
		if !strings.Contains(s.name, only) || ctx.Err() != nil {
			continue
		}
		h := c.take(ctx, s)
		if h.Error != "" {
			failed = append(failed, s.name)
		}
		fmt.Printf("%-24s %s\n", s.name, strings.Join(append(h.Files(), strings.ReplaceAll(h.Error, "\n", " ")), " "))
		hung = append(hung, h)
	}
	// With its own deadline, because ctx may be what ended the tour.
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	if _, err := c.browse(stopCtx, "stop"); err != nil {
		return err
	}
	page := filepath.Join(dir, "index.html")
	if err := write(page, hung); err != nil {
		return err
	}
	fmt.Println("\nThe pictures:", page)
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d failed: %s", len(failed), len(hung), strings.Join(failed, ", "))
	}
	return ctx.Err()
}
