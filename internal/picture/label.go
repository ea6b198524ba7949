package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// fontSize is the height of the letters of labels in pixels, where one is one of
// the page.
const fontSize = 11

var labelFont = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		panic(err) // it is part of the program
	}
	return f
})

// letters are the letters of one size, each rasterised once.
type letters struct {
	face     font.Face
	made     map[rune]letter
	pad      int
	height   int // of a label
	baseline int // below its upper edge
}

type letter struct {
	mask    *image.Alpha
	at      image.Point // of the mask, from where the letter begins on the baseline
	advance int
}

func newLetters(size float64) *letters {
	face, err := opentype.NewFace(labelFont(), &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(err) // the size is ours
	}
	l := &letters{face: face, made: map[rune]letter{}, pad: int(math.Ceil(size / 6))}
	l.baseline = int(math.Ceil(size)) - 1 + l.pad/2
	l.height = l.baseline + int(math.Ceil(size/4)) + l.pad/2
	return l
}

func (l *letters) letter(r rune) letter {
	g, ok := l.made[r]
	if ok {
		return g
	}
	box, mask, from, advance, ok := l.face.Glyph(fixed.Point26_6{}, r)
	if ok {
		own := image.NewAlpha(image.Rectangle{Max: box.Size()})
		draw.Draw(own, own.Bounds(), mask, from, draw.Src)
		g = letter{mask: own, at: box.Min, advance: advance.Ceil()}
	}
	l.made[r] = g
	return g
}

// size is that of a label with its padding.
func (l *letters) size(text string) image.Point {
	w := 2 * l.pad
	for _, r := range text {
		w += l.letter(r).advance
	}
	return image.Pt(w, l.height)
}

// draw draws a label at a place.
func (l *letters) draw(img *image.RGBA, at image.Rectangle, text string, c color.RGBA) {
	draw.Draw(img, at.Inset(-1), image.NewUniform(color.NRGBA{R: 255, G: 255, B: 255, A: 200}), image.Point{}, draw.Over)
	draw.Draw(img, at, image.NewUniform(c), image.Point{}, draw.Src)
	ink := image.NewUniform(inkOn(c))
	x, y := at.Min.X+l.pad, at.Min.Y+l.baseline
	for _, r := range text {
		g := l.letter(r)
		if g.mask != nil {
			to := g.mask.Bounds().Add(image.Pt(x, y).Add(g.at))
			draw.DrawMask(img, to, ink, image.Point{}, g.mask, image.Point{}, draw.Over)
		}
		x += g.advance
	}
}

// inkOn is black or white, whichever is easier to read on c (WCAG 2.2, contrast
// ratio).
func inkOn(c color.RGBA) color.Color {
	part := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	if light := 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B); 1.05/(light+0.05) < (light+0.05)/0.05 {
		return color.Black
	}
	return color.White
}
