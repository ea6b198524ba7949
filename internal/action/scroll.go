package action

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gstack/internal/api"
	"gstack/internal/page"
)

// ScrollOptions say how far [Scroll] scrolls.
type ScrollOptions struct {
	Options
	// DX and DY are distances to the right and down, in CSS pixels, or in lengths
	// of what is in view when Pages is set.
	DX, DY float64
	Pages  bool
	// To is "top", "bottom", "left" or "right": all the way. It goes before a distance.
	To string
}

// Scrolled is where a scroller is after it has moved. Coordinates are CSS pixels.
type Scrolled struct {
	X, Y                   float64
	MinX, MinY, MaxX, MaxY float64
	// Moved is how far it went to the right and down.
	MovedX, MovedY float64
	// End says that it can go no further that way.
	End bool
	// By names the scroller, "" for the page itself.
	By string
	// None says that there is nothing to scroll.
	None bool

	f   *page.Frame
	doc page.DocID
	raw scrollReply
}

// scrollReply is the answer of browse.scroll.
type scrollReply struct {
	reply
	None     bool    `json:"none"`
	MinX     float64 `json:"minX"`
	MinY     float64 `json:"minY"`
	MaxX     float64 `json:"maxX"`
	MaxY     float64 `json:"maxY"`
	WasX     float64 `json:"wasX"`
	WasY     float64 `json:"wasY"`
	Start    bool    `json:"start"`
	End      bool    `json:"end"`
	Scroller int     `json:"scroller"`
}

// scrollParams are the second argument of browse.scroll.
type scrollParams struct {
	DX    float64 `json:"dx"`
	DY    float64 `json:"dy"`
	Pages bool    `json:"pages,omitempty"`
	To    string  `json:"to,omitempty"`
	Shown *shown  `json:"shown,omitempty"`
}

// Scroll moves the nearest scroller of el, or without one what a reader of the
// page scrolls: the page, or else the scroller or frame that fills it. A scroller
// that is where it should be already does not move; one that the page holds in
// its place is [api.NotVerified].
func Scroll(ctx context.Context, t *page.Tab, el *page.Element, o ScrollOptions) (Scrolled, error) {
	r := newRun(t, el, "scroll", o.Options)
	p := scrollParams{DX: o.DX, DY: o.DY, Pages: o.Pages, To: o.To}
	var got Scrolled
	if el == nil {
		r.el = &page.Element{Frame: t.Main(), Label: "the page"}
		var err error
		if got, err = r.scrollPage(ctx, p); err != nil {
			return got, err
		}
	} else {
		p.Shown = r.expect()
		err := r.attempt(ctx, func(bounded context.Context, _ int) (m miss, err error) {
			got, m, err = r.scrollIn(bounded, r.el.Frame, r.el.Doc, r.el.ID, p)
			return m, err
		})
		if err != nil {
			return got, err
		}
	}
	held := got.MovedX == 0 && got.MovedY == 0 && !got.None && !got.raw.Start
	if held && (o.DX != 0 || o.DY != 0 || o.To != "") {
		where := got.By
		if where == "" {
			where = "the page"
		}
		return got, api.Errorf(api.NotVerified, "browse screenshot shows whether a dialog is open", "%s did not scroll, it is held in its place", where)
	}
	return got, nil
}

func (r *run) scrollIn(ctx context.Context, f *page.Frame, doc page.DocID, id int, p scrollParams) (Scrolled, miss, error) {
	var s scrollReply
	call := f.Start(ctx, doc, "scroll", id, p)
	if err := call.Wait(ctx, &s); err != nil {
		return Scrolled{}, miss{}, err
	}
	if m := r.missed(&s.reply, f, doc); m.why != done {
		return Scrolled{}, m, nil
	}
	got := Scrolled{
		X: s.X, Y: s.Y, MinX: s.MinX, MinY: s.MinY, MaxX: s.MaxX, MaxY: s.MaxY,
		MovedX: s.X - s.WasX, MovedY: s.Y - s.WasY, End: s.End, None: s.None,
		f: f, doc: call.Doc(), raw: s,
	}
	if s.By != nil {
		got.By = show(r.t, f, got.doc, s.By)
	}
	return got, miss{}, nil
}

