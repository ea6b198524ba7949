//go:build unix

package browser

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
)

// listening starts a browser with a debugging port, as a user would, and returns
// its port and the path of its protocol.
func listening(t *testing.T) (port, path string, cmd *exec.Cmd) {
	t.Helper()
	bin := installed(t)
	dir := t.TempDir()
	args := []string{"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + dir, "--no-first-run", "about:blank"}
	if sandboxFor(os.Getenv, bin.Path).off {
		args = slices.Insert(args, 0, "--no-sandbox")
	}
	cmd = exec.CommandContext(limit(t), bin.Path, args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir(), "BREAKPAD_DUMP_LOCATION="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		for os.RemoveAll(dir) != nil && pause(ctx, 10*time.Millisecond) {
		}
	})
	for {
		data, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		if port, path, ok := strings.Cut(string(data), "\n"); err == nil && ok && path != "" {
			return port, path, cmd
		}
		if !pause(limit(t), 10*time.Millisecond) {
			t.Fatal("the browser does not listen")
		}
	}
}

func TestConnect(t *testing.T) {
	port, path, cmd := listening(t)
	for _, address := range []string{
		"ws://127.0.0.1:" + port + path, "http://127.0.0.1:" + port, "http://localhost:" + port + "/", "127.0.0.1:" + port, " " + port,
	} {
		p, err := Connect(limit(t), address, cdp.Options{})
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if !strings.Contains(p.Version().Product, "Chrom") || p.Pid() != 0 || p.Profile() != "" {
			t.Errorf("%s: version %q, pid %d, profile %q", address, p.Version().Product, p.Pid(), p.Profile())
		}
		if err := p.Close(limit(t)); err != nil {
			t.Error(err)
		}
		if e := p.Exit(); !e.Asked || e.Lost {
			t.Errorf("exit %+v", e)
		}
	}
	p, err := Connect(limit(t), port, cdp.Options{})
	if err != nil {
		t.Fatalf("Close has ended the browser: %v", err)
	}
	defer p.Close(context.Background())
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if !within(10*time.Second, p.Done()) {
		t.Fatal("Done is not closed")
	}
	if e := p.Exit(); !e.Lost || e.String() != "closed the connection" {
		t.Errorf("exit %+v", e)
	}
}

func TestConnectFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	l.Close()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere/json/version" {
			http.Redirect(w, r, "http://secret.example/", http.StatusFound)
			return
		}
		http.NotFound(w, r)
	}))
	defer web.Close()
	for address, want := range map[string]struct {
		code api.Code
		text string
	}{
		"":                                      {api.BadUsage, "is not an address"},
		"ftp://host":                            {api.BadUsage, `has the scheme "ftp"`},
		"ws://" + closed + "/x?token=secret":    {api.BrowserGone, "connection refused"},
		"http://u:secret@" + closed + "/secret": {api.BrowserGone, "connection refused"},
		web.URL:                                 {api.BrowserGone, "/json/version answers 404"},
		web.URL + "/elsewhere":                  {api.BrowserGone, "/json/version answers 302"},
		strings.Replace(web.URL, "http", "ws", 1) + "/x?token=secret": {api.BrowserGone, "404"},
	} {
		_, err := Connect(limit(t), address, cdp.Options{})
		e, ok := errors.AsType[*api.Error](err)
		if !ok || e.Code != want.code || !strings.Contains(e.Message, want.text) || e.Hint == "" {
			t.Errorf("%s: %v, want %s with %q", address, err, want.code, want.text)
		}
		if ok && strings.Contains(e.Text(), "secret") {
			t.Errorf("the error shows a secret: %s", e.Text())
		}
	}
}

// TestConnectSilent: something accepts the connection and never answers.
func TestConnectSilent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = Connect(ctx, "http://"+l.Addr().String(), cdp.Options{})
	if e, ok := errors.AsType[*api.Error](err); !ok || e.Code != api.Timeout {
		t.Errorf("error %v, want a timeout", err)
	}
}

// TestDebuggerURL: the address of the answer is not trusted with the host.
func TestDebuggerURL(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/base/json/version" {
			w.Write([]byte(`{"webSocketDebuggerUrl": "ws://evil.example:1/devtools/browser/abc"}`))
		}
	}))
	defer web.Close()
	u, err := remoteURL(web.URL + "/base/")
	if err != nil {
		t.Fatal(err)
	}
	ws, err := debuggerURL(limit(t), u)
	if err != nil {
		t.Fatal(err)
	}
	if want := "ws://" + u.Host + "/devtools/browser/abc"; ws.String() != want {
		t.Errorf("address %s, want %s", ws, want)
	}
}

func TestDiagnose(t *testing.T) {
	installed(t)
	t.Setenv("TMPDIR", t.TempDir())
	got := map[string]Check{}
	for _, c := range Diagnose(limit(t), os.Getenv) {
		t.Logf("%v %s: %s [%s]", c.OK, c.Name, c.Detail, c.Fix)
		got[c.Name] = c
	}
	for _, name := range []string{"browser", "libraries", "sandbox", "start", "temporary folder", "fonts", "leftover profiles"} {
		c, ok := got[name]
		if !ok || c.Detail == "" {
			t.Errorf("no check %q", name)
		}
		if !c.OK && name != "fonts" {
			t.Errorf("%s fails: %s", name, c.Detail)
		}
	}
	if !strings.Contains(got["start"].Detail, "answers in ") {
		t.Errorf("start: %s", got["start"].Detail)
	}
}

func TestDiagnoseWithoutBrowser(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	checks := Diagnose(limit(t), environment(PathVariable+"=/nonexistent"))
	if checks[0].Name != "browser" || checks[0].OK || checks[0].Fix == "" {
		t.Errorf("first check %+v", checks[0])
	}
	for _, c := range checks {
		if c.Name == "start" {
			t.Error("a browser that was not found is started")
		}
	}
}
