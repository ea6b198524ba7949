package session

import (
	"strings"
	"testing"

	"gstack/internal/page"
)

func TestBaselines(t *testing.T) {
	tab := &Tab{Tab: page.New(page.Config{ID: 1})}
	m := &Manager{tabs: map[int]*Tab{1: tab}, clients: map[string]*client{}}
	plain, narrow := View{}, View{Flags: "-i"}
	if _, ok := m.Baseline("a", tab, plain); ok {
		t.Error("a baseline before there is one")
	}
	m.KeepBaseline("a", tab, plain, Baseline{Text: "one"})
	m.KeepBaseline("a", tab, plain, Baseline{Text: "two"})
	m.KeepBaseline("a", tab, narrow, Baseline{Text: "three"})
	if b, ok := m.Baseline("a", tab, plain); !ok || b.Text != "two" {
		t.Errorf("got %q, %v", b.Text, ok)
	}
	if _, ok := m.Baseline("b", tab, plain); ok {
		t.Error("another client's baseline")
	}
	if v := m.Views("a", tab); len(v) != 2 || v[0] != narrow {
		t.Errorf("views %v", v)
	}
	if m.baselines.bytes != len("two")+len("three") {
		t.Errorf("%d bytes", m.baselines.bytes)
	}

	// The oldest make room, and what is too large is not kept at all.
	if m.KeepBaseline("a", tab, narrow, Baseline{Text: strings.Repeat("x", maxBaselines+1)}) {
		t.Error("kept more than fits")
	}
	if _, ok := m.Baseline("a", tab, narrow); ok {
		t.Error("an outdated baseline is left")
	}
	big := Baseline{Text: strings.Repeat("x", maxBaselines-1)}
	if !m.KeepBaseline("a", tab, View{Flags: "-c"}, big) {
		t.Error("a large baseline is not kept")
	}
	if _, ok := m.Baseline("a", tab, plain); ok || m.baselines.bytes != len(big.Text) || len(m.baselines.order) != 1 {
		t.Errorf("%d bytes of %d baselines", m.baselines.bytes, len(m.baselines.order))
	}

	// A tab takes its baselines along.
	delete(m.tabs, 1)
	if m.KeepBaseline("a", tab, plain, Baseline{Text: "late"}) {
		t.Error("kept for a tab that is gone")
	}
	if _, ok := m.Baseline("a", tab, plain); ok {
		t.Error("a baseline of a tab that is gone")
	}
}
