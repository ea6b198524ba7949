package action_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"gstack/internal/api"
	"gstack/internal/browser"
	"gstack/internal/cdp"
	"gstack/internal/page"

	"github.com/chromedp/cdproto/target"
	"go.uber.org/goleak"
)

// chromium is the browser that all tests of the package share; each test gets a
// context of its own.
var chromium struct {
	hub *browser.Hub
	why string // why there is none
}

func TestMain(m *testing.M) { os.Exit(withChromium(m)) }

// transcript keeps the last protocol traffic, which a failing test prints.
var transcript = cdp.NewTranscript(400)

// faults makes chosen calls of the protocol fail; without rules it does nothing.
var faults cdp.Faults

// leaks says what the tests have left: pages in the browser, goroutines here.
func leaks(p *browser.Process) string {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var r struct {
		Infos []target.Info `json:"targetInfos"`
	}
	err := p.Conn().Root().Call(ctx, "Target.getTargets", nil, &r)
	var left []string
	for _, i := range r.Infos {
		if i.Type == "page" {
			left = append(left, "page "+i.URL)
		}
	}
	if err == nil {
		err = p.Close(ctx)
	}
	if err == nil {
		err = goleak.Find()
	}
	if err != nil {
		left = append(left, err.Error())
	}
	return strings.Join(left, "; ")
}

func withChromium(m *testing.M) int {
	if os.Getenv("BROWSE_TEST_CHROMIUM") == "off" {
		chromium.why = "tests with a browser are off"
		return m.Run()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 180*time.Second)
	defer cancel()
	p, err := browser.Launch(ctx, browser.Options{Args: []string{"--site-per-process"}, CDP: cdp.Options{Transcript: transcript, Wrap: faults.Wrap}})
	if err != nil {
		chromium.why = err.Error()
		return m.Run()
	}
	if chromium.hub, err = browser.NewHub(ctx, p.Conn(), browser.Events{}); err != nil {
		chromium.why = err.Error()
	}
	code := m.Run()
	if left := leaks(p); left != "" {
		fmt.Fprintln(os.Stderr, "left behind:", left)
		code = 1
	}
	return code
}

// bench is one tab and two sites, "a" on 127.0.0.1 and "b" on localhost, which
// are of different processes.
type bench struct {
	t     *testing.T
	ctx   context.Context
	tab   *page.Tab
	refs  *page.Refs
	bctx  *browser.Context
	pages map[string]string
	a, b  string // base addresses

	mu    sync.Mutex
	tabs  []*page.Tab
	got   []string // requests for /hit/…
	onHit func(path string)
	slow  chan struct{} // holds the answer to /slow
}

