package picture

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
	"time"
)

func labelled(parts ...Rect) []Box {
	var out []Box
	for _, p := range parts {
		out = append(out, Box{Parts: []Rect{p}, Label: "@e12", Color: Red})
	}
	return out
}

// TestPlaces: labels stay in the picture and do not overlap where there is room.
func TestPlaces(t *testing.T) {
	l := newLetters(fontSize)
	bounds := image.Rect(0, 0, 800, 600)
	var grid, corners []Rect
	for y := range 5 {
		for x := range 8 {
			grid = append(grid, Rect{float64(20 + x*95), float64(20 + y*100), 60, 24})
		}
	}
	for _, x := range []float64{0, 790} {
		for _, y := range []float64{0, 590} {
			corners = append(corners, Rect{x, y, 10, 10})
		}
	}
	toolbar := make([]Rect, 20)
	for i := range toolbar {
		toolbar[i] = Rect{float64(100 + i*26), 100, 24, 24}
	}
	for name, boxes := range map[string][]Rect{"grid": grid, "corners": corners, "toolbar": toolbar, "one in the other": {{100, 100, 300, 200}, {100, 100, 80, 30}, {100, 100, 20, 20}}} {
		places := place(bounds, labelled(boxes...), l)
		for i, r := range places {
			if !r.In(bounds) || r.Dx() < 10 || r.Dy() < fontSize {
				t.Errorf("%s: label %d at %v is not in the picture", name, i, r)
			}
			for j, o := range places[:i] {
				if r.Overlaps(o) {
					t.Errorf("%s: labels %d at %v and %d at %v overlap", name, i, r, j, o)
				}
			}
		}
	}
}

// TestPlacesAside: a label does not hide its own small element or a neighbour when
// it can go elsewhere.
func TestPlacesAside(t *testing.T) {
	boxes := labelled(Rect{100, 100, 60, 24}, Rect{100, 76, 60, 24}, Rect{400, 300, 60, 24})
	for i, r := range place(image.Rect(0, 0, 800, 600), boxes, newLetters(fontSize)) {
		for j, b := range boxes {
			if r.Overlaps(b.Parts[0].pixels()) {
				t.Errorf("label %d at %v hides element %d", i, r, j)
			}
		}
	}
}

func TestInk(t *testing.T) {
	for c, want := range map[color.RGBA]color.Color{Red: color.White, {245, 200, 0, 255}: color.Black, {0, 90, 225, 255}: color.White} {
		if got := inkOn(c); got != want {
			t.Errorf("on %v: %v, want %v", c, got, want)
		}
	}
}

// TestDraw: lines are on the edges, colours let through what they lie on, and
// nothing outside of a picture, or of no size, does harm.
func TestDraw(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 200, 200))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	Draw(img, []Box{
		{Parts: []Rect{{50.3, 60.4, 100, 50}}, Color: Red},
		{Parts: []Rect{{20, 150, 40, 30}}, Color: color.RGBA{B: 255, A: 255}, Filled: true},
		{Parts: []Rect{{-50, -50, 1000, 1000}, {300, 300, 10, 10}, {10, 10, 0, 0}}, Label: "@e1", Color: Red},
	}, 1)
	for _, c := range []struct {
		x, y int
		want color.RGBA
	}{
		{49, 80, Red}, {50, 80, Red}, {51, 80, color.RGBA{255, 255, 255, 255}}, {149, 80, Red}, {150, 80, Red}, {47, 80, color.RGBA{255, 255, 255, 255}},
		{100, 59, Red}, {100, 60, Red}, {100, 110, Red}, {0, 100, Red}, {199, 100, Red},
		{40, 165, color.RGBA{165, 165, 255, 255}},
	} {
		if got := img.RGBAAt(c.x, c.y); got != c.want {
			t.Errorf("at %d,%d: %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

// TestManyBoxes bounds what many boxes cost.
func TestManyBoxes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	img := image.NewRGBA(image.Rect(0, 0, 1280, 2000))
	boxes := make([]Box, 10000)
	for i := range boxes {
		w, h := 10+rnd.Float64()*200, 10+rnd.Float64()*100
		if i%20 == 0 {
			w, h = 1200, 1900
		}
		boxes[i] = Box{Parts: []Rect{{rnd.Float64() * 1200, rnd.Float64() * 1900, w, h}}, Label: "@e1234", Color: Red}
	}
	start := time.Now()
	Draw(img, boxes, 1)
	t.Logf("%d boxes in %v", len(boxes), time.Since(start))
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("%d boxes take %v", len(boxes), d)
	}
}
