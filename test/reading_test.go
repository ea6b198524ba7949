package test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// packages are sites and demos that come as npm packages, by the page to open in
// each.
var packages = map[string]string{
	"swagger-ui-dist@5.17.14":           "index.html",
	"reveal.js@5.1.0":                   "demo.html",
	"jquery-ui-dist@1.13.3":             "index.html",
	"html5-boilerplate@9.0.1":           "dist/index.html",
	"startbootstrap-sb-admin-2@4.1.4":   "index.html",
	"startbootstrap-sb-admin@7.0.7":     "dist/index.html",
	"startbootstrap-freelancer@7.0.7":   "dist/index.html",
	"startbootstrap-creative@7.0.7":     "dist/index.html",
	"startbootstrap-agency@7.0.12":      "dist/index.html",
	"startbootstrap-resume@7.0.6":       "dist/index.html",
	"startbootstrap-landing-page@6.0.6": "dist/index.html",
}

// TestPackagedSites drives every reading and inspecting command over real sites.
// They are fetched once, into the user's cache.
func TestPackagedSites(t *testing.T) {
	b := newBox(t)
	b.must("goto", "about:blank")
	for spec, start := range packages {
		t.Run(spec, func(t *testing.T) {
			s := httptest.NewServer(http.FileServer(http.Dir(unpacked(t, spec))))
			defer s.Close()
			defer s.CloseClientConnections()
			defer func(outer testing.TB) { b.t = outer }(b.t)
			b.t = t
			examine(t, b, s.URL+"/"+start)
		})
	}
}

// unpacked returns the folder with the files of an npm package.
func unpacked(t *testing.T, spec string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "browse-test-sites", strings.ReplaceAll(spec, "/", "_"))
	if _, err := os.Stat(dir); err == nil {
		return filepath.Join(dir, "package")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skipf("%s is not in the cache and there is no npm to fetch it", spec)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(mkdir(t, filepath.Dir(dir))), "browse-test-sites-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "pack", "--silent", spec)
	cmd.Dir = tmp
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("%s is not in the cache and cannot be fetched: %v: %s", spec, err, out)
	}
	tarballs, _ := filepath.Glob(filepath.Join(tmp, "*.tgz"))
	if len(tarballs) != 1 {
		t.Fatalf("npm pack made %v", tarballs)
	}
	if err := untar(tarballs[0], filepath.Join(tmp, "files")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(tmp, "files"), dir); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "package")
}

func mkdir(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// untar unpacks the regular files of a tarball that stay inside of dir.
func untar(file, dir string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := root.MkdirAll(filepath.Dir(h.Name), 0o755); err != nil {
			return err
		}
		out, err := root.Create(h.Name)
		if err != nil {
			return err
		}
		if _, err := io.Copy(out, r); err != nil {
			return err
		}
		if err := out.Close(); err != nil {
			return err
		}
	}
}

