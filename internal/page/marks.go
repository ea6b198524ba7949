package page

import (
	"context"
	"math"

	jsonv2 "github.com/go-json-experiment/json"
)

// Mark is where an element stands in a picture.
type Mark struct {
	// Parts are in pixels of the picture, not below zero and not beyond it: one
	// for each line of an element that is part of lines. nil: nothing shows.
	Parts []Rect
	// Why says why there is nothing.
	Why MarkMiss
	// Moving says that the element was elsewhere right before the picture than
	// right after, several times.
	Moving bool
}

// MarkMiss is why an element is not in a picture.
type MarkMiss string

// What keeps an element out of a picture.
const (
	MarkGone    MarkMiss = "gone"                // it has left the page
	MarkChanged MarkMiss = "now something else"  // it is no longer what was shown
	MarkNone    MarkMiss = "no box"              // it takes no room, or is not painted
	MarkClipped MarkMiss = "scrolled out"        // what is around it shows another part
	MarkOutside MarkMiss = "outside the picture" // the picture shows another part
	MarkUnknown MarkMiss = "its frame did not answer"
)

// misses are the words of browse.layout.
var misses = map[string]MarkMiss{"gone": MarkGone, "changed": MarkChanged, "none": MarkNone, "clipped": MarkClipped}

// standing is where an element is, in CSS pixels of the tab's viewport.
type standing struct {
	parts []Rect
	why   MarkMiss
}

// standings are all elements at one moment, and how far the page was scrolled.
type standings struct {
	view viewed
	at   []standing
}

// standings asks where elements are, one call to each frame.
func (t *Tab) standings(ctx context.Context, els []*Element) standings {
	lists, docs, place := map[*Frame][][]any{}, map[*Frame]DocID{}, make([]int, len(els))
	for i, el := range els {
		ask := []any{el.ID}
		if el.Shown {
			ask = append(ask, el.Role, el.Name)
		}
		place[i] = len(lists[el.Frame])
		lists[el.Frame], docs[el.Frame] = append(lists[el.Frame], ask), el.Doc
	}
	l := t.layout(ctx, lists, docs)
	s := standings{view: l.view, at: make([]standing, len(els))}
	for i, el := range els {
		s.at[i] = l.standing(el.Frame, place[i])
	}
	return s
}

func (l tabLayout) standing(f *Frame, n int) standing {
	a := l.asks[f]
	if a == nil {
		return standing{why: MarkUnknown}
	}
	var nums []float64
	if v := a.Boxes[n]; v.Kind() == '"' {
		var why string
		if jsonv2.Unmarshal(v, &why) != nil || misses[why] == "" {
			return standing{why: MarkUnknown}
		}
		return standing{why: misses[why]}
	} else if jsonv2.Unmarshal(v, &nums) != nil {
		return standing{why: MarkUnknown}
	}
	m := l.maps[f]
	var s standing
	for ; len(nums) >= 4; nums = nums[4:] {
		r, shows := m.Image(Rect{nums[0], nums[1], nums[2], nums[3]}), true
		for i, view := range m.views { // the tab's own, the first, is the picture's affair
			if i > 0 && shows {
				r, shows = r.Overlap(view)
			}
		}
		if shows {
			s.parts = append(s.parts, r)
		}
	}
	if s.parts == nil {
		s.why = MarkClipped
	}
	return s
}

// moved reports whether an element was not where it is.
func (s standing) moved(was standing) bool {
	if s.why != was.why || len(s.parts) != len(was.parts) {
		return true
	}
	for i, r := range s.parts {
		w := was.parts[i]
		if math.Abs(r.X-w.X) > 0.5 || math.Abs(r.Y-w.Y) > 0.5 || math.Abs(r.W-w.W) > 0.5 || math.Abs(r.H-w.H) > 0.5 {
			return true
		}
	}
	return false
}

// maxTakes bounds how often a picture is taken of a page that moves.
const maxTakes = 3

// takeMarked takes a picture and tells where elements stand in it. They are asked
// before and after: what is in the same place both times was there in between.
// area is what the picture shows, in CSS pixels of the page; nil means what the
// window shows.
func (t *Tab) takeMarked(ctx context.Context, els []*Element, area *Rect, take func() error, p *Picture) error {
	was := t.standings(ctx, els)
	for n := 1; ; n++ {
		if err := take(); err != nil {
			return err
		}
		is := t.standings(ctx, els)
		p.Marks = make([]Mark, len(els))
		restless := false
		from := is.view.seen
		if area != nil {
			from = Rect{area.X - is.view.scrollX, area.Y - is.view.scrollY, area.W, area.H}
		}
		if from.W <= 0 || from.H <= 0 { // the page did not say how large its window is
			for i := range p.Marks {
				p.Marks[i] = Mark{Why: MarkUnknown}
			}
			return nil
		}
		p.Density = p.size.W / from.W
		for i := range els {
			p.Marks[i] = is.at[i].mark(from, p.size)
			p.Marks[i].Moving = is.view != was.view || is.at[i].moved(was.at[i])
			restless = restless || p.Marks[i].Moving
		}
		if !restless || n == maxTakes {
			return nil
		}
		was = is
	}
}

// mark carries a standing into a picture, so many pixels large, of what is at from
// in the tab's viewport.
func (s standing) mark(from, pixels Rect) Mark {
	m := Mark{Why: s.why}
	for _, r := range s.parts {
		fx, fy := pixels.W/from.W, pixels.H/from.H
		r = Rect{(r.X - from.X) * fx, (r.Y - from.Y) * fy, r.W * fx, r.H * fy}
		if r, shows := r.Overlap(pixels); shows {
			m.Parts = append(m.Parts, r)
		}
	}
	if m.Parts == nil && m.Why == "" {
		m.Why = MarkOutside
	}
	return m
}
