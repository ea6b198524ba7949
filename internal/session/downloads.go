package session

import (
	"fmt"

	"gstack/internal/browser"
	"gstack/internal/page"
)

// downloads are those that run, by the browser's id; guarded by Manager.mu.
type downloads struct {
	running map[string]*running
}

// running is a download that has not ended.
type running struct {
	d     *page.Download
	tabs  []*Tab // that report it
	limit string // why it was cancelled, "" if it was not
}

// downloadBegun gives a download to the tab whose frame began it. A window that
// was opened for nothing else closes at once, so its opener reports it, too.
func (m *Manager) downloadBegun(b browser.Download) {
	m.mu.Lock()
	dir := ""
	if m.bctx != nil {
		dir = m.bctx.Downloads()
	}
	if m.downloads.running == nil {
		m.downloads.running = map[string]*running{}
	}
	r := &running{d: page.NewDownload(b.ID, b.Name, b.URL, dir)}
	m.downloads.running[b.ID] = r
	m.mu.Unlock()
	if m.assign(r, b.FrameID) {
		return
	}
	// Frames are reported on other sessions, and may be behind.
	m.wg.Go(func() {
		for _, t := range m.everything() {
			_ = t.Session().Flush(m.life)
		}
		if !m.assign(r, b.FrameID) {
			m.cancelDownload(b.ID, r, "no open tab has begun it")
		}
	})
}

// assign tells the tab of a frame, and its opener if it shows nothing else.
func (m *Manager) assign(r *running, frameID string) bool {
	for _, t := range m.everything() {
		if !t.HasFrame(frameID) {
			continue
		}
		tabs := []*Tab{t}
		if o := m.lookup(m.openerOf(t)); o != nil && t.URL() == "about:blank" {
			tabs = append(tabs, o)
		}
		m.mu.Lock()
		r.tabs = tabs
		id := r.d.ID
		m.mu.Unlock()
		if t.TooManyDownloads() {
			m.cancelDownload(id, r, "too many downloads run in the tab")
		}
		for _, t := range tabs {
			t.AddDownload(r.d)
		}
		return true
	}
	return false
}

// shareDownloads tells the opener of t, when it is found out late, what t has begun.
func (m *Manager) shareDownloads(t, opener *Tab) {
	m.mu.Lock()
	var ds []*page.Download
	for _, r := range m.downloads.running {
		if len(r.tabs) == 1 && r.tabs[0] == t {
			r.tabs = append(r.tabs, opener)
			ds = append(ds, r.d)
		}
	}
	m.mu.Unlock()
	for _, d := range ds {
		opener.AddDownload(d)
	}
}

func (m *Manager) openerOf(t *Tab) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return t.Opener
}

// cancelDownload ends a download that may not go on.
func (m *Manager) cancelDownload(id string, r *running, why string) {
	m.mu.Lock()
	if r.limit != "" {
		m.mu.Unlock()
		return
	}
	r.limit = why
	b := m.bctx
	m.mu.Unlock()
	if b != nil {
		b.CancelDownload(id)
	}
}

func (m *Manager) downloadProgress(p browser.Progress) {
	m.mu.Lock()
	r := m.downloads.running[p.ID]
	if r == nil {
		m.mu.Unlock()
		return
	}
	if p.Done {
		delete(m.downloads.running, p.ID)
	}
	tabs, limit, refused := r.tabs, r.limit, m.bctx != nil && m.bctx.Downloads() == ""
	m.mu.Unlock()
	tooLarge := m.MaxDownload > 0 && max(p.Received, p.Total) > m.MaxDownload
	if tooLarge && limit == "" {
		limit = fmt.Sprintf("it is larger than %d bytes, which BROWSE_MAX_DOWNLOAD_BYTES allows", m.MaxDownload)
		if !p.Done {
			m.cancelDownload(p.ID, r, limit)
		}
	}
	failure := ""
	switch {
	case !p.Done || p.OK && !tooLarge:
	case limit != "":
		failure = limit
	case refused:
		failure = "the browser was told to refuse downloads"
	default:
		failure = "it was broken off"
	}
	r.d.Advance(p.Received, p.Total, p.Done, failure)
	if p.OK && tooLarge {
		r.d.Discard() // a small one may be complete before its first progress is told
	}
	for _, t := range tabs {
		t.DownloadChanged()
	}
}
