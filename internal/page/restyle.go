package page

import (
	"context"
	"time"

	"gstack/internal/api"
)

// Restyling is a change of style that was made by command.
type Restyling struct {
	Index    int       `json:"index"` // of the tab, counted from 1
	Target   string    `json:"target"`
	Property string    `json:"property"`
	Old      string    `json:"old"` // computed
	New      string    `json:"new"`
	At       time.Time `json:"at"`
	Undone   bool      `json:"undone,omitempty"`

	el     *Element
	before []string // what the style attribute had
}

// maxRestylings bounds what a tab remembers, the oldest goes first.
const maxRestylings = 200

// restylings are those of a tab; guarded by Tab.mu.
type restylings struct {
	list []*Restyling
	last int
}

// Restyle sets a CSS property of e in its style attribute, as important. A
// property or value that there is not is [api.BadUsage].
func (e *Element) Restyle(ctx context.Context, target, property, value string) (*Restyling, error) {
	var r struct {
		missing
		Bad    bool     `json:"bad"`
		Known  bool     `json:"known"`
		Old    string   `json:"old"`
		Now    string   `json:"now"`
		Before []string `json:"before"`
	}
	if err := e.Frame.Call(ctx, e.Doc, "restyle", &r, e.ID, property, value, e.shown()); err != nil {
		return nil, err
	}
	if err := e.missed(r.missing); err != nil {
		return nil, err
	}
	if r.Bad && !r.Known {
		return nil, api.Errorf(api.BadUsage, "check the name", "there is no CSS property %s for this element", Quote(property))
	}
	if r.Bad {
		return nil, api.Errorf(api.BadUsage, "check the value", "%s is no value of the CSS property %s", Quote(value), property)
	}
	x := &Restyling{Target: target, Property: property, Old: r.Old, New: r.Now, At: time.Now().UTC(), el: e, before: r.Before}
	t := e.Frame.tab
	t.mu.Lock()
	defer t.mu.Unlock()
	t.restyled.last++
	x.Index = t.restyled.last
	t.restyled.list = append(t.restyled.list, x)
	if n := len(t.restyled.list) - maxRestylings; n > 0 {
		t.restyled.list = t.restyled.list[n:]
	}
	return x, nil
}

// Restylings returns the changes of style that the tab remembers, the oldest
// first, and how many there were.
func (t *Tab) Restylings() (list []Restyling, all int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.restyled.list {
		list = append(list, *r)
	}
	return list, t.restyled.last
}

// Unstyle takes a change of style back: that with a number, or for 0 the last one
// that was not. One whose document or element is gone cannot be.
func (t *Tab) Unstyle(ctx context.Context, index int) (Restyling, string, error) {
	t.mu.Lock()
	var x *Restyling
	for i := len(t.restyled.list) - 1; i >= 0 && x == nil; i-- {
		if r := t.restyled.list[i]; r.Index == index || index == 0 && !r.Undone {
			x = r
		}
	}
	last, first := t.restyled.last, t.restyled.last-len(t.restyled.list)+1
	var undone bool
	if x != nil {
		undone = x.Undone
	}
	t.mu.Unlock()
	switch {
	case x == nil && index == 0:
		return Restyling{}, "", api.Errorf(api.NotFound, "browse inspect --history", "no change of style is left to be undone")
	case x == nil && index >= 1 && index <= last:
		return Restyling{}, "", api.Errorf(api.NotFound, "browse inspect --history", "change %d is forgotten: the last %d are remembered, from %d on", index, maxRestylings, first)
	case x == nil:
		return Restyling{}, "", api.Errorf(api.NotFound, "browse inspect --history", "there is no change of style %d, there were %d", index, last)
	case undone:
		return Restyling{}, "", api.Errorf(api.Failed, "browse inspect --history", "change %d was undone before", index)
	}
	var r struct {
		missing
		Now string `json:"now"`
	}
	if err := x.el.Frame.Call(ctx, x.el.Doc, "unstyle", &r, x.el.ID, x.before); err != nil {
		return *x, "", err
	}
	if err := x.el.missed(r.missing); err != nil {
		return *x, "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	x.Undone = true
	return *x, r.Now, nil
}

// Cleanup hides what stands in the way of the content of the page, in its top
// document, and returns how many elements of each kind it hid.
func (t *Tab) Cleanup(ctx context.Context, kinds []string) (map[string]int, error) {
	var r map[string]int
	err := t.Main().Call(ctx, "", "cleanup", &r, kinds)
	return r, err
}

// Hide hides what selectors match in the top document.
func (t *Tab) Hide(ctx context.Context, selectors []string) (int, error) {
	var r struct {
		N   int    `json:"n"`
		Bad string `json:"bad"`
	}
	if err := t.Main().Call(ctx, "", "hide", &r, selectors); err != nil {
		return 0, err
	}
	if r.Bad != "" {
		return 0, api.Errorf(api.BadUsage, "check the selector", "%s is no CSS selector", Quote(r.Bad))
	}
	return r.N, nil
}

// Unhide shows again what Cleanup and Hide have hidden in the top document.
func (t *Tab) Unhide(ctx context.Context) (int, error) {
	n := 0
	err := t.Main().Call(ctx, "", "unhide", &n)
	return n, err
}

// LoadLazy brings all of the top document into view once, so that what waits for
// that is loaded, for at most limit. It returns how many pictures had not come.
func (t *Tab) LoadLazy(ctx context.Context, limit time.Duration) (left int, err error) {
	var r struct {
		Left int `json:"left"`
	}
	err = t.Main().Call(ctx, "", "loadLazy", &r, limit.Milliseconds())
	return r.Left, err
}

// ScrollToText brings the first text that contains another into view.
func (t *Tab) ScrollToText(ctx context.Context, text string) (found bool, err error) {
	err = t.Main().Call(ctx, "", "scrollToText", &found, text)
	return found, err
}

// Painted waits until f's document has been painted as it is now.
func (f *Frame) Painted(ctx context.Context) error { return f.Call(ctx, "", "painted", nil) }

// IntoView scrolls e into view, in all frames around it.
func (e *Element) IntoView(ctx context.Context) error {
	_, err := e.Frame.tab.elementBox(ctx, e)
	return err
}
