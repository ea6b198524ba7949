package cdp

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

const (
	// readChunk is the least room that a read of the pipe is offered: the
	// capacity of a pipe on Linux.
	readChunk = 64 << 10
	// keepRead is the capacity up to which the read buffer is kept. It grows
	// for a screenshot and must not stay that large.
	keepRead = 1 << 20
)

// pipe is the transport of --remote-debugging-pipe: messages end with a zero
// byte, which JSON cannot contain.
type pipe struct {
	r io.ReadCloser
	w io.WriteCloser

	// The unread part of buf is buf[start:end]; buf[start:seen] has no zero.
	buf              []byte
	start, seen, end int
	last             int // length of the message that Read returned

	closed   atomic.Bool
	once     sync.Once
	closeErr error
}

// NewPipe returns the transport over the two pipes that Chromium knows as file
// descriptors 3 (it reads) and 4 (it writes). It takes the ownership of both.
func NewPipe(r io.ReadCloser, w io.WriteCloser) Transport {
	return &pipe{r: r, w: w, buf: make([]byte, 2*readChunk)}
}

// Read returns the next message.
func (p *pipe) Read() ([]byte, error) {
	if cap(p.buf) > keepRead && p.end-p.start <= readChunk {
		p.rebase(make([]byte, 2*readChunk))
	}
	for {
		if i := bytes.IndexByte(p.buf[p.seen:p.end], 0); i >= 0 {
			m := p.buf[p.start : p.seen+i : p.seen+i]
			p.start = p.seen + i + 1
			p.seen = p.start
			p.last = len(m)
			return m, nil
		}
		p.seen = p.end
		if p.end-p.start >= maxMessage {
			return p.skip()
		}
		p.room()
		if err := p.fill(); err != nil {
			return nil, err
		}
	}
}

// fill reads once into the free end of the buffer.
func (p *pipe) fill() error {
	n, err := p.r.Read(p.buf[p.end:])
	p.end += n
	switch {
	case n > 0 || err == nil:
		return nil
	case p.closed.Load():
		return ErrClosed
	case err == io.EOF && p.end > p.start:
		return io.ErrUnexpectedEOF
	}
	return err
}

// skip reads the rest of a message that is too large without keeping it, and
// returns the message in its place.
func (p *pipe) skip() ([]byte, error) {
	m := instead(p.buf[p.start : p.start+headBytes])
	p.buf = make([]byte, 2*readChunk)
	p.start, p.seen, p.end, p.last = 0, 0, 0, 0
	for {
		if err := p.fill(); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if i := bytes.IndexByte(p.buf[:p.end], 0); i >= 0 {
			p.start = i + 1
			p.seen = p.start
			return m, nil
		}
		p.end = 0
	}
}

// room makes sure that a read has readChunk bytes to fill. What has been read
// is moved only when at least as much has been consumed, and the buffer at least
// doubles otherwise, so that every byte is moved a bounded number of times.
func (p *pipe) room() {
	if p.start == p.end {
		p.start, p.seen, p.end = 0, 0, 0
	}
	switch {
	case len(p.buf)-p.end >= readChunk:
	case p.start >= p.end-p.start && len(p.buf)-(p.end-p.start) >= readChunk:
		p.rebase(p.buf)
	default:
		p.rebase(make([]byte, 2*len(p.buf)))
	}
}

// rebase moves the unread part to the start of buf, which may be p.buf.
func (p *pipe) rebase(buf []byte) {
	copy(buf, p.buf[p.start:p.end])
	p.buf = buf
	p.seen -= p.start
	p.end -= p.start
	p.start = 0
}

// yield gives the buffer away with the message in it, when the message is most
// of what the buffer holds.
func (p *pipe) yield() bool {
	if p.last < len(p.buf)/4 || p.end-p.start > readChunk {
		return false
	}
	p.rebase(make([]byte, 2*readChunk))
	return true
}

// Write sends one message in one write.
func (p *pipe) Write(msg []byte) error {
	for rest := append(msg, 0); len(rest) > 0; {
		n, err := p.w.Write(rest)
		if err != nil {
			if p.closed.Load() {
				return ErrClosed
			}
			return err
		}
		if n == 0 {
			return io.ErrNoProgress
		}
		rest = rest[n:]
	}
	return nil
}

// Close closes both pipes.
func (p *pipe) Close() error {
	p.once.Do(func() {
		p.closed.Store(true)
		p.closeErr = errors.Join(p.w.Close(), p.r.Close())
	})
	return p.closeErr
}
