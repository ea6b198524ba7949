package session

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"gstack/internal/state"
)

// Persist makes a manager keep logins and pages over restarts: it writes them
// into [Manager.States] every so often while commands run, and at its end, and
// begins with what was written last.
type Persist struct {
	// Every is how often, 0 for never.
	Every time.Duration
	// Allow judges the addresses that are read.
	Allow func(url string) (string, error)
	// Log is told what went wrong: nothing of it is fatal.
	Log *slog.Logger
}

// Bounds of what persisting may take, at the end of the daemon and at its start.
const (
	lastLimit    = 2 * time.Second
	snapLimit    = 20 * time.Second
	beginLimit   = 30 * time.Second
	persistOwner = "default" // who gets the pages: whose they were is not taken from a file
)

// persisting is the state of that; it belongs to one manager.
type persisting struct {
	begun   sync.Once
	on      atomic.Bool
	ready   chan struct{} // closed when what was kept is there again
	touched atomic.Bool   // a command has run since the last time
	stopped chan struct{} // closed when no more is written
	quit    chan struct{}
}

func newPersisting() *persisting {
	return &persisting{ready: make(chan struct{}), quit: make(chan struct{}), stopped: make(chan struct{})}
}

// Touch notes that a command has run.
func (m *Manager) Touch() { m.persist.touched.Store(true) }

type restoringKey struct{}

// resume brings back what was kept, once, after the browser has started; whoever
// else wants the browser waits for it.
func (m *Manager) resume(ctx context.Context) {
	if m.Persist.Every <= 0 || m.Headed || ctx.Value(restoringKey{}) != nil {
		return
	}
	m.persist.begun.Do(func() {
		m.persist.on.Store(true)
		m.wg.Go(func() {
			m.bringBack()
			close(m.persist.ready)
			m.keepOn()
		})
	})
	select {
	case <-m.persist.ready:
	case <-ctx.Done():
	}
}

func (m *Manager) bringBack() {
	s, aside, err := m.States.LoadSession()
	switch {
	case err != nil:
		m.Persist.Log.Warn("the state of the last session was put aside", "file", aside, "err", err)
		return
	case s == nil:
		return
	}
	ctx, cancel := context.WithTimeout(context.WithValue(m.life, restoringKey{}, true), beginLimit)
	defer cancel()
	r, err := m.Restore(ctx, persistOwner, *s, m.Persist.Allow)
	m.Persist.Log.Info("the last session was restored", "cookies", r.Cookies, "origins", r.Origins, "pages", r.Pages, "lost", len(r.Lost), "err", err)
}

// keepOn writes now and then, until the manager ends.
func (m *Manager) keepOn() {
	defer close(m.persist.stopped)
	tick := time.NewTicker(m.Persist.Every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if m.persist.touched.Swap(false) {
				m.keepNow(snapLimit)
			}
		case <-m.persist.quit:
			return
		case <-m.life.Done():
			return
		}
	}
}

// keepLast writes for the last time, if the browser is there to be asked.
func (m *Manager) keepLast() {
	if !m.persist.on.Load() || m.dead() {
		return
	}
	select {
	case <-m.persist.ready:
	default:
		return // what is kept has not been brought back yet
	}
	close(m.persist.quit)
	select {
	case <-m.persist.stopped:
	case <-time.After(lastLimit):
		return
	}
	m.keepNow(lastLimit)
}

func (m *Manager) keepNow(limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.WithValue(m.life, restoringKey{}, true), limit)
	defer cancel()
	var s state.State
	s, lost, err := m.Snapshot(ctx, "")
	if err == nil {
		err = m.States.SaveSession(s)
	}
	if err != nil || len(lost) > 0 {
		m.Persist.Log.Warn("the session was not kept, or not all of it", "err", err, "lost", len(lost))
	}
}
