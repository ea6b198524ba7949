package verbs

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/safe"
)

var pdfVerb = define(command.Spec{
	Name: "pdf", Group: "Visual", Scope: command.Read, Effect: command.Reads, Output: command.Ack, Nestable: true,
	Timeout: 60 * time.Second,
	Summary: "Print the page to a PDF file",
	Doc: `Letter paper with Chromium's own margins of 1 cm unless the flags say otherwise. Lengths are
numbers with in, cm, mm, pt or px; a bare number is pixels, 96 to the inch. Without a path, a
new file is made in the temp folder and its path printed.
--page-numbers prints "N of M" at the foot of every page; --header-template and
--footer-template are HTML in which elements of class date, title, url, pageNumber and
totalPages are filled in. --outline makes bookmarks of the headings and implies --tagged.
--toc waits up to 3 s for Paged.js to say that it is done.
--from-file reads all of this from a JSON object instead, with the keys output, format, width,
height, margins, marginTop, marginRight, marginBottom, marginLeft, headerTemplate,
footerTemplate, pageNumbers, tagged, outline, printBackground, preferCSSPageSize, landscape,
scale, pageRanges and toc.`,
	Examples: []string{"pdf", "pdf page.pdf --format a4 --page-numbers", "pdf --width 100mm --height 50mm --margins 0 card.pdf", "pdf --from-file print.json"},
}, pdfRun)

type pdfIn struct {
	Path        string  `arg:"path" optional:"true" help:"the file to write, ending in .pdf"`
	Format      string  `flag:"format" value:"NAME" help:"paper: letter, legal, tabloid, ledger, a0 to a6"`
	PageSize    string  `flag:"page-size" value:"NAME" help:"the same as --format"`
	Width       string  `flag:"width" value:"LENGTH" help:"width of the paper, with --height"`
	Height      string  `flag:"height" value:"LENGTH" help:"height of the paper, with --width"`
	Margins     string  `flag:"margins" value:"LENGTH" help:"all four margins"`
	Top         string  `flag:"margin-top" value:"LENGTH" help:"upper margin"`
	Right       string  `flag:"margin-right" value:"LENGTH" help:"right margin"`
	Bottom      string  `flag:"margin-bottom" value:"LENGTH" help:"lower margin"`
	Left        string  `flag:"margin-left" value:"LENGTH" help:"left margin"`
	Header      string  `flag:"header-template" value:"HTML" help:"printed at the head of every page"`
	Footer      string  `flag:"footer-template" value:"HTML" help:"printed at the foot of every page"`
	PageNumbers bool    `flag:"page-numbers" help:"print the number of the page and of all pages at the foot"`
	Tagged      bool    `flag:"tagged" help:"mark the structure for screen readers"`
	Outline     bool    `flag:"outline" help:"bookmarks from the headings"`
	Background  bool    `flag:"print-background" help:"print backgrounds too"`
	CSSSize     bool    `flag:"prefer-css-page-size" help:"the paper is what the page's @page rule says"`
	Landscape   bool    `flag:"landscape" help:"turn the paper"`
	Scale       float64 `flag:"scale" value:"N" help:"0.1 to 2"`
	Pages       string  `flag:"pages" value:"RANGES" help:"only these pages, such as 1-3,5"`
	TOC         bool    `flag:"toc" help:"wait for Paged.js"`
	FromFile    string  `flag:"from-file" value:"FILE" help:"read the options from a JSON file"`
}

// pagedWait asks the page to tell when Paged.js is done. The page itself looks
// at the clock, so that it is one call.
const pagedWait = `new Promise(done => {
	const end = performance.now() + 3000;
	const look = () => globalThis.__pagedjsAfterFired === true ? done(true) : performance.now() > end ? done(false) : setTimeout(look, 25);
	look();
})`

func pdfRun(ctx context.Context, env *Env, in pdfIn) (Result, error) {
	if in.FromFile != "" {
		from := in.FromFile
		if in.FromFile = ""; in != (pdfIn{}) {
			return Result{}, api.Errorf(api.BadUsage, "put everything into the file", "pdf: --from-file replaces all other words")
		}
		var err error
		if in, err = pdfFile(env, from); err != nil {
			return Result{}, err
		}
	}
	p, err := in.print()
	if err != nil {
		return Result{}, err
	}
	path := ""
	if in.Path != "" {
		if path, err = env.Paths.Write(in.Path); err != nil {
			return Result{}, err
		}
	}
	loading := read(ctx, env)
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	note := ""
	if in.TOC {
		v, err := env.Tab.Main().Eval(ctx, pagedWait)
		if err != nil {
			return Result{}, err
		}
		if v.Text != "true" {
			note = "\nPaged.js did not say within 3 s that it is done"
		}
	}
	var size int64
	path, err = stream(path, "browse-page", ".pdf", func(w io.Writer) error {
		var err error
		size, err = env.Tab.PDF(ctx, p, w)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	return Result{Text: "PDF saved: " + path + note, Own: loading, Data: map[string]any{"path": path, "bytes": size}}, nil
}

// stream has fill write a file: path, or a new one in the temp folder. What was
// written is seen under its name only when fill has succeeded.
func stream(path, stem, ext string, fill func(io.Writer) error) (string, error) {
	if path == "" {
		f, err := safe.Create(stem, ext)
		if err != nil {
			return "", api.Errorf(api.FileError, "name a file", "no file can be made in %s: %v", os.TempDir(), err)
		}
		path = f.Name()
		err = fill(f)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			_ = os.Remove(path)
			return "", fileFailed(path, err)
		}
		return path, nil
	}
	return path, fileFailed(path, safe.WriteFrom(path, fill))
}

// fileFailed gives a failure to write its type; errors that have one keep it.
func fileFailed(path string, err error) error {
	var typed *api.Error
	if err == nil || errors.As(err, &typed) {
		return err
	}
	return api.Errorf(api.FileError, "check the folder and the space on it", "%s could not be written: %v", path, err)
}
