package cookie

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Read reads cookies in whatever form data has: a JSON array of objects, an
// object with such an array under "cookies" (Playwright's storage state, the
// export of several extensions), Netscape cookies.txt, a cURL command or a
// Cookie header. Those without a domain are left without one. An error names the
// entry, never a value.
func Read(data []byte) ([]Cookie, error) {
	text := strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff"))
	var cs []Cookie
	var err error
	switch {
	case text == "":
		return nil, errors.New("it is empty")
	case text[0] == '[' || text[0] == '{':
		cs, err = readJSON([]byte(text))
	case header(text) != "":
		cs, err = readHeader(header(text))
	case strings.Contains(text, "\t") || strings.HasPrefix(text, "#"):
		cs, err = readNetscape(text)
	default:
		return nil, errors.New("it is neither JSON nor cookies.txt nor a cURL command")
	}
	if err != nil {
		return nil, err
	}
	if len(cs) > maxCookie {
		return nil, fmt.Errorf("it holds %d cookies, more than %d", len(cs), maxCookie)
	}
	return cs, nil
}

// entry is a cookie in the JSON of browsers, extensions and tools.
type entry struct {
	Name           *string         `json:"name"`
	Value          *string         `json:"value"`
	Domain         string          `json:"domain"`
	Host           string          `json:"host"` // Firefox exports
	Path           string          `json:"path"`
	Expires        json.RawMessage `json:"expires"`
	ExpirationDate json.RawMessage `json:"expirationDate"` // Chrome extensions
	Expiry         json.RawMessage `json:"expiry"`         // WebDriver
	Session        bool            `json:"session"`
	HostOnly       *bool           `json:"hostOnly"`
	HTTPOnly       bool            `json:"httpOnly"`
	Secure         bool            `json:"secure"`
	SameSite       json.RawMessage `json:"sameSite"`
	// Playwright writes the site and _crHasCrossSiteAncestor, Chromium an object.
	Partition    json.RawMessage `json:"partitionKey"`
	CrossSite    *bool           `json:"_crHasCrossSiteAncestor"`
	SourceScheme string          `json:"sourceScheme"`
	SourcePort   int             `json:"sourcePort"`
	URL          string          `json:"url"`
}

func readJSON(data []byte) ([]Cookie, error) {
	if !json.Valid(data) {
		return nil, errors.New("it is not JSON")
	}
	list := json.RawMessage(data)
	if data[0] == '{' {
		var wrapped struct {
			Cookies json.RawMessage `json:"cookies"`
		}
		if json.Unmarshal(data, &wrapped) != nil || wrapped.Cookies == nil {
			return nil, errors.New(`it is an object without "cookies"; an array of cookies is expected`)
		}
		list = wrapped.Cookies
	}
	if list = bytes.TrimSpace(list); list[0] != '[' {
		return nil, errors.New("it does not hold an array of cookies")
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(list, &raw); err != nil {
		return nil, errors.New("it does not hold an array of cookies")
	}
	cs := make([]Cookie, 0, len(raw))
	for i, r := range raw {
		var e entry
		if json.Unmarshal(r, &e) != nil {
			return nil, fmt.Errorf("entry %d is not a cookie object", i+1)
		}
		c, err := e.cookie()
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		cs = append(cs, c)
	}
	return cs, nil
}

func (e entry) cookie() (Cookie, error) {
	if e.Name == nil || e.Value == nil {
		return Cookie{}, errors.New("it has no name or no value")
	}
	c := Cookie{Name: *e.Name, Value: *e.Value, Domain: e.Domain, Path: e.Path, HTTPOnly: e.HTTPOnly, Secure: e.Secure, URL: e.URL}
	if c.Domain == "" {
		c.Domain = e.Host
	}
	if e.HostOnly != nil && !*e.HostOnly && c.Domain != "" && !strings.HasPrefix(c.Domain, ".") {
		c.Domain = "." + c.Domain
	}
	for _, r := range []json.RawMessage{e.Expires, e.ExpirationDate, e.Expiry} {
		at, err := moment(r)
		if err != nil {
			return Cookie{}, err
		}
		if at != 0 && !e.Session {
			c.Expires = at
		}
	}
	var same string
	if len(e.SameSite) > 0 && json.Unmarshal(e.SameSite, &same) != nil {
		same = "" // Firefox exports have numbers of its own
	}
	var ok bool
	var err error
	if c.SameSite, ok = SameSite(same); !ok {
		return Cookie{}, errors.New("its sameSite is none of Strict, Lax, None")
	}
	if c.Partition, err = partition(e.Partition, e.CrossSite); err != nil {
		return Cookie{}, err
	}
	switch e.SourceScheme {
	case "Unset", "NonSecure", "Secure":
		c.SourceScheme, c.SourcePort = e.SourceScheme, e.SourcePort
	}
	return c, c.Check()
}

// partition reads a partition key in either form; nil for none.
func partition(raw json.RawMessage, cross *bool) (*Partition, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) || bytes.Equal(raw, []byte(`""`)) {
		return nil, nil
	}
	var p Partition
	if raw[0] == '"' {
		p.CrossSite = true // as it is for what a frame of another site has set
		if json.Unmarshal(raw, &p.TopLevelSite) != nil {
			return nil, errors.New("its partition key is not a site")
		}
	} else if json.Unmarshal(raw, &p) != nil {
		return nil, errors.New("its partition key is not a site")
	}
	if cross != nil {
		p.CrossSite = *cross
	}
	if p.TopLevelSite == "" {
		return nil, nil
	}
	return &p, nil
}

