package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// probe is what a page finds out about the browser.
const probe = `(() => {
	const gl = kind => {
		const c = document.createElement('canvas').getContext(kind);
		if (!c) return 'none';
		c.clearColor(1, 0, 0, 1);
		c.clear(c.COLOR_BUFFER_BIT);
		const px = new Uint8Array(4);
		c.readPixels(0, 0, 1, 1, c.RGBA, c.UNSIGNED_BYTE, px);
		return px.join();
	};
	return [
		'webgl ' + gl('webgl'), 'webgl2 ' + gl('webgl2'),
		'webdriver ' + navigator.webdriver,
		'mouse ' + (matchMedia('(hover: hover)').matches && matchMedia('(pointer: fine)').matches),
		'screen ' + screen.width + 'x' + screen.height, 'window ' + outerWidth + 'x' + outerHeight,
		'scroll bar ' + (innerWidth - document.documentElement.clientWidth),
		'visible ' + document.visibilityState,
		'PDF ' + navigator.pdfViewerEnabled,
	].join('; ');
})()`

// visit opens a page and evaluates an expression in it after its load event.
func visit(t *testing.T, p *Process, url, expression string) string {
	t.Helper()
	ctx := limit(t)
	root := p.Conn().Root()
	var page struct {
		ID string `json:"targetId"`
	}
	if err := root.Call(ctx, "Target.createTarget", map[string]any{"url": "about:blank", "newWindow": true}, &page); err != nil {
		t.Fatal(err)
	}
	var at struct {
		ID string `json:"sessionId"`
	}
	if err := root.Call(ctx, "Target.attachToTarget", map[string]any{"targetId": page.ID, "flatten": true}, &at); err != nil {
		t.Fatal(err)
	}
	s := p.Conn().Session(at.ID)
	loaded := make(chan struct{}, 8)
	cancel := s.On("Page.loadEventFired", func([]byte) { loaded <- struct{}{} })
	defer cancel()
	if err := s.Call(ctx, "Page.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Call(ctx, "Page.navigate", map[string]any{"url": url}, nil); err != nil {
		t.Fatal(err)
	}
	select {
	case <-loaded:
	case <-ctx.Done():
		t.Fatal("the page does not load")
	}
	var r struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	if err := s.Call(ctx, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r); err != nil {
		t.Fatal(err)
	}
	return r.Result.Value
}

// TestFlagsBreakNothing: the flags that make the start fast and quiet leave
// pages what they need.
func TestFlagsBreakNothing(t *testing.T) {
	bin := installed(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<!doctype html><body style='height:5000px'>x"))
	}))
	defer web.Close()
	p, err := Launch(limit(t), Options{Binary: bin})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(context.Background())
	got := strings.Split(visit(t, p, web.URL, probe), "; ")
	for _, want := range []string{
		"webgl 255,0,0,255", "webgl2 255,0,0,255", "webdriver false", "mouse true",
		"screen 1280x720", "window 1280x720", "scroll bar 0", "visible visible", "PDF true",
	} {
		if want == "PDF true" && bin.Kind == HeadlessShell {
			continue // it has no viewer
		}
		if !slices.Contains(got, want) {
			t.Errorf("not %q, but %q", want, got)
		}
	}
}

// TestLoopbackIsDirect: with a proxy, a server on this machine is still reached
// without it, and others are not.
func TestLoopbackIsDirect(t *testing.T) {
	bin := installed(t)
	var mu sync.Mutex
	var seen []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Host)
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<title>from the proxy</title>"))
	}))
	defer proxy.Close()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<title>direct</title>"))
	}))
	defer web.Close()
	p, err := Launch(limit(t), Options{Binary: bin, Environ: append(testEnviron(), "http_proxy="+proxy.URL, "https_proxy="+proxy.URL)})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(context.Background())
	for url, want := range map[string]string{
		web.URL:                  "direct",
		"http://example.invalid": "from the proxy",
		"http://localhost" + web.URL[strings.LastIndexByte(web.URL, ':'):]: "direct",
	} {
		if got := visit(t, p, url, "document.title"); got != want {
			t.Errorf("%s is %q, want %q", url, got, want)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for _, host := range seen {
		if host != "example.invalid" {
			t.Errorf("the browser itself asked the proxy for %s", host)
		}
	}
}
