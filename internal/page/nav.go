package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	neturl "net/url"
	"strings"
	"sync/atomic"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/safe"
)

// Navigation is where a navigation ended.
type Navigation struct {
	// URL is the committed address.
	URL string `json:"url"`
	// Status is the HTTP status of the document, 0 where there is none
	// (file:, about:, a same-document navigation).
	Status int `json:"status,omitempty"`
	// Moved is false when there was nowhere to go.
	Moved bool `json:"moved"`
	// Dialogs were answered on the way.
	Dialogs []Dialog `json:"-"`
}

// Shown returns an address without user name and password, as it may be shown.
func Shown(url string) string {
	i := strings.Index(url, "://")
	if i < 0 {
		return url
	}
	host := url[i+3:]
	if end := strings.IndexAny(host, "/?#"); end >= 0 {
		host = host[:end]
	}
	at := strings.LastIndexByte(host, '@')
	if at < 0 {
		return url
	}
	return url[:i+3] + url[i+3+at+1:]
}

// statusLimit bounds how long the HTTP status is asked for after the load.
const statusLimit = 2 * time.Second

// Navigate opens url in the top frame and waits until the document has been
// parsed (DOMContentLoaded). Errors: [api.NavigationFailed] with the network
// error, [api.IsDownload], [api.Timeout] saying how far it came.
func (t *Tab) Navigate(ctx context.Context, url string) (Navigation, error) {
	t.makeWay(ctx)
	if strings.HasPrefix(url, "file:") {
		t.guardFor(url)
	}
	w := t.Watch()
	defer w.Close()
	var r struct {
		LoaderID   string `json:"loaderId"`
		ErrorText  string `json:"errorText"`
		IsDownload bool   `json:"isDownload"`
	}
	err := t.leave(ctx, "Page.navigate", m{"url": url}, &r)
	url = Shown(url)
	if err != nil {
		if ctx.Err() != nil {
			t.stopLoading()
			return Navigation{}, t.navTimeout(ctx, url, noAnswer)
		}
		var pe *cdp.Error
		if asProtocol(err, &pe) && t.Gone() == nil {
			return Navigation{}, api.Errorf(api.NavigationFailed, "check the address", "%s: %s", url, pe.Message)
		}
		return Navigation{}, t.Broken(ctx, "opening "+url, err)
	}
	if r.IsDownload {
		return Navigation{}, api.Errorf(api.IsDownload, "fetch it with another tool; the tab still shows what it showed",
			"%s is a download, not a page", url)
	}
	if e := w.stayed(url + " was not opened"); e != nil {
		return Navigation{}, e
	}
	if r.ErrorText != "" {
		return Navigation{}, t.navError(ctx, url, r.ErrorText)
	}
	if r.LoaderID == "" { // same document: only the fragment changed
		return Navigation{URL: t.URL(), Moved: true, Dialogs: w.dialogs()}, nil
	}
	if err := t.await(ctx, func() bool { return t.parsed(w) }); err != nil {
		return Navigation{}, t.navFailed(ctx, w, url, err)
	}
	return t.arrived(ctx, w)
}

// parsed reports, with t.mu held, whether a document was committed since w began
// and has been parsed, or that the page was allowed to stay.
func (t *Tab) parsed(w *Watch) bool {
	return w.effects.Stayed || w.navigated && t.main.going == "" && t.main.lifecycle["DOMContentLoaded"]
}

// Reload loads the document again.
func (t *Tab) Reload(ctx context.Context) (Navigation, error) {
	t.makeWay(ctx)
	w := t.Watch()
	defer w.Close()
	if err := t.leave(ctx, "Page.reload", nil, nil); err != nil {
		return Navigation{}, t.Broken(ctx, "reloading the page", err)
	}
	if err := t.await(ctx, func() bool { return t.parsed(w) }); err != nil {
		return Navigation{}, t.navFailed(ctx, w, t.URL(), err)
	}
	return t.arrived(ctx, w)
}

