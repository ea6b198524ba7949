package action

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gstack/internal/api"
	"gstack/internal/page"
)

// FindOptions say where and how long [Find] looks.
type FindOptions struct {
	// Timeout bounds the wait for the element; 0 means [DefaultTimeout].
	Timeout time.Duration
	// Frame limits the search to one frame and the frames in it; nil means all.
	Frame *page.Frame
	// NoWait looks once.
	NoWait bool
}

const (
	// ambiguityGrace is how long several matches may take to become one, as when
	// a view fades out while the next one is already there.
	ambiguityGrace = 500 * time.Millisecond
	// slice bounds one wait in the page. Frames that appear are noticed then.
	slice = 400 * time.Millisecond
	// slowFrame is what a frame gets beyond the first to answer; advertising
	// frames hang, and must not hang the command.
	slowFrame = time.Second
	// listed is how many of several matches an error names.
	listed = 5
)

// found is one frame's answer to browse.locate.
type found struct {
	f       *page.Frame
	doc     page.DocID
	Total   int    `json:"total"`
	Visible int    `json:"visible"`
	Items   []item `json:"items"`
	Error   string `json:"error"`
}

type item struct {
	other
	Visible bool `json:"visible"`
}

// Find returns the one element that target names: a ref ("@e3"), which is
// checked when it is used, or a locator (page/inject/locate.js), which is looked
// for in all frames until it has exactly one match, or exactly one visible
// match. Errors: [api.UnknownRef], [api.StaleRef], [api.BadUsage] for a locator
// that cannot be read, [api.NotFound], [api.Ambiguous].
func Find(ctx context.Context, t *page.Tab, target string, o FindOptions) (*page.Element, error) {
	if page.IsRef(target) {
		return t.Ref(target)
	}
	if strings.TrimSpace(target) == "" {
		return nil, api.Errorf(api.BadUsage, "browse snapshot -i lists refs; or text=Save, role=button[name=\"Save\"], #id", "the target is empty")
	}
	if bareRef.MatchString(target) {
		o.NoWait = true // no page has such an element, and it is not to be waited for
	}
	bounded, cancel := within(ctx, o.Timeout)
	defer cancel()
	start := time.Now()
	for {
		look := bounded
		if bounded.Err() != nil {
			look = ctx // the last look, which tells what is there instead
		}
		all, err := locate(look, t, target, o.Frame)
		if err != nil {
			return nil, err
		}
		el, total := choose(all, target)
		if el != nil {
			return el, nil
		}
		if total == 0 && pierce(look, all) {
			continue
		}
		expired := bounded.Err() != nil || o.NoWait || total > 0 && time.Since(start) > ambiguityGrace
		if !expired {
			wait := slice
			if total > 0 {
				wait = ambiguityGrace - time.Since(start) + time.Millisecond
			}
			change(bounded, all, target, wait)
			continue
		}
		if total > 0 {
			return nil, ambiguous(t, all, target, total)
		}
		return nil, notFound(ctx, t, all, target, o, time.Since(start))
	}
}

// choose returns the only match, or the only visible one, and how many there are.
func choose(all []found, target string) (*page.Element, int) {
	total, visible := 0, 0
	for _, a := range all {
		total += a.Total
		visible += a.Visible
	}
	if total != 1 && visible != 1 {
		return nil, total
	}
	for i := range all {
		a := &all[i]
		if len(a.Items) > 0 && (total == 1 || a.Visible == 1) {
			return a.element(a.Items[0], target), total
		}
	}
	return nil, total
}

func (a *found) element(it item, label string) *page.Element {
	return &page.Element{Frame: a.f, Doc: a.doc, ID: it.ID, Role: it.Role, Name: it.Name, Label: label}
}

// locate asks all frames at once. Frames without a document, or too slow, count
// as empty, unless it is the first.
func locate(ctx context.Context, t *page.Tab, target string, in *page.Frame) ([]found, error) {
	frames := t.FramesIn(in)
	if len(frames) == 0 {
		if e := t.Gone(); e != nil {
			return nil, e
		}
		return nil, api.Errorf(api.StaleRef, "browse snapshot -i", "the frame is no longer in the page")
	}
	sent := make([]*page.Pending, len(frames))
	for i, f := range frames {
		if doc := f.Doc(); doc != "" || i == 0 {
			sent[i] = f.Start(ctx, doc, "locate", target, map[string]int{"limit": listed + 1})
		}
	}
	out := make([]found, 0, len(frames))
	for i, p := range sent {
		if p == nil {
			continue
		}
		a := found{f: frames[i], doc: p.Doc()}
		err := p.Wait(ctx, &a)
		if i == 0 && err != nil && !isParted(t, err) {
			return nil, err
		}
		if i == 0 && len(sent) > 1 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, slowFrame)
			defer cancel()
		}
		if err != nil {
			continue
		}
		if a.Error != "" {
			return nil, api.Errorf(api.BadUsage, `browse snapshot -i lists refs; or text=Save, role=button[name="Save"], #id`,
				"the selector %s cannot be read: %s", page.Quote(target), a.Error)
		}
		out = append(out, a)
	}
	return out, nil
}

