//go:build unix

package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"gstack/internal/api"
	"gstack/internal/workspace"
)

// still is an engine that does nothing.
type still struct{ closed bool }

func (*still) Run(context.Context, bool, *api.Request) (api.Answer, *api.Error) {
	return api.Answer{}, nil
}
func (*still) Budget(*api.Request) time.Duration { return time.Second }
func (*still) HasState() bool                    { return false }
func (*still) Dead() <-chan struct{}             { return nil }
func (*still) DeadExit() int                     { return 1 }

func (s *still) Close(context.Context) error {
	s.closed = true
	return errors.New("it does not close")
}

// begin starts a daemon in this process, in a workspace of its own.
func begin(t *testing.T, e Engine) (*daemon, func() int) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("BROWSE_STATE_FILE", filepath.Join(dir, "state", "browse.json"))
	t.Setenv("GSTACK_HOME", filepath.Join(dir, "home"))
	p := &params{}
	d, l, cancel, fail := start(p, func(context.Context, Control, Config) (Engine, error) { return e, nil })
	if fail != nil {
		t.Fatal(fail)
	}
	return d, func() int {
		defer cancel()
		defer d.state.Close()
		return d.run(l, p.ready)
	}
}

// A daemon whose state file was removed can be reached by nobody, and ends.
func TestLostStateEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	e := &still{}
	d, run := begin(t, e)
	d.lost = 10 * time.Millisecond
	if err := os.RemoveAll(filepath.Dir(d.place.File)); err != nil {
		t.Fatal(err)
	}
	if code := run(); code != 0 || !e.closed {
		t.Errorf("code %d, closed %v", code, e.closed)
	}
	if last := d.place.Last(os.Getenv); last != (workspace.Last{}) {
		t.Errorf("it left %+v for a place that is not its own", last)
	}
}

// One whose folder was moved still serves it.
func TestMovedStateIsNotLost(t *testing.T) {
	defer goleak.VerifyNone(t)
	d, run := begin(t, &still{})
	d.lost, d.idle = 5*time.Millisecond, 100*time.Millisecond
	dir := filepath.Dir(d.place.File)
	if err := os.Rename(dir, dir+"2"); err != nil {
		t.Fatal(err)
	}
	if run(); time.Since(d.started) < d.idle {
		t.Error("it ended before it was idle")
	}
}

// A second daemon does not replace the first.
func TestSecondDaemonIsRefused(t *testing.T) {
	defer goleak.VerifyNone(t)
	d, run := begin(t, &still{})
	done := make(chan int)
	go func() { done <- run() }()
	h, err := workspace.Open(d.place)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for { // the start lock goes when it is ready
		if _, _, _, fail := start(&params{}, nil); fail != nil && strings.Contains(fail.Message, "runs already") {
			break
		} else if fail == nil || fail.Code != api.DaemonBusy {
			t.Fatalf("a second daemon: %v", fail)
		}
		d.place.WaitUnlocked(time.Second)
	}
	d.Stop()
	d.Stop() // once is enough
	if !d.Info().Stopping {
		t.Error("not stopping")
	}
	if code := <-done; code != 0 {
		t.Errorf("code %d", code)
	}
}

func TestLogChangesFiles(t *testing.T) {
	p := workspace.At(t.TempDir())
	if err := os.Mkdir(p.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := newRotatingLog(p)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { l.f.Close() }()
	line := []byte(strings.Repeat("x", 1<<20-1) + "\n")
	for range 25 {
		if n, err := l.Write(line); n != len(line) || err != nil {
			t.Fatal(n, err)
		}
	}
	files, _ := filepath.Glob(p.LogPath() + "*")
	if len(files) != 2 {
		t.Errorf("files: %v", files)
	}
	for _, f := range files {
		fi, err := os.Stat(f)
		if err != nil || fi.Size() > workspace.MaxLog+int64(len(line)) || fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f, fi, err)
		}
	}
}

func TestRootToken(t *testing.T) {
	for in, want := range map[string]string{
		"0123456789abcdef": "0123456789abcdef", " 0123 4567\u200b89ab\u00a0cdef\n": "0123456789abcdef", "0123456789abcde": "", "": "", "pässwörter-sind-gut": "",
	} {
		got := rootToken(func(string) string { return in })
		if want != "" && got != want || want == "" && (len(got) < 26 || got == in) {
			t.Errorf("rootToken(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestConfigHash(t *testing.T) {
	a := confHash(workspace.Config{})
	b := confHash(workspace.Config{Headed: true})
	c := confHash(workspace.Config{Proxy: workspace.Proxy{URL: "http://u:p@h:1", Origin: "http://h:1", Credentials: true}})
	d := confHash(workspace.Config{Proxy: workspace.Proxy{URL: "http://x:y@h:1", Origin: "http://h:1", Credentials: true}})
	if len(a) != 16 || a == b || a == c || c != d {
		t.Errorf("%s %s %s %s", a, b, c, d)
	}
}
