package cdp

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"github.com/go-json-experiment/json"
)

// topic is who listens to one method of a session.
type topic struct {
	method string
	// all and kept are replaced, never changed, so that a queued event keeps
	// the handlers that were there when it arrived. kept is all without the
	// droppable ones.
	all, kept []*handler
	dropped   int64
}

type handler struct {
	f         func(params []byte)
	droppable bool
	off       atomic.Bool
}

// batch is a run of events with their params in one piece of memory. There are
// two per session: one that the reader fills, one that the handlers see.
type batch struct {
	items []item
	bytes []byte
}

// trim drops memory that is larger than an ordinary batch needs.
func (b *batch) trim() {
	if cap(b.bytes) > 4*keepBytes {
		b.bytes = nil
	}
	if cap(b.items) > keepBytes/itemCost {
		b.items = nil
	}
}

// item is an event, or the mark of a Flush.
type item struct {
	handlers   []*handler
	method     string
	start, end int           // of the params in batch.bytes
	flushed    chan struct{} // closed when the mark is reached
}

// itemCost is what an event costs beyond its params, in bytes.
const itemCost = 64

// EventError says that an event could not be handled.
type EventError struct {
	Method string
	Err    error
}

func (e *EventError) Error() string { return "event " + e.Method + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *EventError) Unwrap() error { return e.Err }

// On calls f with the params of each event of the method that arrives from now
// on. Handlers of one session run one at a time, in the order of arrival, on a
// goroutine of the session. f may send commands on any session, this one
// included, and wait for them; it must not Flush its own session. The slice is
// valid until f returns. After cancel returned, f is not started again; a run
// of f that has begun may still be under way.
//
// An event is never dropped for being too many, however slow f is; see
// [Session.OnDroppable] for what a page can flood.
func (s *Session) On(method string, f func(params []byte)) (cancel func()) {
	return s.listen(method, &handler{f: f})
}

// OnDroppable is On for events that may be lost: when more than
// Options.QueueBytes wait for the handlers of this session, those for f are
// dropped and counted by [Session.Dropped].
func (s *Session) OnDroppable(method string, f func(params []byte)) (cancel func()) {
	return s.listen(method, &handler{f: f, droppable: true})
}

// Dropped returns how many events of the method were dropped on this session.
// An event that was kept for one handler and dropped for another counts.
func (s *Session) Dropped(method string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.topics[method]; t != nil {
		return t.dropped
	}
	return 0
}

// Queued returns the memory of the events that wait for handlers, in bytes.
func (s *Session) Queued() int64 { return s.queued.Load() }

func (s *Session) listen(method string, h *handler) (cancel func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return func() {}
	}
	if !s.started {
		if !s.conn.enter() {
			return func() {}
		}
		s.started = true
		go s.handle()
	}
	if s.topics == nil {
		s.topics = make(map[string]*topic)
	}
	t := s.topics[method]
	if t == nil {
		t = &topic{method: method}
		s.topics[method] = t
	}
	t.set(append(t.all[:len(t.all):len(t.all)], h))
	return func() { s.unlisten(t, h) }
}

func (s *Session) unlisten(t *topic, h *handler) {
	if h.off.Swap(true) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	left := make([]*handler, 0, len(t.all))
	for _, x := range t.all {
		if x != h {
			left = append(left, x)
		}
	}
	t.set(left)
}

func (t *topic) set(all []*handler) {
	t.all = all
	t.kept = nil
	for _, h := range all {
		if !h.droppable {
			t.kept = append(t.kept, h)
		}
	}
}

// enqueue is the reader's side: it copies the params of an event that somebody
// listens to, and never waits.
func (s *Session) enqueue(m []byte, e *envelope) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[string(e.method)]
	if s.err != nil || t == nil || len(t.all) == 0 || !settle(m, e) {
		return
	}
	to := t.all
	cost := int64(len(e.body) + itemCost)
	if len(t.kept) < len(to) && s.queued.Load()+cost > int64(s.conn.opts.QueueBytes) {
		to = t.kept
		t.dropped++
		if len(to) == 0 {
			return
		}
	}
	b := &s.batch
	it := item{handlers: to, method: t.method, start: len(b.bytes)}
	b.bytes = append(b.bytes, e.body...)
	it.end = len(b.bytes)
	b.items = append(b.items, it)
	s.queued.Add(cost)
	s.ready.Signal()
}

