package browser

import (
	"net"
	"net/url"
	"strings"

	"gstack/internal/api"
)

// Proxy is how Chromium reaches the network. The zero value is a direct
// connection, or what the desktop's settings say.
type Proxy struct {
	// Server is the value of --proxy-server, without user names and passwords.
	Server string
	// Bypass is the value of --proxy-bypass-list. Loopback addresses are always
	// direct and need no entry.
	Bypass string
	// logins are the credentials by "host:port" of the proxy. They never get
	// into an argument list, where every user of the machine can read them.
	logins map[string]*url.Userinfo
}

// Login returns the credentials for a proxy that asks for some, as the
// challenge of CDP Fetch.authRequired names it ("http://host:port").
func (p Proxy) Login(origin string) (user, password string, ok bool) {
	u, err := url.Parse(origin)
	if err != nil {
		return "", "", false
	}
	info := p.logins[hostPort(u)]
	if info == nil {
		return "", "", false
	}
	password, _ = info.Password()
	return info.Username(), password, true
}

// HasLogin reports whether any proxy needs credentials, so that the owner of
// the pages must answer its challenge.
func (p Proxy) HasLogin() bool { return len(p.logins) > 0 }

// ProxyFromEnv reads the proxy from the environment: BROWSE_PROXY_URL with
// BROWSE_PROXY_USER and BROWSE_PROXY_PASS alone if set, otherwise the customary
// http_proxy, https_proxy, all_proxy and no_proxy in either case. Chromium reads
// the latter only on Linux, and there with the credentials that it ignores; so
// they are translated to its flags here, on all systems alike.
func ProxyFromEnv(env func(string) string) (Proxy, error) {
	if own := env("BROWSE_PROXY_URL"); own != "" {
		return ownProxy(own, env)
	}
	get := func(name string) (value, from string) {
		if v := env(name); v != "" {
			return v, name
		}
		name = strings.ToUpper(name)
		return env(name), name
	}
	noProxy, _ := get("no_proxy")
	bypass, none := bypassList(noProxy)
	if none {
		return Proxy{}, nil
	}
	p := Proxy{Bypass: bypass}
	var servers []string
	all, allFrom := get("all_proxy")
	for _, scheme := range []string{"http", "https"} {
		value, from := get(scheme + "_proxy")
		if value == "" {
			value, from = all, allFrom
		}
		if value == "" {
			continue
		}
		server, err := p.add(from, value)
		if err != nil {
			return Proxy{}, err
		}
		servers = append(servers, scheme+"="+server)
	}
	switch {
	case len(servers) == 0:
		return Proxy{}, nil
	case len(servers) == 2 && servers[0][len("http="):] == servers[1][len("https="):]:
		// The same for both: then also for what is neither (ws: is http here).
		p.Server = servers[0][len("http="):]
	default:
		p.Server = strings.Join(servers, ";")
	}
	return p, nil
}

// ownProxy is the proxy of our own variables, without exceptions.
func ownProxy(value string, env func(string) string) (Proxy, error) {
	var p Proxy
	user, pass := env("BROWSE_PROXY_USER"), env("BROWSE_PROXY_PASS")
	if user != "" || pass != "" {
		u, err := url.Parse(value)
		if err == nil && u.User != nil {
			return Proxy{}, api.Errorf(api.BadUsage, "drop them from BROWSE_PROXY_URL, or unset BROWSE_PROXY_USER and BROWSE_PROXY_PASS",
				"the proxy has credentials in BROWSE_PROXY_URL and in the environment")
		}
		if err == nil {
			u.User = url.UserPassword(user, pass)
			value = u.String()
		}
	}
	server, err := p.add("BROWSE_PROXY_URL", value)
	p.Server = server
	return p, err
}

// add notes the credentials of one proxy and returns it without them. No error
// quotes the value, which may contain a password.
func (p *Proxy) add(from, value string) (string, error) {
	if !strings.Contains(value, "://") {
		value = "http://" + value
	}
	u, err := url.Parse(value)
	if err != nil || u.Hostname() == "" || strings.ContainsAny(u.Host, ";,= ") {
		return "", api.Errorf(api.BadUsage, "set "+from+" to scheme://host:port", "%s is not the address of a proxy", from)
	}
	switch u.Scheme {
	case "http", "https", "socks4", "socks5":
	case "socks5h", "socks":
		u.Scheme = "socks5" // Chromium's socks5 resolves names at the proxy
	default:
		return "", api.Errorf(api.BadUsage, "use http, https or socks5", "%s has the scheme %q, which is not that of a proxy", from, u.Scheme)
	}
	if u.User != nil && u.User.String() != "" && u.User.String() != ":" {
		if strings.HasPrefix(u.Scheme, "socks") {
			return "", api.Errorf(api.BadUsage, "use an HTTP proxy, or a SOCKS proxy without a password",
				"%s has a password for a SOCKS proxy, which Chromium cannot send", from)
		}
		if p.logins == nil {
			p.logins = map[string]*url.Userinfo{}
		}
		p.logins[hostPort(u)] = u.User
	}
	return u.Scheme + "://" + hostPort(u), nil
}

// hostPort returns the host and port of u, the default port of its scheme
// filled in.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		switch {
		case u.Scheme == "https":
			port = "443"
		case strings.HasPrefix(u.Scheme, "socks"):
			port = "1080"
		default:
			port = "80"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// bypassList translates no_proxy to Chromium's rules (net/docs/proxy.md): there
// a bare name matches that host only, in no_proxy also what is below it. Rules in
// angle brackets are dropped: "<-loopback>" would send loopback to the proxy.
func bypassList(noProxy string) (list string, none bool) {
	var rules []string
	for entry := range strings.FieldsFuncSeq(noProxy, func(r rune) bool { return r == ',' || r == ';' || r == ' ' }) {
		if entry == "*" {
			return "", true
		}
		if strings.ContainsAny(entry, "<>") {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(entry, "*"), ".")
		host, _, err := net.SplitHostPort(name)
		if err != nil {
			host = name
		}
		switch {
		case name == "":
		case net.ParseIP(strings.Trim(host, "[]")) != nil, strings.Contains(name, "/"), strings.Contains(name, "*"):
			rules = append(rules, bracketed(name))
		default:
			rules = append(rules, name, "*."+name)
		}
	}
	return strings.Join(rules, ";"), false
}

// bracketed puts an IPv6 address into the brackets that a rule wants.
func bracketed(name string) string {
	if ip := net.ParseIP(name); ip != nil && strings.Contains(name, ":") {
		return "[" + name + "]"
	}
	return name
}
