package cdp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// sync1 returns when everything that the scripted browser has sent so far was
// read, by a round trip, and handled.
func sync1(t testing.TB, s *Session) {
	t.Helper()
	if err := s.Call(deadline(t), "Sync.now", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(deadline(t)); err != nil {
		t.Fatal(err)
	}
}

func TestEvents(t *testing.T) {
	c, m := connect(t, Options{}, echo)
	s, other := c.Session("S"), c.Session("O")
	var got []string
	note := func(who string) func([]byte) {
		return func(p []byte) { got = append(got, who+string(p)) }
	}
	m.event("S", "A.b", `{"n":0}`)
	sync1(t, s)
	s.On("A.b", note("first "))
	cancel := s.On("A.b", note("second "))
	s.On("A.c", note("c "))
	other.On("A.b", note("other "))
	m.event("S", "A.b", `{"n":1}`)
	m.event("", "A.b", `{"n":2}`)
	m.event("S", "A.d", `{"n":3}`)
	m.event("S", "A.c", `{"n":4}`)
	m.in <- []byte(`{"method":"A.c","sessionId":"S"}`)
	sync1(t, s)
	cancel()
	cancel()
	m.event("S", "A.b", `{"n":5}`)
	sync1(t, s)
	want := []string{
		`first {"n":1}`, `second {"n":1}`, `c {"n":4}`, `c `,
		`first {"n":5}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	m.event("O", "A.b", `{"n":6}`)
	sync1(t, other)
	if got[len(got)-1] != `other {"n":6}` {
		t.Errorf("last is %q", got[len(got)-1])
	}
}

func TestTypedEvents(t *testing.T) {
	var reported error
	c, m := connect(t, Options{Report: func(err error) { reported = err }}, echo)
	s := c.Session("S")
	var urls []string
	Handle(s, page.FrameNavigated, func(e *page.EventFrameNavigated) { urls = append(urls, e.Frame.URL) })
	HandleDroppable(s, runtime.ConsoleAPICalled, func(e *runtime.EventConsoleAPICalled) { urls = append(urls, e.Type.String()) })
	m.event("S", "Page.frameNavigated", `{"frame":{"id":"F","url":"http://a/\udfff"},"type":"Navigation"}`)
	m.event("S", "Page.frameNavigated", `{"frame":7}`)
	m.event("S", "Runtime.consoleAPICalled", `{"type":"log","args":[],"executionContextId":1}`)
	sync1(t, s)
	if !slices.Equal(urls, []string{"http://a/\ufffd", "log"}) {
		t.Errorf("got %q", urls)
	}
	var ee *EventError
	if !errors.As(reported, &ee) || ee.Method != "Page.frameNavigated" || ee.Unwrap() == nil {
		t.Errorf("report is %v", reported)
	}
}

// TestHandlerCalls checks that handlers may wait for answers, on their own
// session and on others, and for one another's.
func TestHandlerCalls(t *testing.T) {
	c, m := connect(t, Options{}, echo)
	s, other := c.Session("S"), c.Session("O")
	ctx := deadline(t)
	var errs []error
	s.On("A.b", func([]byte) {
		errs = append(errs, s.Call(ctx, "C.d", nil, nil), other.Call(ctx, "C.d", nil, nil), c.Root().Call(ctx, "C.d", nil, nil))
		errs = append(errs, other.Flush(ctx))
		s.On("A.late", func([]byte) { errs = append(errs, nil) })
	})
	other.On("A.b", func([]byte) { errs = append(errs, other.Call(ctx, "C.d", nil, nil)) })
	m.event("O", "A.b", `{}`)
	sync1(t, other)
	m.event("S", "A.b", `{}`)
	sync1(t, s)
	m.event("S", "A.late", `{}`)
	sync1(t, s)
	if len(errs) != 6 || errors.Join(errs...) != nil {
		t.Errorf("%d calls: %v", len(errs), errors.Join(errs...))
	}
}

// TestHandlerCloses checks that a handler may end what it runs on.
func TestHandlerCloses(t *testing.T) {
	for name, end := range map[string]func(*Session){
		"session":    func(s *Session) { s.Close() },
		"connection": func(s *Session) { s.Conn().Close() },
	} {
		t.Run(name, func(t *testing.T) {
			c, m := connect(t, Options{}, echo)
			s := c.Session("S")
			runs := 0
			s.On("A.b", func([]byte) { runs++; end(s) })
			for range 5 {
				m.event("S", "A.b", `{}`)
			}
			<-s.Done()
			c.Close()
			if err := c.Wait(deadline(t)); err != nil || runs != 1 {
				t.Errorf("the handler ran %d times, %v", runs, err)
			}
		})
	}
}

func TestFlush(t *testing.T) {
	c, m := connect(t, Options{}, echo)
	s := c.Session("S")
	if err := s.Flush(deadline(t)); err != nil {
		t.Errorf("nobody listens: %v", err)
	}
	release := make(chan struct{})
	entered := make(chan struct{}, 2)
	var handled atomic.Int32
	s.On("A.b", func([]byte) { entered <- struct{}{}; <-release; handled.Add(1) })
	m.event("S", "A.b", `{}`)
	<-entered

	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Flush(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("the handler blocks: %v", err)
	}
	m.event("S", "A.b", `{}`)
	if err := s.Call(deadline(t), "Sync.now", nil, nil); err != nil {
		t.Fatal(err)
	}
	flushed := make(chan error)
	go func() { flushed <- s.Flush(deadline(t)) }()
	select {
	case err := <-flushed:
		t.Fatalf("flushed too early: %v", err)
	default:
	}
	close(release)
	if err := <-flushed; err != nil || handled.Load() != 2 {
		t.Errorf("%d handled, %v", handled.Load(), err)
	}
	if s.Queued() != 0 {
		t.Errorf("%d bytes are left in the queue", s.Queued())
	}
	// A flush that waits is told when the session ends.
	block := make(chan struct{})
	s.On("A.c", func([]byte) { entered <- struct{}{}; <-block })
	m.event("S", "A.c", `{}`)
	<-entered
	go func() { flushed <- s.Flush(deadline(t)) }()
	s.Close()
	if err := <-flushed; !errors.Is(err, ErrDetached) {
		t.Errorf("the session ended: %v", err)
	}
	close(block)
}

// TestOverload floods a session whose handler does not move. Calls must be
// answered all the same, droppable events be bounded and counted, others kept.
func TestOverload(t *testing.T) {
	const n, bound = 100_000, 1 << 20
	c, m := connect(t, Options{QueueBytes: bound}, echo)
	s := c.Session("S")
	release := make(chan struct{})
	entered := make(chan struct{})
	var kept, droppable, both int
	s.On("A.start", func([]byte) { close(entered); <-release })
	s.On("A.kept", func(p []byte) {
		if string(p) != fmt.Sprintf(`{"n":%d}`, kept) {
			t.Errorf("event %d is %s", kept, p)
		}
		kept++
	})
	s.OnDroppable("A.droppable", func([]byte) { droppable++ })
	s.On("A.both", func([]byte) { both++ })
	cancel := s.OnDroppable("A.both", func([]byte) { droppable++ })
	m.event("S", "A.start", `{}`)
	<-entered

	ctx := deadline(t)
	pad := strings.Repeat("x", 200)
	for i := range n {
		m.event("S", "A.droppable", `{"v":"`+pad+`"}`)
		if i%100 == 0 {
			m.event("S", "A.kept", fmt.Sprintf(`{"n":%d}`, i/100))
			m.event("S", "A.both", `{}`)
		}
		if i%10_000 == 0 {
			if err := s.Call(ctx, "A.b", nil, nil); err != nil {
				t.Fatalf("call among %d events: %v", i, err)
			}
		}
	}
	if err := s.Call(ctx, "A.b", nil, nil); err != nil {
		t.Fatal(err)
	}
	// The bound holds but for what must be kept: 2000 small events.
	if q := s.Queued(); q < bound/2 || q > bound+2000*100 {
		t.Errorf("%d bytes are queued", q)
	}
	cancel()
	close(release)
	if err := s.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if kept != n/100 || both != n/100 {
		t.Errorf("%d and %d events were kept, want %d", kept, both, n/100)
	}
	lost := s.Dropped("A.droppable")
	if droppable == 0 || lost == 0 || int64(droppable)+lost < n {
		t.Errorf("%d droppable events were handled and %d dropped, of %d", droppable, lost, n)
	}
	if s.Dropped("A.kept") != 0 || s.Dropped("A.other") != 0 || s.Dropped("A.both") == 0 {
		t.Errorf("dropped: kept %d, other %d, both %d", s.Dropped("A.kept"), s.Dropped("A.other"), s.Dropped("A.both"))
	}
	if s.Queued() != 0 {
		t.Errorf("%d bytes are left in the queue", s.Queued())
	}
	s.Close()
	if s.Dropped("A.droppable") != lost {
		t.Error("the count is lost with the session")
	}
}

// TestQueueMemory checks that a burst does not leave its memory behind.
func TestQueueMemory(t *testing.T) {
	c, m := connect(t, Options{}, echo)
	s := c.Session("S")
	s.On("A.b", func([]byte) {})
	big := `{"v":"` + strings.Repeat("x", 1<<20) + `"}`
	for range 8 {
		m.event("S", "A.b", big)
	}
	sync1(t, s)
	for range 4 { // both batches have been handed back by then
		m.event("S", "A.b", `{}`)
		sync1(t, s)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := cap(s.batch.bytes); n > 4*keepBytes {
		t.Errorf("%d bytes are kept", n)
	}
}

func TestPanicOfHandler(t *testing.T) {
	var reported error
	c, m := connect(t, Options{Report: func(err error) { reported = err }}, echo)
	s := c.Session("S")
	after := 0
	s.On("A.b", func([]byte) { panic("oops") })
	s.On("A.b", func([]byte) { after++ })
	m.event("S", "A.b", `{}`)
	m.event("S", "A.b", `{}`)
	sync1(t, s)
	var ee *EventError
	if !errors.As(reported, &ee) || !strings.Contains(ee.Error(), "event A.b: handler panicked: oops") || after != 2 {
		t.Errorf("report is %v, %d events after it", reported, after)
	}
}

func TestSubscribe(t *testing.T) {
	c, m := connect(t, Options{}, echo)
	s := c.Session("S")
	ctx := deadline(t)
	events := cdproto.Events(ctx, s, page.FrameNavigated)
	raw, cancel := s.Subscribe("A.b")
	for i := range 1000 {
		m.event("S", "Page.frameNavigated", fmt.Sprintf(`{"frame":{"id":"F","url":"%d\ud800"},"type":"Navigation"}`, i))
	}
	m.event("S", "A.b", `{"v":1}`)
	m.in <- []byte(`{"method":"A.b","sessionId":"S"}`)
	sync1(t, s) // a subscription that nobody reads does not hold up the session
	i := 0
	for e, err := range events {
		if err != nil || e.Frame.URL != fmt.Sprint(i, "\ufffd") {
			t.Fatalf("event %d: %+v, %v", i, e.Frame, err)
		}
		if i++; i == 1000 {
			break
		}
	}
	if v := <-raw; string(v) != `{"v":1}` {
		t.Errorf("got %s", v)
	}
	if v := <-raw; string(v) != `{}` {
		t.Errorf("event without params is %s", v)
	}
	cancel()
	cancel()
	if v, ok := <-raw; ok {
		t.Errorf("got %s after cancel", v)
	}
	closed, _ := s.Subscribe("A.b")
	m.event("S", "A.b", `{"v":2}`)
	sync1(t, s)
	s.Close()
	for range closed { // what was under way may come or not; then it ends
	}
}

func TestMendSurrogates(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"b"}`:             `{"a":"b"}`,
		`"\ud83d\ude00"`:        `"\ud83d\ude00"`,
		`"\uD83D\uDE00\uDE00"`:  `"\uD83D\uDE00\ufffd"`,
		`"\ud83d"`:              `"\ufffd"`,
		`"\ud83dx"`:             `"\ufffdx"`,
		`"\ud83d\n\ude00"`:      `"\ufffd\n\ufffd"`,
		`"\ud83d\ud83d\ude00"`:  `"\ufffd\ud83d\ude00"`,
		`"\\ud83d"`:             `"\\ud83d"`,
		`"\\\ud83d"`:            `"\\\ufffd"`,
		`"\u00e9\"\udfff\\"`:    `"\u00e9\"\ufffd\\"`,
		`"\ud83`:                `"\ud83`,
		`"\`:                    `"\`,
		`"\ud83d\u`:             `"\ufffd\u`,
		`{"x":"\udc00","y":"\\`: `{"x":"\ufffd","y":"\\`,
	} {
		b := []byte(in)
		if mendSurrogates(b); string(b) != want {
			t.Errorf("%s becomes %s, want %s", in, b, want)
		}
	}
}

// TestListenersComeAndGo runs the bookkeeping under the race detector.
func TestListenersComeAndGo(t *testing.T) {
	c, m := connect(t, Options{}, echo)
	s := c.Session("S")
	var wg sync.WaitGroup
	var steady atomic.Int64
	s.On("A.b", func([]byte) { steady.Add(1) })
	for range 4 {
		wg.Go(func() {
			for range 200 {
				cancel := s.On("A.b", func([]byte) {})
				m.event("S", "A.b", `{}`)
				cancel()
			}
		})
	}
	wg.Wait()
	sync1(t, s)
	if steady.Load() != 800 {
		t.Errorf("%d of 800 events", steady.Load())
	}
	if n := len(s.topics["A.b"].all); n != 1 {
		t.Errorf("%d handlers are left", n)
	}
}

func BenchmarkEvent(b *testing.B) {
	for _, wanted := range []bool{false, true} {
		b.Run(fmt.Sprintf("wanted=%v", wanted), func(b *testing.B) {
			c, _ := connect(b, Options{}, echo)
			s := c.Session("0123456789ABCDEF0123456789ABCDEF")
			if wanted {
				s.On("Network.requestWillBeSent", func([]byte) {})
			}
			m := benchmarkMessages()["event"]
			b.SetBytes(int64(len(m)))
			b.ReportAllocs()
			for b.Loop() {
				c.route(m)
			}
			if err := s.Flush(deadline(b)); err != nil {
				b.Fatal(err)
			}
		})
	}
}
