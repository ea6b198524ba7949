// Package session keeps the tabs of a daemon and the sessions of its clients.
//
// A session is a client's name for its own line of work: it has its own current
// tab. There is no active tab of the daemon: whoever acts is handed a tab. The
// browser is started by the first call that needs one.
//
// Lock order: client.first, then Manager.mu, then page locks. No protocol call is made under it.
package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gstack/internal/api"
	"gstack/internal/browser"
	"gstack/internal/capture"
	"gstack/internal/cdp"
	"gstack/internal/page"
	"gstack/internal/state"

	"github.com/chromedp/cdproto/target"
)

// Source gives a manager its browser.
type Source interface {
	// Open starts a browser, or a context of one that runs, and reports its
	// pages to ev. Done is closed when the browser has died on its own.
	Open(ctx context.Context, ev browser.Events) (*browser.Context, error)
	// Done is closed when the opened browser has died.
	Done() <-chan struct{}
	// Close ends what Open has started; it is safe without an Open.
	Close(ctx context.Context) error
}

// Manager owns the tabs of a daemon.
type Manager struct {
	// MaxDownload is the largest download that is kept, in bytes; 0 means any. It is
	// set before the first use.
	MaxDownload int64
	// MaxHTML is the largest document that is shown from a file, in bytes. It is set
	// before the first use.
	MaxHTML int64
	// Persist says what is kept over restarts. It is set before the first use.
	Persist Persist
	// States keeps what is saved. It is set before the first use.
	States *state.Folder
	// Headed says that a person sits at the browser. It is set before the first use.
	Headed bool

	source  Source
	refs    *page.Refs
	capture *capture.Store

	start sync.Mutex // held while the browser is being started

	mu         sync.Mutex
	bctx       *browser.Context
	nextID     int
	routes     int // that have been made
	tabs       map[int]*Tab
	behind     map[target.ID]*Tab // tabs that no client sees
	origins    map[string]bool    // that tabs have shown which are gone
	lastBehind int                // their numbers are below 0
	clients    map[string]*client
	closed     bool
	wg         sync.WaitGroup
	life       context.Context
	stop       context.CancelFunc

	settling sync.Mutex // held while the settings of a session go to its tabs; taken before mu

	persist   *persisting
	downloads downloads
	baselines baselines // what snapshots are compared with
}

// Tab is a tab with what the manager knows of it.
type Tab struct {
	*page.Tab
	// Opener is the tab whose page opened this one, 0 for none.
	Opener int
	// label is what the user calls it, "" for nothing; guarded by Manager.mu.
	label string
	// owner is the session that it belongs to; "" until one claims it.
	owner string
}

type client struct {
	first    sync.Mutex // held while a tab is opened because there is none
	current  int
	recent   []int          // tabs in the order of use, newest last
	scopes   map[int]*scope // by tab
	settings page.Settings  // of its tabs, those to come included
}

// New returns a manager that takes its browser from source when it needs it. What
// the tabs log and request is kept in store, which the manager closes.
func New(source Source, store *capture.Store) *Manager {
	life, stop := context.WithCancel(context.Background())
	return &Manager{source: source, capture: store, refs: page.NewRefs(), nextID: 1, tabs: map[int]*Tab{}, behind: map[target.ID]*Tab{}, origins: map[string]bool{}, persist: newPersisting(), clients: map[string]*client{}, life: life, stop: stop}
}

// browserContext returns the running browser's context, starting the browser if
// there is none yet. Concurrent callers share one start.
func (m *Manager) browserContext(ctx context.Context) (*browser.Context, error) {
	m.mu.Lock()
	b, closed := m.bctx, m.closed
	m.mu.Unlock()
	if closed || m.dead() {
		return nil, stopping()
	}
	if b == nil {
		var err error
		if b, err = m.startBrowser(ctx); err != nil {
			return nil, err
		}
	}
	m.resume(ctx)
	return b, nil
}

func (m *Manager) startBrowser(ctx context.Context) (*browser.Context, error) {
	m.start.Lock()
	defer m.start.Unlock()
	m.mu.Lock()
	b := m.bctx
	m.mu.Unlock()
	if b != nil {
		return b, nil
	}
	b, err := m.source.Open(ctx, browser.Events{
		Attached: m.attached, Detached: m.detached, Download: m.downloadBegun, Progress: m.downloadProgress,
	})
	if err != nil {
		var known *api.Error
		if errors.As(err, &known) {
			return nil, known
		}
		return nil, api.Errorf(api.BrowserGone, "browse doctor", "the browser could not be started: %v", err)
	}
	m.mu.Lock()
	m.bctx = b
	m.mu.Unlock()
	return b, nil
}