// moment reads an expiry: seconds since 1970 as a number or in a string, or a
// date. Values too large for seconds are milliseconds. 0 and below is none.
func moment(r json.RawMessage) (float64, error) {
	r = bytes.TrimSpace(r)
	if len(r) == 0 || bytes.Equal(r, []byte("null")) {
		return 0, nil
	}
	s := string(r)
	if s[0] == '"' {
		if json.Unmarshal(r, &s) != nil {
			return 0, errors.New("its expiry is not a time")
		}
	}
	if s == "" || strings.EqualFold(s, "session") {
		return 0, nil
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		if f > 1e11 {
			f /= 1000
		}
		return max(f, 0), nil
	}
	for _, layout := range []string{time.RFC3339, time.RFC1123, "Mon, 02-Jan-2006 15:04:05 MST", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return float64(t.Unix()), nil
		}
	}
	return 0, errors.New("its expiry is not a time")
}

// readNetscape reads cookies.txt: domain, whether sub-domains are meant, path,
// secure, expiry, name and value, with tabs between. curl and others put
// #HttpOnly_ before the domain.
func readNetscape(text string) ([]Cookie, error) {
	var cs []Cookie
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r")
		rest, httpOnly := strings.CutPrefix(line, "#HttpOnly_")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") && !httpOnly {
			continue
		}
		f := strings.Split(rest, "\t")
		if len(f) == 6 {
			f = append(f, "") // an empty value at the end of a line that was trimmed
		}
		if len(f) != 7 {
			return nil, fmt.Errorf("line %d has %d fields, want 7 with tabs between", i+1, len(f))
		}
		expires, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: its expiry is not a number", i+1)
		}
		c := Cookie{Domain: f[0], Path: f[2], Secure: strings.EqualFold(f[3], "TRUE"), Expires: max(expires, 0), Name: f[5], Value: f[6], HTTPOnly: httpOnly}
		if strings.EqualFold(f[1], "TRUE") && !strings.HasPrefix(c.Domain, ".") {
			c.Domain = "." + c.Domain
		}
		if err := c.Check(); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		cs = append(cs, c)
	}
	if cs == nil {
		return nil, errors.New("it holds no cookies")
	}
	return cs, nil
}

