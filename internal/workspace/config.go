package workspace

import (
	"os"
	"strconv"
	"strings"

	"gstack/internal/api"
	"gstack/internal/workspace/flat"
)

// Config is what a daemon is started with and cannot change later.
type Config struct {
	Headed bool
	Proxy  Proxy
}

// Proxy is an upstream proxy. The zero value is none.
type Proxy struct {
	URL         string // as given, credentials included; "" when only the origin is known
	Origin      string // scheme://host:port
	Credentials bool   // in the URL or in the environment
}

// Mode returns the mode of the state file.
func (c Config) Mode() string {
	if c.Headed {
		return "headed"
	}
	return "launched"
}

// Plain reports whether c asks for nothing special.
func (c Config) Plain() bool { return !c.Headed && c.Proxy.Origin == "" }

// String describes c in a message, without credentials.
func (c Config) String() string {
	s := "headless"
	if c.Headed {
		s = "headed"
	}
	if c.Proxy.Origin == "" {
		return s + ", no proxy"
	}
	return s + ", proxy " + c.Proxy.Origin
}

// proxyPort returns the default port of a proxy scheme, "" for an unknown one.
func proxyPort(scheme string) string {
	switch scheme {
	case "socks5":
		return "1080"
	case "http":
		return "80"
	case "https":
		return "443"
	}
	return ""
}

const proxyHint = "use socks5://host:port, http://host:port or https://host:port"

// ParseProxy checks a proxy URL. user and pass are the credentials of the
// environment; it is an error to give them twice. Messages never quote the URL,
// which may hold a password.
func ParseProxy(raw, user, pass string) (Proxy, *api.Error) {
	bad := func(why string) (Proxy, *api.Error) {
		return Proxy{}, api.Errorf(api.BadUsage, proxyHint, "the proxy URL %s", why)
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	scheme = strings.ToLower(scheme)
	switch {
	case !ok:
		return bad("has no scheme")
	case proxyPort(scheme) == "":
		return bad("has the scheme " + api.Clean(strconv.Quote(scheme)) + ", want socks5, http or https")
	}
	rest = strings.TrimSuffix(rest, "/")
	p := Proxy{URL: raw}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		p.Credentials = at > 0
		rest = rest[at+1:]
	}
	if user != "" || pass != "" {
		if p.Credentials {
			return Proxy{}, api.Errorf(api.BadUsage, "give them in one place", "proxy credentials are both in the URL and in BROWSE_PROXY_USER or BROWSE_PROXY_PASS")
		}
		p.Credentials = true
	}
	host, port := rest, proxyPort(scheme)
	if i := strings.LastIndexByte(rest, ':'); i > strings.LastIndexByte(rest, ']') {
		host, port = rest[:i], rest[i+1:]
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return bad("has a port that is not from 1 to 65535")
	}
	if !validHost(host) {
		return bad("has no valid host name")
	}
	p.Origin = scheme + "://" + strings.ToLower(host) + ":" + port
	return p, nil
}

func validHost(h string) bool {
	v6 := strings.HasPrefix(h, "[") && strings.HasSuffix(h, "]")
	if v6 {
		h = h[1 : len(h)-1]
	}
	if h == "" {
		return false
	}
	for i := range len(h) {
		c := h[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
		if !letter && c != '.' && c != '-' && c != '_' && !(v6 && (c == ':' || c == '%')) {
			return false
		}
	}
	return true
}

// Last is what a daemon leaves for the next start: the configuration that it ran
// with, so that a plain call never silently drops a proxy or a window, and why
// it ended. Only a stop by the user removes it.
type Last struct {
	Config Config // Proxy.URL is never kept: it may hold a password
	Reason string // "" while it runs, or when it died
}

func (p Place) lastPath() string { return p.Dir + "/browse-last.json" }

// KeepLast writes l.
func (p Place) KeepLast(l Last) error {
	var w flat.Writer
	w.Bool("headed", l.Config.Headed)
	w.String("proxy", l.Config.Proxy.Origin)
	w.Bool("credentials", l.Config.Proxy.Credentials)
	w.String("reason", l.Reason)
	tmp := p.lastPath() + ".tmp." + strconv.Itoa(os.Getpid())
	if err := os.WriteFile(tmp, append(w.Bytes(), '\n'), 0o600); err != nil {
		return err
	}
	if err := os.Rename(tmp, p.lastPath()); err != nil {
		_ = os.Remove(tmp)
		return err
	}
	return nil
}

// Last returns what the last daemon left, if anything. A proxy that does not
// parse is treated as one that cannot be restored.
func (p Place) Last() Last {
	data, err := readOwn(p.lastPath(), maxState)
	if err != nil {
		return Last{}
	}
	o, err := flat.Parse(data)
	if err != nil {
		return Last{}
	}
	l := Last{Config: Config{Headed: o.Bool("headed")}, Reason: o.String("reason")}
	if origin := o.String("proxy"); origin != "" {
		proxy, perr := ParseProxy(origin, "", "")
		if perr != nil {
			proxy = Proxy{Origin: api.Clean(origin), Credentials: true}
		}
		proxy.Credentials = proxy.Credentials || o.Bool("credentials")
		l.Config.Proxy = proxy
	}
	return l
}

// ForgetLast removes what [Place.KeepLast] wrote.
func (p Place) ForgetLast() { _ = os.Remove(p.lastPath()) }

// LogPath is the daemon's log.
func (p Place) LogPath() string { return p.Dir + "/browse-daemon.log" }

// StartupErrorPath is the report of the last failed start.
func (p Place) StartupErrorPath() string { return p.Dir + "/browse-startup-error.log" }

// MaxLog is the size at which a log makes way for a new one, in bytes.
const MaxLog = 10 << 20

// OpenLog opens the daemon's log for appending, 0600. One that has grown over
// [MaxLog] becomes the old generation first, with ".1" added to its name.
func (p Place) OpenLog() (*os.File, error) {
	path := p.LogPath()
	if fi, err := os.Lstat(path); err == nil && (fi.Size() > MaxLog || !fi.Mode().IsRegular()) {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND|noFollow, 0o600)
}