// dead reports whether the browser has died, and the daemon is about to end.
func (m *Manager) dead() bool {
	m.mu.Lock()
	b := m.bctx
	m.mu.Unlock()
	if b == nil {
		return false
	}
	select {
	case <-b.Conn().Done():
		return true
	default:
		return false
	}
}

// stopping is the answer to a command that has not begun: a client runs it
// again in the next daemon.
func stopping() error {
	return api.Errorf(api.Stopping, "run the command again", "the daemon is shutting down")
}

// Running reports whether a browser has been started.
func (m *Manager) Running() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.bctx != nil
}

func (m *Manager) attached(s *cdp.Session, info target.Info) {
	if m.attachedBehind(s, info) {
		return
	}
	conn := s.Conn()
	m.mu.Lock()
	t := &Tab{}
	var opener *Tab
	for _, o := range m.tabs {
		if info.OpenerID != "" && o.TargetID == info.OpenerID {
			opener = o
		}
	}
	c := page.Config{ID: m.nextID, Session: s, Conn: conn, Target: info, Refs: m.refs, Capture: m.capture.Tab(), DismissDialogs: m.Headed}
	if opener != nil {
		c.Files, c.Guarded = opener.Files()
		c.Settings = opener.Settings()
	}
	t.Tab = page.New(c)
	m.nextID++
	if opener != nil {
		t.Opener, t.owner = opener.ID, opener.owner
	}
	m.tabs[t.ID] = t
	m.mu.Unlock()
	m.wg.Go(func() {
		if opener == nil && info.URL == "" { // not one that we have opened
			m.adopt(t)
		}
		_ = t.Init(m.life)
	})
	if opener != nil {
		m.notePopup(opener, page.Popup{TabID: t.ID, URL: info.URL})
	}
}

// notePopup tells that a tab has opened a window. When no command acts on that tab,
// those that act on others of the same session have led to it: windows open windows,
// and may use the one that opened them.
func (m *Manager) notePopup(opener *Tab, p page.Popup) {
	opener.NotePopup(p)
	if opener.IsActing() {
		return
	}
	p.Opener = opener.ID
	m.mu.Lock()
	owner := opener.owner
	m.mu.Unlock()
	for _, o := range m.list() {
		m.mu.Lock()
		same := o != opener && o.owner == owner
		m.mu.Unlock()
		if same && o.IsActing() {
			o.NoteElsewhere(p)
		}
	}
}

// adopt finds the tab whose page has asked for t, if the browser does not say.
func (m *Manager) adopt(t *Tab) {
	for _, o := range m.list() {
		if o == t || !o.TakeAsked(m.life) {
			continue
		}
		m.mu.Lock()
		t.Opener, t.owner = o.ID, o.owner
		m.mu.Unlock()
		m.notePopup(o, page.Popup{TabID: t.ID})
		m.shareDownloads(t, o)
		return
	}
}

func (m *Manager) byTarget(id target.ID) *Tab {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.tabs {
		if t.TargetID == id {
			return t
		}
	}
	return m.behind[id]
}

func (m *Manager) detached(id target.ID) {
	t := m.byTarget(id)
	if t == nil {
		return
	}
	m.mu.Lock()
	if t.ID < 0 {
		delete(m.behind, id)
		m.mu.Unlock()
		t.MarkClosed()
		return
	}
	delete(m.tabs, t.ID)
	m.visitLocked(t)
	for _, c := range m.clients {
		c.forget(t.ID)
	}
	m.baselines.drop(func(k baselineKey) bool { return k.tab == t.ID })
	m.mu.Unlock()
	t.MarkClosed()
	t.Capture().Close()
}

func (c *client) forget(id int) {
	delete(c.scopes, id)
	c.recent = slices.DeleteFunc(c.recent, func(x int) bool { return x == id })
	if c.current == id {
		c.current = 0
		if n := len(c.recent); n > 0 {
			c.current = c.recent[n-1]
		}
	}
}

