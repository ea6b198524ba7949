package page

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"gstack/internal/api"
)

// Download is a file that a page has begun to download. The browser streams it
// into a private folder; nobody else sees it before it is complete and
// [Download.Keep] has given it its place.
type Download struct {
	ID        string
	Name, URL string // as the server or the page proposes them
	file      string // where the browser writes it, "" when it refuses

	keep sync.Mutex // held while it is being given its place

	mu              sync.Mutex
	received, total int64
	done            bool
	failure         string // why it is not complete, once it has ended
	path            string // its place
	told            bool   // a command has reported its end
}

// NewDownload returns a download that has begun, and that the browser writes into
// the folder dir; "" says that the browser refuses it.
func NewDownload(id, name, url, dir string) *Download {
	d := &Download{ID: id, Name: name, URL: cut(Shown(url), maxDialogMessage)}
	if dir != "" {
		d.file = filepath.Join(dir, id)
	}
	return d
}

// DownloadState is how far a download has come.
type DownloadState struct {
	Received, Total int64  // bytes; a total of 0 is not known
	Done            bool   // it has ended
	Failure         string // why it is not complete, "" when it is
	Path            string // where it was kept, "" when it was not yet
}

// State returns how far the download has come.
func (d *Download) State() DownloadState {
	d.mu.Lock()
	defer d.mu.Unlock()
	return DownloadState{Received: d.received, Total: d.total, Done: d.done, Failure: d.failure, Path: d.path}
}

// Advance records what the browser tells of the download. failure is why it has
// ended without being complete.
func (d *Download) Advance(received, total int64, done bool, failure string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done {
		return
	}
	d.received, d.total, d.done, d.failure = max(received, d.received), total, done, failure
}

// Keep moves a complete download to its place: to is given where it is and
// returns where it was put. Once it has one, to is called only if again is set.
func (d *Download) Keep(again bool, to func(from string) (string, error)) (string, error) {
	d.keep.Lock()
	defer d.keep.Unlock()
	s := d.State()
	from := d.file
	if s.Path != "" {
		if !again {
			return s.Path, nil
		}
		from = s.Path
	}
	path, err := to(from)
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.path = path
	return path, nil
}

// Tell marks the end of the download as reported, and reports whether it was not.
func (d *Download) Tell() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	first := !d.told
	d.told = true
	return first
}

// Told reports whether a command has reported the end of the download.
func (d *Download) Told() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.told
}

// Discard removes what nobody has asked for.
func (d *Download) Discard() {
	d.keep.Lock()
	defer d.keep.Unlock()
	if s := d.State(); s.Done && s.Path == "" && d.file != "" {
		_ = os.Remove(d.file) // it goes with the profile at the latest
	}
}

// Bounds of a tab's downloads: how many are remembered, and how many may run at
// once.
const (
	maxDownloads       = 100
	maxDownloadsActive = 20
)

// beginLimit is how long a download that a navigation has become may take to be
// told of.
const beginLimit = 10 * time.Second

// NoteDownload records that the frame began a download; it reports whether the
// frame is one of t's.
func (t *Tab) NoteDownload(frameID string, d *Download) bool {
	ok := t.HasFrame(frameID)
	if ok {
		t.AddDownload(d)
	}
	return ok
}

// AddDownload records that t, or a window that it opened for that, began a
// download.
func (t *Tab) AddDownload(d *Download) {
	var old *Download
	t.locked(func() {
		t.saving = append(t.saving, d)
		if len(t.saving) > maxDownloads {
			if i := slices.IndexFunc(t.saving, func(d *Download) bool { return d.State().Done }); i >= 0 {
				old = t.saving[i]
				t.saving = slices.Delete(t.saving, i, i+1)
			}
		}
		t.eachWatchLocked(func(w *Watch) { w.effects.Downloads = append(w.effects.Downloads, d) })
	})
	if old != nil {
		old.Discard()
	}
}

// TooManyDownloads reports whether so many downloads of t run that no other may
// begin.
func (t *Tab) TooManyDownloads() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, d := range t.saving {
		if !d.State().Done {
			n++
		}
	}
	return n >= maxDownloadsActive
}

// DownloadChanged wakes who waits for a download of t.
func (t *Tab) DownloadChanged() { t.locked(func() {}) }

// Settled waits until t, a window that has just opened, shows the page that it was
// opened for, has no page to wait for, or is gone. It reports whether it is gone.
func (t *Tab) Settled(ctx context.Context, d time.Duration) (gone bool) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	err := t.await(ctx, func() bool {
		return t.main != nil && t.main.going == "" && t.main.url != "" && t.main.url != "about:blank"
	})
	var e *api.Error
	return errors.As(err, &e) && e.Code == api.UnknownTab
}

// Untold returns the downloads of t whose end no command has reported, the
// oldest first.
func (t *Tab) Untold() []*Download {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []*Download
	for _, d := range t.saving {
		d.mu.Lock()
		if !d.told {
			out = append(out, d)
		}
		d.mu.Unlock()
	}
	return out
}

// AwaitDownloads waits until all of ds have ended. The tab may be gone meanwhile.
// progress, if any, is called with each change.
func (t *Tab) AwaitDownloads(ctx context.Context, ds []*Download, progress func()) error {
	return t.AwaitAny(ctx, func() bool {
		if progress != nil {
			progress()
		}
		return !slices.ContainsFunc(ds, func(d *Download) bool { return !d.State().Done })
	})
}

// AwaitAny is await for conditions that do not end with the tab. cond must not use
// the tab.
func (t *Tab) AwaitAny(ctx context.Context, cond func() bool) error {
	for {
		t.mu.Lock()
		ch := t.changed
		t.mu.Unlock()
		if cond() {
			return nil
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// AwaitBegin waits, at most limit, until w has seen a download begin or the tab
// has one that nobody has reported. It returns nil when none did.
func (w *Watch) AwaitBegin(ctx context.Context, limit time.Duration) (*Download, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var found *Download
	err := w.t.await(ctx, func() bool {
		if len(w.effects.Downloads) > 0 {
			found = w.effects.Downloads[0]
		}
		return found != nil
	})
	var gone *api.Error
	if err != nil && errors.As(err, &gone) {
		return nil, gone
	}
	return found, nil // nothing begun by then is no error
}

// HasFrame reports whether a frame is one of t's. A tab has its top frame before
// that has been described.
func (t *Tab) HasFrame(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return id == string(t.TargetID) || t.frames[id] != nil
}
