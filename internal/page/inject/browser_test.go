package inject_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"gstack/internal/cdp"
	"gstack/internal/page/inject"
)

// shared is the browser of this test binary, started by the first test that
// needs it and ended by TestMain.
var shared struct {
	once sync.Once
	b    *browser
	err  error
}

type browser struct {
	cmd  *exec.Cmd
	dir  string
	conn *cdp.Conn
	page *cdp.Session
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.b != nil {
		shared.b.close()
	}
	os.Exit(code)
}

// chromium returns the path of a browser, or skips the test.
func chromium(t testing.TB) string {
	if os.Getenv("BROWSE_TEST_CHROMIUM") == "off" {
		t.Skip("tests with a browser are off")
	}
	for _, name := range []string{os.Getenv("BROWSE_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	t.Skip("no Chromium on this machine: set BROWSE_CHROMIUM")
	return ""
}

func open(t testing.TB) *browser {
	path := chromium(t)
	shared.once.Do(func() { shared.b, shared.err = start(path) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.b
}

func start(path string) (*browser, error) {
	dir, err := os.MkdirTemp("", "inject-test-")
	if err != nil {
		return nil, err
	}
	r3, w3, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	r4, w4, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu", "--lang=en-US",
		"--window-size=1280,800", "--user-data-dir="+dir, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{r3, w4}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r3.Close()
	w4.Close()
	b := &browser{cmd: cmd, dir: dir, conn: cdp.NewConn(cdp.NewPipe(r4, w3), cdp.Options{})}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var made struct {
		TargetID string `json:"targetId"`
	}
	if err := b.conn.Root().Call(ctx, "Target.createTarget", map[string]any{"url": "about:blank"}, &made); err != nil {
		return nil, err
	}
	var att struct {
		SessionID string `json:"sessionId"`
	}
	if err := b.conn.Root().Call(ctx, "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &att); err != nil {
		return nil, err
	}
	b.page = b.conn.Session(att.SessionID)
	for _, m := range []string{"Page.enable", "DOM.enable", "Accessibility.enable"} {
		if err := b.page.Call(ctx, m, nil, nil); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (b *browser) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	_ = b.conn.Root().Call(ctx, "Browser.close", nil, nil)
	_ = b.conn.Wait(ctx)
	_ = b.cmd.Wait()
	_ = os.RemoveAll(b.dir)
}

// document is a loaded page with the script in its isolated world.
type document struct {
	t     testing.TB
	ctx   context.Context
	page  *cdp.Session
	world int
}

// load opens url and installs the script in the document.
func (b *browser) load(t testing.TB, url string) *document {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	t.Cleanup(cancel)
	loaded := make(chan struct{}, 1)
	stop := b.page.On("Page.loadEventFired", func([]byte) {
		select {
		case loaded <- struct{}{}:
		default:
		}
	})
	defer stop()
	var nav struct {
		FrameID   string `json:"frameId"`
		ErrorText string `json:"errorText"`
	}
	d := &document{t: t, ctx: ctx, page: b.page}
	d.call("Page.navigate", map[string]any{"url": url}, &nav)
	if nav.ErrorText != "" {
		t.Fatalf("%s: %s", url, nav.ErrorText)
	}
	select {
	case <-loaded:
	case <-ctx.Done():
		t.Fatalf("%s did not load", url)
	}
	var made struct {
		ID int `json:"executionContextId"`
	}
	d.call("Page.createIsolatedWorld", map[string]any{"frameId": nav.FrameID, "worldName": "browse"}, &made)
	d.world = made.ID
	d.install()
	return d
}

func (d *document) install() {
	d.t.Helper()
	d.eval(inject.Source(), nil)
}

func (d *document) call(method string, params, result any) {
	d.t.Helper()
	if err := d.page.Call(d.ctx, method, params, result); err != nil {
		d.t.Fatalf("%s: %v", method, err)
	}
}

type evaluated struct {
	Result struct {
		Value    json.RawMessage `json:"value"`
		ObjectID string          `json:"objectId"`
	} `json:"result"`
	Exception *struct {
		Text      string `json:"text"`
		Line      int    `json:"lineNumber"`
		Exception struct {
			Description string `json:"description"`
		} `json:"exception"`
	} `json:"exceptionDetails"`
}

func (d *document) decode(r evaluated, out any) {
	d.t.Helper()
	if r.Exception != nil {
		d.t.Fatalf("script: %s %s (line %d)", r.Exception.Text, r.Exception.Exception.Description, r.Exception.Line)
	}
	if out != nil {
		if err := json.Unmarshal(r.Result.Value, out); err != nil {
			d.t.Fatal(err)
		}
	}
}

// eval runs an expression in the isolated world.
func (d *document) eval(expression string, out any) {
	d.t.Helper()
	var r evaluated
	d.call("Runtime.evaluate", map[string]any{"expression": expression, "contextId": d.world, "returnByValue": true, "awaitPromise": true}, &r)
	d.decode(r, out)
}

// evalPage runs an expression in the page's own world.
func (d *document) evalPage(expression string, out any) {
	d.t.Helper()
	var r evaluated
	d.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	d.decode(r, out)
}

func (d *document) snapshot(opts string) string {
	d.t.Helper()
	var s string
	d.eval("browse.snapshot("+opts+")", &s)
	return strings.TrimSuffix(strings.TrimSuffix(s, "0\t0\th"), "\n")
}

// text is browse.text without the mark that says what there is to ask for.
func (d *document) text() string {
	d.t.Helper()
	var s string
	d.eval("browse.text()", &s)
	return strings.TrimSuffix(s, "\n\x00hosts")
}

// site serves a folder of pages as UTF-8.
func site(t testing.TB, dir string) string {
	files := http.FileServer(http.Dir(dir))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".html") {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}
