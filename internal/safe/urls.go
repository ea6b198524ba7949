package safe

import (
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"gstack/internal/api"
)

// URL returns the address to open for what a user typed. http, https and
// about:blank are allowed, file: inside the folders of p. A bare host gets
// https, localhost and IP addresses get http. Cloud metadata addresses in any
// notation and link-local ones are [api.URLDenied].
func (p Paths) URL(typed string) (string, error) {
	s := strings.TrimSpace(typed)
	if s == "" {
		return "", api.Errorf(api.BadUsage, "browse goto https://example.com", "the address is empty")
	}
	if strings.EqualFold(s, "about:blank") {
		return "about:blank", nil
	}
	scheme, rest, has := splitScheme(s)
	switch {
	case has && strings.EqualFold(scheme, "file"):
		return p.fileURL(rest, s)
	case has && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")):
	case has:
		return "", api.Errorf(api.URLDenied, "allowed are http:, https:, about:blank, and file: inside the allowed folders",
			"the scheme %q of %s may not be opened", scheme, cut(s))
	default:
		s = guessScheme(s) + "://" + strings.TrimLeft(s, "/")
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Hostname() == "" {
		return "", api.Errorf(api.BadUsage, "browse goto https://example.com/path", "%s is not an address", cut(typed))
	}
	if err := p.network.check(u.Hostname(), port(u)); err != nil {
		return "", err
	}
	return u.String(), nil
}

// port returns the port that u is opened at.
func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	}
	return "80"
}

// splitScheme splits "scheme:rest". host:port is no scheme.
func splitScheme(s string) (scheme, rest string, ok bool) {
	i := strings.IndexByte(s, ':')
	if i <= 0 {
		return "", s, false
	}
	for j, c := range s[:i] {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (j == 0 || !(c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return "", s, false
		}
	}
	rest = s[i+1:]
	port := rest
	if k := strings.IndexAny(rest, "/?#"); k >= 0 {
		port = rest[:k]
	}
	if _, err := strconv.ParseUint(port, 10, 16); err == nil && !noHost[strings.ToLower(s[:i])] {
		return "", s, false // localhost:8080/x
	}
	return s[:i], rest, true
}

// noHost are schemes that are one whatever follows them.
var noHost = map[string]bool{"javascript": true, "data": true, "blob": true, "about": true, "mailto": true, "tel": true}

// guessScheme is http for localhost, its subdomains and IP addresses, else https.
func guessScheme(s string) string {
	host := s
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") || strings.HasSuffix(strings.ToLower(host), ".localhost") {
		return "http"
	}
	if _, ok := parseIP(host); ok {
		return "http"
	}
	return "https"
}

// parseIP reads an address as the WHATWG URL standard does: dotted IPv4 with
// decimal, octal or hexadecimal parts, one to four of them, or IPv6.
func parseIP(h string) (netip.Addr, bool) {
	if a, err := netip.ParseAddr(strings.Trim(h, "[]")); err == nil {
		return a.WithZone(""), true
	}
	parts := strings.Split(strings.TrimSuffix(h, "."), ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var v uint64
	for i, p := range parts {
		n, err := parsePart(p)
		if err != nil {
			return netip.Addr{}, false
		}
		if i < len(parts)-1 {
			if n > 255 {
				return netip.Addr{}, false
			}
			v = v<<8 | n
			continue
		}
		bits := 8 * (5 - len(parts))
		if n >= 1<<bits {
			return netip.Addr{}, false
		}
		v = v<<bits | n
	}
	return netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}), true
}

func parsePart(p string) (uint64, error) {
	switch {
	case strings.HasPrefix(p, "0x"):
		if p == "0x" {
			return 0, nil
		}
		return strconv.ParseUint(p[2:], 16, 64)
	case len(p) > 1 && p[0] == '0':
		return strconv.ParseUint(p[1:], 8, 64)
	}
	return strconv.ParseUint(p, 10, 64)
}

// fileURL handles file:///abs, file://localhost/abs, file://./rel, file://dir/rel
// and file://~/rel. Query and fragment are kept.
func (p Paths) fileURL(rest, typed string) (string, error) {
	tail := ""
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest, tail = rest[:i], rest[i:]
	}
	path, ok := strings.CutPrefix(rest, "//")
	if !ok {
		path = rest // file:/abs and file:rel
	}
	if after, ok := strings.CutPrefix(path, "localhost/"); ok {
		path = "/" + after
	}
	if dec, err := url.PathUnescape(path); err == nil {
		path = dec
	}
	seg, _, _ := strings.Cut(path, "/")
	switch {
	case path == "" || path == "/" || path == "./" || path == "." || path == "~/" || path == "~":
		return "", api.Errorf(api.URLDenied, "name a file: browse goto file:///path/page.html", "%s would list a folder", cut(typed))
	case strings.HasPrefix(path, "/") || seg == "." || seg == "~":
	case strings.ContainsAny(seg, `.:\%[`) && strings.Contains(path, "/"):
		return "", api.Errorf(api.URLDenied, "use three slashes: file:///path/page.html", "%s names a host, files are opened from this machine only", cut(typed))
	}
	r, err := p.Read(path)
	if err != nil {
		return "", err
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(r)}).String() + tail, nil
}

// cut bounds what an error quotes of an address, and leaves out what may be a
// user name and a password.
func cut(s string) string {
	if i := strings.Index(s, "://"); i >= 0 {
		if at := strings.LastIndexByte(s, '@'); at > i {
			s = s[:i+3] + s[at+1:]
		}
	}
	if r := []rune(s); len(r) > 200 {
		return string(r[:199]) + "…"
	}
	return s
}
