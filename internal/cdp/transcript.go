package cdp

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"
)

// Transcript keeps the last messages of a connection, for the report of a
// failing test:
//
//	0.013 => #12 @5e0a Page.navigate {"url":"http://127.0.0.1/"}
//	0.019 <= #12 @5e0a Page.navigate {"frameId":"…"}
//	0.020 <- @5e0a Page.frameNavigated {"frame":{…}}
//	0.031 <= #13 @5e0a DOM.focus error {"code":-32000,"message":"…"}
//
// The first column is seconds since the transcript began. Long payloads are
// cut, and the values of cookies and of headers that carry credentials are
// hidden unless ShowSecrets is set. A nil Transcript costs nothing.
type Transcript struct {
	// ShowSecrets keeps credentials in the transcript. Set it before use.
	ShowSecrets bool

	mu      sync.Mutex // guards the fields below
	began   time.Time
	lines   []line // a ring
	next    int
	total   int
	methods map[int64]string // of commands without an answer yet
}

// payloadBytes is how much of a payload a transcript keeps, in bytes.
const payloadBytes = 400

type line struct {
	at      time.Duration
	kind    string
	id      int64
	session string
	method  string
	payload []byte
}

// NewTranscript returns a transcript of the last n messages; n below 1 means 1000.
func NewTranscript(n int) *Transcript {
	if n < 1 {
		n = 1000
	}
	return &Transcript{began: time.Now(), lines: make([]line, n), methods: make(map[int64]string)}
}

func (t *Transcript) command(id int64, session, method string, params []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.methods) > 4*len(t.lines) {
		clear(t.methods) // commands whose answers were lost with their session
	}
	t.methods[id] = method
	t.add("=>", id, session, method, params)
}

func (t *Transcript) received(e *envelope) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kind, method := "<-", string(e.method)
	if e.kind != kindEvent {
		kind, method = "<=", t.methods[e.id]
		delete(t.methods, e.id)
	}
	if e.kind == kindError {
		method += " error"
	}
	t.add(kind, e.id, string(e.session), method, e.body)
}

// add overwrites the oldest line, whose payload memory it reuses.
func (t *Transcript) add(kind string, id int64, session, method string, payload []byte) {
	l := &t.lines[t.next]
	l.at = time.Since(t.began)
	l.kind, l.id, l.session, l.method = kind, id, short(session), method
	l.payload = appendPayload(l.payload[:0], method, payload, t.ShowSecrets)
	t.next = (t.next + 1) % len(t.lines)
	t.total++
}

// Dump writes the transcript, oldest message first.
func (t *Transcript) Dump(w io.Writer) error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var b bytes.Buffer
	first := 0
	if t.total > len(t.lines) {
		first = t.next
		fmt.Fprintf(&b, "(%d earlier messages)\n", t.total-len(t.lines))
	}
	for i := range min(t.total, len(t.lines)) {
		t.lines[(first+i)%len(t.lines)].format(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (l *line) format(b *bytes.Buffer) {
	fmt.Fprintf(b, "%7.3f %s", l.at.Seconds(), l.kind)
	if l.id != 0 {
		fmt.Fprintf(b, " #%d", l.id)
	}
	if l.session != "" {
		fmt.Fprintf(b, " @%s", l.session)
	}
	if l.method != "" {
		fmt.Fprintf(b, " %s", l.method)
	}
	if len(l.payload) > 0 {
		// White space between tokens may be a line break.
		fmt.Fprintf(b, " %s", bytes.ReplaceAll(l.payload, []byte("\n"), []byte(" ")))
	}
	b.WriteByte('\n')
}

// short returns the start of a session id in lower case, enough to tell
// sessions apart.
func short(session string) string {
	if len(session) > 4 {
		session = session[:4]
	}
	b := []byte(session)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}
