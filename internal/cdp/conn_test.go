package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/cdproto/browser"
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
)

func TestCall(t *testing.T) {
	var got []command
	c, _ := connect(t, Options{}, func(m *memory, cmd command) {
		got = append(got, cmd)
		switch cmd.Method {
		case "Page.navigate":
			m.result(cmd, `{"frameId":"F","loaderId":"L"}`)
		case "Browser.getVersion":
			m.result(cmd, `{"product":"Chrome/1 \ud800"}`)
		default:
			m.fail(cmd, -32601, "no such method")
		}
	})
	ctx := deadline(t)
	r, err := cdproto.Call(ctx, c.Session("S1"), page.Navigate, page.NavigateParams{URL: "http://127.0.0.1/"})
	if err != nil || r.FrameID != "F" || r.LoaderID != "L" {
		t.Errorf("Page.navigate: %+v, %v", r, err)
	}
	v, err := cdproto.Call(ctx, c.Root(), browser.GetVersion, cdproto.Empty{})
	if err != nil || v.Product != "Chrome/1 \ufffd" {
		t.Errorf("Browser.getVersion: %+v, %v", v, err)
	}
	var raw jsonv2.Value
	if err := c.Root().Call(ctx, "Browser.getVersion", nil, &raw); err != nil || string(raw) != `{"product":"Chrome/1 \ud800"}` {
		t.Errorf("raw result: %s, %v", raw, err)
	}
	if err := c.Root().Call(ctx, "Browser.getVersion", nil, nil); err != nil {
		t.Error(err)
	}
	err = c.Root().Call(ctx, "No.such", nil, nil)
	var pe *Error
	if !errors.As(err, &pe) || *pe != (Error{Method: "No.such", Code: CodeMethodNotFound, Message: "no such method"}) {
		t.Errorf("No.such: %#v", err)
	}
	if want := "No.such: no such method (-32601)"; err == nil || err.Error() != want {
		t.Errorf("error text is %q, want %q", err, want)
	}
	if errors.Is(err, ErrDetached) || errors.Is(err, ErrClosed) {
		t.Errorf("%v is taken for an ended session", err)
	}

	want := []struct{ method, session, params string }{
		{"Page.navigate", "S1", `{"url":"http://127.0.0.1/"}`},
		{"Browser.getVersion", "", `{}`},
		{"Browser.getVersion", "", ``},
		{"Browser.getVersion", "", ``},
		{"No.such", "", ``},
	}
	for i, w := range want {
		if i >= len(got) || got[i].ID != int64(i+1) || got[i].Method != w.method || got[i].SessionID != w.session || string(got[i].Params) != w.params {
			t.Fatalf("command %d: got %+v, want %+v", i+1, got, w)
		}
	}
}

