// Package flat reads and writes small JSON objects without reflection.
//
// The thin client links it in place of encoding/json, which would cost every
// call about 0.2 ms of start time. It knows objects whose members are strings,
// numbers, booleans and lists of strings; members of any other shape are
// checked and skipped. Tests compare it with encoding/json.
package flat

import (
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrSyntax is returned for text that is not one JSON object.
var ErrSyntax = errors.New("not a JSON object")

// maxDepth bounds the nesting of skipped members.
const maxDepth = 100

// Object is a parsed JSON object. A later member replaces an earlier one of the
// same name.
type Object map[string]value

type value struct {
	text string   // a string's value, or the source of a number or of a value of another shape
	list []string // a list of strings
	kind byte     // 's' string, 'n' number, 't', 'f', '0' null, 'l' list of strings, '?' other
}

// String returns the member as a string, "" when it is not one.
func (o Object) String(name string) string {
	if v := o[name]; v.kind == 's' {
		return v.text
	}
	return ""
}

// Strings returns the member as a list of strings, nil when it is not one.
func (o Object) Strings(name string) []string { return o[name].list }

// Raw returns the source of a member that is an object, or a list of anything but
// strings; "" for any other.
func (o Object) Raw(name string) string {
	if v := o[name]; v.kind == '?' {
		return v.text
	}
	return ""
}

// Int returns the member as a whole number, 0 when it is not one or does not
// fit.
func (o Object) Int(name string) int64 {
	if v := o[name]; v.kind == 'n' {
		if n, err := strconv.ParseInt(v.text, 10, 64); err == nil {
			return n
		}
	}
	return 0
}

// Bool reports whether the member is true.
func (o Object) Bool(name string) bool { return o[name].kind == 't' }

// Parse reads one JSON object with nothing but white space around it.
func Parse(data []byte) (Object, error) {
	p := parser{in: data}
	p.space()
	o, ok := p.object(0, true)
	p.space()
	if !ok || p.at != len(p.in) {
		return nil, ErrSyntax
	}
	return o, nil
}

type parser struct {
	in []byte
	at int
}

func (p *parser) space() {
	for p.at < len(p.in) {
		switch p.in[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// take consumes c after white space.
func (p *parser) take(c byte) bool {
	p.space()
	if p.at < len(p.in) && p.in[p.at] == c {
		p.at++
		return true
	}
	return false
}

// object reads an object; its members are kept when keep is set.
func (p *parser) object(depth int, keep bool) (Object, bool) {
	if depth > maxDepth || !p.take('{') {
		return nil, false
	}
	o := Object{}
	if p.take('}') {
		return o, true
	}
	for {
		p.space()
		name, ok := p.str()
		if !ok || !p.take(':') {
			return nil, false
		}
		v, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		if keep {
			o[name] = v
		}
		if p.take('}') {
			return o, true
		}
		if !p.take(',') {
			return nil, false
		}
	}
}

func (p *parser) value(depth int) (value, bool) {
	p.space()
	if p.at == len(p.in) {
		return value{}, false
	}
	switch c := p.in[p.at]; {
	case c == '"':
		s, ok := p.str()
		return value{kind: 's', text: s}, ok
	case c == '{':
		from := p.at
		_, ok := p.object(depth, false)
		return value{kind: '?', text: p.source(from, depth)}, ok
	case c == '[':
		from := p.at
		v, ok := p.array(depth)
		if v.kind == '?' {
			v.text = p.source(from, depth)
		}
		return v, ok
	case c == 't':
		return value{kind: 't'}, p.word("true")
	case c == 'f':
		return value{kind: 'f'}, p.word("false")
	case c == 'n':
		return value{kind: '0'}, p.word("null")
	}
	return p.number()
}

// source returns what was read since from, for a member of the outer object.
func (p *parser) source(from, depth int) string {
	if depth > 1 {
		return ""
	}
	return string(p.in[from:p.at])
}

func (p *parser) array(depth int) (value, bool) {
	if depth > maxDepth || !p.take('[') {
		return value{}, false
	}
	v := value{kind: 'l', list: []string{}}
	if p.take(']') {
		return v, true
	}
	for {
		e, ok := p.value(depth + 1)
		if !ok {
			return value{}, false
		}
		if e.kind != 's' {
			v.kind, v.list = '?', nil
		} else if v.kind == 'l' {
			v.list = append(v.list, e.text)
		}
		if p.take(']') {
			return v, true
		}
		if !p.take(',') {
			return value{}, false
		}
	}
}

func (p *parser) word(w string) bool {
	if len(p.in)-p.at < len(w) || string(p.in[p.at:p.at+len(w)]) != w {
		return false
	}
	p.at += len(w)
	return true
}

func (p *parser) digits() bool {
	from := p.at
	for p.at < len(p.in) && p.in[p.at] >= '0' && p.in[p.at] <= '9' {
		p.at++
	}
	return p.at > from
}

func (p *parser) byteIs(set string) bool {
	if p.at == len(p.in) {
		return false
	}
	for i := range len(set) {
		if p.in[p.at] == set[i] {
			p.at++
			return true
		}
	}
	return false
}

func (p *parser) number() (value, bool) {
	from := p.at
	p.byteIs("-")
	if !p.byteIs("0") && !p.digits() {
		return value{}, false
	}
	if p.byteIs(".") && !p.digits() {
		return value{}, false
	}
	if p.byteIs("eE") {
		p.byteIs("+-")
		if !p.digits() {
			return value{}, false
		}
	}
	return value{kind: 'n', text: string(p.in[from:p.at])}, true
}

// str reads a string. Bytes that are not UTF-8 and lone surrogates become
// U+FFFD, as in encoding/json.
func (p *parser) str() (string, bool) {
	if p.at == len(p.in) || p.in[p.at] != '"' {
		return "", false
	}
	p.at++
	from := p.at
	for p.at < len(p.in) {
		switch c := p.in[p.at]; {
		case c == '"':
			p.at++
			return string(p.in[from : p.at-1]), true
		case c == '\\' || c < 0x20 || c >= utf8.RuneSelf:
			return p.slowStr(append([]byte(nil), p.in[from:p.at]...))
		}
		p.at++
	}
	return "", false
}

func (p *parser) slowStr(out []byte) (string, bool) {
	for p.at < len(p.in) {
		c := p.in[p.at]
		switch {
		case c == '"':
			p.at++
			return string(out), true
		case c < 0x20:
			return "", false
		case c == '\\':
			var ok bool
			if out, ok = p.escape(out); !ok {
				return "", false
			}
		case c < utf8.RuneSelf:
			out = append(out, c)
			p.at++
		default:
			r, n := utf8.DecodeRune(p.in[p.at:])
			out = utf8.AppendRune(out, r)
			p.at += n
		}
	}
	return "", false
}

// escape reads one escape sequence, a surrogate pair counting as one.
func (p *parser) escape(out []byte) ([]byte, bool) {
	if p.at+1 >= len(p.in) {
		return nil, false
	}
	c := p.in[p.at+1]
	p.at += 2
	switch c {
	case '"', '\\', '/':
		return append(out, c), true
	case 'b':
		return append(out, '\b'), true
	case 'f':
		return append(out, '\f'), true
	case 'n':
		return append(out, '\n'), true
	case 'r':
		return append(out, '\r'), true
	case 't':
		return append(out, '\t'), true
	case 'u':
		r, ok := p.hex4()
		if !ok {
			return nil, false
		}
		if utf16.IsSurrogate(r) {
			back := p.at
			if p.word(`\u`) {
				if low, ok := p.hex4(); ok {
					if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
						return utf8.AppendRune(out, pair), true
					}
				}
			}
			p.at, r = back, utf8.RuneError
		}
		return utf8.AppendRune(out, r), true
	}
	return nil, false
}

func (p *parser) hex4() (rune, bool) {
	if len(p.in)-p.at < 4 {
		return 0, false
	}
	var r rune
	for range 4 {
		c := p.in[p.at]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
		p.at++
	}
	return r, true
}

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD: a caller that must not change text checks it first.
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c < 0x20:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c < utf8.RuneSelf:
			b = append(b, c)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r)
			i += n
			continue
		}
		i++
	}
	return append(b, '"')
}

