package browser

import (
	"context"
	"errors"
	"sync"

	"gstack/internal/cdp"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"
)

// Hub attaches to every page of a browser from its first byte and hands each to
// the context it belongs to.
type Hub struct {
	conn *cdp.Conn

	mu       sync.Mutex
	contexts map[string]*Context // by browser context id, "" is the default one
}

// Context is one set of pages that share cookies and storage.
type Context struct {
	hub *Hub
	id  string // "" for the browser's default context
	ev  Events
}

// Events are what a context's owner is told. They run on the browser session's
// event goroutine, in order: they must not wait for the browser.
type Events struct {
	// Attached is called for every new page, which is paused until the owner
	// has prepared it (CDP Runtime.runIfWaitingForDebugger).
	Attached func(s *cdp.Session, info target.Info)
	// Detached is called when a page has gone.
	Detached func(id target.ID)
	// Downloads is the folder that the browser writes downloads to, each under its
	// id; "" refuses them.
	Downloads string
	// Download is called when a frame begins to download a file.
	Download func(d Download)
	// Progress is called as the download goes on, and at its end.
	Progress func(p Progress)
}

// Download is the beginning of a download.
type Download struct {
	ID        string // of the download, and the name of its file in Events.Downloads
	FrameID   string
	Name, URL string // the name is what the server or the page proposes
}

// Progress is how far a download has come.
type Progress struct {
	ID              string
	Received, Total int64 // bytes; a total of 0 is not known
	Done            bool  // it has ended
	OK              bool  // and is complete
}

// NewHub watches the targets of the browser behind conn. The default context
// belongs to ev; pass zero Events to leave it alone.
func NewHub(ctx context.Context, conn *cdp.Conn, ev Events) (*Hub, error) {
	h := &Hub{conn: conn, contexts: map[string]*Context{}}
	h.contexts[""] = &Context{hub: h, ev: ev}
	sessions := map[target.SessionID]target.Info{} // event goroutine only
	root := conn.Root()
	cdp.Handle(root, target.AttachedToTarget, func(e *target.EventAttachedToTarget) {
		sessions[e.SessionID] = *e.TargetInfo
		h.attached(e)
	})
	cdp.Handle(root, target.DetachedFromTarget, func(e *target.EventDetachedFromTarget) {
		info := sessions[e.SessionID]
		delete(sessions, e.SessionID)
		conn.Session(string(e.SessionID)).Close()
		if c := h.owner(info); c != nil && c.ev.Detached != nil {
			c.ev.Detached(info.TargetID)
		}
	})
	h.watchDownloads()
	pages := []map[string]any{{"type": "page"}, {"exclude": true}}
	calls := []*cdp.Pending{
		root.Start("Browser.setDownloadBehavior", downloadBehavior("", ev.Downloads)),
		root.Start("Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": pages}),
	}
	for _, c := range calls {
		if err := c.Wait(ctx, nil); err != nil {
			return nil, err
		}
	}
	return h, root.Flush(ctx)
}

func (h *Hub) attached(e *target.EventAttachedToTarget) {
	s := h.conn.Session(string(e.SessionID))
	c := h.owner(*e.TargetInfo)
	if c == nil || c.ev.Attached == nil || e.TargetInfo.Type != "page" {
		// Nobody's page: it runs as if we were not there.
		s.Start("Runtime.runIfWaitingForDebugger", nil)
		h.conn.Root().Start("Target.detachFromTarget", map[string]any{"sessionId": e.SessionID})
		return
	}
	c.ev.Attached(s, *e.TargetInfo)
}

// owner returns the context of a target. A browser context that was not made
// here is the default one, as far as the protocol tells it by name.
func (h *Hub) owner(info target.Info) *Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.contexts[string(info.BrowserContextID)]; c != nil {
		return c
	}
	return h.contexts[""]
}

func (h *Hub) all() []*Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	var cs []*Context
	for _, c := range h.contexts {
		cs = append(cs, c)
	}
	return cs
}

// Default returns the browser's own context.
func (h *Hub) Default() *Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.contexts[""]
}

// NewContext makes an empty context of its own; Close disposes of it.
func (h *Hub) NewContext(ctx context.Context, ev Events) (*Context, error) {
	var r struct {
		ID string `json:"browserContextId"`
	}
	root := h.conn.Root()
	if err := root.Call(ctx, "Target.createBrowserContext", map[string]any{"disposeOnDetach": true}, &r); err != nil {
		return nil, err
	}
	c := &Context{hub: h, id: r.ID, ev: ev}
	h.mu.Lock()
	h.contexts[r.ID] = c
	h.mu.Unlock()
	if err := root.Call(ctx, "Browser.setDownloadBehavior", downloadBehavior(r.ID, ev.Downloads), nil); err != nil {
		h.mu.Lock()
		delete(h.contexts, r.ID)
		h.mu.Unlock()
		root.Start("Target.disposeBrowserContext", map[string]any{"browserContextId": r.ID})
		return nil, err
	}
	return c, nil
}

