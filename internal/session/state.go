package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"gstack/internal/api"
	"gstack/internal/cookie"
	"gstack/internal/page"
	"gstack/internal/state"
)

// maxOrigins bounds the origins whose storage is kept.
const maxOrigins = 200

// originLimit bounds how long the storage of one origin may take.
const originLimit = 10 * time.Second

// visit remembers the origins of a tab that is gone. m.mu is held.
func (m *Manager) visitLocked(t *Tab) {
	for _, o := range t.Origins() {
		if len(m.origins) < maxOrigins {
			m.origins[o] = true
		}
	}
}

// visited lists the origins of which the browser may have storage.
func (m *Manager) visited() []string {
	all := map[string]bool{}
	m.mu.Lock()
	maps.Copy(all, m.origins)
	m.mu.Unlock()
	for _, t := range m.list() {
		for _, o := range t.Origins() {
			all[o] = true
		}
	}
	list := slices.Sorted(maps.Keys(all))
	return list[:min(len(list), maxOrigins)]
}

// Snapshot returns what can be kept of the browser: all cookies, the local
// storage and databases of the origins that its tabs have shown, and the pages of
// a session with their session storage; of all sessions for "". lost says what
// could not be read.
func (m *Manager) Snapshot(ctx context.Context, session string) (s state.State, lost []string, err error) {
	s = state.State{Version: state.Version, SavedAt: time.Now().UTC().Truncate(time.Second), Cookies: []cookie.Cookie{}, Origins: []state.Origin{}, Pages: []state.Page{}}
	cs, err := m.Cookies(ctx)
	if err != nil {
		return s, nil, err
	}
	s.Cookies = append(s.Cookies, cs...)
	for _, t := range m.list() {
		m.mu.Lock()
		owner := t.owner
		active := m.clientLocked(owner).current == t.ID
		m.mu.Unlock()
		if url := t.URL(); session != "" && owner != session || url == "about:blank" || t.Gone() != nil {
			continue
		}
		s.Pages = append(s.Pages, sessionPage(ctx, t, active))
	}
	origins := m.visited()
	if len(origins) == 0 {
		return s, nil, nil
	}
	t, done, err := m.Behind(ctx, page.Settings{}, false)
	if err != nil {
		return s, nil, err
	}
	defer done()
	for _, o := range origins {
		kept, err := readOrigin(ctx, t, o)
		if err != nil {
			if ctx.Err() != nil {
				return s, nil, m.broken(ctx, "the storage of "+o+" was not read", err)
			}
			lost = append(lost, o+": "+err.Error())
			continue
		}
		for _, l := range kept.Lost {
			lost = append(lost, o+": "+l)
		}
		if len(kept.Local)+len(kept.Databases) > 0 {
			s.Origins = append(s.Origins, state.Origin{Origin: o, Local: kept.Local, DBs: kept.Databases})
		}
	}
	return s, lost, nil
}

type keptOrigin = page.Kept[state.Entry, state.Database]

func readOrigin(ctx context.Context, t *Tab, origin string) (k keptOrigin, err error) {
	ctx, cancel := context.WithTimeout(ctx, originLimit)
	defer cancel()
	if err = t.Blank(ctx, origin); err == nil {
		err = t.Main().Keep(ctx, &k)
	}
	return k, err
}

// sessionPage is a page with the session storage of the origins in its tab.
func sessionPage(ctx context.Context, t *Tab, active bool) state.Page {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second) // a page that hangs is kept without it
	defer cancel()
	p := state.Page{URL: t.URL(), Active: active}
	seen := map[string]bool{}
	for _, f := range t.Frames() {
		o := page.Origin(f.URL())
		if seen[o] || !strings.HasPrefix(o, "http") {
			continue
		}
		seen[o] = true
		kept, err := f.Storage(ctx)
		if err != nil || len(kept.Session) == 0 {
			continue
		}
		x := state.Session{Origin: o}
		for _, e := range kept.Session {
			x.Entries = append(x.Entries, state.Entry{Name: e[0], Value: e[1]})
		}
		p.Session = append(p.Session, x)
	}
	return p
}

