// Package cookie reads cookies from the files that browsers, extensions and
// tools write: JSON of the usual shapes, Netscape cookies.txt, and the Cookie
// header of a cURL command. It knows no browser and opens no file.
package cookie

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"strings"
)

// Cookie is one cookie as the protocol's Storage.setCookies takes it (RFC 6265).
type Cookie struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Domain string `json:"domain,omitzero"` // with a leading dot for its sub-domains too; "" is that of URL
	Path   string `json:"path,omitzero"`
	// Expires is in seconds since 1970; 0 and below mean the end of the session.
	Expires  float64 `json:"expires,omitzero"`
	HTTPOnly bool    `json:"httpOnly,omitzero"`
	Secure   bool    `json:"secure,omitzero"`
	SameSite string  `json:"sameSite,omitzero"` // Strict, Lax, None or ""
	// SourceScheme and SourcePort are where it was set: a host-only cookie may be
	// bound to them. -1 is any port, 0 that of a plain address.
	SourceScheme string `json:"sourceScheme,omitzero"` // Unset, NonSecure, Secure
	SourcePort   int    `json:"sourcePort,omitzero"`
	// Partition is set for a cookie that belongs to a site within another one (CHIPS,
	// CDP Network.CookiePartitionKey).
	Partition *Partition `json:"partitionKey,omitempty"`
	// URL gives domain, and whether it is secure, where Domain is "".
	URL string `json:"url,omitzero"`
}

// Partition is the site in whose pages a partitioned cookie is seen.
type Partition struct {
	TopLevelSite string `json:"topLevelSite"` // scheme and registrable domain
	// CrossSite says that a frame of another site stands between the two.
	CrossSite bool `json:"hasCrossSiteAncestor"`
}

// Limits of what is read. Browsers hold 4096 bytes of name and value, and a few
// thousand cookies in all.
const (
	maxPair   = 4096
	maxCookie = 20000
)

// Host returns the host that the cookie belongs to, in lower case, without the
// dot that stands for its sub-domains and the brackets of an IPv6 address; "" when
// neither Domain nor URL says.
func (c Cookie) Host() string {
	host := c.Domain
	if host == "" && c.URL != "" {
		if u, err := url.Parse(c.URL); err == nil {
			host = u.Hostname()
		}
	}
	return strings.Trim(strings.TrimPrefix(strings.ToLower(host), "."), "[]")
}

// Fits reports whether a page of host may have the cookie: its domain is the
// host or, unless that is an address, a parent of it (RFC 6265, section 5.1.3).
func (c Cookie) Fits(host string) bool {
	host, d := strings.ToLower(strings.Trim(host, "[]")), c.Host()
	if d == "" || d == host {
		return true
	}
	return net.ParseIP(host) == nil && strings.HasSuffix(host, "."+d) && strings.Contains(d, ".")
}

// Check refuses what no browser would store.
func (c Cookie) Check() error {
	switch {
	case c.Name == "" && c.Value == "":
		return errors.New("it has neither name nor value")
	case strings.ContainsFunc(c.Name, control) || strings.ContainsAny(c.Name, "=; \t"):
		return errors.New("its name has a space, a control character, = or ;")
	case strings.ContainsFunc(c.Value, control) || strings.Contains(c.Value, ";"):
		return errors.New("its value has a control character or ;")
	case len(c.Name)+len(c.Value) > maxPair:
		return fmt.Errorf("name and value have more than %d bytes", maxPair)
	case strings.ContainsAny(c.Domain, "/: \t") && net.ParseIP(strings.Trim(c.Domain, "[]")) == nil || strings.ContainsFunc(c.Domain, control):
		return errors.New("its domain is not a host name")
	case c.URL != "" && !webAddress(c.URL):
		return errors.New("its url is not an address of a site")
	case c.Path != "" && !strings.HasPrefix(c.Path, "/") || strings.ContainsFunc(c.Path, control) || strings.Contains(c.Path, ";"):
		return errors.New("its path does not begin with /")
	case c.Partition != nil && !isSite(c.Partition.TopLevelSite):
		return errors.New("its partition key is not scheme and host of a site")
	case c.Partition != nil && !c.Secure:
		return errors.New("it is partitioned and not secure")
	case math.IsNaN(c.Expires) || math.IsInf(c.Expires, 0):
		return errors.New("its expiry is not a time")
	}
	return nil
}

// webAddress reports whether s is an address that can have cookies.
func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Hostname() != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// isSite reports whether s is the scheme and the host of a site.
func isSite(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") && s == u.Scheme+"://"+u.Host
}

func control(r rune) bool { return r < ' ' || r == 0x7f }

// SameSite returns a same-site rule as the protocol writes it; "" for what says
// nothing. Extensions write no_restriction and unspecified.
func SameSite(s string) (string, bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "":
		return "", true
	case "strict":
		return "Strict", true
	case "lax":
		return "Lax", true
	case "none", "no_restriction":
		return "None", true
	case "unspecified", "null":
		return "", true
	}
	return "", false
}
