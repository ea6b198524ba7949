// Package cdp is a client of the Chrome DevTools Protocol: commands with
// their answers, events, and sessions of attached targets, over a pipe or a
// WebSocket. The types of commands and events are those of cdproto; a [Session]
// satisfies its interface of the same name.
//
// One goroutine reads. It looks at the two ends of each message, hands answers
// to who waits for them and appends events to the queue of their session; it
// decodes nothing and waits for nobody. Each session that somebody listens to
// has one goroutine that runs the handlers in the order of arrival. Handlers
// may therefore send commands and wait for their answers.
//
// The package knows no target, page or frame, except that the browser's word
// that a target is gone ends its session.
//
// Lock order: Session.mu, then Conn.mu. No lock is held while a handler runs or
// a transport blocks.
package cdp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// Options of a connection. The zero value is useful.
type Options struct {
	// Transcript records the traffic when it is not nil.
	Transcript *Transcript
	// QueueBytes bounds the events that wait for the handlers of one session,
	// in bytes; beyond it, events for droppable handlers are dropped and
	// counted. 0 means 4 MB.
	QueueBytes int
	// WriteQueueBytes bounds the commands that the browser has not read yet, in
	// bytes; beyond it, a call fails with ErrStuck. 0 means 64 MB.
	WriteQueueBytes int
	// Wrap, when not nil, replaces the transport, as [Faults.Wrap] does.
	Wrap func(Transport) Transport
	// Report, when not nil, hears of what no caller can be told: a message that
	// is not of the protocol, an event that does not decode, a handler that
	// panicked. It runs on the goroutines of the connection and must not block.
	// Without it a panic of a handler is not recovered.
	Report func(error)
}

// Conn is a connection to a browser.
type Conn struct {
	t      Transport
	yields yielding // t, when it can part with its buffer
	opts   Options
	root   *Session
	lastID atomic.Int64
	w      writer
	done   chan struct{}
	io     sync.WaitGroup // the reader and the writer
	spare  sync.Pool      // of *Pending that nobody else holds

	mu       sync.Mutex // guards the fields below
	pending  map[int64]*Pending
	sessions map[string]*Session
	gone     recent        // sessions that ended before anybody asked for them
	err      error         // why the connection ended
	running  int           // event goroutines
	idle     chan struct{} // closed when the connection has ended and running is 0
}

// NewConn starts to read from t, which belongs to the connection from here on.
func NewConn(t Transport, o Options) *Conn {
	if o.Wrap != nil {
		t = o.Wrap(t)
	}
	if o.QueueBytes <= 0 {
		o.QueueBytes = 4 << 20
	}
	if o.WriteQueueBytes <= 0 {
		o.WriteQueueBytes = 64 << 20
	}
	c := &Conn{
		t:        t,
		opts:     o,
		done:     make(chan struct{}),
		idle:     make(chan struct{}),
		pending:  make(map[int64]*Pending),
		sessions: make(map[string]*Session),
	}
	c.yields, _ = t.(yielding)
	c.w.init(t, o.WriteQueueBytes)
	c.root = newSession(c, "")
	c.io.Add(2)
	go func() {
		defer c.io.Done()
		c.end(c.read())
	}()
	go func() {
		defer c.io.Done()
		if err := c.w.run(); err != nil {
			c.end(err)
		}
	}()
	return c
}

// Root returns the browser session, which has no id and lives as long as the
// connection.
func (c *Conn) Root() *Session { return c.root }

