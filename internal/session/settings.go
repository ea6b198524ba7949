package session

import (
	"context"
	"errors"

	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/page"
)

// Configure changes what the pages of a session are told of machine and
// network: in t, which the command is bound to, in the session's other tabs and
// in those that it opens from now on. What Chromium refuses in t changes
// nothing. A tab that does not answer takes it when it does.
func (m *Manager) Configure(ctx context.Context, session string, t *Tab, change func(*page.Settings)) error {
	if err := t.Configure(ctx, change); err != nil {
		return err
	}
	m.settling.Lock()
	defer m.settling.Unlock()
	m.mu.Lock()
	change(&m.clientLocked(session).settings)
	m.mu.Unlock()
	for _, o := range m.others(session, t) {
		o.Take(change)
	}
	return nil
}

// settle gives a tab that has just come to a session the session's settings.
func (m *Manager) settle(session string, t *Tab) {
	m.settling.Lock()
	defer m.settling.Unlock()
	m.mu.Lock()
	settings := m.clientLocked(session).settings
	m.mu.Unlock()
	t.Take(func(s *page.Settings) { *s = settings })
}

// others lists the tabs of a session but one.
func (m *Manager) others(session string, t *Tab) []*Tab {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ts []*Tab
	for _, o := range m.tabs {
		if o != t && o.owner == session {
			ts = append(ts, o)
		}
	}
	return ts
}

// Permit answers a permission in advance for the pages of the browser, see
// [browser.Context.SetPermission]. A name that Chromium does not know is
// [api.BadUsage].
func (m *Manager) Permit(ctx context.Context, name, setting, origin string) error {
	b, err := m.browserContext(ctx)
	if err != nil {
		return err
	}
	err = b.SetPermission(ctx, name, setting, origin)
	var pe *cdp.Error
	if errors.As(err, &pe) {
		return api.Errorf(api.BadUsage, "browse help permissions", "Chromium does not set the permission %s: %s", page.Quote(name), api.Clean(pe.Message))
	}
	if err != nil {
		return m.broken(ctx, "the permission was not set", err)
	}
	return nil
}

// Reset takes back all that Configure and Permit have changed, and the windows
// of the session's tabs.
func (m *Manager) Reset(ctx context.Context, session string, t *Tab) error {
	if err := m.Configure(ctx, session, t, func(s *page.Settings) { *s = page.Settings{} }); err != nil {
		return err
	}
	b, err := m.browserContext(ctx)
	if err != nil {
		return err
	}
	if err := b.ResetPermissions(ctx); err != nil {
		return m.broken(ctx, "the permissions were not reset", err)
	}
	return nil
}

// NextRoute returns the number of a new route. None comes twice.
func (m *Manager) NextRoute() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.routes++
	return m.routes
}
