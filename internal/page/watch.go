package page

import (
	"context"
	"slices"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"

	cdpage "github.com/chromedp/cdproto/page"
)

// Popup is a window that the page opened.
type Popup struct {
	TabID  int    `json:"tabId"`
	URL    string `json:"url,omitempty"`
	Closed bool   `json:"closed,omitempty"` // it closed itself at once
	// Opener is the tab that opened it, when it is not the one that was acted on.
	Opener int `json:"opener,omitempty"`
}

// Effects is what happened to a tab while it was watched.
type Effects struct {
	// Navigated says that the top frame committed a document or changed its
	// address; URL is the address now.
	Navigated bool
	URL       string
	// Frames are the addresses that other frames went to.
	Frames []string
	// Failed is set when the top frame ended on the browser's error page.
	Failed *api.Error
	// Aborted says that a navigation of the top frame began and brought no page:
	// a download, an empty answer, or another program's address.
	Aborted bool
	// Closed says that the tab is gone.
	Closed bool
	// Pending says that a navigation began and had not committed in time.
	Pending bool
	// Stayed says that the page asked whether to leave it and was told to stay.
	Stayed    bool
	Dialogs   []Dialog
	Popups    []Popup
	Downloads []*Download
}

// Watch collects what a tab does from its creation to its Close.
type Watch struct {
	t     *Tab
	until time.Time // Settle does not wait beyond, zero for no such limit
	leave bool      // Settle does not wait for navigations at all
	// guarded by Tab.mu
	navigated bool            // the top frame has committed since the last navigation began
	moved     bool            // some frame has committed
	begun     map[*Frame]bool // navigations that have begun and not ended
	effects   Effects
}

// Watch begins to collect. The caller must Close it.
func (t *Tab) Watch() *Watch {
	w := &Watch{t: t, begun: map[*Frame]bool{}}
	t.mu.Lock()
	t.watches[w] = true
	t.mu.Unlock()
	return w
}

// WatchUntil is Watch for a command with a deadline: Settle says what there is
// by then.
func (t *Tab) WatchUntil(limit time.Time) *Watch {
	w := t.Watch()
	w.until = limit
	return w
}

// Seen returns what has been reported so far, without a word to the page.
func (w *Watch) Seen(ctx context.Context) Effects {
	_ = w.t.conn.Root().Flush(ctx)
	_ = w.t.sess.Flush(ctx)
	w.t.mu.Lock()
	defer w.t.mu.Unlock()
	e := w.effects
	e.Popups = slices.Clone(e.Popups)
	return e
}

// Leave makes Settle say what has begun without waiting for it.
func (w *Watch) Leave() { w.leave = true }

// Close ends the collection.
func (w *Watch) Close() {
	w.t.mu.Lock()
	delete(w.t.watches, w)
	w.t.mu.Unlock()
}

func (t *Tab) eachWatchLocked(f func(*Watch)) {
	for w := range t.watches {
		f(w)
	}
}

// How long [Watch.Settle] waits for a navigation of the top frame, for those of
// other frames, and for the download that one may have become.
const (
	settleLimit   = 10 * time.Second
	framesLimit   = 3 * time.Second
	downloadLimit = 300 * time.Millisecond
)

// Settle returns what has happened. If a navigation has begun it waits, at most
// 10 s (3 s for frames other than the top one) or until ctx ends, until that has
// committed or ended otherwise; if not, it returns at once. Callers make a round
// trip to the page first, so that what the page's handlers started has been
// reported.
func (w *Watch) Settle(ctx context.Context) Effects {
	t := w.t
	ctx, cancel := context.WithTimeout(ctx, settleLimit)
	defer cancel()
	if !w.until.IsZero() {
		var end context.CancelFunc
		ctx, end = context.WithDeadline(ctx, w.until)
		defer end()
	}
	_ = t.conn.Root().Flush(ctx) // popups and downloads are reported there
	_ = t.sess.Flush(ctx)
	if w.leave {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, time.Millisecond)
		defer end()
	}
	err := t.await(ctx, func() bool { return !w.begun[t.main] })
	w.within(ctx, framesLimit, func() bool { return len(w.begun) == 0 })
	w.within(ctx, downloadLimit, func() bool {
		return !w.effects.Aborted || w.navigated || w.effects.Stayed || len(w.effects.Downloads) > 0
	})
	t.mu.Lock()
	e := w.effects
	e.Popups = slices.Clone(e.Popups)
	e.Navigated = w.navigated && !t.closed
	e.Closed = t.closed
	e.Pending = err != nil && w.begun[t.main] && !t.closed
	e.Aborted = e.Aborted && !w.navigated && !e.Stayed && len(e.Downloads) == 0
	failed := false
	if t.main != nil {
		e.URL, failed = t.main.url, t.main.failed && e.Navigated
	}
	t.mu.Unlock()
	if failed {
		e.Failed = t.failure(ctx)
	}
	return e
}