// scrollPage scrolls the first document that can be: the top one, or the frame
// that fills it.
func (r *run) scrollPage(ctx context.Context, p scrollParams) (Scrolled, error) {
	bounded, cancel := within(ctx, r.o.Timeout)
	defer cancel()
	var first Scrolled
	for i, f := range r.t.Frames() {
		got, m, err := r.scrollIn(bounded, f, "", 0, p)
		switch {
		case i == 0 && err != nil:
			return got, r.t.Broken(bounded, "the page did not scroll", err)
		case err != nil || m.why != done:
			continue
		case !got.None:
			return got, nil
		case i == 0:
			first = got
		}
	}
	return first, nil
}

// Until are what [ScrollUntil] looks for and how long it looks.
type Until struct {
	ScrollOptions
	// What is a locator or a text.
	What string
	// Steps bounds how often it scrolls.
	Steps int
	// Wait is how long the end of a list may take to get further content.
	Wait time.Duration
}

// ScrollUntil scrolls step by step until a locator or a text has a match, and
// brings that into view. It fails with [api.NotFound] at the end of what there is
// to scroll, when nothing has come there for the time that [Until] names, or
// after so many steps; steps is how many there were.
func ScrollUntil(ctx context.Context, t *page.Tab, el *page.Element, u Until) (found *page.Element, last Scrolled, steps int, err error) {
	var frame *page.Frame
	if el != nil {
		frame = el.Frame
	}
	for {
		if found = spot(ctx, t, u.What, frame); found != nil {
			_, err = ScrollIntoView(ctx, t, found, u.Options)
			return found, last, steps, err
		}
		why := ""
		switch {
		case ctx.Err() != nil:
			return nil, last, steps, t.Broken(ctx, fmt.Sprintf("%s did not appear in %d steps", page.Quote(u.What), steps), ctx.Err())
		case steps > 0 && (last.None || last.End) && !last.grown(ctx, u.Wait):
			why = "the end is reached"
		case steps >= u.Steps:
			why = "that is the limit"
		}
		if why != "" && steps > 0 {
			// What came with the last step may have come late.
			if found = spot(ctx, t, u.What, frame); found == nil {
				return nil, last, steps, api.Errorf(api.NotFound, "browse text shows what is there; --times allows more steps, --wait more time at the end of a list",
					"%s did not appear in %d steps of scrolling, %s", page.Quote(u.What), steps, why)
			}
			continue
		}
		if last, err = Scroll(ctx, t, el, u.ScrollOptions); err != nil {
			return nil, last, steps, err
		}
		steps++
	}
}

// grown waits until there is more to scroll than there was.
func (s *Scrolled) grown(ctx context.Context, d time.Duration) bool {
	if s.None {
		return false
	}
	was := map[string]float64{"minX": s.MinX, "minY": s.MinY, "maxX": s.MaxX, "maxY": s.MaxY}
	more := false
	err := s.f.Call(ctx, s.doc, "grown", &more, s.raw.Scroller, was, d.Milliseconds())
	return err == nil && more
}

// spot returns the first visible match of a locator or a text, nil for none.
func spot(ctx context.Context, t *page.Tab, what string, in *page.Frame) *page.Element {
	targets := []string{what, "text=" + what}
	if page.IsRef(what) || namesText.MatchString(what) {
		targets = targets[:1]
	}
	for _, target := range targets {
		if page.IsRef(target) {
			el, err := t.Ref(target)
			if err != nil {
				return nil
			}
			return el
		}
		all, err := locate(ctx, t, target, in)
		var e *api.Error
		if err != nil && !(errors.As(err, &e) && e.Code == api.BadUsage) {
			return nil
		}
		for i := range all {
			for _, it := range all[i].Items {
				if it.Visible {
					el := all[i].element(it, "")
					el.Label = t.Show(el)
					return el
				}
			}
		}
	}
	return nil
}