// Restored says what [Manager.Restore] did.
type Restored struct {
	Cookies, Origins, Pages int
	Tab                     *Tab     // the current one, nil for none
	Lost                    []string // what could not be restored, with the reason
}

// Restore makes the browser what a state says: the tabs of a session are closed,
// cookies of the sites of the state and the storage of its origins are replaced,
// and its pages opened. allow judges addresses; what it refuses is left out, as
// are cookies of hosts that may not be opened.
func (m *Manager) Restore(ctx context.Context, session string, s state.State, allow func(url string) (string, error)) (r Restored, err error) {
	old := m.owned(session)
	blank, err := m.blankFor(ctx, session, len(old) > 0) // first, lest the browser be without a page
	if err != nil {
		return r, err
	}
	for _, t := range old {
		if err := m.CloseTab(ctx, t); err != nil {
			r.Lost = append(r.Lost, fmt.Sprintf("tab %d did not close", t.ID))
		}
	}
	if err := m.restoreCookies(ctx, s, allow, &r); err != nil {
		return r, err
	}
	if err := m.restoreOrigins(ctx, s.Origins, allow, &r); err != nil {
		return r, err
	}
	r.Tab = blank
	return r, m.restorePages(ctx, session, s.Pages, allow, blank, &r)
}

// blankFor returns a blank tab for a session: the one that the browser began
// with, when nobody has it, unless it has to be another one.
func (m *Manager) blankFor(ctx context.Context, session string, another bool) (*Tab, error) {
	if _, err := m.browserContext(ctx); err != nil {
		return nil, err
	}
	if !another {
		if t := m.current(session); t != nil && t.URL() == "about:blank" {
			return t, t.Ready(ctx)
		}
	}
	return m.Open(ctx, session)
}

// owned lists the tabs of a session.
func (m *Manager) owned(session string) []*Tab { return m.others(session, nil) }

func (m *Manager) restoreCookies(ctx context.Context, s state.State, allow func(string) (string, error), r *Restored) error {
	if s.Malformed > 0 {
		r.Lost = append(r.Lost, fmt.Sprintf("%d cookies that no browser would take", s.Malformed))
	}
	now := float64(time.Now().Unix())
	var take []cookie.Cookie
	hosts := map[string]bool{}
	expired, refused := 0, 0
	for _, c := range s.Cookies {
		if c.Expires > 0 && c.Expires < now {
			expired++
			continue
		}
		if _, err := allow("http://" + bracketed(c.Host()) + "/"); err != nil {
			refused++
			continue
		}
		hosts[c.Host()] = true
		take = append(take, c)
	}
	if expired > 0 {
		r.Lost = append(r.Lost, fmt.Sprintf("%d cookies that have expired", expired))
	}
	if refused > 0 {
		r.Lost = append(r.Lost, fmt.Sprintf("%d cookies of hosts that may not be opened", refused))
	}
	if len(take) == 0 {
		return nil
	}
	before, err := m.Cookies(ctx)
	if err != nil {
		return err
	}
	var gone []cookie.Cookie
	for _, c := range before {
		if hosts[c.Host()] {
			c.Value, c.Expires = "", 1 // in 1970: it ends at once
			gone = append(gone, c)
		}
	}
	if len(gone) > 0 && m.SetCookies(ctx, gone) != nil {
		r.Lost = append(r.Lost, "that cookies which were there are gone: the browser keeps them")
	}
	if m.SetCookies(ctx, take) == nil {
		r.Cookies = len(take)
		return nil
	}
	for _, c := range take { // the browser takes all or none
		if err := m.SetCookies(ctx, []cookie.Cookie{c}); err != nil {
			var e *api.Error
			if !errors.As(err, &e) || e.Code != api.BadUsage {
				return err
			}
			r.Lost = append(r.Lost, "cookie "+page.Quote(c.Name)+" of "+api.Clean(c.Host())+": the browser refuses it")
			continue
		}
		r.Cookies++
	}
	return nil
}

