package page

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	_ "image/png" // to measure them
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
	// MaxSide scales a picture down to this many pixels; 0 means never.
	MaxSide int
	// Marks are elements of which [Picture.Marks] says where they stand.
	Marks []*Element
	// Format is png, jpeg or webp.
	Format string
}

// Picture is an encoded picture.
type Picture struct {
	Data          []byte
	Width, Height int     // of what it shows, CSS pixels
	Scale         float64 // 1, or less when it was scaled down
	// Marks are those of the elements that were asked for, and Density how many
	// pixels are one of CSS; only when there are any.
	Marks   []Mark
	Density float64

	size Rect // in pixels
}

// maxShot is the longest side of a picture that Chromium can take, in pixels.
const maxShot = 16384

// metrics is what CDP Page.getLayoutMetrics tells.
type metrics struct {
	Content struct {
		X      float64 `json:"x"`
		Y      float64 `json:"y"`
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	} `json:"cssContentSize"`
	Window struct {
		X float64 `json:"pageX"`
		Y float64 `json:"pageY"`
	} `json:"cssLayoutViewport"`
	Seen struct {
		X      float64 `json:"pageX"`
		Y      float64 `json:"pageY"`
		Width  float64 `json:"clientWidth"`
		Height float64 `json:"clientHeight"`
	} `json:"cssVisualViewport"`
}

// Screenshot takes a picture (CDP Page.captureScreenshot).
func (t *Tab) Screenshot(ctx context.Context, s Shot) (Picture, error) {
	if e := t.Gone(); e != nil { // a page that has died answers nothing that is asked of its window
		return Picture{}, e
	}
	params := m{"format": s.Format, "optimizeForSpeed": true}
	if s.Format != "png" {
		params["quality"] = 85
	}
	p := Picture{Scale: 1}
	var area *Rect
	if !t.asItIs(s) {
		r, err := t.shotArea(ctx, s, &p)
		if err != nil {
			return p, err
		}
		area = &r
		p.Width, p.Height = int(math.Ceil(r.W)), int(math.Ceil(r.H))
		params["clip"] = m{"x": r.X, "y": r.Y, "width": r.W, "height": r.H, "scale": p.Scale}
		params["captureBeyondViewport"] = true
	}
	take := func() error { return t.capture(ctx, params, &p) }
	if len(s.Marks) == 0 {
		err := take() // fills p
		return p, err
	}
	t.BindFrames(ctx)
	err := t.takeMarked(ctx, s.Marks, area, take, &p)
	return p, err
}

// asItIs reports whether the surface of the window is the picture, which takes no
// layout.
func (t *Tab) asItIs(s Shot) bool {
	if !s.Viewport || s.Clip != nil || s.Element != nil {
		return false
	}
	v := t.window()
	return s.MaxSide == 0 || float64(max(v.Width, v.Height))*v.Scale <= float64(s.MaxSide)
}

// window is the size that the tab's window has been given.
func (t *Tab) window() Viewport {
	v := Viewport{Width: viewportWidth, Height: viewportHeight}
	if set := t.Settings().Viewport; set != nil {
		v = *set
	}
	if v.Scale == 0 {
		v.Scale = 1
	}
	return v
}

// shotArea returns what the picture shows, in CSS pixels of the page, and sets its
// scale.
func (t *Tab) shotArea(ctx context.Context, s Shot, p *Picture) (Rect, error) {
	var lm metrics
	var box Rect
	if s.Element != nil && s.Clip == nil { // before measuring: it scrolls
		b, err := t.elementBox(ctx, s.Element)
		if err != nil {
			return box, err
		}
		box = b
	}
	if err := t.sess.Call(ctx, "Page.getLayoutMetrics", nil, &lm); err != nil {
		return box, t.Broken(ctx, "measuring the page", err)
	}
	var r Rect
	switch {
	case s.Clip != nil:
		r = *s.Clip
	case s.Element != nil:
		r = Rect{box.X + lm.Window.X, box.Y + lm.Window.Y, box.W, box.H}
	case s.Viewport:
		r = Rect{lm.Seen.X, lm.Seen.Y, lm.Seen.Width, lm.Seen.Height}
	default:
		r = Rect{lm.Content.X, lm.Content.Y, lm.Content.Width, lm.Content.Height}
	}
	density := t.window().Scale
	long := math.Max(r.W, r.H) * density
	if s.MaxSide > 0 && long > float64(s.MaxSide) {
		p.Scale = float64(s.MaxSide) / long
	}
	if r.W < 1 || r.H < 1 {
		return r, api.Errorf(api.NotVisible, "browse snapshot -i", "there is nothing to take: the area is %gx%g pixels", r.W, r.H)
	}
	if long*p.Scale > maxShot {
		by := p.Scale * density
		return r, api.Errorf(api.TooLarge, "browse screenshot --viewport, or --clip X,Y,W,H of a part",
			"the picture would be %.0fx%.0f pixels, more than %d on a side", r.W*by, r.H*by, maxShot)
	}
	return r, nil
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
	if size, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
		p.size = Rect{0, 0, float64(size.Width), float64(size.Height)}
	}
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
	if err := el.Frame.Call(ctx, el.Doc, "box", &b, el.Asked()); err != nil {
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
