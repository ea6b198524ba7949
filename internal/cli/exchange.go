package cli

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"time"

	"gstack/internal/api"
	"gstack/internal/workspace"
)

// How long the daemon may be silent before it is asked whether it is well. It
// sends something at least every 3 s while a command runs; before the first
// byte it may be busy with its own start or with many calls at once.
const (
	connectLimit  = 2 * time.Second
	firstPatience = 5 * time.Second
	nextPatience  = 15 * time.Second
	probeLimit    = 3 * time.Second
	budgetGrace   = 5 * time.Second // beyond the command's own deadline
)

// outcome is what became of a request.
type outcome int

const (
	answered    outcome = iota // the answer is there
	undelivered                // the request never reached the daemon
	lost                       // it was sent, and the connection ended without an answer
	silent                     // the daemon is alive and does not answer
	overtime                   // the daemon answers, the command does not end
	cut                        // the answer broke off while it was printed
	unwritable                 // standard output could not be written
)

// answer is the answer of the daemon to one request.
type answer struct {
	outcome outcome
	head    response
	err     *api.Error    // of an error answer
	text    []byte        // of a small answer that was not streamed
	waited  time.Duration // for silent and overtime
	cause   error
}

// exchange sends one request and reads the answer.
type exchange struct {
	c      *client
	conn   *conn
	port   int
	began  time.Time
	heard  time.Time // when the daemon last said something
	budget time.Duration
	spoke  bool
}

// errSilent and errOvertime end a wait in [exchange.Read].
var (
	errSilent   = errors.New("no answer")
	errOvertime = errors.New("out of time")
)

// post sends body to the daemon of s. With stream set the body of a 200 goes to
// standard output as it arrives; otherwise it is returned.
func (c *client) post(s workspace.State, path string, body []byte, stream bool) answer {
	cn, err := dial(s.Port, connectLimit)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return answer{outcome: silent, waited: connectLimit, cause: err}
	case err != nil:
		return answer{outcome: undelivered, cause: err}
	}
	defer cn.Close()
	x := &exchange{c: c, conn: cn, port: s.Port, began: time.Now(), heard: time.Now()}
	if err := x.send(s, path, body); err != nil {
		// A daemon that refuses a request without reading it, such as one that is
		// too large, has answered; otherwise the request was not delivered whole
		// and cannot have run.
		if a := x.receive(false); a.outcome == answered {
			return a
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return answer{outcome: silent, waited: time.Since(x.began), cause: err}
		}
		return answer{outcome: undelivered, cause: err}
	}
	return x.receive(stream)
}

func (x *exchange) send(s workspace.State, path string, body []byte) error {
	b := make([]byte, 0, len(body)+256)
	b = append(b, "POST "...)
	b = append(b, path...)
	b = append(b, " HTTP/1.1\r\nHost: 127.0.0.1:"...)
	b = strconv.AppendInt(b, int64(s.Port), 10)
	b = append(b, "\r\nAuthorization: Bearer "...)
	b = append(b, s.Token...)
	b = append(b, "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "...)
	b = strconv.AppendInt(b, int64(len(body)), 10)
	b = append(b, "\r\n\r\n"...)
	b = append(b, body...)
	if len(b) > 64<<10 { // less fits into the socket's buffer
		if err := x.conn.SetWriteLimit(nextPatience); err != nil {
			return err
		}
	}
	// A stopped daemon takes what fits into the socket's buffer and no more.
	for len(b) > 0 {
		n, err := x.conn.Write(b[:min(len(b), 1<<20)])
		b = b[n:]
		if err != nil {
			return err
		}
	}
	return nil
}

// Read implements io.Reader. When the daemon is silent for too long it is asked
// whether it is well; as long as it is, the wait goes on.
func (x *exchange) Read(p []byte) (int, error) {
	for {
		wait := firstPatience
		if x.spoke {
			wait = nextPatience
		}
		until := x.heard.Add(wait)
		if x.budget > 0 {
			if end := x.began.Add(x.budget + budgetGrace); end.Before(until) {
				until = end
			}
		}
		if err := x.conn.SetReadLimit(time.Until(until)); err != nil {
			return 0, err
		}
		n, err := x.conn.Read(p)
		switch {
		case err == nil && n == 0:
			return 0, io.EOF
		case !errors.Is(err, os.ErrDeadlineExceeded):
			x.heard, x.spoke = time.Now(), true
			return n, err
		}
		if x.budget > 0 && time.Since(x.began) >= x.budget+budgetGrace {
			return 0, errOvertime
		}
		if !healthy(x.port) {
			return 0, errSilent
		}
		x.heard = time.Now()
	}
}

