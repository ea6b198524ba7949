package cdp

import (
	"bytes"
	"sync"
)

// writer sends the commands of a connection in the order in which they were
// given, on a goroutine of its own: a browser that has stopped reading never
// holds a caller longer than its context allows. The handoff was measured to
// cost nothing that shows against writing on the goroutine of the caller.
type writer struct {
	t     Transport
	bound int // of bytes

	mu sync.Mutex // guards the fields below
	// queue[head:] holds the commands that no byte has been written of,
	// oldest first.
	queue []outgoing
	head  int
	bytes int // in queue[head:]
	ended bool
	ready sync.Cond // there is something in the queue, or ended is set
}

// outgoing is a command on its way; a nil buf stands for one that was
// withdrawn.
type outgoing struct {
	id  int64
	buf *bytes.Buffer
}

func (w *writer) init(t Transport, bound int) {
	w.t, w.bound = t, bound
	w.ready.L = &w.mu
}

// send queues the command in buf, which belongs to the writer from here on. It
// does not block. It fails with ErrStuck when the bound is reached.
func (w *writer) send(id int64, buf *bytes.Buffer) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		putBuffer(buf)
		return ErrClosed
	}
	if w.bytes > 0 && w.bytes+buf.Len() > w.bound {
		putBuffer(buf)
		return ErrStuck
	}
	w.queue = append(w.queue, outgoing{id, buf})
	w.bytes += buf.Len()
	w.ready.Signal()
	return nil
}

// withdraw removes a command that no byte has been written of.
func (w *writer) withdraw(id int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := w.head; i < len(w.queue); i++ {
		if out := &w.queue[i]; out.id == id && out.buf != nil {
			w.bytes -= out.buf.Len()
			putBuffer(out.buf)
			out.buf = nil
			return
		}
	}
}

// end makes run return and send fail. The transport must be closed too, for a
// write that blocks.
func (w *writer) end() {
	w.mu.Lock()
	w.ended = true
	w.queue, w.head, w.bytes = nil, 0, 0
	w.mu.Unlock()
	w.ready.Signal()
}

// run writes what is queued until end is called or the transport fails.
func (w *writer) run() error {
	for {
		buf, ok := w.next()
		if !ok {
			return nil
		}
		if buf == nil {
			continue
		}
		err := w.t.Write(buf.Bytes())
		putBuffer(buf)
		if err != nil {
			return err
		}
	}
}

// next waits for a command and takes it out of the queue. It reports false when
// the writer has ended.
func (w *writer) next() (*bytes.Buffer, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.head == len(w.queue) && !w.ended {
		w.ready.Wait()
	}
	if w.ended {
		return nil, false
	}
	out := w.queue[w.head]
	w.queue[w.head] = outgoing{}
	w.head++
	switch {
	case w.head == len(w.queue):
		w.queue, w.head = w.queue[:0], 0
	case w.head > 64 && w.head > len(w.queue)/2:
		n := copy(w.queue, w.queue[w.head:])
		clear(w.queue[n:])
		w.queue, w.head = w.queue[:n], 0
	}
	if out.buf != nil {
		w.bytes -= out.buf.Len()
	}
	return out.buf, true
}
