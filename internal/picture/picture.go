// Package picture draws on pictures: boxes around elements, their labels, areas in
// colour. It knows pixels, and neither pages nor elements.
package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
)

// Rect is a rectangle in pixels of a picture; its edges may lie between two.
type Rect struct{ X, Y, W, H float64 }

// pixels is the rectangle of whole pixels that is nearest to r.
func (r Rect) pixels() image.Rectangle {
	at := func(f float64) int { return int(math.Round(f)) }
	return image.Rect(at(r.X), at(r.Y), at(r.X+r.W), at(r.Y+r.H))
}

// Box is what is drawn around one element.
type Box struct {
	// Parts are the rectangles that it consists of, at least one. The label goes
	// with the first.
	Parts []Rect
	Label string
	Color color.RGBA
	// Filled lays the colour over the parts, so that what is there still shows.
	Filled bool
}

// Red is the colour of boxes that mean nothing but where something is.
var Red = color.RGBA{R: 214, G: 0, B: 28, A: 255}

// fillAlpha is how strong a colour over a part is, of 255.
const fillAlpha = 90

// Draw draws boxes with their labels on a picture. density is how many of its
// pixels are one of the page; lines and letters grow with it, and never get too
// small to be read.
func Draw(img *image.RGBA, boxes []Box, density float64) {
	unit := math.Max(1, density)
	for _, b := range boxes {
		if b.Filled {
			for _, p := range b.Parts {
				c := b.Color
				draw.DrawMask(img, p.pixels(), image.NewUniform(c), image.Point{}, image.NewUniform(color.Alpha{A: fillAlpha}), image.Point{}, draw.Over)
			}
		}
	}
	thick := int(math.Round(2 * unit))
	halo := color.NRGBA{R: 255, G: 255, B: 255, A: 150}
	for _, b := range boxes {
		for _, p := range b.Parts {
			frame(img, p.pixels().Inset(-2), 1, halo)
			frame(img, p.pixels().Inset(-1), thick, b.Color)
		}
	}
	letters := newLetters(fontSize * unit)
	for i, at := range place(img.Bounds(), boxes, letters) {
		letters.draw(img, at, boxes[i].Label, boxes[i].Color)
	}
}

// frame draws the inner edge of r, so many pixels thick. A picture's own edge cuts
// nothing off: what would be outside is drawn along it.
func frame(img *image.RGBA, r image.Rectangle, thick int, c color.Color) {
	r = r.Intersect(img.Bounds())
	if thick = min(thick, (r.Dx()+1)/2, (r.Dy()+1)/2); thick < 1 {
		return
	}
	src := image.NewUniform(c)
	for _, side := range []image.Rectangle{
		image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+thick),
		image.Rect(r.Min.X, r.Max.Y-thick, r.Max.X, r.Max.Y),
		image.Rect(r.Min.X, r.Min.Y+thick, r.Min.X+thick, r.Max.Y-thick),
		image.Rect(r.Max.X-thick, r.Min.Y+thick, r.Max.X, r.Max.Y-thick),
	} {
		draw.Draw(img, side, src, image.Point{}, draw.Over)
	}
}

// Decode reads a PNG into a picture that can be drawn on.
func Decode(data []byte) (*image.RGBA, error) {
	src, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the picture does not decode: %w", err)
	}
	if img, ok := src.(*image.RGBA); ok {
		return img, nil
	}
	img := image.NewRGBA(src.Bounds())
	draw.Draw(img, img.Bounds(), src, src.Bounds().Min, draw.Src)
	return img, nil
}

// jpegQuality is that of the pictures that Chromium encodes for us.
const jpegQuality = 85

// Encode writes a picture as "png" or "jpeg".
func Encode(img image.Image, format string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	if format == "jpeg" {
		err = jpeg.Encode(&b, img, &jpeg.Options{Quality: jpegQuality})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img)
	}
	return b.Bytes(), err
}