// downloadBehavior are the parameters of CDP Browser.setDownloadBehavior.
func downloadBehavior(contextID, dir string) map[string]any {
	params := map[string]any{"behavior": "deny", "eventsEnabled": true}
	if dir != "" {
		params["behavior"], params["downloadPath"] = "allowAndName", dir
	}
	if contextID != "" {
		params["browserContextId"] = contextID
	}
	return params
}

// watchDownloads hands what the browser tells of downloads to the contexts. It
// does not say which one a download is of; its frame does.
func (h *Hub) watchDownloads() {
	cdp.Handle(h.conn.Root(), cdpbrowser.DownloadWillBegin, func(e *cdpbrowser.EventDownloadWillBegin) {
		for _, c := range h.all() {
			if c.ev.Download != nil {
				c.ev.Download(Download{ID: e.GUID, FrameID: string(e.FrameID), Name: e.SuggestedFilename, URL: e.URL})
			}
		}
	})
	cdp.Handle(h.conn.Root(), cdpbrowser.DownloadProgress, func(e *cdpbrowser.EventDownloadProgress) {
		p := Progress{
			ID: e.GUID, Received: int64(e.ReceivedBytes), Total: int64(max(e.TotalBytes, 0)),
			Done: e.State != cdpbrowser.DownloadProgressStateInProgress, OK: e.State == cdpbrowser.DownloadProgressStateCompleted,
		}
		for _, c := range h.all() {
			if c.ev.Progress != nil {
				c.ev.Progress(p)
			}
		}
	})
}

// CancelDownload ends a download without waiting for that.
func (c *Context) CancelDownload(id string) {
	c.hub.conn.Root().Start("Browser.cancelDownload", c.in(map[string]any{"guid": id}))
}

// Downloads is the folder that the browser writes downloads to, "" for none.
func (c *Context) Downloads() string { return c.ev.Downloads }

// Close disposes of the context and its pages. The default context cannot be
// closed.
func (c *Context) Close(ctx context.Context) error {
	if c.id == "" {
		return errors.New("the default context cannot be closed")
	}
	err := c.hub.conn.Root().Call(ctx, "Target.disposeBrowserContext", map[string]any{"browserContextId": c.id}, nil)
	c.hub.mu.Lock()
	delete(c.hub.contexts, c.id)
	c.hub.mu.Unlock()
	return err
}

// Conn returns the connection that the context's sessions use.
func (c *Context) Conn() *cdp.Conn { return c.hub.conn }

// Open makes a page with a window of its own, so that it is painted even when
// another one is in front. Its Attached event comes before Open returns.
func (c *Context) Open(ctx context.Context) (target.ID, error) {
	return c.create(ctx, map[string]any{"url": "about:blank", "newWindow": true})
}

// OpenBehind makes a page at an address for what nobody looks at. Only with a
// window of its own is it painted. Its Attached event comes before OpenBehind
// returns.
func (c *Context) OpenBehind(ctx context.Context, url string, window bool) (target.ID, error) {
	return c.create(ctx, map[string]any{"url": url, "background": true, "newWindow": window})
}

// create makes a page (CDP Target.createTarget) and waits for its Attached event.
func (c *Context) create(ctx context.Context, params map[string]any) (target.ID, error) {
	var r struct {
		ID target.ID `json:"targetId"`
	}
	root := c.hub.conn.Root()
	if err := root.Call(ctx, "Target.createTarget", c.in(params), &r); err != nil {
		return "", err
	}
	return r.ID, root.Flush(ctx)
}

// CloseTarget closes a page. Its Detached event follows.
func (c *Context) CloseTarget(ctx context.Context, id target.ID) error {
	return c.hub.conn.Root().Call(ctx, "Target.closeTarget", map[string]any{"targetId": id}, nil)
}

// Targets lists the pages of all contexts with their titles, asking the browser
// and no page, so that a hung page does not delay it.
func (c *Context) Targets(ctx context.Context) ([]target.Info, error) {
	var r struct {
		Infos []target.Info `json:"targetInfos"`
	}
	err := c.hub.conn.Root().Call(ctx, "Target.getTargets", map[string]any{"filter": []map[string]any{{"type": "page"}, {"exclude": true}}}, &r)
	return r.Infos, err
}

// SetPermission answers a permission of the context for its pages in advance
// (CDP Browser.setPermission). name is that of the Permissions API, setting is
// granted, denied or prompt; an empty origin means every one.
func (c *Context) SetPermission(ctx context.Context, name, setting, origin string) error {
	params := map[string]any{"permission": map[string]any{"name": name}, "setting": setting}
	if origin != "" {
		params["origin"] = origin
	}
	return c.hub.conn.Root().Call(ctx, "Browser.setPermission", c.in(params), nil)
}

// ResetPermissions forgets what SetPermission has answered.
func (c *Context) ResetPermissions(ctx context.Context) error {
	return c.hub.conn.Root().Call(ctx, "Browser.resetPermissions", c.in(map[string]any{}), nil)
}
