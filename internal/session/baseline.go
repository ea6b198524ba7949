package session

import (
	"slices"

	"gstack/internal/page"
)

// View says what a snapshot shows: with which flags, of which frame.
type View struct {
	Flags string // as they are typed
	Frame string // its protocol id, "" for the whole page
}

// Baseline is the last snapshot that a client took of a tab with certain flags.
type Baseline struct {
	Text string
	// Doc is the document that it begins with.
	Doc page.DocID
	// Answer is what was printed when it was compared with the one before, so that
	// the rest of it can be had; "" when it was not.
	Answer string
}

func (b Baseline) size() int { return len(b.Text) + len(b.Answer) }

// maxBaselines bounds the text of all baselines of a daemon, in bytes. The ones
// that were taken longest ago go first.
const maxBaselines = 8 << 20

type baselineKey struct {
	session string
	tab     int
	view    View
}

// baselines is guarded by Manager.mu.
type baselines struct {
	byKey map[baselineKey]Baseline
	order []baselineKey // oldest first
	bytes int
}

func (b *baselines) drop(match func(baselineKey) bool) {
	b.order = slices.DeleteFunc(b.order, func(k baselineKey) bool {
		if !match(k) {
			return false
		}
		b.bytes -= b.byKey[k].size()
		delete(b.byKey, k)
		return true
	})
}

// Baseline returns the last snapshot that a session took of a tab with a view.
func (m *Manager) Baseline(session string, t *Tab, view View) (b Baseline, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok = m.baselines.byKey[baselineKey{session, t.ID, view}]
	return b, ok
}

// KeepBaseline makes b what the next snapshot with the view is compared with. It
// is false for a text that is too large to be remembered.
func (m *Manager) KeepBaseline(session string, t *Tab, view View, b Baseline) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &m.baselines
	key := baselineKey{session, t.ID, view}
	s.drop(func(k baselineKey) bool { return k == key })
	if b.size() > maxBaselines || m.tabs[t.ID] != t {
		return false
	}
	if s.byKey == nil {
		s.byKey = map[baselineKey]Baseline{}
	}
	s.byKey[key], s.order, s.bytes = b, append(s.order, key), s.bytes+b.size()
	for s.bytes > maxBaselines {
		oldest := s.order[0]
		s.drop(func(k baselineKey) bool { return k == oldest })
	}
	return true
}

// Views returns the views of which the session has a baseline of the tab, the
// newest first.
func (m *Manager) Views(session string, t *Tab) []View {
	m.mu.Lock()
	defer m.mu.Unlock()
	var views []View
	for _, k := range m.baselines.order {
		if k.session == session && k.tab == t.ID {
			views = append(views, k.view)
		}
	}
	slices.Reverse(views)
	return views
}
