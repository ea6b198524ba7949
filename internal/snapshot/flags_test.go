package snapshot

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gstack/internal/browser"
	"gstack/internal/cdp"
	"gstack/internal/page"

	"github.com/chromedp/cdproto/target"
)

//go:embed testdata/flags.html
var flagsPage string

//go:embed testdata/inner.html
var innerPage string

// openTab opens a page in a browser of its own. {{other}} in it is the address of
// the same server under another name, which is another site.
func openTab(t *testing.T, pages map[string]string) (context.Context, *page.Tab) {
	t.Helper()
	if os.Getenv("BROWSE_TEST_CHROMIUM") == "off" {
		t.Skip("tests with a browser are off")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	t.Cleanup(cancel)
	p, err := browser.Launch(ctx, browser.Options{Args: []string{"--site-per-process"}})
	if err != nil {
		t.Skip("SKIPPED: " + err.Error())
	}
	end := context.WithoutCancel(ctx)
	t.Cleanup(func() { _ = p.Close(end) })
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.ReplaceAll(pages[r.URL.Path], "{{other}}", strings.Replace(site.URL, "127.0.0.1", "localhost", 1)))
	}))
	t.Cleanup(site.Close)
	tabs := make(chan *page.Tab, 1)
	hub, err := browser.NewHub(ctx, p.Conn(), browser.Events{})
	if err != nil {
		t.Fatal(err)
	}
	ready := make(chan error, 1)
	bctx, err := hub.NewContext(ctx, browser.Events{
		Attached: func(s *cdp.Session, info target.Info) {
			tab := page.New(page.Config{ID: 1, Session: s, Conn: s.Conn(), Target: info, Refs: page.NewRefs()})
			tabs <- tab
			go func() { ready <- tab.Init(end) }() // ends with the session at the latest; read below
		},
		Detached: func(target.ID) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bctx.Open(ctx); err != nil {
		t.Fatal(err)
	}
	tab := <-tabs
	t.Cleanup(func() { tab.MarkClosed(); tab.Wait() })
	if err := <-ready; err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Navigate(ctx, site.URL+"/"); err != nil {
		t.Fatal(err)
	}
	if err := tab.LoadState(ctx, "load"); err != nil {
		t.Fatal(err)
	}
	return ctx, tab
}

// cross returns every combination of sets and changes; nil changes nothing.
func cross(sets []Options, changes ...[]func(*Options)) []Options {
	for _, alternatives := range changes {
		var out []Options
		for _, s := range sets {
			for _, change := range alternatives {
				c := s
				if change != nil {
					change(&c)
				}
				out = append(out, c)
			}
		}
		sets = out
	}
	return sets
}

type choice = []func(*Options)

// readings are the combinations of flags that change what is asked of the page.
func readings(root *page.Element, frame *page.Frame) []Options {
	return cross([]Options{{Depth: -1}},
		choice{nil, func(o *Options) { o.Interactive = true }},
		choice{nil, func(o *Options) { o.Cursor = true }},
		choice{nil, func(o *Options) { o.All = true }},
		choice{nil, func(o *Options) { o.URLs = true }},
		choice{nil, func(o *Options) { o.Boxes = true }},
		choice{nil, func(o *Options) { o.Depth = 0 }, func(o *Options) { o.Depth = 2 }},
		choice{nil, func(o *Options) { o.Root = root }, func(o *Options) { o.Frame = frame }})
}

// shortenings are, for one reading, the combinations with those flags that leave
// out something of what was read.
func shortenings(o Options) []Options {
	return cross([]Options{o},
		choice{nil, func(o *Options) { o.Compact = true }},
		choice{nil, func(o *Options) { o.MaxName = 4 }},
		choice{nil, func(o *Options) { o.Grep = regexp.MustCompile(`(?i)e`) }},
		choice{nil, func(o *Options) { o.Fold = FoldPlain }, func(o *Options) { o.Fold = FoldRefs }})
}

// shownAs is what a ref is shown as when nothing of it is cut.
type shownAs struct{ role, name string }

// TestFlagsNeverChangeRefs: whatever the flags, a ref is the same element, shown
// with the same role and name, and can be used as such.
func TestFlagsNeverChangeRefs(t *testing.T) {
	ctx, tab := openTab(t, map[string]string{"/": flagsPage, "/inner.html": innerPage})
	frames := tab.Frames()
	if len(frames) != 4 {
		t.Fatalf("%d frames, want 4", len(frames))
	}
	first, err := Take(ctx, tab, Options{Depth: -1})
	if err != nil {
		t.Fatal(err)
	}
	var root *page.Element
	for _, n := range first {
		if n.Role == "main" {
			if root, err = tab.Ref(n.Ref); err != nil {
				t.Fatal(err)
			}
		}
	}
	if root == nil {
		t.Fatal("no main")
	}
	seen := shown{t: t, tab: tab, as: map[string]shownAs{}, is: map[string]string{}}
	combinations := 0
	for _, reading := range readings(root, frames[1]) {
		all, err := Take(ctx, tab, reading)
		if err != nil {
			t.Fatalf("%+v: %v", reading, err)
		}
		for _, o := range shortenings(reading) {
			seen.check(o, shorten(slices.Clone(all), o))
			combinations++
		}
		states, err := tab.StillShown(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range states {
			if r.State != page.Live {
				t.Fatalf("%+v: %s is %s: now %s %q", reading, r.String(), r.State, r.NowRole, r.NowName)
			}
		}
	}
	if len(seen.is) < 60 || combinations < 5000 {
		t.Errorf("only %d elements were shown, in %d combinations", len(seen.is), combinations)
	}
}

// shown is what refs were until now, by their number: @e4 and @c4 are one ref.
type shown struct {
	t   *testing.T
	tab *page.Tab
	as  map[string]shownAs
	is  map[string]string
}

func (s *shown) check(o Options, nodes []Node) {
	s.t.Helper()
	used := map[string]bool{}
	for _, n := range nodes {
		if n.Ref == "" {
			continue
		}
		number := n.Ref[2:]
		if used[number] {
			s.t.Fatalf("%+v: %s is there twice", o, n.Ref)
		}
		used[number] = true
		el, err := s.tab.Ref(n.Ref)
		if err != nil {
			s.t.Fatalf("%+v: %v", o, err)
		}
		id, as := fmt.Sprint(el.Doc, " ", el.ID), shownAs{el.Role, el.Name}
		if was, ok := s.is[number]; ok && (was != id || s.as[number] != as) {
			s.t.Fatalf("%+v: %s is %s %v, was %s %v", o, n.Ref, id, as, was, s.as[number])
		}
		s.is[number], s.as[number] = id, as
		if n.Role != el.Role || n.Name != el.Name && !(o.MaxName > 0 && n.Name == cut(el.Name, o.MaxName)) {
			s.t.Fatalf("%+v: %s is shown as %s %q, remembered as %s %q", o, n.Ref, n.Role, n.Name, el.Role, el.Name)
		}
	}
}
