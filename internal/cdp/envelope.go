package cdp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// kind says what a message from the browser is.
type kind uint8

const (
	kindNone   kind = iota // nothing that this client knows, such as an error without an id
	kindResult             // the answer to a command: body is the result
	kindError              // the answer to a command that failed: body is the error object
	kindEvent              // body is the params
)

// envelope is the outer object of a message. Its slices are parts of the
// message, except for names and session ids with escapes in them.
type envelope struct {
	kind    kind
	id      int64  // of a result or error
	method  []byte // of an event
	session []byte // empty for the browser session
	body    []byte // nil when the message has none
	// sure is false as long as body is known to be what lies between the
	// members around it, but not known to be one single value.
	sure bool
}

// Chromium writes an answer as {"id":1,"result":{…},"sessionId":"…"} and an
// event as {"method":"…","params":{…},"sessionId":"…"}, without white space;
// the session id is appended last when a message leaves a session
// (content/browser/devtools/devtools_session.cc).
var (
	headID      = []byte(`{"id":`)
	headMethod  = []byte(`{"method":"`)
	headResult  = []byte(`,"result":`)
	headError   = []byte(`,"error":`)
	headParams  = []byte(`,"params":`)
	tailSession = []byte(`,"sessionId":`)
)

// scanFast reads an envelope that has the order in which Chromium writes it,
// looking only at its two ends. It reports false for any other message, which
// is then for scanAny to judge.
func scanFast(m []byte) (e envelope, ok bool) {
	var rest []byte
	switch {
	case bytes.HasPrefix(m, headID):
		rest, ok = e.scanAnswer(m[len(headID):])
	case bytes.HasPrefix(m, headMethod):
		rest, ok = e.scanEvent(m[len(headMethod):])
	}
	if !ok || len(rest) == 0 || rest[len(rest)-1] != '}' {
		return e, false
	}
	rest = rest[:len(rest)-1]
	if n := len(rest); n > 0 && rest[n-1] == '"' {
		if rest, ok = e.scanSession(rest); !ok {
			return e, false
		}
	}
	if e.body == nil { // an event without params
		e.sure = true
		return e, len(rest) == 0
	}
	e.body = rest
	if len(rest) < 2 || rest[0] != '{' || rest[len(rest)-1] != '}' {
		return e, false
	}
	if len(e.session) == 0 && !e.verify() {
		// Whatever follows the body might include the session id.
		return e, false
	}
	return e, true
}

// scanAnswer reads the id and the name of the next member, and returns what
// follows it.
func (e *envelope) scanAnswer(m []byte) ([]byte, bool) {
	i := 0
	for ; i < len(m) && i < 18 && m[i]-'0' <= 9; i++ {
		e.id = e.id*10 + int64(m[i]-'0')
	}
	if i == 0 || i > 1 && m[0] == '0' {
		return nil, false
	}
	m = m[i:]
	switch {
	case bytes.HasPrefix(m, headResult):
		e.kind, e.body = kindResult, m
		return m[len(headResult):], true
	case bytes.HasPrefix(m, headError):
		e.kind, e.body = kindError, m
		return m[len(headError):], true
	}
	return nil, false
}

// scanEvent reads the method, and returns what follows the name of the next
// member, or the end of the message when there is no params.
func (e *envelope) scanEvent(m []byte) ([]byte, bool) {
	n := 0
	for n < len(m) && plain(m[n]) {
		n++
	}
	if n == 0 || n == len(m) || m[n] != '"' {
		return nil, false
	}
	e.kind, e.method = kindEvent, m[:n]
	m = m[n+1:]
	if bytes.HasPrefix(m, headParams) {
		e.body = m
		m = m[len(headParams):]
	}
	return m, true
}

// scanSession takes the session id off the end of m, which ends with a quote.
// The string that ends there is the last member of the outermost object, for
// only the closing brace followed. It has no escapes, so its opening quote is
// the last one before it.
func (e *envelope) scanSession(m []byte) ([]byte, bool) {
	end := len(m) - 1
	i := end
	for i > 0 && plain(m[i-1]) {
		i--
	}
	if i == 0 || i == end || m[i-1] != '"' || !bytes.HasSuffix(m[:i-1], tailSession) {
		return nil, false
	}
	e.session = m[i:end]
	return m[:i-1-len(tailSession)], true
}

// plain reports that c stands for itself in a JSON string. The set is that of
// method names and session ids.
func plain(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_'
}

// verify reports whether body is one value rather than a value with further
// members behind it.
func (e *envelope) verify() bool {
	if !e.sure && objectEnd(e.body) == len(e.body) {
		e.sure = true
	}
	return e.sure
}

// objectEnd returns the length of the object or array at the start of b, or -1
// when it does not end. It counts brackets and skips strings; that the inside
// is well formed is for the decoder to find out.
func objectEnd(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			n := stringEnd(b[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		}
	}
	return -1
}

// stringEnd returns the length of the JSON string at the start of b, its
// quotes included, or -1 when it does not end.
func stringEnd(b []byte) int {
	for i := 1; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n + 1
		// The quote ends the string unless an odd number of backslashes
		// stands before it.
		k := i - 2
		for b[k] == '\\' {
			k--
		}
		if (i-2-k)%2 == 0 {
			return i
		}
	}
}

// errNoObject means that a message is not a JSON object.
var errNoObject = errors.New("message is not a JSON object")

// scanAny reads an envelope in any order and with any white space. Of members
// with the same name the last one counts.
func scanAny(m []byte) (envelope, error) {
	var e envelope
	d := jsontext.NewDecoder(bytes.NewBuffer(m), decodeOptions)
	if t, err := d.ReadToken(); err != nil {
		return e, err
	} else if t.Kind() != '{' {
		return e, errNoObject
	}
	var hasID, hasError bool
	for d.PeekKind() != '}' {
		t, err := d.ReadToken()
		if err != nil {
			return e, err
		}
		name := t.String()
		v, err := d.ReadValue()
		if err != nil {
			return e, err
		}
		end := int(d.InputOffset())
		span := m[end-len(v) : end : end]
		switch name {
		case "id":
			if e.id, err = strconv.ParseInt(string(span), 10, 64); err != nil {
				return e, fmt.Errorf("message has id %s: %w", span, err)
			}
			hasID = true
		case "method":
			e.method, err = unquote(span)
		case "sessionId":
			e.session, err = unquote(span)
		case "error":
			e.body, hasError = span, true
		case "result", "params":
			if !hasError {
				e.body = span
			}
		}
		if err != nil {
			return e, fmt.Errorf("message has %s %s: %w", name, span, err)
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return e, err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return e, errors.New("message has something behind its end")
	}
	switch {
	case hasID && hasError:
		e.kind = kindError
	case hasID:
		e.kind = kindResult
	case len(e.method) > 0:
		e.kind = kindEvent
	}
	e.sure = true
	return e, nil
}

// unquote returns the value of a JSON string.
func unquote(span []byte) ([]byte, error) {
	if span[0] != '"' {
		return nil, errors.New("not a string")
	}
	return jsontext.AppendUnquote(nil, span)
}