func TestCallThatCannotBeMade(t *testing.T) {
	c, _ := connect(t, Options{}, echo)
	if err := c.Root().Call(deadline(t), "A.b", make(chan int), nil); err == nil || !strings.Contains(err.Error(), "A.b: params do not encode") {
		t.Errorf("params that are no JSON: %v", err)
	}
	var n int
	if err := c.Root().Call(deadline(t), "A.b", nil, &n); err == nil || !strings.Contains(err.Error(), "A.b: result does not decode") {
		t.Errorf("result of another type: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Root().Call(ctx, "A.b", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
	if err := c.Root().Call(deadline(t), "A.b", map[string]string{"v": "a\xffb"}, nil); err != nil {
		t.Errorf("text that is not UTF-8: %v", err)
	}
	if len(c.pending) != 0 {
		t.Errorf("%d commands are left in the table", len(c.pending))
	}
}

// TestNames checks that a name cannot break out of its string.
func TestNames(t *testing.T) {
	var got command
	c, _ := connect(t, Options{}, func(m *memory, cmd command) { got = cmd; m.result(cmd, "{}") })
	for _, name := range []string{`A.b","x":"`, "A.\n", `\`, "A.\xff", "Ä.b"} {
		if err := c.Session(name).Call(deadline(t), name, nil, nil); err != nil {
			t.Fatal(err)
		}
		want := strings.ToValidUTF8(name, "\ufffd")
		if got.Method != want || got.SessionID != want {
			t.Errorf("%q arrives as %q on %q", name, got.Method, got.SessionID)
		}
	}
}

func TestPipelining(t *testing.T) {
	var held []command
	c, _ := connect(t, Options{}, func(m *memory, cmd command) {
		held = append(held, cmd)
		if len(held) < 10 {
			return
		}
		for i := len(held) - 1; i >= 0; i-- { // answers come in any order
			m.result(held[i], fmt.Sprintf(`{"n":%d}`, i))
		}
	})
	var ps []*Pending
	for range 10 {
		ps = append(ps, c.Root().Start("A.b", nil))
	}
	for i, p := range ps {
		var r struct {
			N int `json:"n"`
		}
		if err := p.Wait(deadline(t), &r); err != nil || r.N != i {
			t.Errorf("command %d: %+v, %v", i, r, err)
		}
	}
}

func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var late []command
		m := newMemory(func(m *memory, cmd command) {
			if cmd.Method == "Slow.call" {
				late = append(late, cmd)
				return
			}
			echo(m, cmd)
		})
		c := NewConn(m, Options{})
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		start := time.Now()
		err := c.Root().Call(ctx, "Slow.call", nil, nil)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 3*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		if want := "Slow.call: context deadline exceeded"; err.Error() != want {
			t.Errorf("error text is %q, want %q", err, want)
		}
		if len(c.pending) != 0 {
			t.Errorf("%d commands are left in the table", len(c.pending))
		}
		// The late answer must reach nobody, least of all the next command.
		m.result(late[0], `{"v":"late"}`)
		var r struct {
			V string `json:"v"`
		}
		if err := c.Root().Call(t.Context(), "A.b", map[string]string{"v": "mine"}, &r); err != nil || r.V != "mine" {
			t.Errorf("next command: %+v, %v", r, err)
		}
		c.Close()
	})
}

// TestAnswerOnItsWay checks a context that ends when the reader has already
// taken the command out of the table: the answer must not be left for the next
// user of the memory.
func TestAnswerOnItsWay(t *testing.T) {
	c, _ := connect(t, Options{}, silent)
	p := c.Root().Start("A.b", nil)
	if c.take(p.id) != p {
		t.Fatal("the command is not in the table")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got := make(chan error)
	go func() { got <- p.Wait(ctx, nil) }()
	p.answer <- answer{failed: true, body: []byte(`"no object"`)}
	var pe *Error
	if err := <-got; !errors.As(err, &pe) || pe.Message != `"no object"` {
		t.Error(err)
	}
}

func TestAnswersFromManyGoroutines(t *testing.T) {
	c, _ := connect(t, Options{}, echo)
	ctx := deadline(t)
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			s := c.Session(fmt.Sprint(g % 4))
			for i := range 200 {
				var r struct {
					V int `json:"v"`
				}
				in := map[string]int{"v": g*1000 + i}
				if i%10 == 0 {
					gone, cancel := context.WithCancel(ctx)
					p := s.Start("A.b", in)
					cancel()
					if err := p.Wait(gone, &r); err != nil && !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					continue
				}
				if err := s.Call(ctx, "A.b", in, &r); err != nil || r.V != in["v"] {
					t.Errorf("got %+v, %v, want %d", r, err, in["v"])
				}
			}
		})
	}
	wg.Wait()
	if len(c.pending) != 0 {
		t.Errorf("%d commands are left in the table", len(c.pending))
	}
}

func TestEndOfConnection(t *testing.T) {
	for name, tt := range map[string]struct {
		end  func(*Conn, *memory)
		want error
	}{
		"closed here":       {func(c *Conn, _ *memory) { c.Close() }, ErrClosed},
		"closed by browser": {func(_ *Conn, m *memory) { m.Close() }, io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			got := make(chan command, 2)
			c, m := connect(t, Options{}, func(_ *memory, cmd command) { got <- cmd })
			ctx := deadline(t)
			s := c.Session("S")
			var handled bool
			s.On("A.b", func([]byte) { handled = true })
			events, _ := s.Subscribe("A.b")
			ps := []*Pending{s.Start("A.b", nil), c.Root().Start("A.b", nil)}
			<-got // or else a write could notice the end first, and Err be its error
			<-got
			tt.end(c, m)
			for _, p := range ps {
				if err := p.Wait(ctx, nil); !errors.Is(err, ErrClosed) {
					t.Errorf("pending call: %v", err)
				}
			}
			<-c.Done()
			<-s.Done()
			if _, ok := <-events; ok {
				t.Error("the subscription goes on")
			}
			if err := c.Err(); err != tt.want {
				t.Errorf("Err is %v, want %v", err, tt.want)
			}
			for what, err := range map[string]error{
				"call":               s.Call(ctx, "A.b", nil, nil),
				"call of root":       c.Root().Call(ctx, "A.b", nil, nil),
				"started":            s.Start("A.b", nil).Wait(ctx, nil),
				"call of a new one":  c.Session("T").Call(ctx, "A.b", nil, nil),
				"flush":              s.Flush(ctx),
				"session":            s.Err(),
				"session made later": c.Session("T").Err(),
			} {
				if !errors.Is(err, ErrClosed) {
					t.Errorf("%s: %v", what, err)
				}
			}
			c.Session("T").On("A.b", func([]byte) {})()
			if ch, cancel := c.Session("T").Subscribe("A.b"); ch != nil {
				if _, ok := <-ch; ok {
					t.Error("a subscription to an ended session delivers")
				}
				cancel()
			}
			if err := c.Wait(ctx); err != nil || handled {
				t.Errorf("Wait: %v, handled: %v", err, handled)
			}
		})
	}
}

func TestDetach(t *testing.T) {
	for name, end := range map[string]func(*Conn, *memory){
		"by us":          func(c *Conn, _ *memory) { c.Session("S").Close() },
		"by the browser": func(_ *Conn, m *memory) { m.event("", detachedMethod, `{"sessionId":"S","targetId":"T"}`) },
		"in other words": func(_ *Conn, m *memory) { m.event("P", detachedMethod, `{"targetId":"T", "sessionId":"\u0053"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			c, m := connect(t, Options{}, silent)
			ctx := deadline(t)
			s, other := c.Session("S"), c.Session("O")
			if c.Session("S") != s {
				t.Fatal("a session is made twice")
			}
			p, q := s.Start("A.b", nil), other.Start("A.b", nil)
			end(c, m)
			if err := p.Wait(ctx, nil); !errors.Is(err, ErrDetached) {
				t.Errorf("pending call: %v", err)
			}
			<-s.Done()
			for what, err := range map[string]error{
				"call":    s.Call(ctx, "A.b", nil, nil),
				"flush":   s.Flush(ctx),
				"session": s.Err(),
			} {
				if !errors.Is(err, ErrDetached) {
					t.Errorf("%s: %v", what, err)
				}
			}
			s.Close() // again
			m.result(command{ID: q.id, SessionID: "O"}, `{}`)
			if err := q.Wait(ctx, nil); err != nil {
				t.Errorf("call of another session: %v", err)
			}
			if c.Root().Close(); c.Root().Err() != nil || c.Err() != nil {
				t.Error("the browser session was closed")
			}
		})
	}
}

// TestCrash checks that the commands which a dead renderer had are given up,
// and its session is not.
func TestCrash(t *testing.T) {
	c, m := connect(t, Options{}, func(m *memory, cmd command) {
		if cmd.Method != "Slow.call" {
			echo(m, cmd)
		}
	})
	ctx := deadline(t)
	s, other := c.Session("S"), c.Session("O")
	told := false
	s.On(crashedMethod, func([]byte) { told = true })
	p, q := s.Start("Slow.call", nil), other.Start("Slow.call", nil)
	m.event("S", crashedMethod, `{}`)
	m.event("unknown", crashedMethod, `{}`)
	if err := p.Wait(ctx, nil); !errors.Is(err, ErrCrashed) {
		t.Errorf("pending call: %v", err)
	}
	sync1(t, s)
	m.result(command{ID: q.id}, `{}`)
	if err := q.Wait(ctx, nil); err != nil || !told {
		t.Errorf("call of another session: %v; the handler was told: %v", err, told)
	}
}

// TestDetachedUnseen checks a target that came and went before anybody had time
// to look at its session.
func TestDetachedUnseen(t *testing.T) {
	c, m := connect(t, Options{}, echo)
	ctx := deadline(t)
	for i := range 300 {
		m.event("", detachedMethod, fmt.Sprintf(`{"sessionId":"S%d"}`, i))
	}
	if err := c.Root().Call(ctx, "A.b", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Session("S299").Call(ctx, "A.b", nil, nil); !errors.Is(err, ErrDetached) {
		t.Errorf("session that is gone: %v", err)
	}
	if n := len(c.gone.ids); n > len(c.gone.ring) {
		t.Errorf("%d ids are remembered", n)
	}
	if err := c.Session("new").Call(ctx, "A.b", nil, nil); err != nil {
		t.Errorf("session that is there: %v", err)
	}
}

func TestErrorText(t *testing.T) {
	e := &Error{Method: "A.b", Code: -32602, Message: "Invalid parameters", Data: "url: string value expected"}
	if got, want := e.Error(), "A.b: Invalid parameters: url: string value expected (-32602)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSessionNotFoundIsDetached(t *testing.T) {
	c, _ := connect(t, Options{}, func(m *memory, cmd command) {
		m.in <- fmt.Appendf(nil, `{"id":%d,"error":{"code":-32001,"message":"Session with given id not found."}}`, cmd.ID)
	})
	if err := c.Session("S").Call(deadline(t), "A.b", nil, nil); !errors.Is(err, ErrDetached) {
		t.Error(err)
	}
}

// TestNonsense checks that the connection survives what it cannot read, and
// says so.
func TestNonsense(t *testing.T) {
	var mu sync.Mutex
	var reports []string
	report := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		reports = append(reports, err.Error())
	}
	c, m := connect(t, Options{Report: report}, echo)
	long := strings.Repeat("x", 1000)
	for _, s := range []string{``, `x`, `[1]`, `{"id":1,"result":{`, `{"error":{"code":-32700,"message":"` + long + `"}}`} {
		m.in <- []byte(s)
	}
	m.in <- []byte(`{"id":77,"result":{}}`) // an answer that nobody asked for is a late one
	m.event("nobody", "A.b", `{}`)
	if err := c.Root().Call(deadline(t), "A.b", nil, nil); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(reports) != 5 {
		t.Fatalf("got %d reports: %q", len(reports), reports)
	}
	if r := reports[4]; !strings.Contains(r, "neither an answer nor an event") || len(r) > 400 {
		t.Errorf("report is %q", r)
	}
}

// TestBodyThatGoesOn checks the way back from a fast scan that took too much.
func TestBodyThatGoesOn(t *testing.T) {
	c, m := connect(t, Options{}, func(m *memory, cmd command) {
		m.in <- fmt.Appendf(nil, `{"id":%d,"result":{"v":1},"more":{},"sessionId":"S"}`, cmd.ID)
	})
	s := c.Session("S")
	var got string
	s.On("A.b", func(p []byte) { got = string(p) })
	m.in <- []byte(`{"method":"A.b","params":{"v":2},"more":{},"sessionId":"S"}`)
	var raw jsonv2.Value
	if err := s.Call(deadline(t), "A.b", nil, &raw); err != nil || string(raw) != `{"v":1}` {
		t.Errorf("result is %s, %v", raw, err)
	}
	if err := s.Flush(deadline(t)); err != nil || got != `{"v":2}` {
		t.Errorf("params are %s, %v", got, err)
	}
}

func BenchmarkCall(b *testing.B) {
	c, _ := connect(b, Options{}, func(m *memory, cmd command) {
		m.in <- fmt.Appendf(nil, `{"id":%d,"result":{"result":{"type":"number","value":1}},"sessionId":"S"}`, cmd.ID)
	})
	s := c.Session("S")
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Call(ctx, "Runtime.evaluate", nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}
