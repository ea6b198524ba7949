// Package page is one tab: its frames and documents, the isolated world in
// which all in-page work runs, navigation, dialogs, and the refs that name
// elements.
//
// It refuses to know about verbs, sessions and tokens. A tab has a root
// protocol session and one more for every cross-process frame; handlers of one
// session run in arrival order on that session's event goroutine.
//
// Lock order: Tab.mu, then Refs.mu. No protocol call is made under a lock.
package page

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"gstack/internal/api"
	"gstack/internal/capture"
	"gstack/internal/cdp"

	"github.com/chromedp/cdproto/target"
)

// Config is what a tab is made from.
type Config struct {
	// ID is the number that users see. It is never reused within a daemon.
	ID int
	// Session is the protocol session attached to the page target.
	Session *cdp.Session
	// Conn creates the sessions of cross-process frames.
	Conn *cdp.Conn
	// Target describes the page target.
	Target target.Info
	// Refs is the daemon's table of refs.
	Refs *Refs
	// Files and Guarded are what [Tab.Files] of the tab returned that opened it.
	Files   func(url string) bool
	Guarded bool
	// Capture keeps what the tab logs and requests; nil keeps nothing.
	Capture *capture.Tab
	// DismissDialogs makes the tab dismiss what nobody has said how to answer, for
	// a browser that a person sits at.
	DismissDialogs bool
	// Settings are in force before the page's first script.
	Settings Settings
}

// Tab drives one page target.
type Tab struct {
	// ID is the number that users see.
	ID int
	// TargetID identifies the page to the browser.
	TargetID target.ID

	sess *cdp.Session
	conn *cdp.Conn
	refs *Refs

	rec *capture.Tab // what is kept of console and network, nil for nothing

	input      chan struct{} // holds a token while an action has pointer and keyboard
	inspecting chan struct{} // holds a token while the CSS domain is on
	pad        Pad           // guarded by input

	fetching sync.Mutex // held while the Fetch domain is told what to hold; before mu

	mu       sync.Mutex
	changed  chan struct{}         // closed and replaced at every change of state below
	frames   map[string]*Frame     // by protocol frame id
	main     *Frame                // nil until the frame tree has arrived
	sessions map[*cdp.Session]bool // root and cross-process frames
	workers  map[*cdp.Session]bool
	watches  map[*Watch]bool
	dialogs  dialogs
	saving   []*Download           // the latest downloads, the oldest first
	acting   map[string]int        // commands that change the tab and are running, by client
	bodies   chan struct{}         // a slot for each body that is read at a time
	asked    []time.Time           // tabs that the page has asked for and that have not come
	files    func(url string) bool // which files may be loaded, nil for none
	guarded  bool                  // requests for files are held and judged
	settings Settings              // what the page is told of machine and network
	swapping sync.Mutex            // keeps the calls of changes of settings in order; taken before mu

	origins    map[string]bool // of the documents that it has shown
	restyled   restylings
	head       *Head              // of the latest document that was made a download
	answering  map[string]*Change // changes of responses to come, by network id
	challenged map[string]bool    // requests that were given a password, by Fetch id

	crashed bool
	closed  bool

	wg       sync.WaitGroup // attachments of cross-process frames
	initDone chan struct{}  // closed when Init has returned
	initErr  error
}

// New returns a tab; [Tab.Init] must be called before it is used.
func New(c Config) *Tab {
	return &Tab{
		ID: c.ID, TargetID: c.Target.TargetID,
		bodies: make(chan struct{}, 4), sess: c.Session, conn: c.Conn, refs: c.Refs,
		rec:        c.Capture,
		input:      make(chan struct{}, 1),
		inspecting: make(chan struct{}, 1),
		pad:        Pad{Keys: map[string]bool{}},
		files:      c.Files,
		guarded:    c.Guarded,
		settings:   c.Settings,
		dialogs:    dialogs{dismiss: c.DismissDialogs},
		acting:     map[string]int{},
		changed:    make(chan struct{}),
		frames:     map[string]*Frame{},
		sessions:   map[*cdp.Session]bool{},
		workers:    map[*cdp.Session]bool{},
		watches:    map[*Watch]bool{},
		origins:    map[string]bool{},
		answering:  map[string]*Change{},
		challenged: map[string]bool{},
		initDone:   make(chan struct{}),
	}
}

