package page

import (
	"context"
	"sync/atomic"

	"gstack/internal/api"
)

// maxOrigins bounds the origins of which a tab remembers that it showed them.
const maxOrigins = 500

// visitLocked remembers the origin of a document.
func (t *Tab) visitLocked(f *Frame) {
	if f.failed || len(t.origins) >= maxOrigins {
		return
	}
	if o := Origin(f.url); o != "" && (o[:4] == "http") {
		t.origins[o] = true
	}
}

// Origins returns the origins of the documents that the tab has shown.
func (t *Tab) Origins() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []string
	for o := range t.origins {
		out = append(out, o)
	}
	return out
}

// blankPage is what [Tab.Blank] shows.
const blankPage = "<!doctype html><title></title>"

// Blank makes the tab show an empty document of an origin, without a word to its
// server, so that its storage can be read and written while no script of it runs.
// The settings of the tab are afterwards what they were.
func (t *Tab) Blank(ctx context.Context, origin string) error {
	before := t.Settings()
	answer := []*Route{{Pattern: "*", Taken: new(atomic.Int64), Fulfil: &Fulfilment{
		Status: 200, Headers: []Header{{"Content-Type", "text/html"}, {"Cache-Control", "no-store"}}, Body: []byte(blankPage),
	}}}
	if err := t.Configure(ctx, func(s *Settings) { s.Routes, s.Credentials, s.Offline = answer, nil, false }); err != nil {
		return err
	}
	_, err := t.Navigate(ctx, origin+"/")
	t.Take(func(s *Settings) {
		s.Routes, s.Credentials, s.Offline = before.Routes, before.Credentials, before.Offline
	})
	return err
}

// ForgetHistory makes the page that the tab shows the only one of its history.
func (t *Tab) ForgetHistory(ctx context.Context) {
	_ = t.sess.Call(ctx, "Page.resetNavigationHistory", nil, nil)
}

// Kept is the storage of an origin as the page code of keep.js reads it.
type Kept[L, D any] struct {
	Local     []L      `json:"local"`
	Databases []D      `json:"databases"`
	Lost      []string `json:"lost"` // what could not be read, with the reason
}

// Keep reads the storage of f's origin into out, a pointer to a [Kept].
func (f *Frame) Keep(ctx context.Context, out any) error { return f.Call(ctx, "", "keepRead", out) }

// Restore makes the storage of f's origin what it was, and returns what could
// not be.
func (f *Frame) Restore(ctx context.Context, local, databases any) (lost []string, err error) {
	err = f.Call(ctx, "", "keepWrite", &lost, local, databases)
	return lost, err
}

// RestoreSession makes the session storage of f's origin in its tab.
func (f *Frame) RestoreSession(ctx context.Context, entries any) error {
	var r struct {
		Error string `json:"error"`
	}
	err := f.Call(ctx, "", "keepSession", &r, entries)
	if err == nil && r.Error != "" {
		err = api.Errorf(api.Failed, "browse storage", "the session storage of %s takes nothing: %s", f.URL(), r.Error)
	}
	return err
}
