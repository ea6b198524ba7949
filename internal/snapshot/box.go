package snapshot

import (
	"context"
	"math"
	"strconv"
	"strings"

	"gstack/internal/page"
)

// Box is where an element stands, in CSS pixels of the top-level viewport.
type Box struct {
	X int `json:"x"`
	Y int `json:"y"`
	W int `json:"w"`
	H int `json:"h"`
	// OffScreen says that nothing of it shows where the page is scrolled to now.
	OffScreen bool `json:"offScreen,omitempty"`
}

func (b *Box) write(s *strings.Builder) {
	s.WriteString(" (")
	s.WriteString(strconv.Itoa(b.X))
	s.WriteByte(',')
	s.WriteString(strconv.Itoa(b.Y))
	s.WriteByte(' ')
	s.WriteString(strconv.Itoa(b.W))
	s.WriteByte('x')
	s.WriteString(strconv.Itoa(b.H))
	if b.OffScreen {
		s.WriteString(" off screen")
	}
	s.WriteByte(')')
}

// rect is left, top, right, bottom.
type rect [4]float64

func (r rect) overlaps(o rect) bool {
	return math.Min(r[2], o[2])-math.Max(r[0], o[0]) > 0.5 && math.Min(r[3], o[3])-math.Max(r[1], o[1]) > 0.5
}

// mapped is how a frame's viewport lies in the one of the tab.
type mapped struct {
	// m are the images of the points 0,0 and 1,0 and 0,1.
	m [6]float64
	// views are the viewports of the frames around, the tab's included, in the
	// tab's coordinates. What lies outside one of them does not show.
	views []rect
	known bool
}

// box reads the box column of a row, nil when it is not known where its frame is.
func (p mapped) box(col string) *Box {
	var v [4]float64
	parts := strings.Split(col, ",")
	if len(parts) < 4 || !p.known {
		return nil
	}
	for i := range v {
		v[i], _ = strconv.ParseFloat(parts[i], 64)
	}
	r := p.image(rect{v[0], v[1], v[0] + v[2], v[1] + v[3]})
	b := &Box{X: round(r[0]), Y: round(r[1]), W: round(r[2] - r[0]), H: round(r[3] - r[1]), OffScreen: len(parts) > 4}
	for _, view := range p.views {
		b.OffScreen = b.OffScreen || !r.overlaps(view)
	}
	return b
}

func round(f float64) int { return int(math.Round(f)) }

// point carries a point of the frame's viewport into the tab's.
func (p mapped) point(x, y float64) (float64, float64) {
	m := p.m
	return m[0] + x*(m[2]-m[0]) + y*(m[4]-m[0]), m[1] + x*(m[3]-m[1]) + y*(m[5]-m[1])
}

// image is the rectangle around the image of r.
func (p mapped) image(r rect) rect {
	out := rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, c := range [][2]float64{{r[0], r[1]}, {r[2], r[1]}, {r[0], r[3]}, {r[2], r[3]}} {
		x, y := p.point(c[0], c[1])
		out = rect{math.Min(out[0], x), math.Min(out[1], y), math.Max(out[2], x), math.Max(out[3], y)}
	}
	return out
}

// startMaps asks all frames how they lie in the ones around them.
func startMaps(ctx context.Context, t *page.Tab) map[*page.Frame]mapped {
	ctx, cancel := context.WithTimeout(ctx, frameLimit)
	defer cancel()
	frames := t.Frames()
	maps := map[*page.Frame]mapped{}
	sizes := make([]*page.Pending, len(frames))
	for i, f := range frames {
		sizes[i] = f.Start(ctx, "", "viewportSize")
	}
	size := make([][]float64, len(frames))
	placed := make([]*page.Pending, len(frames))
	for i, f := range frames {
		if sizes[i].Wait(ctx, &size[i]) != nil || len(size[i]) != 2 {
			continue
		}
		if p := f.Parent(); p != nil {
			placed[i] = p.Start(ctx, "", "frameMap", f.ID, size[i][0], size[i][1])
		}
	}
	for i, f := range frames { // a parent comes before its children
		if len(size[i]) != 2 {
			continue
		}
		own := mapped{m: [6]float64{0, 0, 1, 0, 0, 1}, known: true}
		if parent := f.Parent(); parent != nil {
			var m []float64
			if placed[i] == nil || placed[i].Wait(ctx, &m) != nil || len(m) != 6 || !maps[parent].known {
				continue
			}
			around := maps[parent]
			for k := 0; k < 6; k += 2 {
				own.m[k], own.m[k+1] = around.point(m[k], m[k+1])
			}
			own.views = around.views
		}
		view := own.image(rect{0, 0, size[i][0], size[i][1]})
		own.views = append(own.views[:len(own.views):len(own.views)], view)
		maps[f] = own
	}
	return maps
}
