package verbs

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/snapshot"
)

var screenshotVerb = define(command.Spec{
	Name: "screenshot", Group: "Visual", Scope: command.Read, Tunnel: true, Effect: command.Reads, Output: command.Ack, Nestable: true,
	Timeout: 30 * time.Second,
	Summary: "Take a picture of the page, of its window or of an element",
	Doc: `The whole page by default. A word with a slash or a picture's ending is the file to write;
a ref, or a word that begins with . or # or holds a [, is the element; --selector takes any
selector. Without a file, a new one is made in the temp folder and its path printed. A picture
larger than 2000 pixels is scaled down to that, and the answer says so; --no-limit keeps it.
--annotate draws on the picture, not on the page.`,
	Examples: []string{"screenshot", "screenshot --viewport shot.png", "screenshot @e4 button.png", "screenshot --clip 0,0,300,200", "screenshot --annotate"},
}, screenshotRun)

type screenshotIn struct {
	Words    []string `arg:"target or path" rest:"true" optional:"true" help:"what to take, and the file to write"`
	Selector string   `flag:"selector" value:"TARGET" help:"take this element"`
	Viewport bool     `flag:"viewport" help:"only what the window shows"`
	Clip     string   `flag:"clip" value:"X,Y,W,H" help:"only this part of the page, in CSS pixels"`
	Base64   bool     `flag:"base64" help:"print a data: URL instead of writing a file"`
	Annotate bool     `flag:"annotate" help:"draw a box and the ref on each control"`
	Lazy     bool     `flag:"lazy" help:"first load the pictures that wait to be scrolled to"`
	NoLimit  bool     `flag:"no-limit" help:"do not scale a large picture down"`
}

// maxSide bounds the longest side of a picture, in pixels: models scale down what is
// larger themselves, and may refuse it.
const maxSide = 2000

// lazyLimit bounds how long pictures that are loaded late may take.
const lazyLimit = 10 * time.Second

// maxBase64 bounds a picture that is printed, in bytes.
const maxBase64 = 10 << 20

func screenshotRun(ctx context.Context, env *Env, in screenshotIn) (Result, error) {
	target, file, err := in.words()
	if err != nil {
		return Result{}, err
	}
	if in.Annotate && drawnFormat(file) == "" {
		return Result{}, api.Errorf(api.BadUsage, "name the file .png or .jpg", "screenshot: with --annotate the file cannot be %s", quote(file))
	}
	shot, mode, err := in.shot(ctx, env, target)
	if err != nil {
		return Result{}, err
	}
	shot.Format = format(file)
	path := ""
	if !in.Base64 && file != "" {
		if path, err = env.Paths.Write(file); err != nil {
			return Result{}, err
		}
	}
	loading := read(ctx, env)
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	note := ""
	if in.Lazy {
		left, err := env.Tab.LoadLazy(ctx, lazyLimit)
		if err != nil {
			return Result{}, err
		}
		if left > 0 {
			note = fmt.Sprintf("\n%d pictures had not come within %s", left, lazyLimit)
		}
	}
	if in.Annotate {
		return in.annotated(ctx, env, shot, mode, path, loading)
	}
	pic, err := env.Tab.Screenshot(ctx, shot)
	if err != nil {
		return Result{}, err
	}
	if in.Base64 {
		return inline(shot.Format, pic.Data, loading)
	}
	if path, err = save(path, "browse-screenshot", shot.Format, pic.Data); err != nil {
		return Result{}, err
	}
	text := fmt.Sprintf("Screenshot saved%s: %s", mode, path)
	if pic.Scale < 1 {
		what := "the page"
		if mode != "" {
			what = "what it shows"
		}
		text += fmt.Sprintf("\nscaled to %.0f%%: %s is %dx%d CSS pixels; --no-limit keeps its size", pic.Scale*100, what, pic.Width, pic.Height)
	}
	return Result{Text: text + note, Own: loading, Data: map[string]any{"path": path, "width": pic.Width, "height": pic.Height, "scale": pic.Scale, "bytes": len(pic.Data)}}, nil
}

// shot reads what is to be taken; mode is how the answer calls it.
func (in screenshotIn) shot(ctx context.Context, env *Env, target string) (shot page.Shot, mode string, err error) {
	if !in.NoLimit {
		shot.MaxSide = maxSide
	}
	switch {
	case in.Viewport:
		shot.Viewport, mode = true, " (viewport)"
	case in.Clip != "":
		shot.Clip, err = parseClip(in.Clip)
		mode = " (clip " + in.Clip + ")"
	case target != "":
		shot.Element, err = find(ctx, env, target)
		mode = " (element)"
	}
	return shot, mode, err
}

