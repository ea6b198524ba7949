// Package test drives the real thing: the client as a process, the daemon that
// it starts, and a real Chromium. Each script has a workspace and a daemon of its
// own; when it ends, nothing of it may be left.
package test

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // to look at pictures
	_ "image/png"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gstack/internal/browser"
	"gstack/internal/cli"
	"gstack/internal/engine"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"browse":  func() { os.Exit(cli.Main(os.Args[1:])) },
		"browsed": func() { os.Exit(engine.Main()) },
	})
}

func findChromium() (string, error) {
	b, _, err := browser.Find(os.Getenv)
	return b.Path, err
}

type boxKey struct{}

// TestScript runs every script of testdata/script.
func TestScript(t *testing.T) {
	needChromium(t)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE") != "",
		Setup:         func(e *testscript.Env) error { return setup(t, e) },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"ispicture":      isPicture,
			"ispdf":          isPDF,
			"nothing-left":   nothingLeft,
			"kill-renderers": killRenderers,
			"ref":            takeRef,
		},
	})
}

func setup(t *testing.T, e *testscript.Env) error {
	b := &box{t: t, dir: e.WorkDir, tmp: filepath.Join(e.WorkDir, ".tmp"), mark: fmt.Sprintf("%d.%d", os.Getpid(), boxes.Add(1))}
	e.Values[boxKey{}] = b
	home := filepath.Join(e.WorkDir, ".home")
	for _, d := range []string{b.tmp, home, filepath.Join(e.WorkDir, "site")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	site := newSite(filepath.Join(e.WorkDir, "site"))
	e.Defer(func() { site.CloseClientConnections(); site.Close() })
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // the handshakes are meant to fail
	secure.StartTLS()
	e.Defer(secure.Close)
	u, err := url.Parse(site.URL)
	if err != nil {
		return err
	}
	for k, v := range map[string]string{
		"SITE": site.URL, "HOST": u.Host, "SITE2": "http://localhost:" + u.Port(),
		"TLSPORT":    strconv.Itoa(secure.Listener.Addr().(*net.TCPAddr).Port),
		"CLOSEDPORT": strconv.Itoa(closedPort(t)),
		"HOME":       home, "TMPDIR": b.tmp, markName: b.mark, "CI": os.Getenv("CI"),
		"GSTACK_CHROMIUM_PATH": os.Getenv("GSTACK_CHROMIUM_PATH"),
	} {
		e.Setenv(k, v)
	}
	b.env = append([]string{}, e.Vars...)
	e.Defer(func() {
		b.run("stop")
		if left := b.awaitGone(5 * time.Second); left != "" {
			t.Errorf("%s: left behind: %s", filepath.Base(e.WorkDir), left)
			b.kill()
		}
	})
	return nil
}

// nothingLeft wants every process and file of the script's daemon to be gone.
func nothingLeft(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: nothing-left")
	}
	if left := ts.Value(boxKey{}).(*box).awaitGone(2 * time.Second); left != "" {
		ts.Fatalf("left behind: %s", left)
	}
}

// killRenderers ends every renderer of the script's browser by SIGKILL.
func killRenderers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: kill-renderers")
	}
	killed := 0
	for pid, cmd := range ts.Value(boxKey{}).(*box).processes() {
		if strings.Contains(cmd, "--type=renderer") {
			ts.Check(syscall.Kill(pid, syscall.SIGKILL))
			killed++
		}
	}
	if killed == 0 {
		ts.Fatalf("no renderer found")
	}
}

// takeRef puts the ref of what the last snapshot shows with a role and a name, or
// a part of one, into a variable: ref NAME role name.
func takeRef(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: ref variable role name")
	}
	line := regexp.MustCompile(`(?m)^ *(@[ec][0-9]+) \[` + regexp.QuoteMeta(args[1]) + `\] ` + `"[^"]*` + regexp.QuoteMeta(args[2]) + `[^"]*"`)
	m := line.FindStringSubmatch(ts.ReadFile("stdout"))
	if m == nil {
		ts.Fatalf("no [%s] %q in the last answer", args[1], args[2])
	}
	ts.Setenv(args[0], m[1])
}

// isPicture wants a file to be a picture of a format and size.
func isPicture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: ispicture file format width height")
	}
	data := ts.ReadFile(args[0])
	c, format, err := image.DecodeConfig(bytes.NewReader([]byte(data)))
	ts.Check(err)
	if got := fmt.Sprint(format, " ", c.Width, " ", c.Height); got != strings.Join(args[1:], " ") {
		ts.Fatalf("%s is %s, want %s", args[0], got, strings.Join(args[1:], " "))
	}
}

// isPDF checks a document: ispdf <file> <pages> <width> <height>, in points; the
// size may be off by one, since Chromium rounds. It writes the dictionaries of
// pages uncompressed.
func isPDF(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: ispdf file pages width height")
	}
	data := ts.ReadFile(args[0])
	if !strings.HasPrefix(data, "%PDF-") || !strings.HasSuffix(strings.TrimSpace(data), "%%EOF") {
		ts.Fatalf("%s is not a whole PDF document", args[0])
	}
	boxes := regexp.MustCompile(`/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]`).FindAllStringSubmatch(data, -1)
	if pages := strconv.Itoa(len(boxes)); pages != args[1] {
		ts.Fatalf("%s has %s pages, want %s", args[0], pages, args[1])
	}
	for i, want := range args[2:] {
		w, err := strconv.ParseFloat(want, 64)
		ts.Check(err)
		got, err := strconv.ParseFloat(boxes[0][i+1], 64)
		ts.Check(err)
		if math.Abs(got-w) > 1 {
			ts.Fatalf("%s is %s points, want %s", args[0], boxes[0][1:], args[2:])
		}
	}
}