func (m *Manager) list() []*Tab {
	m.mu.Lock()
	defer m.mu.Unlock()
	ts := make([]*Tab, 0, len(m.tabs))
	for _, t := range m.tabs {
		ts = append(ts, t)
	}
	slices.SortFunc(ts, func(a, b *Tab) int { return a.ID - b.ID })
	return ts
}

// Tab returns the tab that a command of a session acts on: the one with the
// given id, or for 0 the session's current one, which is made if there is none.
// An id that no open tab has is an [api.UnknownTab], never another tab.
func (m *Manager) Tab(ctx context.Context, session string, id int) (*Tab, error) {
	if m.dead() {
		return nil, stopping()
	}
	if id != 0 {
		t := m.lookup(id)
		if t == nil {
			return nil, m.unknown(id)
		}
		return t, t.Ready(ctx)
	}
	if _, err := m.browserContext(ctx); err != nil {
		return nil, err
	}
	if t := m.current(session); t != nil {
		return t, t.Ready(ctx)
	}
	// Calls that come at once share the session's first tab.
	m.mu.Lock()
	first := &m.clientLocked(session).first
	m.mu.Unlock()
	first.Lock()
	defer first.Unlock()
	if t := m.current(session); t != nil {
		return t, t.Ready(ctx)
	}
	return m.Open(ctx, session)
}

// Lookup returns the open tab with an id, nil for none.
func (m *Manager) Lookup(id int) *Tab { return m.lookup(id) }

// Process is a process of the browser (CDP SystemInfo.getProcessInfo).
type Process struct {
	ID   int     `json:"id"`
	Type string  `json:"type"`
	CPU  float64 `json:"cpuTime"` // seconds
}

// Processes lists the processes of the browser; nil when it does not say.
func (m *Manager) Processes(ctx context.Context) []Process {
	m.mu.Lock()
	b := m.bctx
	m.mu.Unlock()
	if b == nil {
		return nil
	}
	var r struct {
		Info []Process `json:"processInfo"`
	}
	if b.Conn().Root().Call(ctx, "SystemInfo.getProcessInfo", nil, &r) != nil {
		return nil
	}
	return r.Info
}

func (m *Manager) lookup(id int) *Tab {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tabs[id]
}

func (m *Manager) unknown(id int) error {
	var ids []string
	for _, t := range m.list() {
		ids = append(ids, fmt.Sprint(t.ID))
	}
	open := "no tab is open"
	if len(ids) > 0 {
		open = "open are " + strings.Join(ids, ", ")
	}
	return api.Errorf(api.UnknownTab, "browse tabs", "no tab %d, %s", id, open)
}

// current returns the session's current tab, claiming the browser's first blank
// page for the first session that asks; nil when it has none.
func (m *Manager) current(session string) *Tab {
	m.mu.Lock()
	c := m.clientLocked(session)
	if t := m.tabs[c.current]; t != nil {
		m.mu.Unlock()
		return t
	}
	var free *Tab
	for _, t := range m.tabs {
		if t.owner == "" && (free == nil || t.ID < free.ID) {
			free = t
		}
	}
	if free != nil {
		m.useLocked(c, session, free)
	}
	m.mu.Unlock()
	if free != nil {
		m.settle(session, free)
	}
	return free
}

func (m *Manager) clientLocked(session string) *client {
	c := m.clients[session]
	if c == nil {
		c = &client{}
		m.clients[session] = c
	}
	return c
}

func (m *Manager) useLocked(c *client, session string, t *Tab) {
	if t.owner == "" {
		t.owner = session
	}
	c.recent = slices.DeleteFunc(c.recent, func(x int) bool { return x == t.ID })
	c.recent = append(c.recent, t.ID)
	c.current = t.ID
}

// Open makes a blank tab and makes it the session's current one.
func (m *Manager) Open(ctx context.Context, session string) (*Tab, error) {
	b, err := m.browserContext(ctx)
	if err != nil {
		return nil, err
	}
	id, err := b.Open(ctx)
	if err != nil {
		return nil, m.broken(ctx, "a tab could not be opened", err)
	}
	t := m.byTarget(id)
	if t == nil {
		return nil, api.Errorf(api.BrowserGone, "run the command again", "the new tab went away before it was ready")
	}
	m.mu.Lock()
	m.useLocked(m.clientLocked(session), session, t)
	m.mu.Unlock()
	if err := t.Ready(ctx); err != nil {
		return t, err
	}
	m.settle(session, t)
	return t, nil
}