// bracketed writes a host as an address wants it.
func bracketed(host string) string {
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		return "[" + host + "]"
	}
	return host
}

func (m *Manager) restoreOrigins(ctx context.Context, origins []state.Origin, allow func(string) (string, error), r *Restored) error {
	if len(origins) == 0 {
		return nil
	}
	t, done, err := m.Behind(ctx, page.Settings{}, false)
	if err != nil {
		return err
	}
	defer done()
	for _, o := range origins {
		if _, err := allow(o.Origin + "/"); err != nil {
			r.Lost = append(r.Lost, "the storage of "+api.Clean(o.Origin)+", which may not be opened")
			continue
		}
		octx, cancel := context.WithTimeout(ctx, originLimit)
		err := t.Blank(octx, o.Origin)
		var lost []string
		if err == nil {
			lost, err = t.Main().Restore(octx, orEmpty(o.Local), orEmpty(o.DBs))
		}
		cancel()
		if ctx.Err() != nil {
			return m.broken(ctx, "the storage of "+o.Origin+" was not restored", err)
		}
		for _, l := range lost {
			r.Lost = append(r.Lost, api.Clean(o.Origin+": "+l))
		}
		if err != nil {
			r.Lost = append(r.Lost, api.Clean(o.Origin+": "+err.Error()))
			continue
		}
		m.mu.Lock()
		m.origins[o.Origin] = true
		m.mu.Unlock()
		r.Origins++
	}
	return nil
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// How pages are opened again: how many at once, and how long one may take.
const (
	restoreAtOnce = 4
	restoreLimit  = 15 * time.Second
)

func (m *Manager) restorePages(ctx context.Context, session string, pages []state.Page, allow func(string) (string, error), blank *Tab, r *Restored) error {
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, restoreAtOnce)
	lose := func(p state.Page, why error) {
		mu.Lock()
		defer mu.Unlock()
		r.Lost = append(r.Lost, api.Clean(page.Shown(p.URL))+": "+why.Error())
	}
	current := blank
	for _, p := range pages {
		url, err := allow(p.URL)
		if err != nil {
			lose(p, err)
			continue
		}
		t := blank
		if blank = nil; t == nil {
			if t, err = m.Open(ctx, session); err != nil {
				return err
			}
		}
		if p.Active {
			current = t
		}
		r.Pages++
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			ctx, cancel := context.WithTimeout(ctx, restoreLimit)
			defer cancel()
			if err := m.openRestored(ctx, t, url, p.Session, allow); err != nil {
				lose(p, err)
			}
		})
	}
	wg.Wait()
	r.Tab = current
	_, err := m.Switch(ctx, session, current.ID)
	return err
}

// openRestored opens a page in a tab that has what the page keeps for its
// session, from the first script on.
func (m *Manager) openRestored(ctx context.Context, t *Tab, url string, kept []state.Session, allow func(string) (string, error)) error {
	for _, x := range kept {
		if _, err := allow(x.Origin + "/"); err != nil {
			continue
		}
		if err := t.Blank(ctx, x.Origin); err != nil {
			return err
		}
		if err := t.Main().RestoreSession(ctx, x.Entries); err != nil {
			return err
		}
	}
	if len(kept) > 0 {
		if c := t.Capture(); c != nil {
			c.ClearNetwork() // of the blank pages
		}
	}
	if strings.HasPrefix(url, "file:") {
		err := t.GuardFiles(ctx, func(u string) bool {
			_, err := allow(u)
			return err == nil
		})
		if err != nil {
			return err
		}
	}
	_, err := t.Navigate(ctx, url)
	if err == nil && len(kept) > 0 {
		t.ForgetHistory(ctx)
	}
	return err
}