// Session returns the root session. Input events go here; their coordinates
// are CSS pixels of the top-level viewport.
func (t *Tab) Session() *cdp.Session { return t.sess }

// Init enables the protocol domains, installs the isolated world and lets a
// paused target run. It must be called once.
func (t *Tab) Init(ctx context.Context) error {
	err := t.attach(ctx, t.sess)
	if err != nil && t.Gone() == nil {
		err = fmt.Errorf("tab %d: %w", t.ID, err)
	}
	t.initErr = err
	close(t.initDone)
	return err
}

// LockInput waits until no other action uses the tab's pointer and keyboard, and
// takes them until release is called. Two clients may act on one tab.
func (t *Tab) LockInput(ctx context.Context) (release func(), err error) {
	select {
	case t.input <- struct{}{}:
		return func() { <-t.input }, nil
	case <-ctx.Done():
		return nil, t.deadline(ctx, "another action is still running in this tab")
	}
}

// Ready waits until [Tab.Init] has finished and returns its error.
func (t *Tab) Ready(ctx context.Context) error {
	select {
	case <-t.initDone:
		return t.initErr
	case <-ctx.Done():
		return t.deadline(ctx, "the tab did not become ready")
	}
}

// Gone returns why the tab cannot be used, or nil.
func (t *Tab) Gone() *api.Error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.goneLocked()
}

func (t *Tab) goneLocked() *api.Error {
	switch {
	case t.closed:
		return api.Errorf(api.UnknownTab, "browse tabs", "tab %d was closed", t.ID)
	case t.crashed:
		return t.crashedError()
	}
	return nil
}

func (t *Tab) crashedError() *api.Error {
	return api.Errorf(api.PageCrashed, "browse reload, or browse goto another page", "the page in tab %d has crashed", t.ID)
}

// crash records that the renderer died. What it had been asked fails at once
// (the protocol session sees to that); a navigation gives the tab a new one.
func (t *Tab) crash() {
	t.locked(func() {
		t.crashed = true
		for _, f := range t.frames {
			t.setWorldLocked(f, world{})
			f.page = world{}
			t.endLocked(f, false)
		}
	})
	t.refs.dropTab(t)
}

// frameCrash records that the process of frames other than the top one died. A
// frame that is navigated gets a new one.
func (t *Tab) frameCrash(s *cdp.Session) {
	t.locked(func() {
		for _, f := range t.frames {
			if f.sess == s {
				t.setWorldLocked(f, world{})
				f.page = world{}
				f.crashed = true
				t.endLocked(f, false)
			}
		}
	})
}

// revive lets a navigation begin in a tab whose renderer has died.
func (t *Tab) revive() {
	t.locked(func() { t.crashed = false })
}

// MarkClosed records that the target is gone; pending calls fail at once.
func (t *Tab) MarkClosed() {
	t.mu.Lock()
	t.closed = true
	t.notifyLocked()
	var open []*cdp.Session
	for s := range t.sessions {
		open = append(open, s)
	}
	for s := range t.workers {
		open = append(open, s)
	}
	t.mu.Unlock()
	for _, s := range open {
		s.Close()
	}
	t.sess.Close()
	t.refs.dropTab(t)
}

// spawn runs f beside the caller, unless the tab has been closed: [Tab.Wait] may
// run already then.
func (t *Tab) spawn(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.wg.Go(f)
	}
}

// Wait returns when nothing of the tab runs any more, after MarkClosed.
func (t *Tab) Wait() { t.wg.Wait() }

// notifyLocked wakes everyone who waits for a change of the tab.
func (t *Tab) notifyLocked() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// await returns when cond holds, the tab is gone, or ctx ends. cond runs with
// t.mu held.
func (t *Tab) await(ctx context.Context, cond func() bool) error {
	for {
		t.mu.Lock()
		if e := t.goneLocked(); e != nil {
			t.mu.Unlock()
			return e
		}
		ok, ch := cond(), t.changed
		t.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Main returns the top frame; nil before [Tab.Init].
func (t *Tab) Main() *Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.main
}

// Load names the load of the top document: another one after every navigation
// that is not within the document.
func (t *Tab) Load() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.main == nil {
		return ""
	}
	return t.main.loader
}