// annotated takes the picture with a box and the ref on each control.
func (in screenshotIn) annotated(ctx context.Context, env *Env, shot page.Shot, mode, path, loading string) (Result, error) {
	nodes, err := snapshot.Take(ctx, env.Tab.Tab, snapshot.Options{Interactive: true, Depth: -1, Root: shot.Element})
	if err != nil {
		return Result{}, err
	}
	marks, err := marksOf(env.Tab.Tab, snapshot.Refs(nodes))
	if err != nil {
		return Result{}, err
	}
	data, d, err := takeMarked(ctx, env, shot, marks, shot.Format)
	if err != nil {
		return Result{}, err
	}
	if in.Base64 {
		return inline(shot.Format, data, append(d.notes("annotated"), loading)...)
	}
	if d.Path, err = save(path, "browse-annotated", shot.Format, data); err != nil {
		return Result{}, err
	}
	lines := []string{
		fmt.Sprintf("Screenshot saved%s: %s", mode, d.Path),
		fmt.Sprintf("[annotated: %d with a box; browse snapshot -i names them]", d.Boxes),
	}
	return Result{Text: strings.Join(append(lines, d.notes("annotated")...), "\n"), Own: loading, Data: d}, nil
}

// inline is the answer that holds the picture itself.
func inline(format string, data []byte, notes ...string) (Result, error) {
	if len(data) > maxBase64 {
		return Result{}, api.Errorf(api.TooLarge, "browse screenshot shot.png", "the picture has %d bytes, at most %d are printed", len(data), maxBase64)
	}
	text := "data:image/" + format + ";base64," + base64.StdEncoding.EncodeToString(data)
	return Result{Text: text, Own: strings.TrimSpace(strings.Join(notes, "\n"))}, nil
}

// words tells target and file apart and refuses what excludes each other.
func (in screenshotIn) words() (target, file string, err error) {
	for _, w := range in.Words {
		switch {
		case strings.Contains(w, "/") && isPicture(w):
			file = w
		case page.IsRef(w) || strings.HasPrefix(w, ".") && !isPicture(w) || strings.HasPrefix(w, "#") || strings.Contains(w, "["):
			target = w
		default:
			file = w
		}
	}
	if in.Selector != "" && target != "" {
		return "", "", api.Errorf(api.BadUsage, "name the element once", "screenshot: --selector and %q both name an element", target)
	}
	if in.Selector != "" {
		target = in.Selector
	}
	modes := 0
	for _, on := range []bool{in.Viewport, in.Clip != "", target != ""} {
		if on {
			modes++
		}
	}
	if modes > 1 {
		return "", "", api.Errorf(api.BadUsage, "choose one of them", "screenshot: --viewport, --clip and an element exclude each other")
	}
	if file != "" && !isPicture(file) {
		return "", "", api.Errorf(api.BadUsage, "name the file .png, .jpg or .webp; an element that is a bare word goes to --selector",
			"screenshot: %q does not end in .png, .jpg, .jpeg or .webp", file)
	}
	return target, file, nil
}

func isPicture(w string) bool {
	switch strings.ToLower(filepath.Ext(w)) {
	case ".png", ".jpg", ".jpeg", ".webp":
		return true
	}
	return false
}

func format(file string) string {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".jpg", ".jpeg":
		return "jpeg"
	case ".webp":
		return "webp"
	}
	return "png"
}

func parseClip(s string) (*page.Rect, error) {
	parts := strings.Split(s, ",")
	var v [4]float64
	ok := len(parts) == 4
	for i := 0; ok && i < 4; i++ {
		n, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		ok = err == nil && n >= 0 && n < 1e6
		v[i] = n
	}
	if !ok || v[2] == 0 || v[3] == 0 {
		return nil, api.Errorf(api.BadUsage, "browse screenshot --clip 0,0,300,200", "screenshot: --clip is %q, want four numbers x,y,width,height", s)
	}
	return &page.Rect{X: v[0], Y: v[1], W: v[2], H: v[3]}, nil
}

// save writes a picture to path, or to a new file in the temp folder whose name
// begins with stem.
func save(path, stem, format string, data []byte) (string, error) {
	return stream(path, stem, "."+strings.Replace(format, "jpeg", "jpg", 1), func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