// examine opens a page and asks it everything that can be asked. What the page
// says about itself by its own means is what the answers are held against.
func examine(t *testing.T, b *box, url string) {
	t.Helper()
	b.must("goto", url, "--timeout", "60000")
	raw := func(args ...string) string {
		t.Helper()
		out := b.must(append(args, "--raw", "--max-bytes", "0", "--timeout", "60000")...)
		if strings.ContainsAny(out, "\x00\x1b") {
			t.Errorf("%v prints control characters", args)
		}
		return out
	}
	number := func(script string) int {
		t.Helper()
		n, err := strconv.Atoi(raw("js", script))
		if err != nil {
			t.Fatalf("js %s: %v", script, err)
		}
		return n
	}
	words := func(s string) int { return len(strings.Fields(s)) }

	seen := number(`document.body.innerText.split(/\s+/).filter(Boolean).length`)
	if n := words(raw("text")); n < seen*8/10 {
		t.Errorf("text has %d words, the page shows %d", n, seen)
	}
	if n := words(raw("text", "--markdown")); n < seen*7/10 {
		t.Errorf("text --markdown has %d words, the page shows %d", n, seen)
	}
	if r := b.run("text", "--article", "--markdown"); r.code != 0 && !strings.Contains(r.err, "nothing on the page reads like an article") {
		t.Errorf("text --article: %.400s", r)
	}
	if html := raw("html"); !strings.HasPrefix(strings.ToLower(html), "<!doctype html") {
		t.Errorf("html begins %.60q", html)
	}
	links := 0
	if out := raw("links"); out != "" && out != "(no links)" {
		links = strings.Count(out, "\n") + 1
	}
	if n := number(`document.querySelectorAll("a[href],area[href]").length`); links < n*9/10 {
		t.Errorf("%d links, the page has %d", links, n)
	}
	var forms []struct{ Fields []any }
	decode(t, raw("forms"), &forms)
	fields := 0
	for _, f := range forms {
		fields += len(f.Fields)
	}
	if n := number(`document.querySelectorAll("input,select,textarea,button").length`); fields < n {
		t.Errorf("%d fields, the page has %d", fields, n)
	}
	var media struct{ Images []any }
	decode(t, raw("media"), &media)
	if n := number(`document.images.length`); len(media.Images) < n {
		t.Errorf("%d pictures, the page has %d", len(media.Images), n)
	}
	var about struct{ Meta map[string]string }
	decode(t, raw("data"), &about)
	if title := raw("js", "document.title.trim().replace(/\\s+/g, ' ')"); strings.Join(strings.Fields(about.Meta["title"]), " ") != strings.Join(strings.Fields(title), " ") {
		t.Errorf("data has the title %q, the page %q", about.Meta["title"], title)
	}
	decode(t, raw("attrs", "body"), new(map[string]string))
	decode(t, raw("ux-audit"), new(map[string]any))
	if out := raw("css", "body", "display"); out == "" {
		t.Error("css says nothing")
	}
	if out := raw("is", "attached", "body"); out != "true" {
		t.Errorf("is attached body: %s", out)
	}
	if out := raw("perf"); !strings.Contains(out, "domReady") {
		t.Errorf("perf: %s", out)
	}
	if out := raw("inspect", "body", "--all"); !strings.Contains(out, "Matched Rules (") || strings.Contains(out, "Matched Rules (0)") {
		t.Errorf("inspect: %.400s", out)
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if i := strings.LastIndex(text, "\n("); i >= 0 && strings.HasSuffix(text, ")") { // a sentence of ours
		text = text[:i]
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Errorf("%v in %.200q", err, text)
	}
}

// TestHugePages: a page with 100,000 links, one with 50 MB of text and one that is
// stuck. Answers are right, bounded and paged, and the daemon is small afterwards.
func TestHugePages(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>huge</title>")
		switch r.URL.Path {
		case "/links":
			for i := range 100_000 {
				fmt.Fprintf(w, "<a href=/l/%d>link %d</a>\n", i, i)
			}
		case "/text":
			line := strings.Repeat("words to be read ", 600)
			for range 50 << 20 / len(line) {
				fmt.Fprintf(w, "<div>%s</div>\n", line)
			}
			fmt.Fprint(w, "<p>the end")
		case "/stuck":
			fmt.Fprint(w, "<button onclick='setTimeout(() => { for (;;) {} })'>Hang</button>")
		}
	}))
	t.Cleanup(s.Close)
	b := newBox(t)
	long := []string{"--timeout", "120000"}
	b.must(append([]string{"goto", s.URL + "/links"}, long...)...)
	pid, _ := b.state()
	all := b.must(append([]string{"links", "--raw", "--max-bytes", "0"}, long...)...)
	if n := strings.Count(all, "\n") + 1; n != 100_000 || !strings.HasSuffix(all, fmt.Sprintf("link 99999 → %s/l/99999", s.URL)) {
		t.Errorf("%d links, the last is %s", n, all[strings.LastIndexByte(all, '\n')+1:])
	}
	if out := b.must(append([]string{"links", "--max-bytes", "1000", "--page", "2"}, long...)...); len(out) > 1500 || !strings.Contains(out, "[page 2 of ") {
		t.Errorf("a page of the links has %d bytes: %.200s", len(out), out)
	}
	for _, verb := range []string{"forms", "media", "ux-audit"} {
		b.must(append([]string{verb}, long...)...)
	}
	if out := b.must(append([]string{"text", "--markdown", "--raw", "--max-bytes", "1000"}, long...)...); !strings.Contains(out, "[link 1](") {
		t.Errorf("text --markdown: %.200s", out)
	}
	b.must(append([]string{"goto", s.URL + "/text"}, long...)...)
	out := b.must(append([]string{"text", "--raw", "--max-bytes", "0"}, long...)...)
	if len(out) < 50<<20-(1<<20) || !strings.HasSuffix(out, "the end") {
		t.Errorf("text has %d bytes and ends %q", len(out), out[max(0, len(out)-40):])
	}
	if out := b.must(append([]string{"text", "--max-bytes", "1000"}, long...)...); len(out) > 1500 || !strings.Contains(out, "[page 1 of ") {
		t.Errorf("a page of the text has %d bytes", len(out))
	}
	if r := b.run(append([]string{"text", "--markdown"}, long...)...); r.code == 0 || !strings.Contains(r.err, "more than 8 MB of HTML") {
		t.Errorf("text --markdown: %.300s", r)
	}
	if r := b.run(append([]string{"forms"}, long...)...); r.out == "" {
		t.Errorf("forms: %.300s", r)
	}
	awaitResident(t, pid, 120<<20)

	b.must(append([]string{"goto", s.URL + "/stuck"}, long...)...)
	b.must("click", "button")
	started := time.Now()
	for _, args := range [][]string{{"text"}, {"links"}, {"forms"}, {"is", "visible", "button"}, {"css", "button", "color"}, {"js", "1+1"}} {
		r := b.run(append(args, "--timeout", "1500")...)
		if r.code != 0 && r.code != 5 {
			t.Errorf("%v on a page that is stuck: %.300s", args, r)
		}
	}
	if took := time.Since(started); took > time.Minute {
		t.Errorf("a page that is stuck took %s", took)
	}
	// The script has been stopped by js, and the page answers again.
	if r := b.run("js", "1+1", "--timeout", "10000"); r.code != 0 || !strings.Contains(r.out, "2") {
		t.Errorf("afterwards: %.300s", r)
	}
}
