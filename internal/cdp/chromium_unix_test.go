//go:build unix

package cdp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// chromium is a real browser of one test.
type chromium struct {
	cmd *exec.Cmd
	url chan string // where it listens, when it does
}

// findChromium skips the test when there is no browser.
func findChromium(t testing.TB) string {
	if os.Getenv("BROWSE_TEST_CHROMIUM") == "off" {
		t.Skip("tests with a browser are off")
	}
	if p := os.Getenv("GSTACK_CHROMIUM_PATH"); p != "" {
		return p
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	t.Skip("no Chromium: set GSTACK_CHROMIUM_PATH, or put chromium on PATH")
	return ""
}

// launch starts a browser that is killed at the end of the test.
func launch(t testing.TB, extra []*os.File, args ...string) *chromium {
	bin := findChromium(t)
	dir, err := os.MkdirTemp("", "cdp-test-")
	if err != nil {
		t.Fatal(err)
	}
	b := &chromium{url: make(chan string, 1)}
	b.cmd = exec.Command(bin, append([]string{
		"--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu",
		"--user-data-dir=" + dir,
	}, args...)...)
	b.cmd.Env = append(os.Environ(), "TMPDIR="+dir) // its lock lies there
	b.cmd.ExtraFiles = extra
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := b.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(b.url)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if _, url, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
				b.url <- url
			}
		}
	}()
	t.Cleanup(func() {
		syscall.Kill(-b.cmd.Process.Pid, syscall.SIGKILL)
		<-ended
		b.cmd.Wait()
		for range 50 { // a dying renderer may still write
			if os.RemoveAll(dir) == nil {
				return
			}
		}
		t.Logf("%s is left behind", dir)
	})
	return b
}

// overPipe returns a connection to a new browser over a pipe.
func overPipe(t testing.TB, o Options) (*Conn, *chromium) {
	r3, w3, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r4, w4, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	b := launch(t, []*os.File{r3, w4}, "--remote-debugging-pipe", "about:blank")
	r3.Close()
	w4.Close()
	c := NewConn(NewPipe(r4, w3), o)
	closeLater(t, c)
	return c, b
}

// overWebSocket returns a connection to a new browser over a port of its choice.
func overWebSocket(t testing.TB, o Options) (*Conn, *chromium) {
	b := launch(t, nil, "--remote-debugging-port=0", "about:blank")
	url, ok := <-b.url
	if !ok {
		t.Fatal("the browser ended before it listened")
	}
	tr, err := DialWebSocket(deadline(t), url)
	if err != nil {
		t.Fatal(err)
	}
	c := NewConn(tr, o)
	closeLater(t, c)
	return c, b
}

func closeLater(t testing.TB, c *Conn) {
	t.Cleanup(func() {
		c.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := c.Wait(ctx); err != nil {
			t.Error(err)
		}
	})
}

// transports runs a test over both.
func transports(t *testing.T, o func() Options, f func(t *testing.T, c *Conn, b *chromium)) {
	t.Run("pipe", func(t *testing.T) {
		c, b := overPipe(t, o())
		f(t, c, b)
	})
	t.Run("websocket", func(t *testing.T) {
		c, b := overWebSocket(t, o())
		f(t, c, b)
	})
}