// Session returns the session with the id that Target.attachToTarget or
// Target.attachedToTarget gave. The session of an ended connection, or of a
// target that is already gone, has ended too.
func (c *Conn) Session(id string) *Session {
	if id == "" {
		return c.root
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.sessions[id]; s != nil {
		return s
	}
	s := newSession(c, id)
	switch {
	case c.err != nil:
		s.stillborn(ErrClosed)
	case c.gone.has(id):
		s.stillborn(ErrDetached)
	default:
		c.sessions[id] = s
	}
	return s
}

// Close ends the connection: the transport is closed, all pending calls fail
// with ErrClosed, events that wait are dropped. It waits for the reader and the
// writer, but not for handlers that are running, one of which may be its
// caller; Wait does that. It returns nil.
func (c *Conn) Close() error {
	c.end(nil)
	c.io.Wait()
	<-c.done
	return nil
}

// Wait returns when the connection has ended and its last handler has
// returned, or with the error of ctx. A handler must not call it.
func (c *Conn) Wait(ctx context.Context) error {
	select {
	case <-c.idle:
		c.io.Wait()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Done is closed when the connection has ended, for whatever reason. By then
// every pending call has got its error.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns nil as long as the connection lives, and then why it ended:
// ErrClosed after Close, io.EOF when the browser closed it, or the error of the
// transport.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// end ends the connection once; nil means that Close was called.
func (c *Conn) end(err error) {
	if err == nil {
		err = ErrClosed
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = err
	pending, sessions := c.pending, c.sessions
	c.pending, c.sessions = nil, nil
	if c.running == 0 {
		close(c.idle)
	}
	c.mu.Unlock()

	c.w.end()
	c.t.Close()
	for _, p := range pending {
		p.answer <- answer{cause: c.closedError()}
	}
	for _, s := range sessions {
		s.stop(ErrClosed)
	}
	c.root.stop(ErrClosed)
	close(c.done)
}

// closedError is ErrClosed with the reason, when there is more to say.
func (c *Conn) closedError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil || errors.Is(c.err, ErrClosed) {
		return ErrClosed
	}
	return fmt.Errorf("%w: %w", ErrClosed, c.err)
}

// vanished ends the session of a target that is gone. When nobody has asked
// for the session yet, whoever does will get one that has ended.
func (c *Conn) vanished(id string) {
	c.mu.Lock()
	s := c.sessions[id]
	if s == nil {
		c.gone.add(id)
	}
	c.mu.Unlock()
	if s != nil {
		c.detach(s)
	}
}

// detach ends a session other than root, once.
func (c *Conn) detach(s *Session) {
	c.mu.Lock()
	if c.sessions[s.id] != s {
		c.mu.Unlock()
		return
	}
	delete(c.sessions, s.id)
	c.mu.Unlock()
	c.abandon(s, ErrDetached)
	s.stop(ErrDetached)
}

// abandon fails the commands of s that wait for an answer.
func (c *Conn) abandon(s *Session, cause error) {
	c.mu.Lock()
	var pending []*Pending
	for _, p := range c.pending {
		if p.sess == s {
			delete(c.pending, p.id)
			pending = append(pending, p)
		}
	}
	c.mu.Unlock()
	for _, p := range pending {
		c.w.withdraw(p.id)
		p.answer <- answer{cause: cause}
	}
}

// start sends a command of s. The outcome, whatever it is, goes to p.answer.
func (c *Conn) start(p *Pending, s *Session, method string, params any) {
	p.conn, p.sess, p.method = c, s, method
	p.id = c.lastID.Add(1)
	buf := getBuffer()
	at, err := encode(buf, p.id, s.member, method, params)
	if err != nil {
		putBuffer(buf)
		p.answer <- answer{cause: fmt.Errorf("params do not encode: %w", err)}
		return
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		putBuffer(buf)
		p.answer <- answer{cause: c.closedError()}
		return
	}
	if s != c.root && c.sessions[s.id] != s {
		c.mu.Unlock()
		putBuffer(buf)
		p.answer <- answer{cause: ErrDetached}
		return
	}
	c.pending[p.id] = p
	c.mu.Unlock()

	id := p.id // p may have its answer, and another user, once the message is out
	if t := c.opts.Transcript; t != nil {
		var body []byte
		if at > 0 {
			body = buf.Bytes()[at : buf.Len()-1]
		}
		t.command(id, s.id, method, body)
	}
	if err := c.w.send(id, buf); errors.Is(err, ErrStuck) {
		if p := c.take(id); p != nil {
			p.answer <- answer{cause: err}
		}
	} else if err != nil {
		c.end(err)
	}
}

// take removes a command from the table; nil when it is not there. Whoever took
// it must give it its answer.
func (c *Conn) take(id int64) *Pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pending[id]
	if p != nil {
		delete(c.pending, id)
	}
	return p
}

// forget gives a command up. It reports false when its answer is on the way.
func (c *Conn) forget(id int64) bool {
	if c.take(id) == nil {
		return false
	}
	c.w.withdraw(id)
	return true
}

// read hands out messages until the transport ends.
func (c *Conn) read() error {
	for {
		m, err := c.t.Read()
		if err != nil {
			return err
		}
		c.route(m)
	}
}

// route hands out one message, whose memory is valid until the next Read.
func (c *Conn) route(m []byte) {
	e, ok := scanFast(m)
	if !ok {
		var err error
		if e, err = scanAny(m); err != nil {
			c.report(fmt.Errorf("message from the browser: %w: %s", err, cut(m, 200)))
			return
		}
	}
	if c.opts.Transcript != nil {
		c.opts.Transcript.received(&e)
	}
	switch e.kind {
	case kindResult, kindError:
		c.deliver(m, &e)
	case kindEvent:
		c.event(m, &e)
	default:
		c.report(fmt.Errorf("message from the browser is neither an answer nor an event: %s", cut(m, 200)))
	}
}

// deliver hands an answer to its command.
func (c *Conn) deliver(m []byte, e *envelope) {
	if !settle(m, e) {
		return
	}
	p := c.take(e.id)
	if p == nil {
		return // given up
	}
	a := answer{failed: e.kind == kindError}
	switch {
	case len(e.body) > keepBytes && c.yields != nil && c.yields.yield():
		a.body = e.body
	case len(e.body) > keepBytes:
		a.body = bytes.Clone(e.body)
	default:
		a.buf = getBuffer()
		a.buf.Write(e.body)
		a.body = a.buf.Bytes()
	}
	p.answer <- a
}

// settle makes sure that e is right about its body, now that somebody wants it.
func settle(m []byte, e *envelope) bool {
	if e.verify() {
		return true
	}
	x, err := scanAny(m)
	if err == nil {
		*e = x
	}
	return err == nil
}

const (
	// detachedMethod is the event that ends a session.
	detachedMethod = "Target.detachedFromTarget"
	// crashedMethod is the event after which the commands that a renderer was
	// at are never answered: Chromium holds them back for its successor.
	crashedMethod = "Inspector.targetCrashed"
)

// event appends an event to the queue of its session.
func (c *Conn) event(m []byte, e *envelope) {
	s := c.root
	if len(e.session) > 0 {
		c.mu.Lock()
		s = c.sessions[string(e.session)]
		c.mu.Unlock()
	}
	if s != nil {
		s.enqueue(m, e)
	}
	switch {
	case string(e.method) == detachedMethod && settle(m, e):
		if id := detachedID(e.body); id != "" {
			c.vanished(id)
		}
	case string(e.method) == crashedMethod && s != nil:
		c.abandon(s, ErrCrashed)
	}
}

// report hands err to who wants to hear of it.
func (c *Conn) report(err error) {
	if c.opts.Report != nil {
		c.opts.Report(err)
	}
}

// cut returns the first n bytes of m, with a mark when there is more.
func cut(m []byte, n int) []byte {
	if len(m) <= n {
		return m
	}
	return append(bytes.Clone(m[:n]), "…"...)
}
