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
		{"/deep?n=10000&tag=div&top=hidden", 0}, // Chromium works out styles there anew for each element
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