// header finds the cookies of a cURL command, as browsers copy it (-b, --cookie,
// -H 'cookie: …'), or of a header that stands alone. "" means none.
func header(text string) string {
	if rest, ok := cutFold(text, "cookie:"); ok && !strings.Contains(text, "\n") {
		return strings.TrimSpace(rest)
	}
	if !strings.HasPrefix(text, "curl") {
		return ""
	}
	if strings.Contains(text, `^"`) {
		text = uncaret(text)
	}
	words := shellWords(text)
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case w == "-b" || w == "--cookie":
			if strings.Contains(next, "=") {
				return next
			}
		case w == "-H" || w == "--header":
			if rest, ok := cutFold(next, "cookie:"); ok {
				return strings.TrimSpace(rest)
			}
		}
	}
	return ""
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// readHeader reads "a=1; b=2". What it says of domain and path is nothing.
func readHeader(h string) ([]Cookie, error) {
	var cs []Cookie
	for i, part := range strings.Split(h, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("cookie %d of the header has no =", i+1)
		}
		c := Cookie{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)}
		if err := c.Check(); err != nil {
			return nil, fmt.Errorf("cookie %d of the header: %w", i+1, err)
		}
		cs = append(cs, c)
	}
	if cs == nil {
		return nil, errors.New("its header holds no cookies")
	}
	return cs, nil
}

// uncaret undoes the quoting of cmd.exe, in which a caret stands before every
// special character and at the end of a line that goes on.
func uncaret(s string) string {
	var w strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '^' && i+1 < len(s) {
			i++
			if s[i] == '\r' || s[i] == '\n' {
				w.WriteByte(' ')
				continue
			}
		}
		w.WriteByte(s[i])
	}
	return w.String()
}

// shellWords splits a command as a POSIX shell does, with the $'…' that browsers
// write for values with special characters.
func shellWords(s string) []string {
	var words []string
	var w strings.Builder
	open := false
	flush := func() {
		if open {
			words = append(words, w.String())
			w.Reset()
			open = false
		}
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			flush()
		case c == '\\':
			if i+1 < len(s) && (s[i+1] == '\n' || s[i+1] == '\r') {
				i++
				continue
			}
			if i++; i < len(s) {
				w.WriteByte(s[i])
				open = true
			}
		case c == '\'' || c == '"':
			i = quoted(s, i, c, &w)
			open = true
		case c == '$' && i+1 < len(s) && s[i+1] == '\'':
			i = ansi(s, i+1, &w)
			open = true
		default:
			w.WriteByte(c)
			open = true
		}
	}
	flush()
	return words
}

// quoted copies what stands between quotes and returns the place of the second.
func quoted(s string, i int, quote byte, w *strings.Builder) int {
	for i++; i < len(s) && s[i] != quote; i++ {
		if quote == '"' && s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\"\\$`", s[i+1]) >= 0 {
			i++
		}
		w.WriteByte(s[i])
	}
	return i
}

// ansi copies $'…', with its escapes.
func ansi(s string, i int, w *strings.Builder) int {
	for i++; i < len(s) && s[i] != '\''; i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			w.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			w.WriteByte('\n')
		case 'r':
			w.WriteByte('\r')
		case 't':
			w.WriteByte('\t')
		case 'u':
			if n, err := strconv.ParseUint(s[i+1:min(i+5, len(s))], 16, 32); err == nil {
				w.WriteRune(rune(n))
				i += 4
			}
		case 'x':
			if n, err := strconv.ParseUint(s[i+1:min(i+3, len(s))], 16, 8); err == nil {
				w.WriteByte(byte(n))
				i += 2
			}
		default:
			w.WriteByte(s[i])
		}
	}
	return i
}

// One reads a cookie object in the JSON of browsers, extensions and tools.
func One(data []byte) (Cookie, error) {
	var e entry
	if json.Unmarshal(data, &e) != nil {
		return Cookie{}, errors.New("it is not a cookie object")
	}
	return e.cookie()
}
