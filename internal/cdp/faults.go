package cdp

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json"
)

// Faults makes a real connection fail in chosen places, for tests of what
// stands on it. It is put under a connection with Options.Wrap:
//
//	var f cdp.Faults
//	f.Fail("DOM.resolveNode", 2, cdp.CodeServerError, "no node")
//	cdp.NewConn(t, cdp.Options{Wrap: f.Wrap})
//
// Calls are counted per method from the first rule or use on, over all sessions
// of all connections that share the value. The zero value lets everything pass.
type Faults struct {
	mu    sync.Mutex // guards the fields below
	rules map[rule]fault
	seen  map[string]int
}

// rule names a command or event: the nth of its method, from 1; 0 means each.
type rule struct {
	method string
	n      int
}

type effect uint8

const (
	effectNone effect = iota
	effectFail
	effectDrop
	effectLose
	effectCut
	effectHold
)

type fault struct {
	effect effect
	code   int64
	text   string
	do     func()
}

// Fail answers the nth command of the method with a protocol error; the browser
// does not see the command. Here and below, n counts from 1, and 0 means every
// one.
func (f *Faults) Fail(method string, n int, code int64, message string) {
	f.add(method, n, fault{effect: effectFail, code: code, text: message})
}

// Drop swallows the nth command or event of the method: it is never answered,
// or never seen.
func (f *Faults) Drop(method string, n int) { f.add(method, n, fault{effect: effectDrop}) }

// Lose lets the browser run the nth command of the method and loses the answer.
func (f *Faults) Lose(method string, n int) { f.add(method, n, fault{effect: effectLose}) }

// Cut ends the connection, as a dying browser would, when the nth command or
// event of the method comes by.
func (f *Faults) Cut(method string, n int) { f.add(method, n, fault{effect: effectCut}) }

// Hold runs do before the nth command of the method is sent. Commands after it
// wait meanwhile, so do must not wait for the protocol.
func (f *Faults) Hold(method string, n int, do func()) {
	f.add(method, n, fault{effect: effectHold, do: do})
}

// Clear removes all rules and counts.
func (f *Faults) Clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules, f.seen = nil, nil
}

// Seen returns how many commands or events of the method came by.
func (f *Faults) Seen(method string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen[method]
}

func (f *Faults) add(method string, n int, x fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rules == nil {
		f.rules = make(map[rule]fault)
	}
	f.rules[rule{method, n}] = x
}

// next counts one command or event and returns what shall become of it.
func (f *Faults) next(method string) fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil {
		f.seen = make(map[string]int)
	}
	f.seen[method]++
	if x, ok := f.rules[rule{method, f.seen[method]}]; ok {
		return x
	}
	return f.rules[rule{method, 0}]
}

// Wrap returns t with the faults in it.
func (f *Faults) Wrap(t Transport) Transport {
	w := &faulty{
		Transport: t,
		faults:    f,
		in:        make(chan []byte),
		made:      make(chan []byte, 16),
		closed:    make(chan struct{}),
		stopped:   make(chan struct{}),
		lost:      make(map[int64]bool),
	}
	go w.pump()
	return w
}

// faulty is a transport between a connection and its real transport.
type faulty struct {
	Transport
	faults  *Faults
	in      chan []byte // messages of the real transport
	made    chan []byte // answers that were made up
	once    sync.Once
	closed  chan struct{}
	stopped chan struct{} // the pump has ended; err is set
	err     error

	mu   sync.Mutex     // guards lost
	lost map[int64]bool // commands whose answers are lost
}

// pump reads ahead by one message, so that Read can wait for made-up answers
// at the same time.
func (w *faulty) pump() {
	defer close(w.stopped)
	for {
		m, err := w.Transport.Read()
		if err != nil {
			w.err = err
			return
		}
		select {
		case w.in <- bytes.Clone(m):
		case <-w.closed:
			w.err = ErrClosed
			return
		}
	}
}

// Read returns the next message that is not to be lost.
func (w *faulty) Read() ([]byte, error) {
	for {
		var m []byte
		select {
		case m = <-w.made:
			return m, nil
		case m = <-w.in:
		case <-w.stopped:
			return nil, w.err
		}
		e, err := scanAny(m)
		if err != nil {
			return m, nil
		}
		if e.kind != kindEvent {
			w.mu.Lock()
			lost := w.lost[e.id]
			delete(w.lost, e.id)
			w.mu.Unlock()
			if lost {
				continue
			}
			return m, nil
		}
		switch w.faults.next(string(e.method)).effect {
		case effectDrop, effectLose:
			continue
		case effectCut:
			w.Close()
			return nil, io.EOF
		}
		return m, nil
	}
}

// Write sends a command, or does what the rules say.
func (w *faulty) Write(msg []byte) error {
	var c struct {
		ID        int64  `json:"id"`
		Method    string `json:"method"`
		SessionID string `json:"sessionId"`
	}
	if err := json.Unmarshal(msg, &c, decodeOptions); err != nil {
		return fmt.Errorf("fault injection: %w", err)
	}
	switch x := w.faults.next(c.Method); x.effect {
	case effectFail:
		return w.fail(c.ID, c.SessionID, x)
	case effectDrop:
		return nil
	case effectLose:
		w.mu.Lock()
		w.lost[c.ID] = true
		w.mu.Unlock()
	case effectCut:
		return io.ErrClosedPipe
	case effectHold:
		x.do()
	}
	return w.Transport.Write(msg)
}

// fail makes an answer up.
func (w *faulty) fail(id int64, session string, x fault) error {
	type failure struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	m, err := json.Marshal(struct {
		ID        int64   `json:"id"`
		Error     failure `json:"error"`
		SessionID string  `json:"sessionId,omitzero"`
	}{id, failure{x.code, x.text}, session})
	if err != nil {
		return err
	}
	select {
	case w.made <- m:
		return nil
	case <-w.stopped:
		return w.err
	}
}

// Close closes the real transport and waits for the pump.
func (w *faulty) Close() error {
	w.once.Do(func() { close(w.closed) })
	err := w.Transport.Close()
	<-w.stopped
	return err
}
