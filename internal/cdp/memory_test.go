package cdp

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// deadline bounds every wait of the tests.
func deadline(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// command is what a scripted browser gets.
type command struct {
	ID        int64          `json:"id"`
	Method    string         `json:"method"`
	SessionID string         `json:"sessionId"`
	Params    jsontext.Value `json:"params"`
}

// memory is a transport whose browser is a func of the test.
type memory struct {
	browser func(m *memory, c command) // runs in Write
	in      chan []byte
	once    sync.Once
	closed  chan struct{}
}

func newMemory(browser func(m *memory, c command)) *memory {
	return &memory{browser: browser, in: make(chan []byte, 1<<17), closed: make(chan struct{})}
}

func (m *memory) Read() ([]byte, error) {
	select {
	case b := <-m.in:
		return b, nil
	default:
	}
	select {
	case b := <-m.in:
		return b, nil
	case <-m.closed:
		return nil, io.EOF
	}
}

func (m *memory) Write(b []byte) error {
	select {
	case <-m.closed:
		return io.ErrClosedPipe
	default:
	}
	var c command
	if err := json.Unmarshal(b, &c); err != nil {
		return err
	}
	m.browser(m, c)
	return nil
}

func (m *memory) Close() error {
	m.once.Do(func() { close(m.closed) })
	return nil
}

func member(session string) string {
	if session == "" {
		return ""
	}
	return fmt.Sprintf(`,"sessionId":%q`, session)
}

func (m *memory) result(c command, result string) {
	m.in <- fmt.Appendf(nil, `{"id":%d,"result":%s%s}`, c.ID, result, member(c.SessionID))
}

func (m *memory) fail(c command, code int, message string) {
	m.in <- fmt.Appendf(nil, `{"id":%d,"error":{"code":%d,"message":%q}%s}`, c.ID, code, message, member(c.SessionID))
}

func (m *memory) event(session, method, params string) {
	m.in <- fmt.Appendf(nil, `{"method":%q,"params":%s%s}`, method, params, member(session))
}

// echo answers every command with its params.
func echo(m *memory, c command) {
	if len(c.Params) == 0 {
		c.Params = jsontext.Value("{}")
	}
	m.result(c, string(c.Params))
}

// silent answers nothing.
func silent(*memory, command) {}

// connect returns a connection to a scripted browser, which ends with the test.
func connect(t testing.TB, o Options, browser func(m *memory, c command)) (*Conn, *memory) {
	m := newMemory(browser)
	c := NewConn(m, o)
	t.Cleanup(func() {
		c.Close()
		if err := c.Wait(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c, m
}
