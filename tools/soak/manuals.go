package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// readManuals uses the HTML manuals that Debian ships, pages that nobody made
// for this program: it reads, searches, follows links and takes pictures.
func readManuals(ctx context.Context, w *workspace, dir string) error {
	for _, page := range []string{"doc/python3-doc/html/index.html", "doc/debian-handbook/html/en-US/index.html"} {
		if _, err := os.Stat(filepath.Join(dir, page)); err != nil {
			return fmt.Errorf("%w; run: tools/install-deps.sh docs", err)
		}
	}
	// The manual links to libraries outside of its folder, so all of /usr/share
	// is served.
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	python := server.URL + "/doc/python3-doc/html/"
	r := &reader{w: w}
	return errors.Join(r.pythonManual(ctx, python), r.handbook(ctx, server.URL+"/doc/debian-handbook/html/en-US/"))
}

// A reader works through pages and remembers the latest snapshot.
type reader struct {
	w    *workspace
	last string
}

func (r *reader) pythonManual(ctx context.Context, base string) error {
	return inOrder(
		func() error { return r.open(ctx, base+"index.html") },
		func() error { return r.look(ctx) },
		// The search runs in the page, over an index of a megabyte.
		func() error { return r.on(ctx, "fill", "textbox", "", "subprocess timeout") },
		func() error { _, err := r.w.run(ctx, "press", "Enter"); return err },
		func() error {
			_, err := r.w.has(ctx, []string{"wait", "--text", "Search finished"}, "")
			return err
		},
		func() error { _, err := r.w.has(ctx, []string{"url"}, "search.html?q=subprocess"); return err },
		func() error { return r.look(ctx) },
		func() error { return r.on(ctx, "click", "link", "Subprocess management") },
		func() error {
			_, err := r.w.has(ctx, []string{"url"}, "library/subprocess.html")
			return err
		},
		func() error { return r.read(ctx, "subprocess.Popen", "CREATE_NO_WINDOW") },
		// Two of the longest chapters.
		func() error { return r.open(ctx, base+"library/os.html") },
		func() error { return r.read(ctx, "os.urandom", "os.fork()") },
		func() error { return r.look(ctx) },
		func() error { return r.picture(ctx, 20_000) },
		func() error { return r.open(ctx, base+"library/stdtypes.html") },
		func() error { return r.read(ctx, "str.casefold()", "memoryview") },
		func() error { return r.picture(ctx, 20_000) },
	)
}

func (r *reader) handbook(ctx context.Context, base string) error {
	return inOrder(
		func() error { return r.open(ctx, base+"index.html") },
		func() error { return r.look(ctx) },
		func() error { return r.on(ctx, "click", "link", "Next") },
		func() error { return r.look(ctx) },
		func() error { return r.on(ctx, "click", "link", "Next") },
		func() error { _, err := r.w.run(ctx, "back"); return err },
		func() error { return r.open(ctx, base+"packaging-system.html") },
		func() error { return r.read(ctx, "dpkg") },
		func() error { return r.picture(ctx, 700) },
		func() error {
			out, err := r.w.run(ctx, "links")
			if err == nil && strings.Count(out.Out, "http://") < 20 {
				err = fmt.Errorf("links lists %d addresses of the chapter, want 20 or more", strings.Count(out.Out, "http://"))
			}
			return err
		},
	)
}

func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) open(ctx context.Context, url string) error {
	res, err := r.w.has(ctx, []string{"goto", url}, "(200)")
	fmt.Printf("%5d ms  goto %s\n", res.Took.Milliseconds(), url)
	return err
}

func (r *reader) look(ctx context.Context) error {
	res, err := r.w.run(ctx, "snapshot", "-i")
	r.last = res.Out
	n := len(refOf.FindAllString(res.Out, -1))
	fmt.Printf("%5d ms  snapshot -i: %d refs, %d bytes\n", res.Took.Milliseconds(), n, len(res.Out))
	if err == nil && n == 0 {
		err = fmt.Errorf("the snapshot shows nothing: %.300q", res.Out)
	}
	return err
}

// on acts on the first element of the latest snapshot with this role and a name
// that holds the given text.
func (r *reader) on(ctx context.Context, verb, role, name string, rest ...string) error {
	pattern := regexp.MustCompile(`(@e\d+) \[(?:` + role + `|searchbox)\] "[^"]*` + regexp.QuoteMeta(name))
	found := pattern.FindStringSubmatch(r.last)
	if found == nil {
		return fmt.Errorf("the snapshot shows no %s named %q: %.2000q", role, name, r.last)
	}
	res, err := r.w.run(ctx, append([]string{verb, found[1]}, rest...)...)
	fmt.Printf("%5d ms  %s %s %q\n", res.Took.Milliseconds(), verb, role, name)
	return err
}

// read takes the text of the page, which must hold the given words and be about
// as long as what Chromium itself calls the page's text.
func (r *reader) read(ctx context.Context, words ...string) error {
	res, err := r.w.has(ctx, []string{"text", "--raw"}, words...)
	fmt.Printf("%5d ms  text: %d bytes\n", res.Took.Milliseconds(), len(res.Out))
	if err != nil {
		return err
	}
	answer, err := r.w.run(ctx, "js", "new TextEncoder().encode(document.body.innerText).length")
	if err != nil {
		return err
	}
	want, err := strconv.Atoi(strings.TrimSpace(answer.Out))
	if err != nil {
		return err
	}
	if len(res.Out) < want*9/10 || len(res.Out) > want*11/10 {
		return fmt.Errorf("text is %d bytes, innerText is %d", len(res.Out), want)
	}
	return nil
}

// picture takes the whole page as a picture, once scaled down as usual and once
// as it is, and checks the second one's height in pixels.
func (r *reader) picture(ctx context.Context, least uint32) error {
	_, height, err := r.shoot(ctx)
	if err != nil {
		return err
	}
	if height > 2000 {
		return fmt.Errorf("a picture is %d pixels high, want at most 2000", height)
	}
	width, height, err := r.shoot(ctx, "--no-limit")
	if err == nil && (height < least || width < 1000) {
		err = fmt.Errorf("the picture is %d × %d pixels, want the page, %d high or more", width, height, least)
	}
	return err
}

func (r *reader) shoot(ctx context.Context, flags ...string) (width, height uint32, err error) {
	file := filepath.Join(r.w.dir, "work", "page.png")
	res, err := r.w.run(ctx, append([]string{"screenshot", file}, flags...)...)
	if err != nil {
		return 0, 0, err
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, 0, err
	}
	if len(b) < 24 || !bytes.HasPrefix(b, []byte("\x89PNG")) {
		return 0, 0, fmt.Errorf("screenshot wrote no PNG")
	}
	width, height = binary.BigEndian.Uint32(b[16:20]), binary.BigEndian.Uint32(b[20:24])
	fmt.Printf("%5d ms  screenshot %s: %d × %d pixels, %d kB\n", res.Took.Milliseconds(), strings.Join(flags, " "), width, height, len(b)/1000)
	return width, height, nil
}
