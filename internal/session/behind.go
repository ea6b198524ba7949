package session

import (
	"context"
	"crypto/rand"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/page"

	"github.com/chromedp/cdproto/target"
)

// behindURL is the address with which the browser opens a tab that no client
// sees: blank, like any other fragment of about:blank, and one that no page knows.
var behindURL = "about:blank#" + rand.Text()

// attachedBehind takes in a tab that [Manager.Behind] has opened, or that one of
// those has; it reports whether it was one.
func (m *Manager) attachedBehind(s *cdp.Session, info target.Info) bool {
	m.mu.Lock()
	if info.URL != behindURL && m.behind[info.OpenerID] == nil {
		m.mu.Unlock()
		return false
	}
	m.lastBehind--
	t := &Tab{Tab: page.New(page.Config{ID: m.lastBehind, Session: s, Conn: s.Conn(), Target: info, Refs: m.refs})}
	if o := m.behind[info.OpenerID]; o != nil {
		t.Opener = o.ID
	}
	m.behind[info.TargetID] = t
	m.mu.Unlock()
	m.wg.Go(func() { _ = t.Init(m.life) })
	return true
}

// closeLimit bounds how long a tab that no client sees may take to close.
const closeLimit = 2 * time.Second

// Behind opens a tab that no client sees, for what must not disturb those that
// they do, with settings in force. It shares cookies and storage with them; a
// service worker does not stand between it and the network. One that is to be
// painted has a window of its own, which a person at the browser would see. closeTab
// ends it, and the windows that its page has opened.
func (m *Manager) Behind(ctx context.Context, settings page.Settings, painted bool) (t *Tab, closeTab func(), err error) {
	b, err := m.browserContext(ctx)
	if err != nil {
		return nil, nil, err
	}
	id, err := b.OpenBehind(ctx, behindURL, !m.Headed || painted)
	if err != nil {
		return nil, nil, m.broken(ctx, "a tab could not be opened", err)
	}
	t = m.byTarget(id)
	if t == nil {
		return nil, nil, api.Errorf(api.BrowserGone, "run the command again", "the new tab went away before it was ready")
	}
	closeTab = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
		defer cancel()
		for _, w := range m.openedBehind(t.ID) {
			_ = b.CloseTarget(ctx, w.TargetID)
		}
		_ = b.CloseTarget(ctx, id)
		_ = t.AwaitClosed(ctx)
	}
	if err = t.Ready(ctx); err == nil {
		err = t.Session().Call(ctx, "Network.setBypassServiceWorker", map[string]any{"bypass": true}, nil)
	}
	if err == nil {
		err = t.Configure(ctx, func(s *page.Settings) { *s = settings })
	}
	if err != nil {
		closeTab()
		return nil, nil, m.broken(ctx, "a tab could not be prepared", err)
	}
	return t, closeTab, nil
}

// openedBehind lists the tabs that one which no client sees has opened.
func (m *Manager) openedBehind(id int) []*Tab {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ts []*Tab
	for _, t := range m.behind {
		if t.Opener == id {
			ts = append(ts, t)
		}
	}
	return ts
}

// everything lists all tabs, those that no client sees too.
func (m *Manager) everything() []*Tab {
	ts := m.list()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.behind {
		ts = append(ts, t)
	}
	return ts
}