// within waits, at most d, until cond holds.
func (w *Watch) within(ctx context.Context, d time.Duration, cond func() bool) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	_ = w.t.await(ctx, cond)
}

// handleNavigation notices navigations when they begin, by whichever event comes
// first, and when they end without a commit (a download, a 204, an abort).
func (t *Tab) handleNavigation(s *cdp.Session) {
	begin := func(frameID, url string) {
		t.locked(func() {
			f := t.frames[frameID]
			if f == nil {
				return
			}
			if f.going == "" {
				f.begun = time.Now()
			}
			f.going = Shown(url)
			t.eachWatchLocked(func(w *Watch) {
				w.begun[f] = true
				if f == t.main {
					w.navigated, w.effects.Aborted, w.effects.Stayed = false, false, false
				}
			})
		})
	}
	cdp.Handle(s, cdpage.FrameRequestedNavigation, func(e *cdpage.EventFrameRequestedNavigation) {
		if e.Disposition == cdpage.ClientNavigationDispositionCurrentTab {
			begin(string(e.FrameID), e.URL)
		} else {
			t.locked(func() {
				t.asked = append(t.asked, time.Now())
				t.asked = t.asked[max(0, len(t.asked)-maxAsked):]
			})
		}
	})
	cdp.Handle(s, cdpage.FrameStartedNavigating, func(e *cdpage.EventFrameStartedNavigating) {
		switch e.NavigationType {
		case cdpage.FrameStartedNavigatingNavigationTypeSameDocument, cdpage.FrameStartedNavigatingNavigationTypeHistorySameDocument:
		default:
			begin(string(e.FrameID), e.URL)
		}
	})
	cdp.Handle(s, cdpage.FrameStoppedLoading, func(e *cdpage.EventFrameStoppedLoading) {
		t.locked(func() {
			if f := t.frames[string(e.FrameID)]; f != nil {
				t.endLocked(f, false)
			}
		})
	})
}

// endLocked records that a navigation of f has ended, with a new document or
// address (committed) or without.
func (t *Tab) endLocked(f *Frame, committed bool) {
	aborted := f.going != "" && !committed
	f.going = ""
	t.eachWatchLocked(func(w *Watch) {
		was := w.begun[f]
		delete(w.begun, f)
		switch {
		case committed && f == t.main:
			w.moved, w.navigated = true, true
		case committed:
			w.moved = true
			if was && !slices.Contains(w.effects.Frames, f.url) {
				w.effects.Frames = append(w.effects.Frames, f.url)
			}
		case aborted && was && f == t.main:
			w.effects.Aborted = true
		}
	})
}

// maxAsked bounds the tabs that a page has asked for and that never come.
const maxAsked = 100

// askedLimit is how long a tab that was asked for may take to be there.
const askedLimit = 3 * time.Second

// TakeAsked reports whether t has asked the browser for a tab that has not come
// yet, and forgets that it did. A link that is opened with a modifier key gets a
// tab that the protocol names no opener of.
func (t *Tab) TakeAsked(ctx context.Context) bool {
	_ = t.sess.Flush(ctx) // the request was reported before the tab
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.asked) > 0 {
		at := t.asked[0]
		t.asked = t.asked[1:]
		if time.Since(at) < askedLimit {
			return true
		}
	}
	return false
}

// NotePopup records that t opened a window.
func (t *Tab) NotePopup(p Popup) {
	t.locked(func() {
		t.asked = nil
		t.eachWatchLocked(func(w *Watch) { w.effects.Popups = append(w.effects.Popups, p) })
	})
}

// NoteElsewhere records that a command on t has led to a window that another tab
// has opened.
func (t *Tab) NoteElsewhere(p Popup) {
	t.locked(func() {
		t.eachWatchLocked(func(w *Watch) { w.effects.Popups = append(w.effects.Popups, p) })
	})
}

// IsActing reports whether a command that may change the page of t runs.
func (t *Tab) IsActing() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.acting) > 0
}
