package session

import (
	"fmt"

	"gstack/internal/api"
	"gstack/internal/page"
)

// scope is the frame to which a client has narrowed a tab.
type scope struct {
	frame *page.Frame
	url   string // of the frame, as it was last seen
	page  string // the load of the top document around it
}

// Enter narrows a tab to one of its frames for a session; nil ends that.
func (m *Manager) Enter(session string, t *Tab, f *page.Frame) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.clientLocked(session)
	if f == nil || f == t.Main() {
		delete(c.scopes, t.ID)
		return
	}
	if c.scopes == nil {
		c.scopes = map[int]*scope{}
	}
	c.scopes[t.ID] = &scope{frame: f, url: f.URL(), page: t.Load()}
}

// scopeLocked returns the scope of a session in a tab, nil for none.
func (m *Manager) scopeLocked(session string, t *Tab) *scope {
	if c := m.clients[session]; c != nil {
		return c.scopes[t.ID]
	}
	return nil
}

// Scope returns the frame to which a session has narrowed a tab, nil for the
// whole page. A frame that has been removed from its page is an [api.StaleRef],
// once; then the tab is whole again. So it is, without an error, after the tab
// has navigated.
func (m *Manager) Scope(session string, t *Tab) (*page.Frame, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.scopeLocked(session, t)
	switch {
	case s == nil, t.Load() != s.page:
		return nil, nil
	case s.frame.Detached():
		delete(m.clients[session].scopes, t.ID)
		return nil, api.Errorf(api.StaleRef, "browse frame lists the frames; commands act on the whole page again",
			"the frame %s was removed from the page", s.url)
	}
	if url := s.frame.URL(); url != "" {
		s.url = url
	}
	return s.frame, nil
}

// EndScope ends the scope of a session in a tab that has navigated, and returns
// the sentence that says so, else "". A frame that was removed from a page stays
// the scope, for the sake of the error of [Manager.Scope]: what was meant for it
// must not happen to the page around it.
func (m *Manager) EndScope(session string, t *Tab) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.scopeLocked(session, t)
	if s == nil || t.Load() == s.page {
		return ""
	}
	delete(m.clients[session].scopes, t.ID)
	return fmt.Sprintf("left the frame %s: the page has navigated; commands act on the whole page again", api.Clean(shorten(s.url)))
}

// maxNoteURL bounds an address in a note, in characters.
const maxNoteURL = 200

func shorten(url string) string {
	if r := []rune(url); len(r) > maxNoteURL {
		return string(r[:maxNoteURL-1]) + "…"
	}
	return url
}
