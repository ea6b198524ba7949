package test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func siteFor(t testing.TB, pages map[string]string) *httptest.Server {
	t.Helper()
	dir := t.TempDir()
	for name, html := range pages {
		if err := os.WriteFile(dir+"/"+name, []byte(html), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := newSite(dir)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

// TestParallelColdStart: 50 first calls at once, one daemon, 50 right answers.
func TestParallelColdStart(t *testing.T) {
	b := newBox(t)
	results := make([]result, 50)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() { results[i] = b.run("js", fmt.Sprintf("%d+1000", i)) })
	}
	wg.Wait()
	for i, r := range results {
		if r.code != 0 || r.out != fmt.Sprint(i+1000) {
			t.Errorf("call %d: %s", i, r)
		}
	}
	if out := b.must("tabs"); strings.Count(out, "\n") != 0 {
		t.Errorf("the calls of one session opened several tabs:\n%s", out)
	}
	daemons, mains := 0, 0
	for _, cmd := range b.processes() {
		if strings.Contains(cmd, "browsed") {
			daemons++
		}
		if strings.Contains(cmd, "--remote-debugging-pipe") && !strings.Contains(cmd, "--type=") {
			mains++
		}
	}
	if daemons != 1 || mains != 1 {
		t.Errorf("%d daemons and %d browsers, want one of each", daemons, mains)
	}
}

// TestParallelCalls: 200 url calls at once, no error.
func TestParallelCalls(t *testing.T) {
	b := newBox(t)
	s := siteFor(t, map[string]string{"a.html": "<title>a</title>"})
	b.must("goto", s.URL+"/a.html")
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 200 {
		wg.Go(func() {
			if r := b.run("url"); r.code != 0 || r.out != s.URL+"/a.html" {
				mu.Lock()
				t.Errorf("%s", r)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// TestKilled: Chromium, the daemon, or both die by SIGKILL in the middle of a
// goto. The next command works and nothing is left behind.
func TestKilled(t *testing.T) {
	for _, who := range []string{"browser", "daemon", "both"} {
		t.Run(who, func(t *testing.T) {
			b := newBox(t)
			s := siteFor(t, map[string]string{"a.html": "<title>alive</title>"})
			b.must("goto", s.URL+"/a.html")
			pid, _ := b.state()
			chromium, all := b.browsers()
			if chromium == 0 || len(all) < 2 {
				t.Fatalf("browser processes not found: %v", b.processes())
			}
			done := make(chan result, 1)
			go func() { done <- b.run("goto", s.URL+"/_hang") }()
			awaitRequest(t, s, "/_hang")
			if who != "daemon" {
				_ = syscall.Kill(chromium, syscall.SIGKILL)
			}
			if who != "browser" {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			select {
			case r := <-done:
				if r.code == 0 || !strings.HasPrefix(r.err, "error: ") || !strings.Contains(r.err, "hint: ") {
					t.Errorf("the interrupted goto: %s", r)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("the interrupted goto did not return")
			}
			if out := b.must("goto", s.URL+"/a.html"); !strings.HasSuffix(out, "(200)") {
				t.Errorf("after the kill: %s", out)
			}
			if out := b.must("js", "document.title"); out != "alive" {
				t.Errorf("after the kill: %s", out)
			}
			now, _ := b.state()
			if who != "browser" && now == pid {
				t.Error("the dead daemon still has the state file")
			}
			for _, old := range all {
				if syscall.Kill(old, 0) == nil {
					if cmd, ok := b.processes()[old]; ok {
						t.Errorf("process %d of the old browser is still there: %.100s", old, cmd)
					}
				}
			}
		})
	}
}

// TestSignals: SIGTERM and SIGINT end the daemon cleanly.
func TestSignals(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			b := newBox(t)
			b.must("js", "1")
			pid, _ := b.state()
			if err := syscall.Kill(pid, sig); err != nil {
				t.Fatal(err)
			}
			if left := b.awaitGone(5 * time.Second); left != "" {
				t.Errorf("after %v: %s", sig, left)
			}
		})
	}
}

// TestParentDies: the daemon outlives the shell that started it.
func TestParentDies(t *testing.T) {
	b := newBox(t)
	b.must("js", "window.mark = 7")
	if out := b.must("js", "window.mark"); out != "7" {
		t.Errorf("another call sees %q", out)
	}
	pid, _ := b.state()
	if sid := sessionOf(t, pid); sid != pid {
		t.Errorf("the daemon is in session %d, not in its own", sid)
	}
}

// TestMissingChromium: a clear sentence, the install command, exit 6.
func TestMissingChromium(t *testing.T) {
	b := newBox(t, "GSTACK_CHROMIUM_PATH=/nowhere/chromium")
	r := b.run("goto", "localhost:1")
	if r.code != 6 || !strings.Contains(r.err, "/nowhere/chromium") || !strings.Contains(r.err, "hint: ") {
		t.Errorf("%s", r)
	}
	if r := b.run("doctor"); r.code != 1 || !strings.Contains(r.out, "FAIL") || !strings.Contains(r.out, "fix: ") {
		t.Errorf("doctor: %s", r)
	}
	if r := b.run("status"); r.code != 0 {
		t.Errorf("status without a browser: %s", r)
	}
}

// TestStopSweeps: stop leaves nothing of a daemon that was killed before.
func TestStopSweeps(t *testing.T) {
	b := newBox(t)
	b.must("js", "1")
	pid, _ := b.state()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if r := b.run("stop"); r.code != 0 {
		t.Errorf("%s", r)
	}
	if left := b.awaitGone(time.Second); left != "" {
		t.Errorf("after stop: %s", left)
	}
}
