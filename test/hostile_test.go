package test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// readers are the commands that read a page or look for something in it.
var readers = [][]string{
	{"snapshot"}, {"snapshot", "-i"}, {"snapshot", "--all", "--boxes"}, {"snapshot", "-d", "3"}, {"text"}, {"text", "--markdown"}, {"text", "--article"},
	{"html"}, {"links"}, {"forms"}, {"media"}, {"data"}, {"find", "button"}, {"find", "text=Core"}, {"find", "role=button"}, {"accessibility"}, {"ux-audit"},
	{"is", "visible", "#core"}, {"attrs", "#core"}, {"css", "#core", "color"}, {"wait", "#core"}, {"click", "#core"}, {"hover", "#core"}, {"screenshot"},
}

// hostile serves pages that take long or cannot be laid out.
func hostile(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>hostile</title>")
		switch r.URL.Path {
		case "/deep": // no parser nests so deep, a script does
			fmt.Fprintf(w, `<button id=first>First</button><div id=top %s></div><script>
				let at = document.getElementById('top');
				for (let i = 0; i < %s; i++) { const e = document.createElement(%q); at.append(e); at = e; }
				at.innerHTML = '<button id=core onclick="document.title=\'hit\'">Core</button>';</script>`, r.FormValue("top"), r.FormValue("n"), r.FormValue("tag"))
		case "/frames":
			fmt.Fprint(w, `<button id=core onclick="document.title='hit'">Core</button>`)
			for i := range 40 {
				fmt.Fprintf(w, "<iframe width=90 height=40 srcdoc='<button>In %d</button>'></iframe>\n", i)
			}
			fmt.Fprint(w, strings.Repeat("<iframe width=90 height=40></iframe>\n", 4960)) // each is a document, too
			fmt.Fprint(w, "<p>the end")
		default:
			fmt.Fprint(w, "<button>Plain</button>")
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(s.CloseClientConnections)
	return s
}

// TestDeepPages: ten thousand elements in each other, which Chromium itself takes
// very long to lay out. Every command is right, or says in time that it is not.
func TestDeepPages(t *testing.T) {
	s, b := hostile(t), newBox(t)
	for _, c := range []struct {
		page  string
		right int // how many commands must be right
	}{
		{"/deep?n=2000&tag=div", len(readers)},
		{"/deep?n=10000&tag=div&top=hidden", len(readers) - 3}, // what is hidden is not waited for, clicked or hovered
		{"/deep?n=10000&tag=span", 0}, {"/deep?n=10000&tag=div", 0}, {"/deep?n=10000&tag=x-deep", 0},
	} {
		t.Run(c.page, func(t *testing.T) {
			defer func(outer testing.TB) { b.t = outer }(b.t)
			b.t = t
			if r := b.run("goto", s.URL+c.page, "--timeout", "20000"); r.code != 0 {
				t.Logf("goto: %.300s", r)
			}
			right := 0
			for _, args := range readers {
				began := time.Now()
				r := b.run(append(args, "--timeout", "5000", "--max-bytes", "100000")...)
				took := time.Since(began)
				if took > 25*time.Second {
					t.Errorf("%v took %s", args, took)
				}
				t.Logf("%-24v %6d ms %.100s", args, took.Milliseconds(), strings.ReplaceAll(r.String(), "\n", " "))
				switch {
				case r.code == 0:
					right++
				case !strings.Contains(r.err, "error: ") || strings.Contains(r.err, "browser error") || strings.Contains(r.err, "RangeError"):
					t.Errorf("%v: %.300s", args, r)
				}
			}
			t.Logf("%d of %d answered", right, len(readers))
			if right < c.right {
				t.Errorf("%d of %d commands were right, want %d", right, len(readers), c.right)
			}
			b.must("goto", s.URL+"/plain", "--timeout", "60000")
			if out := b.must("snapshot", "-i"); !strings.Contains(out, `"Plain"`) {
				t.Errorf("afterwards: %s", out)
			}
		})
	}
}

// TestManyFrames: Chromium makes a thousand frames per page. The others are there
// and said not to be loaded.
func TestManyFrames(t *testing.T) {
	s, b := hostile(t), newBox(t)
	b.must("goto", s.URL+"/frames", "--timeout", "110000")
	out := ""
	for range 10 { // on a busy machine some are said not to be read yet
		began := time.Now()
		out = b.must("snapshot", "-i", "--max-bytes", "0", "--timeout", "110000")
		t.Logf("snapshot -i: %s, %d not read", time.Since(began), strings.Count(out, "[not read]"))
		if !strings.Contains(out, "[not read]") {
			break
		}
	}
	if n := strings.Count(out, `[button] "In `); n != 40 {
		t.Errorf("%d frames are read, want 40", n)
	}
	if n := strings.Count(out, "[iframe] [not loaded]"); n != 4000 {
		t.Errorf("%d frames are said not to be loaded, want 4000", n)
	}
	for _, args := range readers {
		began := time.Now()
		r := b.run(append(args, "--timeout", "60000", "--max-bytes", "0")...)
		took := time.Since(began)
		t.Logf("%-24v %6d ms %d bytes %.60s", args, took.Milliseconds(), len(r.out), strings.ReplaceAll(r.String(), "\n", " "))
		switch {
		case took > time.Minute:
			t.Errorf("%v took %s", args, took)
		case r.code != 0 && args[len(args)-1] != "--article":
			t.Errorf("%v: %.300s", args, r)
		}
	}
	if out := b.must("text", "--raw", "--max-bytes", "0", "--timeout", "60000"); !strings.HasSuffix(out, "(4000 frames that the browser has not loaded)\n\nthe end") {
		t.Errorf("text ends %q", out[max(0, len(out)-100):])
	}
	if out := b.must("click", "text=In 39", "--timeout", "60000"); !strings.Contains(out, "In 39") {
		t.Errorf("click: %s", out)
	}
	if out := b.must("links", "--timeout", "60000"); !strings.Contains(out, "(4000 frames have not been loaded by the browser)") {
		t.Errorf("links: %s", out)
	}
}
