package capture

import (
	"slices"

	"gstack/internal/api"
	"gstack/internal/shield"
)

// Activity returns the requests that have not ended, the oldest first, and a
// channel that is closed when a request begins, is answered or ends.
func (t *Tab) Activity() (open []Request, changed <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, n := range t.open {
		if r := t.network.At(n); r != nil {
			open = append(open, *r)
		}
	}
	slices.SortFunc(open, func(a, b Request) int { return a.ID - b.ID })
	if t.changed == nil {
		t.changed = make(chan struct{})
	}
	return open, t.changed
}

// LastRequest returns the ID of the latest request, 0 when there was none.
func (t *Tab) LastRequest() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lastID
}

// RequestsAfter returns the kept requests whose ID is larger than id, the oldest
// first, and the channel of [Tab.Activity].
func (t *Tab) RequestsAfter(id int) (list []Request, changed <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for n := t.network.Next() - 1; n >= t.network.First() && t.network.At(n).ID > id; n-- {
		list = append(list, *t.network.At(n))
	}
	slices.Reverse(list)
	if t.changed == nil {
		t.changed = make(chan struct{})
	}
	return list, t.changed
}

// notifyLocked wakes who waits for activity.
func (t *Tab) notifyLocked() {
	if t.changed != nil {
		close(t.changed)
		t.changed = nil
	}
}

// Brief names the request by method and address, secrets masked, cut to about 120
// characters.
func (r *Request) Brief() string {
	u := []rune(shield.MaskURL(r.URL))
	if len(u) > 120 {
		u = append(u[:119], '…')
	}
	return api.Clean(r.Method + " " + string(u))
}
