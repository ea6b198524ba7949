package test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// manual is a set of real pages that a Debian package installs.
type manual struct {
	pkg, dir string
	start    string // the page to open first
	chapter  string // a long page
	phrase   string // what its text must hold
	link     string // name of a link on the start page
	leads    string // where that link leads
	heading  string
}

var manuals = []manual{
	{"python3-doc", "/usr/share/doc/python3-doc/html", "index.html", "library/functions.html", "abs(x)", "Library Reference", "/library/", "The Python Standard Library"},
	{"debian-handbook", "/usr/share/doc/debian-handbook/html/en-US", "index.html", "apt.html", "APT", "Preface", "/preface.html", "Preface"},
}

// TestManuals drives the pages that people really read: goto, snapshot, links,
// long texts, whole-page pictures.
func TestManuals(t *testing.T) {
	for _, m := range manuals {
		t.Run(m.pkg, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(m.dir, m.start)); err != nil {
				if os.Getenv("BROWSE_TEST_CHROMIUM") == "required" {
					t.Fatalf("the package %s is not installed: %v", m.pkg, err)
				}
				t.Skipf("the package %s is not installed", m.pkg)
			}
			b := newBox(t)
			s := httptest.NewServer(http.FileServer(http.Dir(m.dir)))
			t.Cleanup(s.Close)
			m.read(t, b, s.URL)
			examine(t, b, s.URL+"/"+m.chapter)
			if m.pkg == "python3-doc" {
				searchPython(t, b, s.URL)
			}
		})
	}
}

func (m manual) read(t *testing.T, b *box, site string) {
	b.must("goto", site+"/"+m.start)
	snap := b.must("snapshot", "-i", "--raw")
	ref := refOf(t, snap, "link", m.link)
	if out := b.must("click", ref); !strings.Contains(out, m.leads) {
		t.Errorf("click on %q: %s", m.link, out)
	}
	if out := b.must("snapshot", "--raw"); !strings.Contains(out, `[heading] "`+m.heading) {
		t.Errorf("no heading %q after the click in\n%.600s", m.heading, out)
	}
	// The old page's refs are dead.
	if r := b.run("click", ref); r.code != 3 || !strings.Contains(r.err, "of a page that is gone") {
		t.Errorf("a ref of the page before: %s", r)
	}
	b.must("back")
	b.must("goto", site+"/"+m.chapter)
	text := b.must("text", "--raw", "--max-bytes", "0")
	if !strings.Contains(text, m.phrase) || len(text) < 20000 {
		t.Errorf("text of %s has %d bytes", m.chapter, len(text))
	}
	if strings.ContainsAny(text, "\x00\x1b") {
		t.Error("the text holds control characters")
	}
	if n := strings.Count(b.must("links", "--raw", "--max-bytes", "0"), "\n"); n < 50 {
		t.Errorf("only %d links", n)
	}
	out := b.must("screenshot", "whole.png")
	if fi, err := os.Stat(filepath.Join(b.dir, "whole.png")); err != nil || fi.Size() < 10000 || !strings.Contains(out, "scaled to") {
		t.Errorf("picture: %v, %s", err, out)
	}
}

// searchPython uses the manual's own search, which needs its scripts.
func searchPython(t *testing.T, b *box, site string) {
	b.must("goto", site+"/search.html")
	snap := b.must("snapshot", "-i", "--raw")
	b.must("fill", refOf(t, snap, "textbox|searchbox", ""), "asyncio")
	b.must("press", "Enter")
	b.must("wait", "--text", "asyncio", "--timeout", "20000")
	b.must("wait", "ul.search li a", "--timeout", "20000")
	if out := b.must("text", "--raw", "--max-bytes", "0"); !strings.Contains(out, "asyncio") {
		t.Errorf("no result in\n%.400s", out)
	}
}

// refOf returns the ref of the first line with a role (a pattern) and a name.
func refOf(t *testing.T, snap, role, name string) string {
	t.Helper()
	rest := `.*`
	if name != "" {
		rest = ` "` + regexp.QuoteMeta(name) + `.*`
	}
	re := regexp.MustCompile(`(?m)^\s*(@e\d+) \[(?:` + role + `)\]` + rest + `$`)
	found := re.FindStringSubmatch(snap)
	if found == nil {
		t.Fatalf("no %s %q in\n%.2000s", role, name, snap)
	}
	return found[1]
}
