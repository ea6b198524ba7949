package page

import (
	"context"
	"math"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Map is how the viewport of a frame lies in the one of the tab. The zero value
// is of a frame of which that is not known.
type Map struct {
	// images are those of the points 0,0 and 1,0 and 0,1.
	images [6]float64
	views  []Rect
	known  bool
}

// Known reports whether it is known where the frame is.
func (p Map) Known() bool { return p.known }

// Views are the viewports of the frames around, the tab's included, in the tab's
// coordinates. What lies outside one of them does not show.
func (p Map) Views() []Rect { return p.views }

// Image returns the rectangle around the image of r.
func (p Map) Image(r Rect) Rect {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, c := range [][2]float64{{r.X, r.Y}, {r.X + r.W, r.Y}, {r.X, r.Y + r.H}, {r.X + r.W, r.Y + r.H}} {
		x, y := p.point(c[0], c[1])
		x0, y0, x1, y1 = math.Min(x0, x), math.Min(y0, y), math.Max(x1, x), math.Max(y1, y)
	}
	return Rect{x0, y0, x1 - x0, y1 - y0}
}

// point carries a point of the frame's viewport into the tab's.
func (p Map) point(x, y float64) (float64, float64) {
	m := p.images
	return m[0] + x*(m[2]-m[0]) + y*(m[4]-m[0]), m[1] + x*(m[3]-m[1]) + y*(m[5]-m[1])
}

// Overlap returns what two rectangles have in common; false: less than half a
// pixel of it.
func (r Rect) Overlap(o Rect) (Rect, bool) {
	x, y := math.Max(r.X, o.X), math.Max(r.Y, o.Y)
	both := Rect{x, y, math.Min(r.X+r.W, o.X+o.W) - x, math.Min(r.Y+r.H, o.Y+o.H) - y}
	return both, both.W > 0.5 && both.H > 0.5
}

// layoutLimit bounds how long a frame may take to say where it and its elements
// are.
const layoutLimit = 3 * time.Second

// layout is what browse.layout returns.
type layout struct {
	View   []float64        `json:"view"`
	Boxes  []jsontext.Value `json:"boxes"`
	Frames [][]float64      `json:"frames"`
}

// viewed is what layout.View says of the top document, in CSS pixels.
type viewed struct {
	scrollX, scrollY float64
	seen             Rect // the part of the viewport that a pinch leaves to be seen
}

// tabLayout is where things are at one moment.
type tabLayout struct {
	view viewed
	maps map[*Frame]Map
	asks map[*Frame]*layout
}

// Maps tells how the frames of the tab lie in it. It asks all at once; frames
// that do not answer in time have no entry.
func (t *Tab) Maps(ctx context.Context) map[*Frame]Map {
	return t.layout(ctx, nil, nil).maps
}

// layout asks every document where it, its frames and the elements of lists are,
// in one call each. of limits the frames other than the top one; nil means all.
func (t *Tab) layout(ctx context.Context, lists map[*Frame][][]any, docs map[*Frame]DocID) tabLayout {
	ctx, cancel := context.WithTimeout(ctx, layoutLimit)
	defer cancel()
	frames := t.Frames()
	children := map[*Frame][]*Frame{}
	for _, f := range frames {
		if p := f.Parent(); p != nil {
			children[p] = append(children[p], f)
		}
	}
	calls := make([]*Pending, len(frames))
	for i, f := range frames {
		list, tokens := lists[f], make([]string, 0, len(children[f]))
		if list == nil {
			list = [][]any{}
		}
		for _, c := range children[f] {
			tokens = append(tokens, c.ID)
		}
		if doc := docs[f]; doc != "" || i == 0 {
			calls[i] = f.Start(ctx, doc, "layout", list, tokens, i > 0)
		} else {
			calls[i] = f.StartPart(ctx, "layout", list, tokens, true)
		}
	}
	l := tabLayout{maps: map[*Frame]Map{}, asks: map[*Frame]*layout{}}
	placed := map[*Frame][]float64{}
	for i, f := range frames { // a parent comes before its children
		var a layout
		if calls[i].Wait(ctx, &a) != nil || len(a.View) != 8 || len(a.Boxes) != len(lists[f]) || len(a.Frames) != len(children[f]) {
			continue
		}
		v := a.View
		own := Map{images: [6]float64{0, 0, 1, 0, 0, 1}, known: true}
		if i == 0 {
			l.view = viewed{v[2], v[3], Rect{v[4], v[5], v[6], v[7]}}
		} else if around := l.maps[f.Parent()]; !around.known || !own.put(around, placed[f], v[0], v[1]) {
			continue
		}
		own.views = append(own.views[:len(own.views):len(own.views)], own.Image(Rect{0, 0, v[0], v[1]}))
		l.maps[f], l.asks[f] = own, &a
		for k, c := range children[f] {
			placed[c] = a.Frames[k]
		}
	}
	return l
}

// put places the map of a frame whose viewport is w by h where the document
// around it, which lies as around says, shows it.
func (p *Map) put(around Map, at []float64, w, h float64) bool {
	if len(at) != 8 {
		return false
	}
	rx, ry := zoomed(at[6], w), zoomed(at[7], h)
	for k, r := range []float64{0, rx, ry} {
		x, y := at[0], at[1]
		if k > 0 {
			x, y = x+(at[2*k]-x)*r, y+(at[2*k+1]-y)*r
		}
		p.images[2*k], p.images[2*k+1] = around.point(x, y)
	}
	p.views = around.views
	return true
}

// zoomed is how much larger a length is outside a frame than inside, which is
// CSS zoom on its element. Both lengths are rounded.
func zoomed(outside, inside float64) float64 {
	if inside > 0 && math.Abs(outside/inside-1) > 0.02 {
		return outside / inside
	}
	return 1
}