// History goes delta entries through the tab's history. Moved is false when
// there is no such entry.
func (t *Tab) History(ctx context.Context, delta int) (Navigation, error) {
	var h struct {
		CurrentIndex int `json:"currentIndex"`
		Entries      []struct {
			ID  int64  `json:"id"`
			URL string `json:"url"`
		} `json:"entries"`
	}
	if err := t.sess.Call(ctx, "Page.getNavigationHistory", nil, &h); err != nil {
		return Navigation{}, t.Broken(ctx, "reading the history", err)
	}
	i := h.CurrentIndex + delta
	if i < 0 || i >= len(h.Entries) {
		return Navigation{URL: t.URL()}, nil
	}
	t.makeWay(ctx)
	if strings.HasPrefix(h.Entries[i].URL, "file:") {
		t.guardFor(h.Entries[i].URL)
	}
	w := t.Watch()
	defer w.Close()
	if err := t.leave(ctx, "Page.navigateToHistoryEntry", m{"entryId": h.Entries[i].ID}, nil); err != nil {
		return Navigation{}, t.Broken(ctx, "going through the history", err)
	}
	// A step of the history may belong to a frame other than the top one.
	if err := t.await(ctx, func() bool { return t.parsed(w) || w.moved && len(w.begun) == 0 && !w.navigated }); err != nil {
		return Navigation{}, t.navFailed(ctx, w, Shown(h.Entries[i].URL), err)
	}
	return t.arrived(ctx, w)
}

// arrived reads where the tab is after a navigation. A tab that ended on the
// browser's error page, or whose page died at once, has not arrived.
func (t *Tab) arrived(ctx context.Context, w *Watch) (Navigation, error) {
	n := Navigation{Moved: true, Dialogs: w.dialogs(), URL: t.URL()}
	if e := w.stayed("the tab still shows " + n.URL); e != nil {
		return n, e
	}
	if t.showsFailure() {
		return n, t.failure(ctx)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.main.answered == t.main.loader {
		n.Status = t.main.status
	}
	if e := t.goneLocked(); e != nil {
		return n, e
	}
	return n, nil
}

// handleResponses keeps the HTTP status of each document (CDP
// Network.responseReceived). Asking the page for it afterwards would wait for
// its first frame to be painted.
func (t *Tab) handleResponses(s *cdp.Session) {
	s.On("Network.responseReceived", func(params []byte) {
		if !bytes.Contains(params, []byte(`"type":"Document"`)) {
			return
		}
		var e struct {
			LoaderID string `json:"loaderId"`
			FrameID  string `json:"frameId"`
			Response struct {
				Status int `json:"status"`
			} `json:"response"`
		}
		if json.Unmarshal(params, &e) != nil {
			return
		}
		t.locked(func() {
			if f := t.frames[e.FrameID]; f != nil {
				f.answered, f.status = e.LoaderID, e.Response.Status
			}
		})
	})
}

// showsFailure reports whether the top document is the browser's error page.
func (t *Tab) showsFailure() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.main != nil && t.main.failed
}

// failure reads from the browser's error page why the address did not open.
func (t *Tab) failure(ctx context.Context) *api.Error {
	ctx, cancel := context.WithTimeout(ctx, statusLimit)
	defer cancel()
	code := ""
	_ = t.Main().Call(ctx, "", "netError", &code)
	if code == "" {
		code = "the browser shows its error page"
	}
	return t.navError(ctx, t.URL(), code)
}

// How long a page may take to answer before a navigation away from it stops its
// script, and then ends its process.
const (
	hungLimit  = 1500 * time.Millisecond
	crashLimit = time.Second
)

// makeWay sees to it that a navigation can begin: a renderer that has died is
// replaced by it, and one that another navigation holds up is let go.
func (t *Tab) makeWay(ctx context.Context) {
	_ = t.sess.Flush(ctx) // a crash that has failed a call may still wait to be handled
	if e := t.Gone(); e != nil {
		if e.Code == api.PageCrashed {
			t.revive()
		}
		return
	}
	if t.going() != "" {
		_ = t.sess.Start("Page.stopLoading", nil).Wait(ctx, nil)
		wctx, cancel := context.WithTimeout(ctx, hungLimit)
		defer cancel()
		_ = t.await(wctx, func() bool { return t.main.going == "" })
	}
}