func (m *Manager) broken(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return api.Errorf(api.Timeout, "run the command again", "timed out: %s", what)
	}
	if errors.Is(err, cdp.ErrClosed) {
		return api.Errorf(api.BrowserGone, "run the command again; a fresh browser is started", "the browser died: %s", what)
	}
	return api.Errorf(api.Internal, "browse status", "%s: %v", what, err)
}

// Switch makes an open tab the session's current one.
func (m *Manager) Switch(ctx context.Context, session string, id int) (*Tab, error) {
	t := m.lookup(id)
	if t == nil {
		return nil, m.unknown(id)
	}
	m.mu.Lock()
	m.useLocked(m.clientLocked(session), session, t)
	m.mu.Unlock()
	return t, t.Ready(ctx)
}

// CloseTab closes a tab; it returns when the tab is gone. The session's tab
// before it becomes current; the next command makes one if it was the last.
func (m *Manager) CloseTab(ctx context.Context, t *Tab) error {
	m.mu.Lock()
	b, last := m.bctx, len(m.tabs) == 1
	m.mu.Unlock()
	if b == nil {
		return m.unknown(t.ID)
	}
	if last {
		// A browser without pages ends: a blank one takes the last one's place.
		if _, err := b.Open(ctx); err != nil {
			return m.broken(ctx, "a blank tab could not be opened in place of the last one", err)
		}
	}
	if err := b.CloseTarget(ctx, t.TargetID); err != nil {
		return m.broken(ctx, "the tab could not be closed", err)
	}
	if err := t.AwaitClosed(ctx); err != nil {
		return m.broken(ctx, "the tab did not close", err)
	}
	return nil
}

// Capture returns what the tabs log and request.
func (m *Manager) Capture() *capture.Store { return m.capture }

// Info is one line of the list of tabs.
type Info struct {
	ID      int    `json:"id"`
	Label   string `json:"label,omitempty"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Current bool   `json:"current"`
	Opener  int    `json:"opener,omitempty"`
	Crashed bool   `json:"crashed,omitempty"`
}

// Tabs lists the open tabs as a session sees them. It asks the browser, not
// the pages, so that a hung one does not delay it; without a browser it is empty.
func (m *Manager) Tabs(ctx context.Context, session string) ([]Info, error) {
	m.mu.Lock()
	b := m.bctx
	m.mu.Unlock()
	titles := map[target.ID]target.Info{}
	if b != nil {
		infos, err := b.Targets(ctx)
		if err != nil {
			return nil, m.broken(ctx, "the browser did not list its tabs", err)
		}
		for _, i := range infos {
			titles[i.TargetID] = i
		}
	}
	m.mu.Lock()
	cur := m.clientLocked(session).current
	labels := map[int]string{}
	for id, t := range m.tabs {
		labels[id] = t.label
	}
	m.mu.Unlock()
	out := []Info{}
	for _, t := range m.list() {
		m.mu.Lock()
		opener := t.Opener
		m.mu.Unlock()
		i := Info{ID: t.ID, Label: labels[t.ID], Title: titles[t.TargetID].Title, URL: t.URL(), Current: t.ID == cur, Opener: opener}
		if e := t.Gone(); e != nil {
			i.Crashed = e.Code == api.PageCrashed
		}
		out = append(out, i)
	}
	return out, nil
}

// Current returns the session's current tab without making one; nil for none.
func (m *Manager) Current(session string) *Tab {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.clients[session]; c != nil {
		return m.tabs[c.current]
	}
	return nil
}

// Count returns how many tabs are open.
func (m *Manager) Count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.tabs)
}

// HasState reports whether a tab shows more than a blank page.
func (m *Manager) HasState() bool {
	for _, t := range m.list() {
		if t.URL() != "about:blank" {
			return true
		}
	}
	return false
}

// Done is closed when the browser has died on its own.
func (m *Manager) Done() <-chan struct{} { return m.source.Done() }

// Close closes all tabs and the browser.
func (m *Manager) Close(ctx context.Context) error {
	m.keepLast()
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.stop()
	err := m.source.Close(ctx)
	for _, t := range m.everything() {
		t.MarkClosed()
		t.Wait()
		if c := t.Capture(); c != nil {
			c.Close()
		}
	}
	m.wg.Wait()
	m.capture.Close()
	return err
}
