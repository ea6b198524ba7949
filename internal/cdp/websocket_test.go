package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/go-json-experiment/json"
)

// dialServer connects to a server that runs serve with the other end.
func dialServer(t *testing.T, serve func(ctx context.Context, ws *websocket.Conn)) *Conn {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		ws.SetReadLimit(-1)
		defer ws.CloseNow()
		serve(r.Context(), ws)
	}))
	t.Cleanup(srv.Close)
	tr, err := DialWebSocket(deadline(t), "ws"+strings.TrimPrefix(srv.URL, "http"))
	if err != nil {
		t.Fatal(err)
	}
	c := NewConn(tr, Options{})
	t.Cleanup(func() { c.Close() })
	return c
}

// sized is a browser whose answers have the size that a command asks for.
func sized(t *testing.T) func(context.Context, *websocket.Conn) {
	return func(ctx context.Context, ws *websocket.Conn) {
		for {
			_, m, err := ws.Read(ctx)
			if err != nil {
				return
			}
			var cmd struct {
				ID     int64 `json:"id"`
				Params struct {
					N int `json:"n"`
				} `json:"params"`
			}
			if err := json.Unmarshal(m, &cmd); err != nil {
				t.Error(err)
				return
			}
			v := strings.Repeat(string(rune('a'+cmd.ID%26)), cmd.Params.N)
			if err := ws.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"id":%d,"result":{"v":"%s"}}`, cmd.ID, v)); err != nil {
				return
			}
		}
	}
}

// TestWebSocketTooLarge: an answer over the bound fails its command, and what
// follows is read.
func TestWebSocketTooLarge(t *testing.T) {
	c := dialServer(t, sized(t))
	if err := c.Root().Call(deadline(t), "A.b", map[string]int{"n": maxMessage}, nil); !errors.Is(err, ErrTooLarge) {
		t.Errorf("the large answer: %v", err)
	}
	if err := c.Root().Call(deadline(t), "A.b", map[string]int{"n": 1}, nil); err != nil {
		t.Errorf("the one behind it: %v", err)
	}
}

// TestWebSocketLarge checks that large answers keep their memory to themselves
// and that the transport does not keep it.
func TestWebSocketLarge(t *testing.T) {
	c := dialServer(t, sized(t))
	sizes := []int{10, 70_000, 3 << 20, 1000, 100_000, 40 << 20, 5}
	var ps []*Pending
	for _, n := range sizes {
		ps = append(ps, c.Root().Start("A.b", map[string]int{"n": n}))
	}
	for i, p := range ps {
		var r struct {
			V string `json:"v"`
		}
		if err := p.Wait(deadline(t), &r); err != nil {
			t.Fatal(err)
		}
		if r.V != strings.Repeat(string(rune('a'+p.id%26)), sizes[i]) {
			t.Errorf("answer of %d bytes is wrong", sizes[i])
		}
	}
	if err := c.Root().Call(deadline(t), "A.b", map[string]int{"n": 1}, nil); err != nil {
		t.Error(err)
	}
	c.Close()
	if n := c.t.(*socket).buf.Cap(); n > keepRead {
		t.Errorf("%d bytes are kept", n)
	}
}

func TestWebSocketEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		serve func(ctx context.Context, ws *websocket.Conn)
		want  func(error) bool
	}{
		"normally": {
			func(_ context.Context, ws *websocket.Conn) { ws.Close(websocket.StatusNormalClosure, "") },
			func(err error) bool { return err == io.EOF },
		},
		"suddenly": {
			func(_ context.Context, ws *websocket.Conn) { ws.CloseNow() },
			func(err error) bool { return err == io.EOF },
		},
		"with a complaint": {
			func(_ context.Context, ws *websocket.Conn) { ws.Close(websocket.StatusPolicyViolation, "no") },
			func(err error) bool { return websocket.CloseStatus(err) == websocket.StatusPolicyViolation },
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := dialServer(t, tt.serve)
			select {
			case <-c.Done():
			case <-deadline(t).Done():
				t.Fatal("the connection lives on")
			}
			if !tt.want(c.Err()) {
				t.Errorf("Err is %v", c.Err())
			}
			if err := c.Root().Call(deadline(t), "A.b", nil, nil); !errors.Is(err, ErrClosed) || !errors.Is(err, c.Err()) {
				t.Errorf("call: %v", err)
			}
		})
	}
}

// TestWebSocketBlocked checks that Close does not wait for a browser that reads
// nothing.
func TestWebSocketBlocked(t *testing.T) {
	release := make(chan struct{})
	c := dialServer(t, func(context.Context, *websocket.Conn) { <-release })
	p := c.Root().Start("A.b", map[string]string{"pad": strings.Repeat("x", 40<<20)})
	short, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Root().Start("A.b", nil).Wait(short, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c.Close()
	if err := p.Wait(deadline(t), nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if c.Err() != ErrClosed {
		t.Errorf("Err is %v", c.Err())
	}
	close(release)
}
