package verbs

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var viewportVerb = define(command.Spec{
	Name: "viewport", Group: "Emulation", Scope: command.Write, Output: command.Ours, Nestable: true,
	Summary: "Set the size and the pixel density of the tab's window",
	Doc: `Sizes are CSS pixels, 1 to 16384. Nothing is lost: history, forms, scroll positions and refs
stay, and no page is loaded again. --scale alone keeps the size. The tabs that the page opens have the same
window; browse reset puts 1280x720 back.`,
	Examples: []string{"viewport 375x812", "viewport 1440x900 --scale 2", "viewport --scale 1", "viewport 390x844 --scale 3 --mobile --touch"},
}, viewportRun)

type viewportIn struct {
	Size   string `arg:"WxH" optional:"true" help:"width and height, such as 1280x720"`
	Scale  string `flag:"scale" value:"N" help:"device pixels per CSS pixel, 1 to 3"`
	Mobile bool   `flag:"mobile" help:"heed the page's viewport meta tag, as a phone does"`
	Touch  bool   `flag:"touch" help:"a touch screen"`
}

// The limits of a window: its default size, the largest side, the largest scale.
const (
	defaultWidth, defaultHeight = 1280, 720
	maxWindow                   = 16384
	maxScale                    = 3
)

func viewportRun(ctx context.Context, env *Env, in viewportIn) (Result, error) {
	if in.Size == "" && in.Scale == "" && !in.Mobile && !in.Touch {
		return Result{}, api.Errorf(api.BadUsage, "usage: browse viewport 1280x720 [--scale N]", "viewport: give a size, or --scale")
	}
	var size *page.Viewport
	if in.Size != "" {
		w, h, ok := strings.Cut(strings.ToLower(in.Size), "x")
		if !ok {
			return Result{}, api.Errorf(api.BadUsage, "usage: browse viewport 1280x720", "viewport: %q has no x between width and height", in.Size)
		}
		size = &page.Viewport{Width: side(w, defaultWidth), Height: side(h, defaultHeight)}
	}
	scale := 0.0
	if in.Scale != "" {
		var err error
		if scale, err = strconv.ParseFloat(in.Scale, 64); err != nil || !(scale >= 1 && scale <= maxScale) {
			return Result{}, api.Errorf(api.BadUsage, "browse viewport --scale 2", "viewport: --scale is %q, want a number from 1 to %d", in.Scale, maxScale)
		}
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	var v page.Viewport
	err := env.Tab.Configure(ctx, func(s *page.Settings) {
		v = page.Viewport{Width: defaultWidth, Height: defaultHeight, Scale: 1}
		if s.Viewport != nil {
			v = *s.Viewport
		}
		if size != nil {
			v.Width, v.Height = size.Width, size.Height
		}
		if scale > 0 {
			v.Scale = scale
		}
		v.Mobile, v.Touch = v.Mobile || in.Mobile, v.Touch || in.Touch
		set := v
		s.Viewport = &set
	})
	if err != nil {
		return Result{}, err
	}
	return Result{Text: "Viewport set to " + window(v), Data: v}, nil
}

// side reads one length of a window: rounded, kept within the limits, and the
// default for what is zero or no number.
func side(s string, otherwise int) int {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(f) || f == 0 {
		return otherwise
	}
	return int(math.Round(min(max(f, 1), maxWindow)))
}

// window describes a viewport in words.
func window(v page.Viewport) string {
	s := fmt.Sprintf("%dx%d", v.Width, v.Height)
	if v.Scale > 1 {
		s += fmt.Sprintf(" @ %gx", v.Scale)
	}
	if v.Mobile {
		s += ", mobile"
	}
	if v.Touch {
		s += ", touch"
	}
	return s
}
