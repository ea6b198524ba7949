package picture

import (
	"image"
	"image/color"
)

// Comparison is what differs between two pictures.
type Comparison struct {
	// Image shows the second one, faded, with what differs in red.
	Image *image.RGBA
	// Differ and All count pixels; where only one has some, they differ.
	Differ, All int
	// Bounds is the smallest rectangle that holds all that differs.
	Bounds image.Rectangle
}

// tolerance is by how much a channel of a pixel may differ, of 255: smoothing of
// the same letters differs by less.
const tolerance = 24

// Compare compares two pictures pixel by pixel.
func Compare(a, b *image.RGBA) Comparison {
	size := image.Rect(0, 0, max(a.Rect.Dx(), b.Rect.Dx()), max(a.Rect.Dy(), b.Rect.Dy()))
	c := Comparison{Image: image.NewRGBA(size), All: size.Dx() * size.Dy()}
	for y := range size.Dy() {
		for x := range size.Dx() {
			p, q := image.Pt(x, y).Add(a.Rect.Min), image.Pt(x, y).Add(b.Rect.Min)
			inA, inB := p.In(a.Rect), q.In(b.Rect)
			if inA && inB && near(a.RGBAAt(p.X, p.Y), b.RGBAAt(q.X, q.Y)) {
				c.Image.SetRGBA(x, y, faded(b.RGBAAt(q.X, q.Y)))
				continue
			}
			c.Differ++
			c.Bounds = c.Bounds.Union(image.Rect(x, y, x+1, y+1))
			c.Image.SetRGBA(x, y, Red)
		}
	}
	return c
}

func near(a, b color.RGBA) bool {
	for _, d := range [3]int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B)} {
		if d > tolerance || d < -tolerance {
			return false
		}
	}
	return true
}

// faded is a colour as a shade of grey that red stands out from.
func faded(c color.RGBA) color.RGBA {
	grey := (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000
	v := uint8(255 - (255-grey)/4)
	return color.RGBA{v, v, v, 255}
}
