package session_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gstack/internal/api"
	"gstack/internal/browser"
	"gstack/internal/capture"
	"gstack/internal/cdp"
	"gstack/internal/page"
	"gstack/internal/session"

	"go.uber.org/goleak"
)

// TestMain fails on what the tests leave behind: goroutines, and profiles in the
// temp folder of the package.
func TestMain(m *testing.M) {
	tmp, err := os.MkdirTemp("", "session-test-")
	if err == nil {
		err = os.Setenv("TMPDIR", tmp)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if left, _ := filepath.Glob(tmp + "/gstack-*"); len(left) > 0 {
		fmt.Fprintln(os.Stderr, "left behind:", left)
		code = 1
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	_ = os.RemoveAll(tmp)
	os.Exit(code)
}

// launched is a source with a browser of its own, whose protocol traffic is
// printed when the test fails and can be made to fail.
type launched struct {
	faults cdp.Faults
	proc   *browser.Process
	never  chan struct{}
}

func (l *launched) Open(ctx context.Context, ev browser.Events) (*browser.Context, error) {
	hub, err := browser.NewHub(ctx, l.proc.Conn(), ev)
	if err != nil {
		return nil, err
	}
	return hub.Default(), nil
}

func (l *launched) Done() <-chan struct{}           { return l.never }
func (l *launched) Close(ctx context.Context) error { return l.proc.Close(ctx) }

func start(t *testing.T) (context.Context, *session.Manager, *launched) {
	t.Helper()
	if os.Getenv("BROWSE_TEST_CHROMIUM") == "off" {
		t.Skip("SKIPPED: tests with a browser are off")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	l := &launched{never: make(chan struct{})}
	transcript := cdp.NewTranscript(300)
	p, err := browser.Launch(ctx, browser.Options{CDP: cdp.Options{Wrap: l.faults.Wrap, Transcript: transcript}})
	if err != nil {
		if os.Getenv("BROWSE_TEST_CHROMIUM") == "required" {
			t.Fatal(err)
		}
		t.Skip("SKIPPED: ", err)
	}
	l.proc = p
	m := session.New(l, capture.NewStore("", nil))
	t.Cleanup(func() {
		end, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := m.Close(end); err != nil {
			t.Errorf("closing: %v", err)
		}
		if t.Failed() {
			transcript.Dump(os.Stderr)
		}
	})
	return ctx, m, l
}

func site(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>%s</title><p>page %s", r.URL.Path, r.URL.Path)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func code(err error) api.Code {
	var e *api.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return api.Code(fmt.Sprintf("untyped: %v", err))
}

// TestTabs: sessions have their own current tab, ids are never reused, and an
// unknown one is never another tab.
func TestTabs(t *testing.T) {
	ctx, m, _ := start(t)
	url := site(t)
	var wg sync.WaitGroup
	ids := make([]int, 20)
	for i := range ids {
		wg.Go(func() {
			if tab, err := m.Tab(ctx, "a", 0); err == nil {
				ids[i] = tab.ID
			}
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id != 1 {
			t.Fatalf("calls at once got the tabs %v, want 1 for all", ids)
		}
	}
	b, err := m.Tab(ctx, "b", 0)
	if err != nil || b.ID != 2 {
		t.Fatalf("another session: %v, %v", b, err)
	}
	if _, err := b.Navigate(ctx, url+"/b"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []int{3, 99, -1} {
		if _, err := m.Tab(ctx, "a", id); code(err) != api.UnknownTab || !strings.Contains(err.Error(), "open are 1, 2") {
			t.Errorf("tab %d: %v", id, err)
		}
	}
	if err := m.CloseTab(ctx, b); err != nil {
		t.Fatal(err)
	}
	if again, err := m.Tab(ctx, "b", 0); err != nil || again.ID != 3 {
		t.Errorf("after the close: %v, %v", again, err)
	}
	if _, err := m.Tab(ctx, "b", 2); code(err) != api.UnknownTab {
		t.Errorf("the closed tab: %v", err)
	}
	if err := b.Main().Call(ctx, "", "netError", nil); code(err) != api.UnknownTab {
		t.Errorf("a call into the closed tab: %v", err)
	}
}

// TestFaults: whatever fails below, what comes up is typed, in time, and the
// tabs work afterwards.
func TestFaults(t *testing.T) {
	ctx, m, l := start(t)
	url := site(t)
	tab, err := m.Tab(ctx, "a", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		set  func()
		do   func(context.Context) error
		want api.Code
	}{
		{"navigate refused", func() { l.faults.Fail("Page.navigate", 1, -32000, "no") },
			func(ctx context.Context) error { _, err := tab.Navigate(ctx, url+"/x"); return err }, api.NavigationFailed},
		{"navigate lost", func() { l.faults.Drop("Page.navigate", 1) },
			func(ctx context.Context) error { _, err := tab.Navigate(ctx, url+"/x"); return err }, api.Timeout},
		{"evaluate refused", func() { l.faults.Fail("Runtime.evaluate", 1, -32000, "no") },
			func(ctx context.Context) error { _, err := tab.Main().Eval(ctx, "1"); return err }, api.PageError},
		{"evaluate lost", func() { l.faults.Drop("Runtime.evaluate", 1) },
			func(ctx context.Context) error { _, err := tab.Main().Eval(ctx, "1"); return err }, api.Timeout},
		{"picture refused", func() { l.faults.Fail("Page.captureScreenshot", 1, -32000, "no") },
			func(ctx context.Context) error {
				_, err := tab.Screenshot(ctx, page.Shot{Format: "png", Viewport: true})
				return err
			}, api.Internal},
		{"new tab refused", func() { l.faults.Fail("Target.createTarget", 1, -32000, "no") },
			func(ctx context.Context) error { _, err := m.Open(ctx, "a"); return err }, api.Internal},
		{"list lost", func() { l.faults.Drop("Target.getTargets", 1) },
			func(ctx context.Context) error { _, err := m.Tabs(ctx, "a"); return err }, api.Timeout},
	} {
		l.faults.Clear()
		c.set()
		bounded, cancel := context.WithTimeout(ctx, time.Second)
		err := c.do(bounded)
		cancel()
		if code(err) != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		l.faults.Clear()
		if n, err := tab.Navigate(ctx, url+"/after"); err != nil || n.Status != 200 {
			t.Fatalf("after %s: %+v, %v", c.name, n, err)
		}
	}
}

// TestConnectionCut: a browser that is gone fails every call at once, and says
// so.
func TestConnectionCut(t *testing.T) {
	ctx, m, l := start(t)
	tab, err := m.Tab(ctx, "a", 0)
	if err != nil {
		t.Fatal(err)
	}
	l.faults.Cut("Page.navigate", 1)
	if _, err := tab.Navigate(ctx, "about:blank"); code(err) != api.BrowserGone {
		t.Errorf("the call that met the end: %v", err)
	}
	<-l.proc.Conn().Done()
	if _, err := m.Tab(ctx, "a", 0); code(err) != api.Stopping {
		t.Errorf("a command that has not begun: %v", err)
	}
}