// pierce makes closed shadow roots known and reports whether there are new ones,
// so that it is worth looking again.
func pierce(ctx context.Context, all []found) bool {
	var n atomic.Int64
	var wg sync.WaitGroup
	for _, a := range all {
		wg.Go(func() { n.Add(int64(a.f.BindClosed(ctx, a.doc, true))) })
	}
	wg.Wait()
	return n.Load() > 0
}

func isStale(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Code == api.StaleRef
}

// isParted reports whether a call failed because its document is no longer
// there: it navigated, or it was a frame whose process is gone.
func isParted(t *page.Tab, err error) bool {
	return isStale(err) && t.Gone() == nil
}

// change waits until the number of matches in some frame may have changed, at
// most d. The pages do the watching.
func change(ctx context.Context, all []found, target string, d time.Duration) {
	if len(all) == 0 {
		pause(ctx, pauses[2])
		return
	}
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	token := seqs.Add(1)
	var wg sync.WaitGroup
	for _, a := range all {
		p := a.f.Start(ctx, a.doc, "watchFor", token, target, map[string]int{"total": a.Total, "visible": a.Visible}, map[string]int{"limit": 1})
		wg.Go(func() {
			var now found
			err := p.Wait(ctx, &now)
			if err != nil && ctx.Err() == nil {
				pause(ctx, pauses[1]) // the frame is changing documents
			}
			cancel()
		})
	}
	wg.Wait()
	for _, a := range all {
		a.f.Start(context.Background(), a.doc, "unwatch", token)
	}
}

func ambiguous(t *page.Tab, all []found, target string, total int) error {
	var names []string
	visible := 0
	for i := range all {
		a := &all[i]
		visible += a.Visible
		for _, it := range a.Items {
			if len(names) == listed {
				break
			}
			el := a.element(it, "")
			el.Label = t.Show(el)
			name := el.String()
			if it.Role == "" {
				name = el.Label + " " + it.Desc
			}
			if !it.Visible {
				name += " (hidden)"
			}
			names = append(names, name)
		}
	}
	s := fmt.Sprintf("%s matches %d elements", page.Quote(target), total)
	if visible != total {
		s += fmt.Sprintf(" (%d visible)", visible)
	}
	s += ": " + strings.Join(names, ", ")
	if total > len(names) {
		s += fmt.Sprintf(", and %d more", total-len(names))
	}
	return api.Errorf(api.Ambiguous, "use one of these refs, or narrow it down, as in "+target+" >> nth=0", "%s", s)
}

// near is one entry of browse.near.
type near struct {
	Kind  string `json:"kind"`
	Total int    `json:"total"`
	item
}

// bareRef is a ref without its @: a tag that no document has.
var bareRef = regexp.MustCompile(`^[ec][0-9]+$`)

func notFound(ctx context.Context, t *page.Tab, all []found, target string, o FindOptions, took time.Duration) error {
	e := api.Errorf(api.NotFound, "browse snapshot -i", "nothing matches %s", page.Quote(target))
	if bareRef.MatchString(target) {
		e.Hint = "a ref is written with @: @" + target + "; browse snapshot -i lists the refs"
		return e
	}
	if !o.NoWait {
		e.Message += fmt.Sprintf(" after %.1f s", took.Seconds())
	}
	if o.Frame != nil {
		e.Tried = append(e.Tried, "looked only in the frame "+page.Quote(o.Frame.URL())+" and what is in it")
		e.Hint = "browse snapshot -i; browse frame main looks in the whole page again"
	}
	if n := len(all); n > 1 {
		e.Tried = append(e.Tried, fmt.Sprintf("looked in %d frames", n))
	}
	ctx, cancel := context.WithTimeout(ctx, reserve)
	defer cancel()
	sent := make([]*page.Pending, len(all))
	for i, a := range all {
		sent[i] = a.f.Start(ctx, a.doc, "near", target)
	}
	for i, p := range sent {
		var ns []near
		if p.Wait(ctx, &ns) != nil {
			continue
		}
		for _, n := range ns {
			if len(e.Tried) < listed {
				e.Tried = append(e.Tried, n.say(t, &all[i]))
			}
			if n.Kind == "text" {
				e.Hint = "browse snapshot -i; a text is found with text=" + target
			}
		}
	}
	return e
}

func (n near) say(t *page.Tab, a *found) string {
	el := a.element(n.item, "")
	el.Label = t.Show(el)
	name := el.String()
	if n.Role == "" {
		name = el.Label + " " + n.Desc
	}
	s := map[string]string{
		"hidden": "hidden, so it does not count: ",
		"loose":  "similar: ",
		"others": "of that role there is ",
		"text":   "no such tag, but a text: ",
	}[n.Kind] + name
	if n.Total > 1 {
		s += fmt.Sprintf(" and %d more", n.Total-1)
	}
	return s
}