// Frames returns the attached frames in tree order, the top frame first.
func (t *Tab) Frames() []*Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []*Frame
	var walk func(f *Frame)
	walk = func(f *Frame) {
		out = append(out, f)
		for _, c := range f.children {
			walk(c)
		}
	}
	if t.main != nil {
		walk(t.main)
	}
	return out
}

// FramesIn returns frame f and the frames below it, in tree order; for nil, all.
func (t *Tab) FramesIn(f *Frame) []*Frame {
	all := t.Frames()
	if f == nil {
		return all
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []*Frame
	for _, c := range all {
		for at := c; at != nil; at = at.parent {
			if at == f {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

// URL returns the committed address of the top document.
func (t *Tab) URL() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.main == nil || t.main.url == "" {
		return "about:blank"
	}
	return t.main.url
}

// SettleDocument waits, at most d, until the top document has been parsed, so
// that a reader does not see half a page. It reports whether it has.
func (t *Tab) SettleDocument(ctx context.Context, d time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	err := t.await(ctx, func() bool { return t.main != nil && t.main.going == "" && t.main.lifecycle["DOMContentLoaded"] })
	return err == nil
}

// SettleFrame is [Tab.SettleDocument] for a frame. One that was never sent anywhere
// has its document.
func (t *Tab) SettleFrame(ctx context.Context, f *Frame, d time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return t.await(ctx, func() bool { return f.detached || !f.loadingLocked() }) == nil
}

// deadline turns the end of ctx into the error that a user sees.
func (t *Tab) deadline(ctx context.Context, what string) *api.Error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return api.Errorf(api.Timeout, "", "cancelled: %s", what)
	}
	if to := t.going(); to != "" {
		return api.Errorf(api.Timeout, "browse wait --load waits for it, browse goto leaves it",
			"timed out: %s, because a navigation to %s is under way and the page answers nothing until it ends", what, to)
	}
	return api.Errorf(api.Timeout, "browse snapshot -i shows what is there, browse reload ends a page that is busy with itself; --timeout MS gives it longer", "timed out: %s", what)
}

// going returns where a navigation of the top frame leads that has begun and not
// ended, "" for none.
func (t *Tab) going() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.main == nil {
		return ""
	}
	return t.main.going
}

// Broken maps a protocol error on this tab to the error that a user sees: the
// tab's own end first, then the deadline, then the protocol's words.
func (t *Tab) Broken(ctx context.Context, what string, err error) error {
	if err == nil {
		return nil
	}
	var known *api.Error
	if errors.As(err, &known) {
		return known
	}
	if e := t.Gone(); e != nil {
		if (errors.Is(err, cdp.ErrDetached) || errors.Is(err, cdp.ErrClosed)) && t.browserEnds() {
			return browserDied(what)
		}
		return e
	}
	if ctx.Err() != nil {
		return t.deadline(ctx, what)
	}
	if errors.Is(err, cdp.ErrTooLarge) {
		return api.Errorf(api.TooLarge, "browse snapshot -i, or name a part of the page", "%s: the answer is too large", what)
	}
	if errors.Is(err, cdp.ErrCrashed) {
		return t.crashedError()
	}
	if errors.Is(err, cdp.ErrClosed) {
		return browserDied(what)
	}
	if errors.Is(err, cdp.ErrDetached) {
		return api.Errorf(api.UnknownTab, "browse tabs", "tab %d went away: %s", t.ID, what)
	}
	return api.Errorf(api.Internal, "browse snapshot, then try again", "%s: %v", what, err)
}

// endLimit is how long after its tabs a browser that ends may go.
const endLimit = 200 * time.Millisecond

// browserEnds reports whether the tab is gone because the browser is: one that
// shuts down closes its tabs first.
func (t *Tab) browserEnds() bool {
	t.mu.Lock()
	closed := t.closed
	t.mu.Unlock()
	if !closed {
		return false
	}
	late := time.NewTimer(endLimit)
	defer late.Stop()
	select {
	case <-t.conn.Done():
		return true
	case <-late.C:
		return false
	}
}

func browserDied(what string) error {
	return api.Errorf(api.BrowserGone, "run the command again; a fresh browser is started", "the browser died: %s", what)
}

// AwaitClosed waits until the tab is gone.
func (t *Tab) AwaitClosed(ctx context.Context) error {
	for {
		t.mu.Lock()
		closed, ch := t.closed, t.changed
		t.mu.Unlock()
		if closed {
			return nil
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
