package action_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gstack/internal/api"
	"gstack/internal/page"
	"gstack/internal/snapshot"
)

// handle serves pages that h makes, and ends what still runs with the test.
func handle(t *testing.T, h http.HandlerFunc) string {
	s := httptest.NewServer(h)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

// TestReadingChecksRefs: what reads an element refuses one that is not what was
// shown, as what acts on it does.
func TestReadingChecksRefs(t *testing.T) {
	b := open(t, `<ul><li><span>Alice</span> <button>Open</button></li><li><span>Bob</span> <button>Open</button></li></ul>`)
	el := b.ref("role=button >> nth=0")
	readers := map[string]func() error{
		"text":  func() error { _, err := b.tab.Text(b.ctx, el); return err },
		"html":  func() error { _, err := b.tab.HTML(b.ctx, el); return err },
		"links": func() error { _, _, err := b.tab.Links(b.ctx, el); return err },
		"rich":  func() error { _, err := b.tab.Rich(b.ctx, el, 1000); return err },
		"forms": func() error {
			_, _, err := b.tab.Forms(b.ctx, el, func(_, _, _ string) bool { return false })
			return err
		},
		"media": func() error { _, _, err := b.tab.Media(b.ctx, el, nil); return err },
		"shot":  func() error { _, err := b.tab.Screenshot(b.ctx, page.Shot{Element: el, Format: "png"}); return err },
		"snapshot": func() error {
			_, err := snapshot.Take(b.ctx, b.tab, snapshot.Options{Depth: -1, Root: el})
			return err
		},
		"accessibility": func() error { _, err := b.tab.Accessibility(b.ctx, el, -1); return err },
		"node": func() error {
			h, _, err := el.Node(b.ctx)
			if err == nil {
				h.Release()
			}
			return err
		},
	}
	for name, read := range readers {
		if err := read(); err != nil {
			t.Errorf("%s of what is there: %v", name, err)
		}
	}
	b.js(`document.querySelector('button').textContent = 'Erase everything'`)
	for name, read := range readers {
		t.Run(name, func(t *testing.T) { wantCode(t, read(), api.ChangedRef, "@e", "Erase everything") })
	}
	b.js(`document.querySelector('button').remove()`)
	for name, read := range readers {
		t.Run(name+" gone", func(t *testing.T) { wantCode(t, read(), api.StaleRef, "no longer in the page") })
	}
}

// TestDetachedFrame: a frame that was removed is not asked again and again.
func TestDetachedFrame(t *testing.T) {
	b := open(t, `<iframe id=f src="{{a}}/in"></iframe>`, "/in", `<p>hello`)
	f := b.tab.Frames()[1]
	b.js(`document.getElementById('f').remove()`)
	if err := b.tab.AwaitState(b.ctx, time.Now().Add(10*time.Second), f, "p", page.Detached); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
	defer cancel()
	_, err := b.tab.Text(ctx, f.Document())
	if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "no longer in the page") {
		t.Errorf("text: %v, %v", err, ctx.Err())
	}
	if _, err := f.Storage(ctx); err == nil || ctx.Err() != nil {
		t.Errorf("storage: %v, %v", err, ctx.Err())
	}
}

// TestFrameWithoutAnswer: a frame whose server never answers holds up nothing, and
// is named.
func TestFrameWithoutAnswer(t *testing.T) {
	u := handle(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/never" {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<p>main text</p><button>Go</button><a href=/x>x</a><iframe width=99 height=99 %s></iframe>`, map[string]string{
			"/same": `src="/never"`, "/other": `src="http://localhost:` + r.Host[strings.IndexByte(r.Host, ':')+1:] + `/never"`, "/sandbox": `sandbox src="/never"`,
		}[r.URL.Path])
	})
	b := open(t, `<p>x`)
	for _, path := range []string{"/same", "/other", "/sandbox"} {
		if _, err := b.tab.Navigate(b.ctx, u+path); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(b.ctx, 40*time.Second)
		text, err := b.tab.Text(ctx, nil)
		if err != nil || !strings.Contains(text, "main text") || !strings.Contains(text, "(this frame has not loaded)") {
			t.Errorf("%s: text %q, %v", path, text, err)
		}
		if links, _, err := b.tab.Links(ctx, nil); err != nil || len(links) != 1 {
			t.Errorf("%s: links %v, %v", path, links, err)
		}
		if _, un, err := b.tab.Media(ctx, nil, nil); err != nil || un.Silent != 1 {
			t.Errorf("%s: media, %+v, %v", path, un, err)
		}
		nodes, err := snapshot.Take(ctx, b.tab, snapshot.Options{Depth: -1})
		if s := snapshot.Format(nodes); err != nil || !strings.Contains(s, "Go") || !strings.Contains(s, "has not loaded") {
			t.Errorf("%s: snapshot %v\n%s", path, err, s)
		}
		if err := b.tab.AwaitState(ctx, time.Now().Add(20*time.Second), nil, "button", page.Visible); err != nil {
			t.Errorf("%s: wait %v", path, err)
		}
		if _, err := b.tab.Accessibility(ctx, nil, -1); err != nil {
			t.Errorf("%s: accessibility %v", path, err)
		}
		if ctx.Err() != nil {
			t.Errorf("%s: the deadline has passed", path)
		}
		cancel()
	}
}

