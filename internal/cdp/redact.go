package cdp

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// hidden stands in the transcript where a secret was.
const hidden = `"(hidden)"`

// appendPayload appends the first bytes of a payload to b, without the values
// of cookies and of headers that carry credentials. What it does not write it
// does not read, except for the rest of a long string.
func appendPayload(b []byte, method string, payload []byte, secrets bool) []byte {
	r := redactor{out: b, in: payload, limit: len(b) + payloadBytes, cookies: strings.Contains(method, "Cookie")}
	switch {
	case secrets:
		r.emit(payload)
	case len(payload) > 0:
		r.value(ctxNone)
	}
	return r.out
}

// redactor copies JSON text up to a limit.
type redactor struct {
	out, in []byte
	pos     int
	limit   int  // of len(out)
	cookies bool // the command or event is about cookies: any "value" is one
}

// ctx is what the names around a value say about it.
type ctx uint8

const (
	ctxNone   ctx = iota
	ctxCookie     // inside of a cookie: its "value" is secret
	ctxHeader     // inside of a list of headers
	ctxSecret     // all of it is secret
)

// more reports whether there is room and input left.
func (r *redactor) more() bool { return r.pos < len(r.in) && len(r.out) < r.limit }

// value copies the value at pos.
func (r *redactor) value(c ctx) {
	if !r.more() {
		r.mark()
		return
	}
	switch r.in[r.pos] {
	case '{':
		r.object(c)
	case '[':
		r.list(c)
	case '"':
		s := r.string()
		if c == ctxSecret {
			s = []byte(hidden)
		}
		r.emit(s)
	default:
		i := r.pos
		r.pos++ // at least one byte, for text that is no JSON
		for r.pos < len(r.in) && r.in[r.pos] != ',' && r.in[r.pos] != ']' && r.in[r.pos] != '}' {
			r.pos++
		}
		r.emit(r.in[i:r.pos])
	}
}

func (r *redactor) list(c ctx) {
	r.byte()
	r.space()
	for r.more() && r.in[r.pos] != ']' {
		if r.in[r.pos] == ',' {
			r.byte()
		} else {
			r.value(c)
		}
		r.space()
	}
	r.close(']')
}

// object copies an object. In a list of headers, such as the HeaderEntry
// objects of Fetch, the "value" is secret unless a harmless "name" came before.
func (r *redactor) object(c ctx) {
	r.byte()
	harmless := false
	for r.more() && r.in[r.pos] != '}' {
		if r.in[r.pos] != '"' {
			r.byte()
			continue
		}
		name := r.string()
		r.emit(name)
		r.space()
		if !r.more() || r.in[r.pos] != ':' {
			continue
		}
		r.byte()
		r.space()
		if !r.more() {
			break
		}
		key := strings.ToLower(string(bytes.Trim(name, `"`)))
		inner := c
		switch {
		case c == ctxSecret:
		case key == "value":
			if c == ctxCookie || r.cookies || c == ctxHeader && !harmless {
				inner = ctxSecret
			}
		case key == "name" && c == ctxHeader:
			harmless = !secretHeader(r.peekString())
		case secretHeader(key):
			// The header of a map of headers is a string; under the same
			// names the protocol has cookie objects.
			inner = ctxCookie
			if r.in[r.pos] == '"' {
				inner = ctxSecret
			}
		case strings.Contains(key, "cookie"):
			inner = ctxCookie
			if r.in[r.pos] == '"' { // such as the rawCookieLine of a blocked cookie
				inner = ctxSecret
			}
		case strings.HasSuffix(key, "headerstext"), key == "password":
			inner = ctxSecret
		case strings.HasSuffix(key, "headers"):
			inner = ctxHeader
		}
		r.value(inner)
	}
	r.close('}')
}

// secretHeader reports whether the header carries credentials.
func secretHeader(name string) bool {
	switch strings.ToLower(name) {
	case "cookie", "set-cookie", "set-cookie2", "authorization", "proxy-authorization",
		"x-api-key", "x-auth-token", "x-csrf-token", "x-xsrf-token":
		return true
	}
	return false
}

// string returns the string at pos, its quotes included, and moves behind it.
// A string without an end is all of the rest.
func (r *redactor) string() []byte {
	n := stringEnd(r.in[r.pos:])
	if n < 0 {
		n = len(r.in) - r.pos
	}
	s := r.in[r.pos : r.pos+n]
	r.pos += n
	return s
}

func (r *redactor) peekString() string {
	if r.pos >= len(r.in) || r.in[r.pos] != '"' {
		return ""
	}
	pos := r.pos
	s := r.string()
	r.pos = pos
	return string(bytes.Trim(s, `"`))
}

func (r *redactor) space() {
	for r.more() && (r.in[r.pos] == ' ' || r.in[r.pos] == '\t' || r.in[r.pos] == '\n' || r.in[r.pos] == '\r') {
		r.byte()
	}
}

func (r *redactor) byte() {
	r.emit(r.in[r.pos : r.pos+1])
	r.pos++
}

func (r *redactor) close(c byte) {
	if r.pos < len(r.in) && r.in[r.pos] == c && len(r.out) < r.limit {
		r.byte()
		return
	}
	r.mark()
}

func (r *redactor) emit(s []byte) {
	if room := r.limit - len(r.out); len(s) > room {
		for room > 0 && !utf8.RuneStart(s[room]) {
			room--
		}
		r.out = append(r.out, s[:max(room, 0)]...)
		r.mark()
		return
	}
	r.out = append(r.out, s...)
}

// mark ends the text with a sign that there was more, once.
func (r *redactor) mark() {
	if !bytes.HasSuffix(r.out, []byte("…")) {
		r.out = append(r.out, "…"...)
	}
}
