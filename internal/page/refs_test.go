package page

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gstack/internal/api"
)

func refError(t *testing.T, tab *Tab, label string) *api.Error {
	t.Helper()
	_, err := tab.Ref(label)
	var e *api.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s: %v", label, err)
	}
	return e
}

func TestRefs(t *testing.T) {
	refs := NewRefs()
	one, two := New(Config{ID: 1, Refs: refs}), New(Config{ID: 2, Refs: refs})
	f1, f2 := &Frame{tab: one, ID: "f1"}, &Frame{tab: two, ID: "f2"}

	if n := refs.Assign(f1, "d1", 7, "button", "Save", false); n != 1 {
		t.Fatalf("first ref is %d", n)
	}
	if n := refs.Assign(f1, "d1", 7, "button", "Save now", false); n != 1 {
		t.Errorf("the same element got ref %d", n)
	}
	if n := refs.Assign(f2, "d2", 7, "link", "Docs", true); n != 2 {
		t.Errorf("another tab's element got ref %d", n)
	}
	el, err := one.Ref("@e1")
	if err != nil || el.ID != 7 || el.Name != "Save now" || el.Label != "@e1" || !el.Shown {
		t.Errorf("@e1: %+v, %v", el, err)
	}
	if _, err := two.Ref("@c2"); err != nil {
		t.Errorf("@c2: %v", err)
	}
	if e := refError(t, one, "@e2"); e.Code != api.UnknownRef || !strings.Contains(e.Message, "of tab 2, not of tab 1") {
		t.Errorf("a ref of another tab: %+v", e)
	}
	if e := refError(t, one, "@e3"); e.Code != api.UnknownRef || e.Hint == "" {
		t.Errorf("a ref that was never shown: %+v", e)
	}
	for _, bad := range []string{"@", "@e", "@x1", "@e-1", "@e0", "@1"} {
		if e := refError(t, one, bad); e.Code != api.BadUsage {
			t.Errorf("%s: %+v", bad, e)
		}
	}

	// A document that goes takes its refs along, and their numbers stay used.
	refs.drop("d1")
	if e := refError(t, one, "@e1"); e.Code != api.StaleRef || !strings.Contains(e.Message, `was [button] "Save now"`) {
		t.Errorf("a ref of a gone document: %+v", e)
	}
	if n := refs.Assign(f1, "d3", 1, "button", "Next", false); n != 3 {
		t.Errorf("a number came back: %d", n)
	}
	refs.dropTab(two)
	if e := refError(t, two, "@c2"); e.Code != api.StaleRef {
		t.Errorf("a ref of a closed tab: %+v", e)
	}
	if refs.Count() != 1 {
		t.Errorf("%d refs are alive, want 1", refs.Count())
	}
}

// TestRefsStayBounded: gone refs are remembered for their message, but not all.
func TestRefsStayBounded(t *testing.T) {
	refs := NewRefs()
	tab := New(Config{ID: 1, Refs: refs})
	f := &Frame{tab: tab, ID: "f"}
	for d := range 50 {
		doc := DocID(fmt.Sprint("d", d))
		for id := range 1000 {
			refs.Assign(f, doc, id+1, "button", "B", false)
		}
		refs.drop(doc)
	}
	if len(refs.dead) > maxTombstones || len(refs.order) > maxTombstones || len(refs.byNum) != 0 || len(refs.docs) != 0 {
		t.Errorf("%d tombstones, %d in order, %d refs, %d documents", len(refs.dead), len(refs.order), len(refs.byNum), len(refs.docs))
	}
	if e := refError(t, tab, "@e1"); e.Code != api.StaleRef {
		t.Errorf("a forgotten ref: %+v", e)
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"Save": `"Save"`, `say "hi"`: `"say \"hi\""`, "two\nlines": `"two\nlines"`,
		strings.Repeat("ä", 100): `"` + strings.Repeat("ä", 79) + `…"`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	for in, want := range map[string]string{
		"http://user:pass@a.test/x": "http://a.test/x", "http://a.test/x@y": "http://a.test/x@y", "http://a@b:c@a.test": "http://a.test",
		"about:blank": "about:blank", "http://a.test?q=a@b": "http://a.test?q=a@b", "http://u@a.test#f": "http://a.test#f",
	} {
		if got := Shown(in); got != want {
			t.Errorf("Shown(%s) = %s, want %s", in, got, want)
		}
	}
}

// TestQuoteOnce: every character is escaped once, so that what the page wrote can be
// told from what the escaping wrote.
func TestQuoteOnce(t *testing.T) {
	for in, want := range map[string]string{
		"plain": `"plain"`, "": `""`, "a\nb": `"a\nb"`, `a\nb`: `"a\\nb"`, `say "hi"`: `"say \"hi\""`,
		"\x1b[31m": `"\x1b[31m"`, "\u202ertl": `"\u202ertl"`, "\"\n\\": `"\"\n\\"`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%+q) is %s, want %s", in, got, want)
		}
	}
	if e := api.Errorf(api.Failed, "", "was %s", Quote("\x1b\"")); e.Text() != "error: was \"\\x1b\\\"\"\n" {
		t.Errorf("an error escapes again: %s", e.Text())
	}
}

func TestElementString(t *testing.T) {
	for want, e := range map[string]Element{
		`@e1 [button] "Save"`: {Label: "@e1", Role: "button", Name: "Save"},
		"#q [textbox]":        {Label: "#q", Role: "textbox"},
		"#q":                  {Label: "#q"},
	} {
		if got := e.String(); got != want {
			t.Errorf("%+v is %s, want %s", e, got, want)
		}
	}
}

// TestRefsOfARestlessPage: a page that renders anew for ever has a bounded number
// of refs, and the ones that were shown last are valid.
func TestRefsOfARestlessPage(t *testing.T) {
	refs := NewRefs()
	tab := New(Config{ID: 1, Refs: refs})
	f := &Frame{tab: tab, ID: "f"}
	last := 0
	for id := range 3 * maxDocRefs {
		last = refs.Assign(f, "d", id+1, "button", "Row", false)
		refs.Assign(f, "d", 1, "button", "Menu", false) // is shown again and again
	}
	if n := refs.Count(); n > maxDocRefs {
		t.Errorf("%d refs, at most %d", n, maxDocRefs)
	}
	for _, n := range []int{1, last, last - maxDocRefs/2} {
		if _, err := tab.Ref(Label(n, false)); err != nil {
			t.Errorf("@e%d: %v", n, err)
		}
	}
	if e := refError(t, tab, "@e2"); e.Code != api.StaleRef {
		t.Errorf("one shown long ago: %+v", e)
	}
}
