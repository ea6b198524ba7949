package snapshot

import (
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

// box reads the box column of a row, nil when it is not known where its frame is.
func box(p page.Map, col string) *Box {
	var v [4]float64
	parts := strings.Split(col, ",")
	if len(parts) < 4 || !p.Known() {
		return nil
	}
	for i := range v {
		v[i], _ = strconv.ParseFloat(parts[i], 64)
	}
	r := p.Image(page.Rect{X: v[0], Y: v[1], W: v[2], H: v[3]})
	b := &Box{X: round(r.X), Y: round(r.Y), W: round(r.W), H: round(r.H), OffScreen: len(parts) > 4}
	for _, view := range p.Views() {
		if _, shows := r.Overlap(view); !shows {
			b.OffScreen = true
		}
	}
	return b
}

func round(f float64) int { return int(math.Round(f)) }