// Writer builds one JSON object.
type Writer struct{ b []byte }

func (w *Writer) name(name string) {
	if len(w.b) == 0 {
		w.b = append(w.b, '{')
	} else {
		w.b = append(w.b, ',')
	}
	w.b = append(AppendString(w.b, name), ':')
}

// String adds a string member.
func (w *Writer) String(name, s string) {
	w.name(name)
	w.b = AppendString(w.b, s)
}

// Int adds a number member.
func (w *Writer) Int(name string, n int64) {
	w.name(name)
	w.b = strconv.AppendInt(w.b, n, 10)
}

// Bool adds a boolean member.
func (w *Writer) Bool(name string, v bool) {
	w.name(name)
	w.b = strconv.AppendBool(w.b, v)
}

// Strings adds a list of strings.
func (w *Writer) Strings(name string, list []string) {
	w.name(name)
	w.b = append(w.b, '[')
	for i, s := range list {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = AppendString(w.b, s)
	}
	w.b = append(w.b, ']')
}

// Raw adds a member whose value is JSON already.
func (w *Writer) Raw(name, json string) {
	w.name(name)
	w.b = append(w.b, json...)
}

// Bytes returns the object, without a line break.
func (w *Writer) Bytes() []byte {
	if len(w.b) == 0 {
		return []byte("{}")
	}
	return append(w.b, '}')
}
