package cdp

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/go-json-experiment/json"
)

// Caller sends a command and waits for its result. Both [Session] and what
// stands in front of one in a test satisfy it.
type Caller interface {
	Call(ctx context.Context, method string, params, result any) error
}

var (
	_ Caller          = (*Session)(nil)
	_ cdproto.Session = (*Session)(nil)
)

// Session is an attached target, or the browser itself.
type Session struct {
	conn   *Conn
	id     string
	member string // the sessionId member of a command, with its comma
	done   chan struct{}
	queued atomic.Int64 // cost of the events that wait, in bytes

	mu     sync.Mutex // guards the fields below
	topics map[string]*topic
	batch  batch // what has arrived and has not been taken by the event goroutine
	// started means that the event goroutine runs.
	started bool
	err     error     // why the session ended
	ready   sync.Cond // batch is not empty, or err is set
}

func newSession(c *Conn, id string) *Session {
	s := &Session{conn: c, id: id, done: make(chan struct{})}
	if id != "" {
		s.member = string(appendString([]byte(`,"sessionId":`), id))
	}
	s.ready.L = &s.mu
	return s
}

// ID returns the session id, empty for the browser session.
func (s *Session) ID() string { return s.id }

// Conn returns the connection of the session.
func (s *Session) Conn() *Conn { return s.conn }

// Call sends a command and decodes its result into result, which may be nil.
// Without params the command has none. Errors are those of [Pending.Wait].
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	p, _ := s.conn.spare.Get().(*Pending)
	if p == nil {
		p = newPending()
	}
	s.conn.start(p, s, method, params)
	err := p.Wait(ctx, result)
	// After Wait nobody else holds p: it is out of the table, and its one
	// answer was taken or will never be given.
	s.conn.spare.Put(p)
	return err
}

// Start sends a command and does not wait, so that several can be on their way
// at once. Commands reach the browser in the order in which they were started.
// The result need not be waited for.
func (s *Session) Start(method string, params any) *Pending {
	p := newPending()
	s.conn.start(p, s, method, params)
	return p
}

// Close ends the session on this side: pending calls fail with ErrDetached and
// events that wait are dropped. It tells the browser nothing. The browser
// session ends with the connection only; Close on it does nothing.
func (s *Session) Close() {
	if s != s.conn.root {
		s.conn.detach(s)
	}
}

// Done is closed when the session has ended.
func (s *Session) Done() <-chan struct{} { return s.done }

// Err returns nil as long as the session lives, and then ErrDetached or ErrClosed.
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Handle calls f with the decoded params of each event e; see [Session.On]. An
// event that does not decode goes to Options.Report instead.
func Handle[E any](s *Session, e cdproto.Event[E], f func(*E)) (cancel func()) {
	return s.On(e.Method, typed(s, e.Method, f))
}

// HandleDroppable is Handle for a droppable handler; see [Session.OnDroppable].
func HandleDroppable[E any](s *Session, e cdproto.Event[E], f func(*E)) (cancel func()) {
	return s.OnDroppable(e.Method, typed(s, e.Method, f))
}

func typed[E any](s *Session, method string, f func(*E)) func([]byte) {
	return func(params []byte) {
		v := new(E)
		if len(params) > 0 {
			if err := json.Unmarshal(params, v, decodeOptions); err != nil {
				s.conn.report(&EventError{Method: method, Err: err})
				return
			}
		}
		f(v)
	}
}

// stop ends the session once, after it was taken out of Conn.sessions.
func (s *Session) stop(err error) {
	s.mu.Lock()
	if s.err != nil {
		s.mu.Unlock()
		return
	}
	s.err = err
	s.batch = batch{}
	for _, t := range s.topics {
		t.set(nil) // the counts stay
	}
	s.mu.Unlock()
	s.ready.Broadcast()
	close(s.done)
}

// stillborn ends a session that nobody has seen yet.
func (s *Session) stillborn(err error) {
	s.err = err
	close(s.done)
}