// open serves html as /, with {{a}} and {{b}} replaced by the sites' addresses,
// and opens it. extra are further pages, path and html in turn.
func open(t *testing.T, html string, extra ...string) *bench {
	t.Helper()
	if chromium.hub == nil {
		t.Skip("SKIPPED: " + chromium.why)
	}
	t.Cleanup(func() {
		if t.Failed() && os.Getenv("BROWSE_TEST_QUIET") == "" {
			transcript.Dump(os.Stderr)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	b := &bench{t: t, ctx: ctx, refs: page.NewRefs(), pages: map[string]string{"/": html}}
	for i := 0; i+1 < len(extra); i += 2 {
		b.pages[extra[i]] = extra[i+1]
	}
	h := http.HandlerFunc(b.serve)
	s1, s2 := httptest.NewServer(h), httptest.NewServer(h)
	t.Cleanup(s1.Close)
	t.Cleanup(s2.Close)
	b.a = s1.URL
	b.b = strings.Replace(s2.URL, "127.0.0.1", "localhost", 1)
	var wg sync.WaitGroup
	life, stop := context.WithCancel(context.Background())
	bctx, err := chromium.hub.NewContext(ctx, browser.Events{
		Attached: func(s *cdp.Session, info target.Info) {
			b.mu.Lock()
			tab := page.New(page.Config{ID: len(b.tabs) + 1, Session: s, Conn: s.Conn(), Target: info, Refs: b.refs})
			for _, o := range b.tabs {
				if info.OpenerID != "" && o.TargetID == info.OpenerID {
					o.NotePopup(page.Popup{TabID: tab.ID, URL: info.URL})
				}
			}
			b.tabs = append(b.tabs, tab)
			b.mu.Unlock()
			wg.Go(func() {
				for _, o := range b.all() {
					if o != tab && info.OpenerID == "" && info.URL == "" && o.TakeAsked(life) {
						o.NotePopup(page.Popup{TabID: tab.ID})
					}
				}
				_ = tab.Init(life)
			})
		},
		Detached: func(id target.ID) {
			for _, tab := range b.all() {
				if tab.TargetID == id {
					tab.MarkClosed()
				}
			}
		},
		Download: func(d browser.Download) {
			for _, tab := range b.all() {
				tab.NoteDownload(d.FrameID, page.NewDownload(d.ID, d.Name, d.URL, ""))
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		end, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = bctx.Close(end)
		stop()
		wg.Wait()
	})
	if _, err := bctx.Open(ctx); err != nil {
		t.Fatal(err)
	}
	b.tab, b.bctx = b.all()[0], bctx
	if err := b.tab.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	b.goTo(b.a + "/")
	return b
}

func (b *bench) all() []*page.Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]*page.Tab(nil), b.tabs...)
}

func (b *bench) serve(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/hit/") {
		b.mu.Lock()
		b.got = append(b.got, r.URL.Path)
		hit := b.onHit
		b.mu.Unlock()
		if hit != nil {
			hit(r.URL.Path)
		}
		return
	}
	if r.URL.Path == "/slow" {
		select {
		case <-b.slow:
		case <-r.Context().Done():
		}
		return
	}
	html, ok := b.pages[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if strings.HasPrefix(r.URL.Path, "/csp/") { // scripts of the document are off
		w.Header().Set("Content-Security-Policy", "sandbox allow-same-origin")
	}
	fmt.Fprint(w, strings.NewReplacer("{{a}}", b.a, "{{b}}", b.b).Replace(html))
}

func (b *bench) goTo(url string) {
	b.t.Helper()
	if _, err := b.tab.Navigate(b.ctx, url); err != nil {
		b.t.Fatalf("goto %s: %v", url, err)
	}
	if err := b.tab.LoadState(b.ctx, "load"); err != nil {
		b.t.Fatal(err)
	}
}

// js evaluates in the page's own world and returns the value as text.
func (b *bench) js(script string) string {
	b.t.Helper()
	v, err := b.tab.Main().Eval(b.ctx, script)
	if err != nil {
		b.t.Fatalf("js %s: %v", script, err)
	}
	return v.Text
}

// want checks a value of the page, after it had time to become so.
func (b *bench) want(script, want string) {
	b.t.Helper()
	quoted, _ := json.Marshal(want)
	ctx, cancel := context.WithTimeout(b.ctx, 3*time.Second)
	defer cancel()
	if _, err := b.tab.Main().AwaitTrue(ctx, fmt.Sprintf("String(%s) === %s", script, quoted)); err != nil {
		b.t.Errorf("%s = %q, want %q", script, b.js(script), want)
	}
}

// ref locates an element and returns it as a user names it after a snapshot.
func (b *bench) ref(locator string) *page.Element {
	b.t.Helper()
	el := b.find(locator)
	el, err := b.tab.Ref(b.tab.Show(el))
	if err != nil {
		b.t.Fatal(err)
	}
	return el
}

func wantCode(t *testing.T, err error, code api.Code, words ...string) {
	t.Helper()
	e, ok := err.(*api.Error)
	if !ok {
		t.Fatalf("error is %v (%T), want code %s", err, err, code)
	}
	if e.Code != code {
		t.Fatalf("error is %s %q, want code %s\n%s", e.Code, e.Message, code, e.Text())
	}
	for _, w := range words {
		if !strings.Contains(e.Text(), w) {
			t.Errorf("error does not say %q:\n%s", w, e.Text())
		}
	}
}

// press sends a plain click to a point, given as a JSON array, past the package.
func (b *bench) press(point string) {
	b.t.Helper()
	var p [2]float64
	if err := json.Unmarshal([]byte(point), &p); err != nil {
		b.t.Fatal(err)
	}
	for _, typ := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		e := map[string]any{"type": typ, "x": p[0], "y": p[1]}
		if typ != "mouseMoved" {
			e["button"], e["clickCount"] = "left", 1
		}
		if err := b.tab.Session().Call(b.ctx, "Input.dispatchMouseEvent", e, nil); err != nil {
			b.t.Fatal(err)
		}
	}
}

// bindClosed makes the closed shadow roots of the top document known to the page
// code, as a snapshot does.
func (b *bench) bindClosed() {
	b.t.Helper()
	type node struct {
		Backend  int64  `json:"backendNodeId"`
		Type     string `json:"shadowRootType"`
		Children []node `json:"children"`
		Shadow   []node `json:"shadowRoots"`
	}
	call := func(method string, params map[string]any, out any) {
		if err := b.tab.Session().Call(b.ctx, method, params, out); err != nil {
			b.t.Fatal(err)
		}
	}
	var doc struct {
		Root node `json:"root"`
	}
	call("DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &doc)
	var world struct {
		ID int64 `json:"executionContextId"`
	}
	call("Page.createIsolatedWorld", map[string]any{"frameId": b.tab.Main().ID, "worldName": page.WorldName}, &world)
	object := func(n node) string {
		var r struct {
			Object struct {
				ID string `json:"objectId"`
			} `json:"object"`
		}
		call("DOM.resolveNode", map[string]any{"backendNodeId": n.Backend, "executionContextId": world.ID}, &r)
		return r.Object.ID
	}
	var walk func(n node)
	walk = func(n node) {
		for _, s := range n.Shadow {
			if s.Type == "closed" {
				call("Runtime.callFunctionOn", map[string]any{"objectId": object(n), "functionDeclaration": "function(root){browse.bindClosed(this,root)}",
					"arguments": []map[string]any{{"objectId": object(s)}}}, nil)
			}
			walk(s)
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(doc.Root)
}