// leave sends a command that navigates and waits for its answer. The page is
// asked for a sign of life along with it: Chromium would wait for a script that
// never ends, so that one is stopped, and its process ended if it goes on.
func (t *Tab) leave(ctx context.Context, method string, params, out any) error {
	sign := t.sess.Start("Runtime.evaluate", m{"expression": "1"})
	call := t.sess.Start(method, params)
	was := t.lastAnswer()
	var alive atomic.Bool
	hung := time.AfterFunc(hungLimit, func() {
		// A page that has given its sign and let the navigation begin is well: its
		// successor's server is slow.
		if !alive.Load() || t.going() == "" || t.lastAnswer() != was {
			t.sess.Start("Runtime.terminateExecution", nil)
		}
	})
	defer hung.Stop()
	silent := t.silent(ctx, sign)
	alive.Store(!silent)
	switch {
	case silent && ctx.Err() != nil:
		t.sess.Start("Runtime.terminateExecution", nil) // for who tries again
	case silent:
		t.sess.Start("Page.crash", nil)
		wctx, cancel := context.WithTimeout(ctx, crashLimit)
		defer cancel()
		_ = t.await(wctx, func() bool { return false }) // ends with the crash
		t.revive()
		return t.sess.Call(ctx, method, params, out)
	}
	return call.Wait(ctx, out)
}

// lastAnswer names the latest response that came for a document of the top frame.
func (t *Tab) lastAnswer() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.main == nil {
		return ""
	}
	return t.main.answered
}

// silent reports whether the page gives no sign, however long it is waited for.
// For a page that the navigation has replaced meanwhile the browser answers.
func (t *Tab) silent(ctx context.Context, sign *cdp.Pending) bool {
	ctx, cancel := context.WithTimeout(ctx, hungLimit+crashLimit)
	defer cancel()
	return errors.Is(sign.Wait(ctx, nil), context.DeadlineExceeded)
}

func (w *Watch) dialogs() []Dialog {
	w.t.mu.Lock()
	defer w.t.mu.Unlock()
	return w.effects.Dialogs
}

// stayed returns the error of a navigation that the page was allowed to prevent.
func (w *Watch) stayed(what string) *api.Error {
	w.t.mu.Lock()
	defer w.t.mu.Unlock()
	if !w.effects.Stayed {
		return nil
	}
	return api.Errorf(api.NavigationFailed, "run the command again, or browse dialog-accept first",
		"%s: the page asked whether to leave it, and that dialog was dismissed", what)
}

const noAnswer = "no answer from the server"

// stopLoading gives up a navigation that no one waits for any more.
func (t *Tab) stopLoading() {
	t.sess.Start("Page.stopLoading", nil)
}

func (t *Tab) navFailed(ctx context.Context, w *Watch, url string, err error) error {
	if ctx.Err() != nil && t.Gone() == nil {
		t.mu.Lock()
		arrived := w.navigated
		t.mu.Unlock()
		if !arrived {
			t.stopLoading()
			return t.navTimeout(ctx, url, noAnswer)
		}
		return t.navTimeout(ctx, url, "the document arrived, but was not parsed to its end; what there is can be read")
	}
	return t.Broken(ctx, "opening "+url, err)
}

func (t *Tab) navTimeout(ctx context.Context, url, how string) error {
	if e := t.Gone(); e != nil {
		return e
	}
	return api.Errorf(api.Timeout, "check that the server answers; --timeout MS gives it longer", "timed out opening %s: %s", url, how)
}

// navError explains why url did not open. A host that may not be opened does not
// resolve (see safe.Network); it need not be that of url, after a redirect.
func (t *Tab) navError(ctx context.Context, url, text string) *api.Error {
	if t.rec != nil && strings.Contains(text, "ERR_NAME_NOT_RESOLVED") {
		t.caughtUp(ctx)
		if host, why := t.rec.Refused(); why != "" {
			e := safe.Denied(host, why)
			if u, err := neturl.Parse(url); err == nil && u.Hostname() != host {
				e.Tried = append(e.Tried, url+" led there")
			}
			return e
		}
	}
	return navError(url, text)
}