// attach makes a tab and returns its session.
func attach(t testing.TB, c *Conn, url string) *Session {
	ctx := deadline(t)
	made, err := cdproto.Call(ctx, c.Root(), target.CreateTarget, target.CreateTargetParams{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	got, err := cdproto.Call(ctx, c.Root(), target.AttachToTarget, target.AttachToTargetParams{TargetID: made.TargetID, Flatten: new(true)})
	if err != nil {
		t.Fatal(err)
	}
	return c.Session(got.SessionID.String())
}

// evaluate returns the value of an expression.
func evaluate(t testing.TB, s *Session, expression string) string {
	t.Helper()
	var r struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	if err := s.Call(deadline(t), "Runtime.evaluate", evaluateParams{Expression: expression, ReturnByValue: true}, &r); err != nil {
		t.Fatal(err)
	}
	return r.Result.Value
}

type evaluateParams struct {
	Expression    string `json:"expression"`
	ReturnByValue bool   `json:"returnByValue"`
}

// orderly checks that Chromium writes what scanFast expects.
type orderly struct {
	Transport
	t      *testing.T
	mu     sync.Mutex
	total  int
	others []string
}

func (o *orderly) Read() ([]byte, error) {
	m, err := o.Transport.Read()
	if err == nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.total++
		if _, fast, _ := resolved(m); !fast {
			o.others = append(o.others, string(cut(m, 300)))
		}
	}
	return m, err
}

func TestChromium(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Hä "quoted" \ 😀</title><script>console.log("at", location.pathname, "\ud800")</script><iframe src=data:text/html,inner></iframe>`)
	}))
	defer site.Close()
	var watch *orderly
	transports(t, func() Options {
		return Options{
			Wrap:   func(tr Transport) Transport { watch = &orderly{Transport: tr, t: t}; return watch },
			Report: func(err error) { t.Error(err) },
		}
	}, func(t *testing.T, c *Conn, b *chromium) {
		ctx := deadline(t)
		v, err := cdproto.Call(ctx, c.Root(), browser.GetVersion, cdproto.Empty{})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(v.Product)

		s := attach(t, c, "about:blank")
		var urls, logs []string
		loaded := make(chan struct{}, 10)
		Handle(s, page.FrameNavigated, func(e *page.EventFrameNavigated) { urls = append(urls, e.Frame.URL) })
		Handle(s, cdpruntime.ConsoleAPICalled, func(e *cdpruntime.EventConsoleAPICalled) {
			for _, a := range e.Args {
				logs = append(logs, string(a.Value))
			}
		})
		Handle(s, page.LoadEventFired, func(*page.EventLoadEventFired) { loaded <- struct{}{} })
		// Page.enable must be answered before the navigation starts: Chromium
		// begins to navigate in the browser process, ahead of a renderer that
		// has not read Page.enable yet, and never reports the main frame then.
		var enabled []*Pending
		for _, m := range []string{"Page.enable", "Runtime.enable", "Network.enable", "DOM.enable"} {
			enabled = append(enabled, s.Start(m, nil))
		}
		for _, p := range enabled {
			if err := p.Wait(ctx, nil); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := cdproto.Call(ctx, s, page.Navigate, page.NavigateParams{URL: site.URL + "/a"}); err != nil {
			t.Fatal(err)
		}
		<-loaded
		if err := s.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		if len(urls) != 2 || urls[0] != site.URL+"/a" || urls[1] != "data:text/html,inner" {
			t.Errorf("navigated to %q", urls)
		}
		if got := strings.Join(logs, " "); got != `"at" "/a" "\ud800"` {
			t.Errorf("console has %s", got)
		}
		if got := evaluate(t, s, "document.title"); got != `Hä "quoted" \ 😀` {
			t.Errorf("title is %q", got)
		}
		var pe *Error
		if _, err := cdproto.Call(ctx, s, page.Navigate, page.NavigateParams{URL: "::"}); !errors.As(err, &pe) || pe.Code != CodeServerError {
			t.Errorf("bad address: %v", err)
		}
		if err := s.Call(ctx, "No.such", nil, nil); !errors.As(err, &pe) || pe.Code != CodeMethodNotFound {
			t.Errorf("bad method: %v", err)
		}
		if err := c.Session("0BAD").Call(ctx, "Page.enable", nil, nil); !errors.Is(err, ErrDetached) {
			t.Errorf("bad session: %v", err)
		}
		checkLarge(t, s)

		if err := c.Root().Call(ctx, "Browser.close", nil, nil); err != nil {
			t.Error(err)
		}
		select {
		case <-c.Done():
			if err := c.Err(); err != io.EOF {
				t.Errorf("Err is %v", err)
			}
		case <-ctx.Done():
			t.Error("the connection outlives the browser")
		}
		watch.mu.Lock()
		defer watch.mu.Unlock()
		if len(watch.others) > 0 || watch.total < 20 {
			t.Errorf("%d of %d messages are not in order: %q", len(watch.others), watch.total, watch.others)
		}
	})
}

// checkLarge moves large messages in both directions.
func checkLarge(t *testing.T, s *Session) {
	for _, n := range []int{1 << 16, 1 << 20, 30 << 20} {
		if got := evaluate(t, s, fmt.Sprintf("'x'.repeat(%d)", n)); len(got) != n || strings.Trim(got, "x") != "" {
			t.Errorf("%d bytes arrive as %d", n, len(got))
		}
		if got := evaluate(t, s, fmt.Sprintf("String('%s'.length)", strings.Repeat("y", n))); got != fmt.Sprint(n) {
			t.Errorf("%d bytes are sent as %s", n, got)
		}
	}
	shot, err := cdproto.Call(deadline(t), s, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(shot.Data, []byte("\x89PNG")) {
		t.Errorf("the screenshot is %.20q", shot.Data)
	}
}

// forever is an evaluation that the page never answers.
var forever = map[string]any{"expression": "new Promise(() => {})", "awaitPromise": true}

// TestChromiumDetaches checks that a pending call fails at once when its target
// goes, in each way in which a target can.
func TestChromiumDetaches(t *testing.T) {
	c, _ := overPipe(t, Options{Report: func(err error) { t.Error(err) }})
	ctx := deadline(t)
	fails := func(t *testing.T, s *Session, p *Pending) {
		t.Helper()
		if err := p.Wait(ctx, nil); err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("pending call: %v", err)
		} else {
			t.Log(err)
		}
		select {
		case <-s.Done():
		case <-ctx.Done():
			t.Fatal("the session outlives its target")
		}
		if err := s.Call(ctx, "Page.enable", nil, nil); !errors.Is(err, ErrDetached) {
			t.Errorf("later call: %v", err)
		}
	}
	t.Run("Page.close", func(t *testing.T) {
		s := attach(t, c, "about:blank")
		p := s.Start("Runtime.evaluate", forever)
		s.Start("Page.close", nil)
		fails(t, s, p)
	})
	t.Run("detachFromTarget", func(t *testing.T) {
		s := attach(t, c, "about:blank")
		p := s.Start("Runtime.evaluate", forever)
		c.Root().Start("Target.detachFromTarget", map[string]string{"sessionId": s.ID()})
		fails(t, s, p)
	})
	t.Run("frame of a closed page", func(t *testing.T) {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, port, _ := strings.Cut(r.Host, ":")
			w.Header().Set("Content-Type", "text/html")
			if r.URL.Path == "/top" {
				fmt.Fprintf(w, "<iframe src=http://localhost:%s/inner></iframe>", port)
			}
		}))
		defer site.Close()
		s := attach(t, c, "about:blank")
		frames := make(chan *Session, 1)
		Handle(s, target.AttachedToTarget, func(e *target.EventAttachedToTarget) {
			if e.TargetInfo.Type == "iframe" {
				frames <- c.Session(e.SessionID.String())
			}
		})
		for _, x := range []struct {
			method string
			params any
		}{
			{"Target.setAutoAttach", target.SetAutoAttachParams{AutoAttach: true, Flatten: new(true)}},
			{"Page.navigate", page.NavigateParams{URL: site.URL + "/top"}},
		} {
			if err := s.Call(ctx, x.method, x.params, nil); err != nil {
				t.Fatal(err)
			}
		}
		select {
		case f := <-frames:
			p := f.Start("Runtime.evaluate", forever)
			s.Start("Page.close", nil)
			fails(t, f, p)
		case <-ctx.Done():
			t.Fatal("the frame has no process of its own")
		}
	})
	t.Run("crash", func(t *testing.T) {
		s := attach(t, c, "about:blank")
		crashed := make(chan struct{})
		s.On("Inspector.targetCrashed", func([]byte) { close(crashed) })
		p := s.Start("Runtime.evaluate", forever)
		s.Start("Page.crash", nil)
		select {
		case <-crashed:
		case <-ctx.Done():
			t.Error("nobody says that the page has crashed")
		}
		if err := p.Wait(ctx, nil); !errors.Is(err, ErrCrashed) {
			t.Errorf("pending call: %v", err)
		}
		// The tab can be used again.
		if _, err := cdproto.Call(ctx, s, page.Navigate, page.NavigateParams{URL: "data:text/html,new"}); err != nil {
			t.Error(err)
		}
		if got := evaluate(t, s, "location.href"); got != "data:text/html,new" {
			t.Errorf("the new page is %q", got)
		}
	})
}

// TestChromiumFlood lets a page log faster than its handler reads: calls are
// answered all the same, and what is dropped is counted.
func TestChromiumFlood(t *testing.T) {
	const n = 20_000
	c, _ := overPipe(t, Options{QueueBytes: 1 << 20, Report: func(err error) { t.Error(err) }})
	s := attach(t, c, "about:blank")
	release, entered := make(chan struct{}), make(chan struct{})
	var once sync.Once
	handled := int64(0)
	HandleDroppable(s, cdpruntime.ConsoleAPICalled, func(*cdpruntime.EventConsoleAPICalled) {
		once.Do(func() { close(entered); <-release })
		handled++
	})
	if err := s.Call(deadline(t), "Runtime.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	evaluate(t, s, fmt.Sprintf("for (let i = 0; i < %d; i++) console.log('message', i, 'x'.repeat(100))", n))
	<-entered
	if got := evaluate(t, s, "'on'"); got != "on" {
		t.Errorf("got %q", got)
	}
	if q := s.Queued(); q > 1<<20 {
		t.Errorf("%d bytes are queued", q)
	}
	close(release)
	if err := s.Flush(deadline(t)); err != nil {
		t.Fatal(err)
	}
	if d := s.Dropped(cdpruntime.ConsoleAPICalled.Method); d == 0 || handled+d != n {
		t.Errorf("%d events were handled and %d dropped, of %d", handled, d, n)
	}
}

// TestChromiumHangs stops the browser with a signal: a call must end with its
// context, and the connection go on when the browser does.
func TestChromiumHangs(t *testing.T) {
	c, b := overPipe(t, Options{})
	s := attach(t, c, "about:blank")
	if err := syscall.Kill(b.cmd.Process.Pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	// The pipe fills up, then the calls queue.
	for range 20 {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		err := s.Call(ctx, "Runtime.evaluate", evaluateParams{Expression: "'" + strings.Repeat("x", 30_000) + "'"}, nil)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("call to a stopped browser: %v", err)
		}
	}
	if err := syscall.Kill(b.cmd.Process.Pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, s, "'on'"); got != "on" {
		t.Errorf("got %q", got)
	}
}

func TestChromiumKilled(t *testing.T) {
	c, b := overPipe(t, Options{})
	s := attach(t, c, "about:blank")
	p := s.Start("Runtime.evaluate", forever)
	if err := syscall.Kill(-b.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(deadline(t), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("pending call: %v", err)
	}
	if err := s.Call(deadline(t), "Page.enable", nil, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("later call: %v", err)
	}
}

func TestWebSocketThatIsNone(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	_, err := DialWebSocket(deadline(t), "ws"+strings.TrimPrefix(srv.URL, "http"))
	if err == nil || !strings.Contains(err.Error(), "404") || !strings.Contains(err.Error(), "ws://127.0.0.1") {
		t.Errorf("no such endpoint: %v", err)
	}
	if _, err := DialWebSocket(deadline(t), "ws://127.0.0.1:1/"); err == nil {
		t.Error("connected to a port where nobody listens")
	}
}

func BenchmarkChromium(b *testing.B) {
	for name, connect := range map[string]func(testing.TB, Options) (*Conn, *chromium){"pipe": overPipe, "websocket": overWebSocket} {
		b.Run(name, func(b *testing.B) {
			c, _ := connect(b, Options{})
			s := attach(b, c, "about:blank")
			params := evaluateParams{Expression: "1"}
			b.Run("evaluate", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := s.Call(b.Context(), "Runtime.evaluate", params, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("pipelined", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					var ps [10]*Pending
					for i := range ps {
						ps[i] = s.Start("Runtime.evaluate", params)
					}
					for _, p := range ps {
						if err := p.Wait(b.Context(), nil); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
			b.Run("10MB", func(b *testing.B) {
				b.SetBytes(10 << 20)
				for b.Loop() {
					if got := evaluate(b, s, "'x'.repeat(10<<20)"); len(got) != 10<<20 {
						b.Fatal(len(got))
					}
				}
			})
		})
	}
}
