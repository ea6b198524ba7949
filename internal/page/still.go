package page

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"gstack/internal/api"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// RefState is a ref with what has become of its element.
type RefState struct {
	// Element is what was shown.
	Element
	// State is what using the ref would meet.
	State Liveness
	// NowRole, NowName and NowDesc say what a changed element is now. The last is
	// its tag, for one that has no role.
	NowRole, NowName, NowDesc string
	// Moved says how the place of an element has changed that is itself as it was;
	// see [Moved].
	Moved string
}

// Moved tells that an element which is what it was shown as is now in another
// place: list rows are used again for other records. was is empty when the place
// changed while it was being read.
func Moved(was, now string) string {
	switch {
	case was == "":
		return "stands in what changed while it was read, now " + Quote(now)
	case now == "":
		return "was in " + Quote(was) + " and is there no more"
	}
	return "was in " + Quote(was) + " and is now in " + Quote(now)
}

// Liveness is what has become of the element of a ref.
type Liveness string

// What can become of an element.
const (
	Live    Liveness = "live"    // it is what was shown
	Changed Liveness = "changed" // it is there, and no longer what was shown
	Gone    Liveness = "gone"    // it has left the document
	Silent  Liveness = "unknown" // its frame does not answer
)

// StillShown lists the refs of frame in and below, of the whole tab for nil, in
// the order of their frames and numbers, each with what its element is now. Refs
// of documents that are gone are not among them.
func (t *Tab) StillShown(ctx context.Context, in *Frame) ([]RefState, error) {
	type asked struct {
		refs []RefState
		call *Pending
	}
	var all []asked
	for _, f := range t.FramesIn(in) {
		a := asked{refs: t.refs.of(f)}
		if len(a.refs) == 0 {
			continue
		}
		list := make([][3]any, len(a.refs))
		for i, r := range a.refs {
			list[i] = [3]any{r.ID, r.Role, r.Name}
		}
		a.call = f.Start(ctx, a.refs[0].Doc, "stillShown", list)
		all = append(all, a)
	}
	var out []RefState
	for _, a := range all {
		fctx, cancel := ctx, context.CancelFunc(func() {})
		if a.refs[0].Frame != t.Main() {
			fctx, cancel = context.WithTimeout(ctx, readFrameLimit)
		}
		var now []jsontext.Value
		err := a.call.Wait(fctx, &now)
		cancel()
		var e *api.Error
		if errors.As(err, &e) && e.Code == api.StaleRef {
			continue // its document has just gone, and the refs with it
		}
		if err != nil && (ctx.Err() != nil || t.Gone() != nil) {
			return nil, err
		}
		for i := range a.refs {
			a.refs[i].State = Silent
			if err == nil && i < len(now) {
				a.refs[i].judge(now[i])
			}
		}
		out = append(out, a.refs...)
	}
	return out, nil
}

// judge reads the answer of browse.stillShown.
func (r *RefState) judge(v jsontext.Value) {
	switch string(v) {
	case `""`:
		r.State = Live
		return
	case `"gone"`:
		r.State = Gone
		return
	}
	var now struct {
		Role  string `json:"role"`
		Name  string `json:"name"`
		Desc  string `json:"desc"`
		Moved bool   `json:"moved"`
		Was   string `json:"was"`
		Place string `json:"place"`
	}
	if json.Unmarshal(v, &now, lenient) == nil {
		r.State, r.NowRole, r.NowName, r.NowDesc = Changed, now.Role, now.Name, now.Desc
		if now.Moved {
			r.Moved = Moved(now.Was, now.Place)
		}
	}
}

// of returns the refs of the current document of f, by number.
func (r *Refs) of(f *Frame) []RefState {
	doc := f.Doc()
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.docs[doc]
	if d == nil {
		return nil
	}
	nums := make([]int, 0, len(d.nums))
	for _, n := range d.nums {
		nums = append(nums, n)
	}
	slices.SortFunc(nums, cmp.Compare)
	out := make([]RefState, len(nums))
	for i, n := range nums {
		e := r.byNum[n]
		out[i].Element = e.el
		out[i].Label = Label(n, e.cursor)
	}
	return out
}
