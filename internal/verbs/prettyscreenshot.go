package verbs

import (
	"context"
	"fmt"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var prettyVerb = define(command.Spec{
	Name: "prettyscreenshot", Group: "Visual", Scope: command.Admin, Output: command.Ack, Nestable: true, Timeout: 60 * time.Second,
	Summary: "Take a picture without what stands in the way",
	Doc: `The whole page, or with --scroll-to what the window shows there: a selector, or else the first text
that contains the word. --cleanup hides what browse cleanup would, --hide what selectors name, separated
by commas, or several times; --width takes it at that width. The page and its window are then as they were.
Without a path, a new file is made in the temp folder.`,
	Examples: []string{"prettyscreenshot", "prettyscreenshot --cleanup --hide '.chat,.feedback' --width 1440 hero.png", "prettyscreenshot --scroll-to Pricing"},
}, prettyRun)

type prettyIn struct {
	Paths    []string `arg:"path" rest:"true" optional:"true" help:"the file to write, ending in .png, .jpg or .webp; words before it belong to --hide"`
	ScrollTo string   `flag:"scroll-to" value:"TARGET|TEXT" help:"bring this into view and take the window"`
	Cleanup  bool     `flag:"cleanup" help:"hide advertisements, banners and overlays"`
	Hide     []string `flag:"hide" value:"SELECTORS" help:"hide what these match"`
	Width    int      `flag:"width" value:"PX" help:"the width of the window"`
}

func prettyRun(ctx context.Context, env *Env, in prettyIn) (Result, error) {
	file, hide, err := in.words()
	if err != nil {
		return Result{}, err
	}
	if in.Width < 0 || in.Width > maxWindow {
		return Result{}, api.Errorf(api.BadUsage, "browse prettyscreenshot --width 1440", "prettyscreenshot: --width is %d, want 1 to %d", in.Width, maxWindow)
	}
	path := ""
	if file != "" {
		if path, err = env.Paths.Write(file); err != nil {
			return Result{}, err
		}
	}
	read(ctx, env)
	late := ctx
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	before := env.Tab.Settings()
	if in.Width > 0 {
		v := page.Viewport{Width: defaultWidth, Height: defaultHeight, Scale: 1}
		if before.Viewport != nil {
			v = *before.Viewport
		}
		v.Width = in.Width
		defer restoreWindow(late, env.Tab, before)
		if err := env.Tab.Configure(ctx, func(s *page.Settings) { s.Viewport = &v }); err != nil {
			return Result{}, err
		}
	}
	note, err := in.prepare(ctx, late, env, hide)
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(late), time.Second)
		defer cancel()
		_, _ = env.Tab.Unhide(ctx)
	}()
	if err != nil {
		return Result{}, err
	}
	shot := page.Shot{Format: format(file), MaxSide: maxSide, Viewport: in.ScrollTo != ""}
	pic, err := env.Tab.Screenshot(ctx, shot)
	if err != nil {
		return Result{}, err
	}
	if path, err = save(path, "browse-pretty", shot.Format, pic.Data); err != nil {
		return Result{}, err
	}
	return Result{Text: fmt.Sprintf("Screenshot saved%s: %s%s", note, path, scaledNote(pic)),
		Data: map[string]any{"path": path, "width": pic.Width, "height": pic.Height, "scale": pic.Scale}}, nil
}

// words tells the file from selectors: --hide used to take all words up to the
// next flag.
func (in prettyIn) words() (file string, hide []string, err error) {
	hide = in.Hide
	for i, w := range in.Paths {
		switch {
		case isPicture(w) && i == len(in.Paths)-1:
			file = w
		case len(in.Hide) > 0:
			hide = append(hide, w)
		default:
			return "", nil, api.Errorf(api.BadUsage, "name the file .png, .jpg or .webp", "prettyscreenshot: %s is no file for a picture", quote(w))
		}
	}
	return file, hide, nil
}

// prepare makes the page pretty, and says what it did.
func (in prettyIn) prepare(ctx, late context.Context, env *Env, hide []string) (note string, err error) {
	if in.Cleanup {
		if _, err := env.Tab.Cleanup(ctx, (cleanupIn{}).kinds()); err != nil {
			return "", err
		}
		note = " (cleaned)"
	}
	if len(hide) > 0 {
		n, err := env.Tab.Hide(ctx, hide)
		if err != nil {
			return "", err
		}
		note += fmt.Sprintf(" (%d hidden)", n)
	}
	if in.ScrollTo != "" {
		if err := scrollToWord(ctx, late, env, in.ScrollTo); err != nil {
			return "", err
		}
		note += " (scrolled to: " + api.Clean(in.ScrollTo) + ")"
	}
	return note, env.Tab.Main().Painted(ctx)
}

// scrollToWord brings an element into view, or the first text that contains word.
func scrollToWord(ctx, late context.Context, env *Env, word string) error {
	if !isTarget(word) {
		found, err := env.Tab.ScrollToText(ctx, word)
		if err != nil || found {
			return err
		}
	}
	short := *env
	if short.Timeout == 0 {
		short.Timeout = 2 * time.Second
	}
	el, err := find(late, &short, word)
	if err != nil {
		return err
	}
	return el.IntoView(ctx)
}
