package picture

import (
	"image"
	"image/color"
	"testing"
)

func TestCompare(t *testing.T) {
	grey := func(w, h int) *image.RGBA {
		m := image.NewRGBA(image.Rect(0, 0, w, h))
		for y := range h {
			for x := range w {
				m.SetRGBA(x, y, color.RGBA{100, 100, 100, 255})
			}
		}
		return m
	}
	a, b := grey(10, 10), grey(10, 10)
	if c := Compare(a, b); c.Differ != 0 || c.All != 100 || !c.Bounds.Empty() {
		t.Errorf("%+v", c)
	}
	b.SetRGBA(3, 4, color.RGBA{110, 110, 110, 255}) // smoothing
	b.SetRGBA(5, 6, color.RGBA{200, 100, 100, 255})
	b.SetRGBA(7, 6, color.RGBA{100, 100, 0, 255})
	c := Compare(a, b)
	if c.Differ != 2 || c.Bounds != image.Rect(5, 6, 8, 7) || c.Image.RGBAAt(5, 6) != Red || c.Image.RGBAAt(0, 0) == Red {
		t.Errorf("%d, %v", c.Differ, c.Bounds)
	}
	if c := Compare(a, grey(10, 12)); c.Differ != 20 || c.All != 120 {
		t.Errorf("another size: %d of %d", c.Differ, c.All)
	}
}
