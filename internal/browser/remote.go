package browser

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
)

// RemoteVariable names the environment variable with the address of a browser
// that somebody else runs.
const RemoteVariable = "BROWSE_CDP_URL"

const (
	// connectLimit bounds a connection when the context has no deadline.
	connectLimit = 15 * time.Second
	// maxVersionBytes bounds the answer of /json/version, in bytes.
	maxVersionBytes = 64 << 10
)

// Connect returns a connection to a running browser. An address of the scheme ws
// or wss is used as it is; http://host:port is asked for /json/version, and a bare
// host:port or port number is taken for that. Close of the result disconnects and
// leaves the browser running. The errors are of code BadUsage, BrowserGone or
// Timeout; they show the address without user, path and query, which may be
// secret.
func Connect(ctx context.Context, address string, o cdp.Options) (*Process, error) {
	u, err := remoteURL(address)
	if err != nil {
		return nil, err
	}
	shown := u.Scheme + "://" + u.Host
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	fail := func(err error) error {
		if ctx.Err() != nil {
			return api.Errorf(api.Timeout, "check that a browser listens there, and "+RemoteVariable, "no answer from the browser at %s", shown)
		}
		return api.Errorf(api.BrowserGone, "start a browser there, or unset "+RemoteVariable,
			"cannot connect to the browser at %s: %s", shown, withoutURL(err))
	}
	ws := u
	if u.Scheme == "http" || u.Scheme == "https" {
		if ws, err = debuggerURL(ctx, u); err != nil {
			return nil, fail(err)
		}
	}
	t, err := cdp.DialWebSocket(ctx, ws.String())
	if err != nil {
		return nil, fail(err)
	}
	p := &Process{
		conn: cdp.NewConn(t, o),
		stop: make(chan struct{}), done: make(chan struct{}), gone: make(chan struct{}),
	}
	go p.attend()
	if err := p.conn.Root().Call(ctx, "Browser.getVersion", nil, &p.version); err != nil {
		err = fail(err)
		p.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	return p, nil
}

// remoteURL completes and checks an address.
func remoteURL(address string) (*url.URL, error) {
	full := strings.TrimSpace(address)
	if full != "" && strings.Trim(full, "0123456789") == "" {
		full = "127.0.0.1:" + full
	}
	if !strings.Contains(full, "://") {
		full = "http://" + full
	}
	u, err := url.Parse(full)
	if err != nil || u.Hostname() == "" {
		return nil, api.Errorf(api.BadUsage, "use ws://host:port/path or http://host:port", "%s is not an address", RemoteVariable)
	}
	switch u.Scheme {
	case "ws", "wss", "http", "https":
		return u, nil
	}
	return nil, api.Errorf(api.BadUsage, "use ws://host:port/path or http://host:port",
		"%s has the scheme %q, want ws, wss, http or https", RemoteVariable, u.Scheme)
}

// debuggerURL asks the browser for the address of its protocol. Host and port
// stay those that were asked: the browser does not know how it is reached, and an
// answer must not send us elsewhere.
func debuggerURL(ctx context.Context, u *url.URL) (*url.URL, error) {
	ask := *u
	ask.Path = strings.TrimSuffix(u.Path, "/") + "/json/version"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, ask.String(), nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var v struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	if res.StatusCode != http.StatusOK {
		return nil, api.Errorf(api.BrowserGone, "", "/json/version answers %s", res.Status)
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxVersionBytes)).Decode(&v); err != nil || v.URL == "" {
		return nil, api.Errorf(api.BrowserGone, "", "/json/version does not name webSocketDebuggerUrl")
	}
	ws, err := url.Parse(v.URL)
	if err != nil {
		return nil, api.Errorf(api.BrowserGone, "", "/json/version names a webSocketDebuggerUrl that is no address")
	}
	ws.Scheme, ws.Host, ws.User = "ws", u.Host, u.User
	if u.Scheme == "https" {
		ws.Scheme = "wss"
	}
	return ws, nil
}

var anyURL = regexp.MustCompile(`"?(?:https?|wss?)://\S+`)

// withoutURL is the message of err without addresses, which may be secret.
func withoutURL(err error) string {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	text := anyURL.ReplaceAllString(err.Error(), "")
	return strings.Join(strings.Fields(strings.TrimLeft(text, ": ")), " ")
}