// TestAccessibilityOfProcesses: backend ids are numbered anew in each process, so
// those of frames in one are also those of elements in another.
func TestAccessibilityOfProcesses(t *testing.T) {
	var many strings.Builder
	for i := range 60 {
		fmt.Fprintf(&many, "<button>in%d</button>", i)
	}
	b := open(t, `<h1>top</h1><iframe title=one src="{{b}}/in1"></iframe><p>between</p><iframe title=two src="{{a}}/in2"></iframe><p>after`,
		"/in1", many.String(), "/in2", `<p>second frame text</p>`)
	nodes, err := b.tab.Accessibility(b.ctx, nil, -1)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, n := range nodes {
		for _, mark := range []string{"in0", "in59", "between", "second frame text", "after"} {
			if n.Name == mark && (len(order) == 0 || order[len(order)-1] != mark) { // a node and its text say the same
				order = append(order, mark)
			}
		}
	}
	if got := strings.Join(order, " "); got != "in0 in59 between second frame text after" {
		t.Errorf("order %q", got)
	}
}

// TestSlowServerLeavesThePageAlone: the page that a navigation leaves goes on as
// long as the server takes.
func TestSlowServerLeavesThePageAlone(t *testing.T) {
	var u string
	saved := make(chan string, 1)
	u = handle(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/late": // answers when the page before it has worked to its end
			select {
			case <-saved:
			case <-r.Context().Done():
			}
			fmt.Fprint(w, `<title>late</title>`)
		case "/saved":
			saved <- r.URL.RawQuery
		case "/busy":
			fmt.Fprint(w, `<script>function work() { const end = performance.now() + 1500; while (performance.now() < end); fetch('/saved') }</script>`)
		}
	})
	b := open(t, `<p>x`)
	b.goTo(u + "/busy")
	b.js(`setTimeout(work, 800)`)
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	if _, err := b.tab.Navigate(ctx, u+"/late"); err != nil {
		t.Fatal("the script of the page was stopped: ", err)
	}
}

// TestReloadWithoutAnswer says that none came, and ends the navigation.
func TestReloadWithoutAnswer(t *testing.T) {
	u := handle(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/never" {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<p>first`)
	})
	b := open(t, `<p>x`)
	b.goTo(u + "/first")
	b.js(`history.replaceState(0, '', '/never')`)
	ctx, cancel := context.WithTimeout(b.ctx, 2*time.Second)
	defer cancel()
	_, err := b.tab.Reload(ctx)
	wantCode(t, err, api.Timeout, "no answer from the server")
	later, end := context.WithTimeout(b.ctx, 20*time.Second)
	defer end()
	if text, err := b.tab.Text(later, nil); err != nil || text != "first" {
		t.Errorf("text %q, %v", text, err)
	}
}

// TestClobberedProperties: what a form's controls are called must not stand in for
// what the form and the document are.
func TestClobberedProperties(t *testing.T) {
	b := open(t, `<title>real</title><form name=title id=f style="width:100px;height:50px"><input name=scrollIntoView><input name=getBoundingClientRect>
		<input name=clientWidth><input name=clientHeight></form><img name=URL src=x>`)
	if err := b.tab.AwaitWant(b.ctx, time.Now().Add(20*time.Second), nil, "", page.Title, page.Want{Op: "==", Text: "real"}); err != nil {
		t.Error(err)
	}
	if _, err := b.tab.Audit(b.ctx); err != nil {
		t.Error(err)
	}
	if p, err := b.tab.Screenshot(b.ctx, page.Shot{Element: b.find("#f"), Format: "png"}); err != nil || p.Width != 100 {
		t.Errorf("%d pixels, %v", p.Width, err)
	}
	if i, err := b.find("#f").Inspect(b.ctx); err != nil || i.Width != 100 || i.Height != 50 {
		t.Errorf("%g x %g, %v", i.Width, i.Height, err)
	}
}

// TestStillShownHalfPair: half of a surrogate pair in a name costs nothing.
func TestStillShownHalfPair(t *testing.T) {
	b := open(t, `<button>Go</button>`)
	b.ref("button")
	b.js(`document.querySelector('button').textContent = 'x\ud800y'`)
	states, err := b.tab.StillShown(b.ctx, nil)
	if err != nil || len(states) != 1 || states[0].State != page.Changed {
		t.Errorf("%+v, %v", states, err)
	}
}
