package cdp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"

	"github.com/coder/websocket"
)

// socket is the transport to a browser that listens on a debugging port.
type socket struct {
	conn   *websocket.Conn
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	buf    bytes.Buffer
	last   int
	closed atomic.Bool
}

// DialWebSocket connects to the webSocketDebuggerUrl of a browser, such as
// ws://127.0.0.1:9222/devtools/browser/…. The context bounds the handshake
// only. Messages are not compressed: screenshots do not shrink.
func DialWebSocket(ctx context.Context, url string) (Transport, error) {
	// A transport of its own, so that a refused handshake leaves no idle
	// connection behind. It obeys the proxy variables, which spare loopback.
	client := &http.Client{Transport: &http.Transport{
		Proxy:             http.ProxyFromEnvironment,
		DisableKeepAlives: true,
	}}
	conn, resp, err := websocket.Dial(ctx, url, &websocket.DialOptions{ //nolint:bodyclose // Dial closes it, see its documentation
		HTTPClient:      client,
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
			return nil, fmt.Errorf("%s answers %s: %w", url, resp.Status, err)
		}
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	conn.SetReadLimit(-1)
	s := &socket{conn: conn}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

// Read returns the next message.
func (s *socket) Read() ([]byte, error) {
	if s.buf.Cap() > keepRead {
		s.buf = bytes.Buffer{}
	}
	s.buf.Reset()
	_, r, err := s.conn.Reader(s.ctx)
	if err != nil {
		return nil, s.error(err)
	}
	if _, err := s.buf.ReadFrom(io.LimitReader(r, maxMessage)); err != nil {
		return nil, s.error(err)
	}
	if s.buf.Len() == maxMessage {
		m := instead(s.buf.Bytes()[:headBytes])
		s.buf, s.last = bytes.Buffer{}, 0
		if _, err := io.Copy(io.Discard, r); err != nil {
			return nil, s.error(err)
		}
		return m, nil
	}
	s.last = s.buf.Len()
	return s.buf.Bytes(), nil
}

// yield gives the buffer away, when the message fills most of it.
func (s *socket) yield() bool {
	if s.last < s.buf.Cap()/4 {
		return false
	}
	s.buf = bytes.Buffer{}
	return true
}

// Write sends one message.
func (s *socket) Write(msg []byte) error {
	return s.error(s.conn.Write(s.ctx, websocket.MessageText, msg))
}

// error says which side has ended the connection.
func (s *socket) error(err error) error {
	var ce websocket.CloseError
	switch {
	case err == nil:
		return nil
	case s.closed.Load():
		return ErrClosed
	case errors.As(err, &ce) && ce.Code == websocket.StatusNormalClosure, errors.Is(err, io.EOF):
		return io.EOF
	}
	return err
}

// Close drops the connection without a closing handshake, which could block on
// a browser that hangs.
func (s *socket) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.cancel()
	return s.conn.CloseNow()
}
