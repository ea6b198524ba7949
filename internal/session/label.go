package session

import (
	"fmt"
	"regexp"
	"strconv"

	"gstack/internal/api"
)

// labelForm is what a label may look like: no number, so that it cannot be taken
// for an id, and nothing that needs quotes.
var labelForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`)

func checkLabel(label string) error {
	if labelForm.MatchString(label) {
		return nil
	}
	return api.Errorf(api.BadUsage, "browse newtab --label docs", "a label is a letter and up to 63 letters, digits, dots and dashes, not %s", strconv.Quote(label))
}

// CheckLabel refuses a label that is none, or that another open tab has.
func (m *Manager) CheckLabel(label string) error {
	if err := checkLabel(label); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.labelFreeLocked(label)
}

func (m *Manager) labelFreeLocked(label string) error {
	for _, t := range m.tabs {
		if t.label == label {
			return api.Errorf(api.BadUsage, fmt.Sprintf("browse tab %s, or another label", label), "tab %d has the label %s", t.ID, label)
		}
	}
	return nil
}

// SetLabel gives a tab a label that [Manager.CheckLabel] accepts, "" takes it away.
func (m *Manager) SetLabel(t *Tab, label string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if label != "" {
		if err := checkLabel(label); err != nil {
			return err
		}
		if err := m.labelFreeLocked(label); err != nil {
			return err
		}
	}
	t.label = label
	return nil
}

// Named returns the id of the open tab that has a number or label; one that no
// open tab has is [api.UnknownTab].
func (m *Manager) Named(name string) (int, error) {
	if id, err := strconv.Atoi(name); err == nil {
		if m.lookup(id) == nil {
			return 0, m.unknown(id)
		}
		return id, nil
	}
	m.mu.Lock()
	for _, t := range m.tabs {
		if t.label == name && name != "" {
			m.mu.Unlock()
			return t.ID, nil
		}
	}
	m.mu.Unlock()
	return 0, api.Errorf(api.UnknownTab, "browse tabs", "no tab has the number or label %s", strconv.Quote(name))
}