// navError turns Chromium's network error into a sentence and a next step. The
// error names are those of net/base/net_error_list.h.
func navError(url, text string) *api.Error {
	name := strings.TrimPrefix(text, "net::")
	say, hint := "", "check the address"
	switch {
	case name == "ERR_NAME_NOT_RESOLVED" || name == "ERR_NAME_RESOLUTION_FAILED" || strings.HasPrefix(name, "ERR_DNS_"):
		say, hint = "the host name does not resolve", "check the spelling of the host; browse goto http://… for a local name"
	case name == "ERR_CONNECTION_REFUSED":
		say, hint = "the server refuses the connection, nothing listens there", "start the server, or check the port"
	case name == "ERR_CONNECTION_TIMED_OUT" || name == "ERR_TIMED_OUT":
		say, hint = "the server does not answer", "check host and port, or the proxy"
	case name == "ERR_ADDRESS_UNREACHABLE" || name == "ERR_INTERNET_DISCONNECTED" || name == "ERR_NETWORK_CHANGED":
		say, hint = "the host cannot be reached from here", "check the network"
	case strings.HasPrefix(name, "ERR_CERT_") || strings.HasPrefix(name, "ERR_SSL_"):
		say, hint = "the TLS certificate or handshake is not accepted", "check the certificate, or use http:// if the server speaks plain HTTP"
	case name == "ERR_ABORTED":
		say, hint = "the server sent no page (a 204, an abort, or a page that went elsewhere)", "browse url shows where the tab is"
	case name == "ERR_TOO_MANY_REDIRECTS":
		say, hint = "the server redirects in a circle", "browse goto with the final address"
	case name == "ERR_INVALID_AUTH_CREDENTIALS":
		say, hint = "the server asks for a user name and a password", "browse credentials - --origin "+Origin(url)+" reads user:password from standard input"
	case name == "ERR_HTTP_RESPONSE_CODE_FAILURE":
		say, hint = "the server answered with an error code and no page", "check the address"
	case name == "ERR_EMPTY_RESPONSE" || name == "ERR_CONNECTION_RESET" || name == "ERR_CONNECTION_CLOSED":
		say, hint = "the server closed the connection without an answer", "check that it speaks HTTP on that port"
	case name == "ERR_FILE_NOT_FOUND":
		say, hint = "no such file", "check the path"
	case strings.HasPrefix(name, "ERR_PROXY_") || strings.HasPrefix(name, "ERR_TUNNEL_"):
		say, hint = "the proxy failed", "check the proxy settings"
	case strings.HasPrefix(name, "ERR_BLOCKED_"):
		say = "the browser refused to open it"
	case name == "ERR_UNSAFE_PORT":
		say, hint = "browsers refuse that port", "serve the page on another port"
	}
	if say == "" {
		return api.Errorf(api.NavigationFailed, hint, "%s could not be opened: %s", url, name)
	}
	return api.Errorf(api.NavigationFailed, hint, "%s could not be opened: %s (%s)", url, say, name)
}

// LoadState waits until the top document has reached a state that the browser
// reports: "DOMContentLoaded", "load" or "networkIdle" (no request for 500 ms;
// CDP Page.lifecycleEvent).
func (t *Tab) LoadState(ctx context.Context, state string) error {
	err := t.await(ctx, func() bool { return t.main != nil && t.main.going == "" && t.main.lifecycle[state] })
	if err == nil && t.showsFailure() {
		return t.failure(ctx)
	}
	return t.Broken(ctx, fmt.Sprintf("the page did not reach %q", state), err)
}

// AwaitURL waits until match accepts the top frame's address.
func (t *Tab) AwaitURL(ctx context.Context, match func(string) bool) error {
	err := t.await(ctx, func() bool { return t.main != nil && match(t.main.url) })
	return t.Broken(ctx, "the address is still "+t.URL(), err)
}
