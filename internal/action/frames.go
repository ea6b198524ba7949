package action

import (
	"context"
	"time"

	"gstack/internal/page"
)

// barLimit bounds how long an action waits for frames that are not part of it.
// A frame that does not answer in time cannot take input either.
const barLimit = 200 * time.Millisecond

// maxBarred bounds how many frames besides the ones on the way are barred. They
// are a second line of defence: a frame would have to come to lie over the point
// within the millisecond between the hit test and the input.
const maxBarred = 24

// barred is a document whose guard stops everything while an action runs.
type barred struct {
	f   *page.Frame
	doc page.DocID
}

// way is how a point gets from an element's document to the top viewport.
type way struct {
	x, y   float64
	barred []barred
}

// throughOptions are the last argument of browse.through.
type throughOptions struct {
	Seq   int64 `json:"seq"`
	Force bool  `json:"force,omitempty"`
	Bare  bool  `json:"bare,omitempty"` // arm nothing
}

// outward carries the point of rep through all frames up to the top, and arms
// the guards of the documents on the way and of the others.
func (r *run) outward(ctx context.Context, rep reply) (way, miss, error) {
	frames := r.t.Frames()
	if len(frames) == 1 && r.el.Frame == frames[0] {
		return way{x: rep.X, y: rep.Y}, miss{}, nil
	}
	onWay := map[*page.Frame]bool{r.el.Frame: true}
	w, m, err := r.project(ctx, rep, false, onWay)
	if err != nil || m.why != done {
		return w, m, err
	}
	if !r.o.Force && !rep.Frame { // input to a frame element is for its document
		r.bar(ctx, &w, frames, onWay)
	}
	return w, miss{}, nil
}

// project carries the point of rep through all frames up to the top. The guards
// of the documents on the way are armed unless bare is set; onWay gets their frames.
func (r *run) project(ctx context.Context, rep reply, bare bool, onWay map[*page.Frame]bool) (way, miss, error) {
	w := way{x: rep.X, y: rep.Y}
	if r.el.Frame.Parent() != nil {
		r.t.BindFrames(ctx)
	}
	width, height := rep.Width, rep.Height
	for child := r.el.Frame; child.Parent() != nil; child = child.Parent() {
		parent := child.Parent()
		doc := parent.Doc()
		if doc == "" {
			return w, miss{why: unbound}, nil // it is between two documents
		}
		onWay[parent] = true
		var out reply
		if err := parent.Call(ctx, doc, "through", &out, child.ID, w.x, w.y, width, height, throughOptions{r.seq, r.o.Force, bare}); err != nil {
			r.release(w)
			return w, miss{}, err
		}
		if !bare {
			w.barred = append(w.barred, barred{parent, doc})
		}
		if m := r.missed(&out, parent, doc); m.why != done {
			r.release(w)
			return w, m, nil
		}
		w.x, w.y, width, height = out.X, out.Y, out.Width, out.Height
	}
	return w, miss{}, nil
}

// bar arms the guards of frames that the input is not meant for.
func (r *run) bar(ctx context.Context, w *way, frames []*page.Frame, onWay map[*page.Frame]bool) {
	ctx, cancel := context.WithTimeout(ctx, barLimit)
	defer cancel()
	var sent []*page.Pending
	for _, f := range frames {
		if doc := f.Doc(); !onWay[f] && doc != "" && len(sent) < maxBarred {
			w.barred = append(w.barred, barred{f, doc})
			sent = append(sent, f.Start(ctx, doc, "bar", r.seq))
		}
	}
	for _, p := range sent {
		_ = p.Wait(ctx, nil) // a frame that went away needs no guard
	}
}

// release disarms the guards on the way without waiting for them.
func (r *run) release(w way) {
	for _, b := range w.barred {
		b.f.Start(context.Background(), b.doc, "unbar", r.seq)
	}
}
