package cdp

import (
	"bytes"
	"sync"
)

// writer sends the commands of a connection in the order in which they were
// given. A command goes out at once, on the goroutine of its caller, as long
// as the transport takes it without blocking. What would block is left to the
// one goroutine of the writer, so that a browser which has stopped reading
// never holds a caller longer than its context allows.
type writer struct {
	t      Transport
	prompt prompt // t, when it can write without blocking
	bound  int    // of bytes, in bytes

	mu sync.Mutex // guards the fields below, and tryWrite
	// queue holds what is not written yet, oldest first.
	queue []outgoing
	bytes int // in queue
	// busy means that the goroutine is writing, without mu.
	busy  bool
	ended bool
	ready sync.Cond // the queue is not empty, or ended is set
}

// outgoing is a command, or the rest of one.
type outgoing struct {
	id   int64 // 0 for the rest of a command, which must be written
	msg  []byte
	buf  *bytes.Buffer // the memory of msg
	rest bool
}

func (w *writer) init(t Transport, bound int) {
	w.t, w.bound = t, bound
	w.prompt, _ = t.(prompt)
	w.ready.L = &w.mu
}

// send writes the command in buf, or queues it; buf belongs to the writer from
// here on. It does not block. An error of the transport ends the connection and
// is for the caller to report.
func (w *writer) send(id int64, buf *bytes.Buffer) error {
	out := outgoing{id: id, msg: buf.Bytes(), buf: buf}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		putBuffer(buf)
		return ErrClosed
	}
	if w.prompt != nil && !w.busy && len(w.queue) == 0 {
		rest, begun, err := w.prompt.tryWrite(out.msg)
		if err != nil || begun && len(rest) == 0 {
			putBuffer(buf)
			return err
		}
		if begun {
			out.id, out.msg, out.rest = 0, rest, true
		}
	} else if w.bytes > 0 && w.bytes+len(out.msg) > w.bound {
		putBuffer(buf)
		return ErrStuck
	}
	w.queue = append(w.queue, out)
	w.bytes += len(out.msg)
	w.ready.Signal()
	return nil
}

// withdraw removes a command that no byte has been written of.
func (w *writer) withdraw(id int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.queue {
		if out := w.queue[i]; out.id == id {
			w.queue = append(w.queue[:i], w.queue[i+1:]...)
			w.bytes -= len(out.msg)
			putBuffer(out.buf)
			return
		}
	}
}

// end makes run return and send fail. The transport must be closed too, for a
// write that blocks.
func (w *writer) end() {
	w.mu.Lock()
	w.ended = true
	w.queue = nil
	w.bytes = 0
	w.mu.Unlock()
	w.ready.Signal()
}

// run writes what is queued until end is called or the transport fails.
func (w *writer) run() error {
	for {
		w.mu.Lock()
		for len(w.queue) == 0 && !w.ended {
			w.ready.Wait()
		}
		if w.ended {
			w.mu.Unlock()
			return nil
		}
		out := w.queue[0]
		w.queue[0] = outgoing{}
		if w.queue = w.queue[1:]; len(w.queue) == 0 {
			w.queue = nil
		}
		w.busy = true
		w.mu.Unlock()

		var err error
		if out.rest {
			err = w.prompt.finish(out.msg)
		} else {
			err = w.t.Write(out.msg)
		}

		w.mu.Lock()
		w.busy = false
		if !w.ended {
			w.bytes -= len(out.msg)
		}
		w.mu.Unlock()
		putBuffer(out.buf)
		if err != nil {
			return err
		}
	}
}
