package page

import (
	"context"
	"encoding/base64"
	"math"

	"gstack/internal/api"
)

// Rect is a rectangle of the page in CSS pixels.
type Rect struct{ X, Y, W, H float64 }

// Shot says what a picture shows. Without Viewport, Clip and Element it is the
// whole page.
type Shot struct {
	Viewport bool
	Clip     *Rect
	Element  *Element
	// MaxSide scales a whole page down to this many pixels; 0 means never.
	MaxSide int
	// Format is png, jpeg or webp.
	Format string
}

// Picture is an encoded picture.
type Picture struct {
	Data          []byte
	Width, Height int     // of what it shows, CSS pixels
	Scale         float64 // 1, or less when it was scaled down
}

// maxShot is the longest side of a picture that Chromium can take, in pixels.
const maxShot = 16384

// Screenshot takes a picture (CDP Page.captureScreenshot).
func (t *Tab) Screenshot(ctx context.Context, s Shot) (Picture, error) {
	var lm struct {
		Content struct {
			Width  float64 `json:"width"`
			Height float64 `json:"height"`
		} `json:"cssContentSize"`
		Viewport struct {
			X      float64 `json:"pageX"`
			Y      float64 `json:"pageY"`
			Width  float64 `json:"clientWidth"`
			Height float64 `json:"clientHeight"`
		} `json:"cssVisualViewport"`
	}
	params := m{"format": s.Format, "optimizeForSpeed": true}
	if s.Format != "png" {
		params["quality"] = 85
	}
	p := Picture{Scale: 1}
	var r Rect
	if s.Viewport && s.Clip == nil && s.Element == nil {
		// The surface as it is: no layout is asked for.
		return p, t.capture(ctx, params, &p)
	}
	var box Rect
	if s.Element != nil && s.Clip == nil { // before measuring: it scrolls
		b, err := t.elementBox(ctx, s.Element)
		if err != nil {
			return p, err
		}
		box = b
	}
	if err := t.sess.Call(ctx, "Page.getLayoutMetrics", nil, &lm); err != nil {
		return p, t.Broken(ctx, "measuring the page", err)
	}
	switch {
	case s.Clip != nil:
		r = *s.Clip
	case s.Element != nil:
		r = Rect{box.X + lm.Viewport.X, box.Y + lm.Viewport.Y, box.W, box.H}
	default:
		r = Rect{0, 0, lm.Content.Width, lm.Content.Height}
		if long := math.Max(r.W, r.H); s.MaxSide > 0 && long > float64(s.MaxSide) {
			p.Scale = float64(s.MaxSide) / long
		}
	}
	if r.W < 1 || r.H < 1 {
		return p, api.Errorf(api.NotVisible, "browse snapshot -i", "there is nothing to take: the area is %gx%g pixels", r.W, r.H)
	}
	if side := math.Max(r.W, r.H) * p.Scale; side > maxShot {
		return p, api.Errorf(api.TooLarge, "browse screenshot --viewport, or --clip X,Y,W,H of a part",
			"the picture would be %.0fx%.0f pixels, more than %d on a side", r.W*p.Scale, r.H*p.Scale, maxShot)
	}
	p.Width, p.Height = int(math.Ceil(r.W)), int(math.Ceil(r.H))
	params["clip"] = m{"x": r.X, "y": r.Y, "width": r.W, "height": r.H, "scale": p.Scale}
	params["captureBeyondViewport"] = true
	return p, t.capture(ctx, params, &p)
}

func (t *Tab) capture(ctx context.Context, params m, p *Picture) error {
	var shot struct {
		Data string `json:"data"`
	}
	if err := t.sess.Call(ctx, "Page.captureScreenshot", params, &shot); err != nil {
		return t.Broken(ctx, "the picture was not taken", err)
	}
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		return api.Errorf(api.Internal, "", "the picture does not decode: %v", err)
	}
	p.Data = data
	return nil
}

// elementBox scrolls an element into view and returns its box in the top-level
// viewport, through every frame around it.
func (t *Tab) elementBox(ctx context.Context, el *Element) (Rect, error) {
	var b struct {
		Why    string  `json:"why"`
		X      float64 `json:"x"`
		Y      float64 `json:"y"`
		W      float64 `json:"w"`
		H      float64 `json:"h"`
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	}
	if err := el.Frame.Call(ctx, el.Doc, "box", &b, el.ID); err != nil {
		return Rect{}, err
	}
	t.BindFrames(ctx)
	for f := el.Frame; b.Why == "" && f.Parent() != nil; f = f.Parent() {
		in := b
		if err := f.Parent().Call(ctx, "", "outerBox", &b, f.ID, in.X, in.Y, in.W, in.H, in.Width, in.Height); err != nil {
			return Rect{}, err
		}
	}
	if b.Why != "" {
		return Rect{}, api.Errorf(api.StaleRef, "browse snapshot -i", "%s is no longer on the page", el)
	}
	return Rect{b.X, b.Y, b.W, b.H}, nil
}