// handle runs the handlers of the session until it ends.
func (s *Session) handle() {
	defer s.conn.leave()
	var b batch
	for s.next(&b) {
		for i := range b.items {
			if !s.alive() {
				return
			}
			it := &b.items[i]
			if it.flushed != nil {
				close(it.flushed)
				continue
			}
			params := b.bytes[it.start:it.end:it.end]
			for _, h := range it.handlers {
				if !h.off.Load() {
					s.run(h, it.method, params)
				}
			}
			s.queued.Add(-int64(it.end - it.start + itemCost))
		}
	}
}

// next returns the handled batch to the reader and takes the one that it
// filled. It waits until there is one, and reports false when the session ends.
func (s *Session) next(b *batch) bool {
	clear(b.items) // so that it holds no handlers
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.batch.items) == 0 {
		// A burst is over: what it needed is not kept.
		b.trim()
		s.batch.trim()
	}
	for len(s.batch.items) == 0 && s.err == nil {
		s.ready.Wait()
	}
	if s.err != nil {
		return false
	}
	*b, s.batch = s.batch, batch{items: b.items[:0], bytes: b.bytes[:0]}
	return true
}

func (s *Session) alive() bool {
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

// run calls a handler. A panic is reported and otherwise survived, when there
// is somebody to report it to.
func (s *Session) run(h *handler, method string, params []byte) {
	if s.conn.opts.Report != nil {
		defer func() {
			if v := recover(); v != nil {
				s.conn.report(&EventError{Method: method, Err: fmt.Errorf("handler panicked: %v\n%s", v, debug.Stack())})
			}
		}()
	}
	h.f(params)
}

// Flush returns when every event that had arrived on this session before the
// call has been handled, with ErrDetached or ErrClosed when the session ends
// first, or with the error of ctx. Events that the browser sent before an answer
// have arrived when the answer has. A handler must not flush its own session:
// it would wait for itself.
func (s *Session) Flush(ctx context.Context) error {
	s.mu.Lock()
	if s.err != nil {
		defer s.mu.Unlock()
		return fmt.Errorf("flush: %w", s.err)
	}
	if s.queued.Load() == 0 {
		s.mu.Unlock()
		return nil
	}
	mark := make(chan struct{})
	s.batch.items = append(s.batch.items, item{flushed: mark})
	s.ready.Signal()
	s.mu.Unlock()
	select {
	case <-mark:
		return nil
	case <-s.done:
		return fmt.Errorf("flush: %w", s.Err())
	case <-ctx.Done():
		return fmt.Errorf("flush: %w", ctx.Err())
	}
}

// enter counts an event goroutine; it reports false when the connection has
// ended.
func (c *Conn) enter() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return false
	}
	c.running++
	return true
}

func (c *Conn) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running--; c.running == 0 && c.err != nil {
		close(c.idle)
	}
}

// recent remembers the last session ids that ended unseen. The browser can
// attach and detach a target before the event goroutine has told anybody.
type recent struct {
	ids  map[string]struct{}
	ring [256]string
	next int
}

func (r *recent) add(id string) {
	if r.ids == nil {
		r.ids = make(map[string]struct{}, len(r.ring))
	}
	delete(r.ids, r.ring[r.next])
	r.ring[r.next] = id
	r.ids[id] = struct{}{}
	r.next = (r.next + 1) % len(r.ring)
}

func (r *recent) has(id string) bool {
	_, ok := r.ids[id]
	return ok
}

// detachedID returns the session id in the params of Target.detachedFromTarget,
// which Chromium writes first.
func detachedID(params []byte) string {
	const head = `{"sessionId":"`
	if bytes.HasPrefix(params, []byte(head)) {
		rest := params[len(head):]
		n := 0
		for n < len(rest) && plain(rest[n]) {
			n++
		}
		if n < len(rest) && rest[n] == '"' {
			return string(rest[:n])
		}
	}
	var v struct {
		SessionID string `json:"sessionId"`
	}
	if err := json.Unmarshal(params, &v, decodeOptions); err != nil {
		return ""
	}
	return v.SessionID
}
