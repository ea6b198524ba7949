package workspace

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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
//
// It is kept in the user's gstack folder, not in the project: a repository that
// brings a .gstack along must not choose a proxy, nor put words into a message.
type Last struct {
	Config Config // Proxy.URL is never kept: it may hold a password
	Reason string // "" while it runs, or when it died
}

// lastPath returns "" when the user has no home.
func (p Place) lastPath(env func(string) string) string {
	home := homeDir(env)
	if home == "" {
		return ""
	}
	return home + "/workspaces/" + p.name(p.File) + "/browse-last.json"
}

// KeepLast writes l.
func (p Place) KeepLast(env func(string) string, l Last) error {
	path := p.lastPath(env)
	if path == "" {
		return errNoHome
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	var w flat.Writer
	w.Bool("headed", l.Config.Headed)
	w.String("proxy", l.Config.Proxy.Origin)
	w.Bool("credentials", l.Config.Proxy.Credentials)
	w.String("reason", l.Reason)
	return replaceFile(path, append(w.Bytes(), '\n'))
}

// Last returns what the last daemon left, if anything. A proxy that does not
// parse is treated as one that cannot be restored.
func (p Place) Last(env func(string) string) Last {
	path := p.lastPath(env)
	if path == "" {
		return Last{}
	}
	data, err := readOwn(path, maxState)
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
func (p Place) ForgetLast(env func(string) string) {
	if path := p.lastPath(env); path != "" && os.Remove(path) == nil {
		_ = os.Remove(filepath.Dir(path)) // if nothing else is in it
	}
}

var errNoHome = errors.New("neither GSTACK_HOME nor HOME is set")

// replaceFile writes a file of ours, 0600, under a new name first: whatever has
// the name already, a symbolic link perhaps, is replaced and not written to.
func replaceFile(path string, data []byte) error {
	tmp := tempName(path)
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp)
	}
	return err
}

// tempName returns a name that no other writer uses.
func tempName(path string) string {
	return path + ".tmp." + strconv.Itoa(os.Getpid()) + "." + strconv.FormatUint(rand.Uint64()>>32, 16)
}

// LogPath is the daemon's log.
func (p Place) LogPath() string { return p.Dir + "/browse-daemon.log" }

func (p Place) startupErrorPath() string { return p.Dir + "/browse-startup-error.log" }

// KeepStartupError writes the report of a failed start: the time and the error's
// text.
func (p Place) KeepStartupError(e *api.Error) error {
	return replaceFile(p.startupErrorPath(), []byte(time.Now().Format(time.RFC3339)+"\n"+e.Text()))
}

// StartupError returns the report of a start that failed after since, nil when
// there is none.
func (p Place) StartupError(since time.Time) *api.Error {
	fi, err := os.Lstat(p.startupErrorPath())
	if err != nil || fi.ModTime().Before(since) {
		return nil
	}
	data, err := readOwn(p.startupErrorPath(), maxState)
	if err != nil {
		return nil
	}
	e := &api.Error{Code: api.DaemonGone}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if s, ok := strings.CutPrefix(line, "error: "); ok {
			e.Message = s
		} else if s, ok := strings.CutPrefix(line, "hint: "); ok {
			e.Hint = s
		}
	}
	if e.Message == "" {
		return nil
	}
	return e
}

// ForgetStartupError removes the report.
func (p Place) ForgetStartupError() { _ = os.Remove(p.startupErrorPath()) }

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