// healthy asks the daemon itself, which never depends on a page.
func healthy(port int) bool {
	cn, err := dial(port, probeLimit)
	if err != nil {
		return false
	}
	defer cn.Close()
	if cn.SetReadLimit(probeLimit) != nil {
		return false
	}
	if _, err := cn.Write([]byte("GET /health HTTP/1.1\r\nHost: 127.0.0.1:" + strconv.Itoa(port) + "\r\nConnection: close\r\n\r\n")); err != nil {
		return false
	}
	var head [12]byte // "HTTP/1.1 200"
	n, _ := cn.Read(head[:])
	return string(head[:n]) == "HTTP/1.1 200"
}

// maxError bounds the text of an error answer, in bytes. It holds what the
// command printed before it failed.
const maxError = 64 << 20

// receive reads the answer.
func (x *exchange) receive(stream bool) answer {
	r := bufio.NewReaderSize(x, 32<<10)
	head, err := readHead(r)
	shown := progress{}
	for err == nil && head.status < 200 {
		shown.show(head.moved)
		if head.budget > 0 {
			x.budget = head.budget
		}
		head, err = readHead(r)
	}
	shown.end()
	if err != nil {
		return x.broken(err, lost)
	}
	a := answer{head: head}
	if stream && head.status == 200 {
		x.budget = 0 // the command is done; a pager may take its time
		if err := print(&head, r); err != nil {
			var we writeError
			if errors.As(err, &we) {
				return answer{outcome: unwritable, cause: we.error}
			}
			return x.broken(err, cut)
		}
		return a
	}
	var buf bytes.Buffer
	if err := head.body(r, &limited{w: &buf, left: maxError}); err != nil {
		return x.broken(err, lost)
	}
	a.text = buf.Bytes()
	if head.status != 200 {
		a.err = decodeError(a.text, head.status)
		if a.head.exit < 0 {
			a.head.exit = a.err.Exit()
		}
	}
	return a
}

// progress is a line on a terminal that tells how far a command is.
type progress struct{ on bool }

func (p *progress) show(line string) {
	if line == "" {
		return
	}
	if fi, err := os.Stderr.Stat(); err != nil || fi.Mode()&os.ModeCharDevice == 0 || fi.Mode()&os.ModeDevice == 0 {
		return
	}
	p.on = true
	_, _ = os.Stderr.WriteString("\r\x1b[K" + line)
}

// end takes the line away.
func (p *progress) end() {
	if p.on {
		_, _ = os.Stderr.WriteString("\r\x1b[K")
	}
}

// broken returns the outcome of an exchange that ended early.
func (x *exchange) broken(err error, otherwise outcome) answer {
	a := answer{outcome: otherwise, waited: time.Since(x.began), cause: err}
	switch {
	case errors.Is(err, errSilent):
		a.outcome = silent
	case errors.Is(err, errOvertime):
		a.outcome = overtime
	}
	return a
}

// limited drops what goes beyond left bytes.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	keep := b[:min(len(b), l.left)]
	l.left -= len(keep)
	if _, err := l.w.Write(keep); err != nil {
		return 0, err
	}
	return len(b), nil
}

// print copies the body to standard output and adds the line break that is
// missing. A small one goes out in one piece.
func print(head *response, r *bufio.Reader) error {
	if head.length >= 0 && head.length < int64(r.Size()) {
		text, err := r.Peek(int(head.length))
		if err != nil {
			return unexpected(err)
		}
		if len(text) == 0 || text[len(text)-1] != '\n' {
			text = append(text[:len(text):len(text)], '\n')
		}
		if _, err := os.Stdout.Write(text); err != nil {
			return writeError{err}
		}
		return nil
	}
	out := &lastByte{}
	if err := head.body(r, out); err != nil {
		return err
	}
	if out.last != '\n' {
		if _, err := os.Stdout.WriteString("\n"); err != nil {
			return writeError{err}
		}
	}
	return nil
}

// lastByte writes to standard output and remembers the last byte.
type lastByte struct{ last byte }

func (l *lastByte) Write(b []byte) (int, error) {
	if len(b) > 0 {
		l.last = b[len(b)-1]
	}
	return os.Stdout.Write(b)
}
