package picture

import (
	"image"
	"math"
)

// place returns where the labels of boxes go, in the picture. Labels do not
// overlap each other, nor hide other elements, where that can be avoided.
func place(bounds image.Rectangle, boxes []Box, l *letters) []image.Rectangle {
	p := placer{bounds: bounds, boxes: newGrid(), labels: newGrid()}
	for i, b := range boxes {
		for _, part := range b.Parts {
			p.boxes.add(i, part.pixels())
		}
	}
	out := make([]image.Rectangle, len(boxes))
	for i, b := range boxes {
		if b.Label == "" {
			continue
		}
		out[i] = p.best(i, b.Parts[0].pixels(), l.size(b.Label))
		p.labels.add(i, out[i].Inset(-1))
	}
	return out
}

type placer struct {
	bounds        image.Rectangle
	boxes, labels *grid
}

// spots are where a label can go, the best first: outside the box at its corners,
// at its sides, then in it. Each is the part of the box's size, and of the
// label's, by which the label is moved from where its upper left corner is the
// box's.
var spots = [][4]float64{
	{0, 0, 0, -1}, {1, 0, -1, -1}, {0, 1, 0, 0}, {1, 1, -1, 0}, {0.5, 0, -0.5, -1}, {0.5, 1, -0.5, 0},
	{1, 0, 0, 0}, {0, 0, -1, 0}, {1, 0.5, 0, -0.5}, {0, 0.5, -1, -0.5}, {1, 1, 0, -1}, {0, 1, -1, -1},
	{0, 0, -1, -1}, {1, 0, 0, -1}, {0, 1, -1, 0}, {1, 1, 0, 0},
	{1, 0, -1, 0}, {0, 0, 0, 0}, {1, 1, -1, -1}, {0, 1, 0, -1},
}

// What a spot costs, in labels' areas.
const (
	overLabel = 100 // a label would be hidden
	overOther = 6   // another element would
	overSelf  = 3   // a part of its own element would, if that is small
	perSpot   = 0.02
)

// best returns the place for the label of box i, which is at a place.
func (p *placer) best(i int, box image.Rectangle, size image.Point) image.Rectangle {
	var best image.Rectangle
	least := math.Inf(1)
	for n, s := range spots {
		at := image.Pt(
			box.Min.X+int(math.Round(s[0]*float64(box.Dx())+s[2]*float64(size.X))),
			box.Min.Y+int(math.Round(s[1]*float64(box.Dy())+s[3]*float64(size.Y))))
		r := image.Rectangle{Min: at, Max: at.Add(size)}
		in := p.into(r)
		cost := perSpot*float64(n) + distance(in, r)/float64(size.Y)
		if cost = p.hides(i, box, in, cost, least); cost < least {
			best, least = in, cost
		}
	}
	return best
}

// into moves r into the picture.
func (p *placer) into(r image.Rectangle) image.Rectangle {
	d := image.Pt(max(0, p.bounds.Min.X-r.Min.X), max(0, p.bounds.Min.Y-r.Min.Y))
	r = r.Add(d)
	d = image.Pt(min(0, p.bounds.Max.X-r.Max.X), min(0, p.bounds.Max.Y-r.Max.Y))
	if r.Min.X+d.X < p.bounds.Min.X {
		d.X = 0
	}
	if r.Min.Y+d.Y < p.bounds.Min.Y {
		d.Y = 0
	}
	return r.Add(d)
}

func distance(a, b image.Rectangle) float64 {
	return math.Abs(float64(a.Min.X-b.Min.X)) + math.Abs(float64(a.Min.Y-b.Min.Y))
}

// hides adds to cost that of what a label at r would hide. It gives up when that
// is no less than most.
func (p *placer) hides(i int, box, r image.Rectangle, cost, most float64) float64 {
	area := float64(r.Dx() * r.Dy())
	share := func(o image.Rectangle) float64 {
		both := o.Intersect(r)
		return float64(both.Dx()*both.Dy()) / area
	}
	if cost >= most {
		return cost
	}
	p.labels.near(r, func(_ int, o image.Rectangle) bool {
		cost += overLabel * share(o)
		return cost < most
	})
	if cost >= most {
		return cost
	}
	p.boxes.near(r, func(n int, o image.Rectangle) bool {
		switch {
		case n == i:
			room := float64(o.Dx()*o.Dy()) / area // a label in a corner of a large element hides little of it
			cost += overSelf * share(o) * math.Min(1, 10/room)
		case !box.In(o): // what is around the element is not hidden by its label
			cost += overOther * share(o)
		}
		return cost < most
	})
	return cost
}

// grid finds rectangles near a place without looking at all.
type grid struct {
	cells map[image.Point][]int
	items []gridItem
	seen  []int // the round in which an item was met last
	round int
}

type gridItem struct {
	id int
	r  image.Rectangle
}

const cell = 64 // pixels

func newGrid() *grid { return &grid{cells: map[image.Point][]int{}} }

// cellsOf calls f for the cells that r touches, until it returns false.
func cellsOf(r image.Rectangle, f func(image.Point) bool) {
	x0, y0, x1, y1 := r.Min.X/cell, r.Min.Y/cell, r.Max.X/cell, r.Max.Y/cell
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if !f(image.Pt(x, y)) {
				return
			}
		}
	}
}

func (g *grid) add(id int, r image.Rectangle) {
	n := len(g.items)
	g.items, g.seen = append(g.items, gridItem{id, r}), append(g.seen, 0)
	cellsOf(r, func(c image.Point) bool {
		g.cells[c] = append(g.cells[c], n)
		return true
	})
}

// near calls f once for each rectangle that overlaps r, until it returns false.
func (g *grid) near(r image.Rectangle, f func(id int, o image.Rectangle) bool) {
	g.round++
	cellsOf(r, func(c image.Point) bool {
		for _, n := range g.cells[c] {
			if g.seen[n] != g.round {
				g.seen[n] = g.round
				if o := g.items[n]; o.r.Overlaps(r) && !f(o.id, o.r) {
					return false
				}
			}
		}
		return true
	})
}
