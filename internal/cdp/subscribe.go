package cdp

import (
	"bytes"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// Subscribe buffers the events of the method from now on and returns the
// channel that they arrive on, and a func that ends the subscription and closes
// the channel. The channel is closed, too, when the session ends; what it has
// not delivered by then is lost. A subscription that nobody reads costs memory
// for each event; a handler does not.
func (s *Session) Subscribe(method string) (<-chan jsonv2.Value, func()) {
	sub := &subscription{
		out:  make(chan jsonv2.Value),
		stop: make(chan struct{}),
		more: make(chan struct{}, 1),
	}
	if !s.conn.enter() {
		close(sub.out)
		return sub.out, func() {}
	}
	cancel := s.On(method, sub.add)
	go func() {
		defer s.conn.leave()
		sub.pump(s.done)
	}()
	return sub.out, func() {
		cancel()
		sub.once.Do(func() { close(sub.stop) })
	}
}

// subscription stands between the event goroutine of a session, which must not
// wait for a reader, and that reader.
type subscription struct {
	out  chan jsonv2.Value
	stop chan struct{}
	once sync.Once     // closes stop
	more chan struct{} // events is not empty

	mu     sync.Mutex // guards events
	events []jsonv2.Value
}

func (sub *subscription) add(params []byte) {
	v := jsonv2.Value(bytes.Clone(params))
	if len(v) == 0 {
		v = jsonv2.Value("{}")
	}
	mendSurrogates(v)
	sub.mu.Lock()
	sub.events = append(sub.events, v)
	sub.mu.Unlock()
	select {
	case sub.more <- struct{}{}:
	default:
	}
}

// pump passes events on until the session or the subscription ends.
func (sub *subscription) pump(done <-chan struct{}) {
	defer close(sub.out)
	for {
		select {
		case <-sub.more:
		case <-sub.stop:
			return
		case <-done:
			return
		}
		sub.mu.Lock()
		events := sub.events
		sub.events = nil
		sub.mu.Unlock()
		for _, v := range events {
			select {
			case sub.out <- v:
			case <-sub.stop:
				return
			case <-done:
				return
			}
		}
	}
}

// mendSurrogates replaces each escaped half of a surrogate pair that lacks its
// other half with the replacement character, in place. A page can make such
// text, and cdproto decodes the value with options that refuse it.
func mendSurrogates(v []byte) {
	for i := 0; ; {
		n := bytes.IndexByte(v[i:], '\\')
		if n < 0 || i+n+1 >= len(v) {
			return
		}
		i += n
		u, ok := escape(v[i:])
		switch {
		case !ok:
			i += 2
		case u>>10 == 0xd800>>10:
			if low, ok := escape(v[i+6:]); ok && low>>10 == 0xdc00>>10 {
				i += 12
				continue
			}
			fallthrough
		case u>>10 == 0xdc00>>10:
			copy(v[i:], `\ufffd`)
			i += 6
		default:
			i += 6
		}
	}
}

// escape reads a \uXXXX escape at the start of b.
func escape(b []byte) (u uint16, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		u <<= 4
		switch {
		case c >= '0' && c <= '9':
			u |= uint16(c - '0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			u |= uint16(c|0x20-'a') + 10
		default:
			return 0, false
		}
	}
	return u, true
}
