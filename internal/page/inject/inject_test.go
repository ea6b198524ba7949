package inject_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// views are the snapshots that every fixture page has a golden part for.
var views = []struct{ name, opts string }{
	{"interactive", `{interactive: true, urls: true}`},
	{"full", `{cursor: true}`},
}

var port = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// TestGolden compares the rows and the text of every fixture page with its
// .tsv file: in it, rows in two views, then the text.
func TestGolden(t *testing.T) {
	b, base := open(t), site(t, "testdata")
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d fixture pages, %v", len(pages), err)
	}
	for _, path := range pages {
		name := strings.TrimSuffix(filepath.Base(path), ".html")
		t.Run(name, func(t *testing.T) {
			d := b.load(t, base+"/"+name+".html")
			d.tree()
			var out strings.Builder
			for _, v := range views {
				fmt.Fprintf(&out, "# %s %s\n%s\n\n", v.name, v.opts, d.snapshot(v.opts))
			}
			var text string
			text = d.text()
			fmt.Fprintf(&out, "# text\n%s\n", text)
			got := port.ReplaceAllString(out.String(), "http://site.test")
			golden := filepath.Join("testdata", name+".tsv")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v\nrun: go test ./internal/page/inject -run TestGolden -update", err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("rows differ (-want +got), go test ./internal/page/inject -run TestGolden -update accepts them:\n%s", diff)
			}
		})
	}
}

// page serves one page from memory and loads it.
func page(t testing.TB, html string) *document {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(html))
	}))
	t.Cleanup(s.Close)
	return open(t).load(t, s.URL)
}

// row is a line of a snapshot.
type row struct {
	depth, id                              int
	kind, role, name, states, value, extra string
}

func rows(t testing.TB, snapshot string) []row {
	t.Helper()
	var out []row
	for _, line := range strings.Split(snapshot, "\n") {
		if line == "" {
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) != 8 && len(c) != 10 { // the last two are there when one of them is
			t.Fatalf("row with %d columns: %q", len(c), line)
		}
		depth, err1 := strconv.Atoi(c[0])
		id, err2 := strconv.Atoi(c[1])
		if err1 != nil || err2 != nil {
			t.Fatalf("row %q", line)
		}
		out = append(out, row{depth, id, c[2], c[3], c[4], c[5], c[6], c[7]})
	}
	return out
}

// brief is a row as `role "name" [states]`, with the value after a colon.
func (r row) brief() string {
	s := r.role
	if r.name != "" {
		s += " " + strconv.Quote(r.name)
	}
	if r.states != "" {
		s += " [" + r.states + "]"
	}
	if r.value != "" {
		s += ": " + r.value
	}
	return s
}

func briefs(t testing.TB, snapshot string) []string {
	var out []string
	for _, r := range rows(t, snapshot) {
		out = append(out, r.brief())
	}
	return out
}

func wantRows(t testing.TB, snapshot string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, briefs(t, snapshot)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestIDsStay(t *testing.T) {
	d := page(t, `<button id=a>A</button><button id=b>B</button>`)
	first := rows(t, d.snapshot(`{interactive: true}`))
	d.evalPage(`document.body.prepend(Object.assign(document.createElement('button'), {textContent: 'New'})); a.remove()`, nil)
	second := rows(t, d.snapshot(`{interactive: true}`))
	if len(first) != 2 || len(second) != 2 {
		t.Fatalf("%d and %d rows", len(first), len(second))
	}
	if second[1].name != "B" || second[1].id != first[1].id {
		t.Errorf("B was @%d and is %+v", first[1].id, second[1])
	}
	if second[0].id == first[0].id || second[0].id == first[1].id {
		t.Errorf("the new button took the number %d again", second[0].id)
	}
	d.evalPage(`document.body.append(Object.assign(document.createElement('p'), {id: 'c'}))`, nil)
	var gone bool
	d.eval(fmt.Sprintf(`browse.facts(%d) === null`, first[0].id), &gone)
	if !gone {
		t.Error("a removed element still answers to its number")
	}
}

func TestClosedShadowRootsAreKnownOnceBound(t *testing.T) {
	d := page(t, `<x-c>light <b slot=s>slotted</b></x-c><script>customElements.define('x-c', class extends HTMLElement { constructor() { super();
		this.attachShadow({mode: 'closed'}).innerHTML = '<button>In closed</button><slot name=s></slot><slot></slot>' } })</script>`)
	if got := d.snapshot(`{interactive: true}`); got != "" {
		t.Fatalf("a closed root was seen without help: %q", got)
	}
	d.tree()
	wantRows(t, d.snapshot(`{interactive: true}`), `button "In closed"`)
	var text string
	text = d.text()
	if want := "In closedslottedlight"; strings.ReplaceAll(text, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("text %q, want %q", text, want)
	}
}

func TestModalDialogHidesTheRest(t *testing.T) {
	d := page(t, `<button>Behind</button><dialog id=a><h2>First</h2><button>One</button></dialog><dialog id=b aria-label=Second><button>Two</button></dialog>`)
	d.evalPage(`a.showModal(); b.showModal()`, nil)
	wantRows(t, d.snapshot(`{interactive: true}`), `dialog "Second" [modal]`, `button "Two" [focused]`)
	d.evalPage(`b.close()`, nil)
	wantRows(t, d.snapshot(`{interactive: true}`), `dialog [modal]`, `button "One" [focused]`)
	d.evalPage(`a.close()`, nil)
	wantRows(t, d.snapshot(`{interactive: true}`), `button "Behind"`)
}

func TestSecretsStayInThePage(t *testing.T) {
	d := page(t, `<input type=password value=TOPSECRET1 id=p><input autocomplete=cc-csc value=TOPSECRET2><textarea autocomplete=one-time-code>TOPSECRET3</textarea>
		<input style="-webkit-text-security: square" value=TOPSECRET4><label>Label <input type=password value=TOPSECRET5> end</label><input type=hidden value=TOPSECRET6>
		<button aria-labelledby=p>x</button><input value=public>`)
	check := func(when string) {
		t.Helper()
		for _, call := range []string{`browse.snapshot({})`, `browse.snapshot({interactive: true})`, `browse.text()`, `JSON.stringify([...document.querySelectorAll('*')].map(browse.facts))`} {
			var s string
			d.eval(call, &s)
			if strings.Contains(s, "TOPSECRET") {
				t.Errorf("%s: %s shows a secret: %s", when, call, s)
			}
			if strings.HasPrefix(call, "browse.snapshot") && !strings.Contains(s, "public") {
				t.Errorf("%s: %s lacks what is no secret", when, call)
			}
		}
	}
	check("as loaded")
	var html string
	d.eval("browse.html()", &html)
	for i, secret := range []string{"TOPSECRET1", "TOPSECRET2", "TOPSECRET5"} {
		if strings.Contains(html, secret) {
			t.Errorf("html shows secret %d: %s", i, html)
		}
	}
	d.evalPage(`p.type = 'text'`, nil)
	check("with the password shown")
}

func TestNoControlCharacterLeavesAColumn(t *testing.T) {
	d := page(t, `<button id=b></button><input id=i><p id=p></p><select><option id=o></select><a id=l href="/x">y</a>`)
	d.evalPage(`const evil = 'a\tb\nc\rd\u0000e\u001bf\u009bg\u2028h'; b.textContent = evil; b.setAttribute('aria-haspopup', 'menu\tx'); i.value = evil; i.placeholder = evil; p.textContent = evil; o.textContent = evil; l.title = evil;
		l.textContent = ''; document.body.append('\u0000frame:1')`, nil)
	for _, opts := range []string{`{interactive: true, urls: true}`, `{cursor: true, refs: true}`} {
		s := d.snapshot(opts)
		rows(t, s)
		if strings.IndexFunc(strings.NewReplacer("\t", "", "\n", "").Replace(s), func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 }) >= 0 {
			t.Errorf("%s: a control character in %q", opts, s)
		}
	}
	var text string
	text = d.text()
	if strings.ContainsAny(text, "\x00\x1b\u009b") {
		t.Errorf("text %q holds a control character", text)
	}
}

func TestFrames(t *testing.T) {
	d := page(t, `<p>before</p><iframe title=A srcdoc=x></iframe><span>between</span><iframe name=b srcdoc=y></iframe><iframe width=1 height=1 srcdoc=z></iframe><iframe hidden></iframe><object data="data:text/html,o" width=50 height=50></object>`)
	bind := func(selector, token string) {
		d.eval(fmt.Sprintf(`browse.bindFrame(document.querySelector(%q), %q)`, selector, token), nil)
	}
	wantRows(t, d.snapshot(`{interactive: true}`), `iframe "A"`, `iframe`)
	bind("iframe", "F1")
	bind("iframe[name=b]", "F2")
	bind("object", "F3")
	var got []string
	for _, r := range rows(t, d.snapshot(`{}`)) {
		got = append(got, r.kind+" "+r.brief()+" "+r.extra)
	}
	want := []string{"s paragraph: before ", `f iframe "A" F1`, `t text "between" `, "f iframe F2", "f iframe F3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var text string
	text = d.text()
	if want := "before\n\n\x00frame:F1\nbetween\n\x00frame:F2\n\x00frame:F3"; text != want {
		t.Errorf("text %q, want %q", text, want)
	}
}

func TestOptionsThatNarrow(t *testing.T) {
	d := page(t, `<main id=m aria-label=M><ul><li><a href=/a>Link</a> text</ul><div style="cursor:pointer">Card</div></main><button>Outside</button>`)
	full := rows(t, d.snapshot(`{}`))
	if full[0].role != "main" || full[0].id == 0 {
		t.Fatalf("first row %+v", full[0])
	}
	root := full[0].id
	wantRows(t, d.snapshot(fmt.Sprintf(`{root: %d, interactive: true}`, root)), `link "Link"`, `[cursor:pointer]`[:0]+` "Card" [cursor:pointer]`)
	wantRows(t, d.snapshot(fmt.Sprintf(`{root: %d, depth: 0}`, root)), `main "M"`)
	wantRows(t, d.snapshot(`{depth: 1}`), `main "M"`, `list`, `text "Card"`, `button "Outside"`)
	wantRows(t, d.snapshot(`{cursor: true}`), `main "M"`, `list`, `listitem`, `link "Link"`, `text "text"`, ` "Card" [cursor:pointer]`, `button "Outside"`)
	wantRows(t, d.snapshot(`{interactive: true, maxName: 5}`), `link "Link"`, ` "Card" [cursor:pointer]`, `button "Outs…"`)
	for _, r := range rows(t, d.snapshot(`{refs: true}`)) {
		if (r.kind == "e") != (r.id != 0) || (r.kind == "s") {
			t.Errorf("refs: row without a ref %+v", r)
		}
	}
	if got := rows(t, d.snapshot(`{interactive: true, urls: true}`))[0].extra; !strings.HasSuffix(got, "/a") || !strings.HasPrefix(got, "http://") {
		t.Errorf("url %q", got)
	}
}

func TestMessagesAreListedWithControls(t *testing.T) {
	d := page(t, `<button>Pay</button><div role=alert>Card was <b>declined</b></div><div role=status></div><div aria-live=polite>3 new</div><p>Just text</p>`)
	wantRows(t, d.snapshot(`{interactive: true}`), `button "Pay"`, `alert "Card was declined"`, `status "3 new"`)
}

func TestLinks(t *testing.T) {
	d := page(t, `<base href="http://b.test/d/"><a href=x>Text</a><a href=/icon aria-label=Icon><svg></svg></a><a href=i><img alt=Pic></a><a>no</a><a name=n>no</a><div hidden><a href=#h>In a menu</a></div>
		<map name=q><area href=area alt=Area></map><svg><a href=s><text>Svg</text></a></svg><x-y></x-y><script>document.querySelector('x-y').attachShadow({mode: 'open'}).innerHTML = '<a href=sh>Shadow</a>'</script>`)
	var got string
	d.eval("browse.links()", &got)
	want := "Text\thttp://b.test/d/x\nIcon\thttp://b.test/icon\nPic\thttp://b.test/d/i\nIn a menu\thttp://b.test/d/#h\nArea\thttp://b.test/d/area\nSvg\thttp://b.test/d/s\nShadow\thttp://b.test/d/sh"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestHTML(t *testing.T) {
	d := page(t, `<!DOCTYPE html><html lang=en><head><title>T</title></head><body><p id=p>a<b>b</b></p></body></html>`)
	var got string
	d.eval("browse.html()", &got)
	if want := "<!DOCTYPE html>\n<html lang=\"en\"><head><title>T</title></head><body><p id=\"p\">a<b>b</b></p></body></html>"; strings.TrimSpace(got) != want {
		t.Errorf("html %q, want %q", got, want)
	}
	id := rows(t, d.snapshot(`{refs: true}`))[0].id
	d.eval(fmt.Sprintf("browse.html(%d)", id), &got)
	if got != "a<b>b</b>" {
		t.Errorf("inner html %q", got)
	}
}

// TestText holds text against innerText where the page has none of the
// specialities that text treats differently.
func TestTextIsInnerText(t *testing.T) {
	squeeze := regexp.MustCompile(`\n{3,}`)
	b, base := open(t), site(t, "testdata")
	for _, name := range []string{"docs", "text", "content", "tables", "mail", "dashboard", "i18n", "lists", "legacy", "names", "roles", "hidden"} {
		d := b.load(t, base+"/"+name+".html")
		var own, native string
		d.evalPage(`for (const e of document.querySelectorAll('select,iframe,object,embed')) e.remove()`, nil)
		own = d.text()
		d.evalPage("document.documentElement.innerText", &native)
		want := squeeze.ReplaceAllString(strings.TrimSpace(regexp.MustCompile(`[\t ]+\n`).ReplaceAllString(tidyLines(native), "\n")), "\n\n")
		if diff := cmp.Diff(want, own); diff != "" {
			t.Errorf("%s (-innerText +text):\n%s", name, diff)
		}
		// The walk by hand must come to the same as the native reading, but
		// for blanks around controls and blank lines.
		var slow string
		d.eval(`browse.textSlowly()`, &slow)
		if diff := cmp.Diff(dense(want), dense(slow)); diff != "" {
			t.Errorf("%s read by hand (-innerText +text):\n%s", name, diff)
		}
	}
}

// dense takes out blank lines and double spaces, and writes the letter of a
// formula plainly.
func dense(s string) string {
	s = regexp.MustCompile(` {2,}`).ReplaceAllString(s, " ")
	return strings.ReplaceAll(regexp.MustCompile(` *\n[ \n]*`).ReplaceAllString(s, "\n"), "𝑥", "x")
}

// tidyLines does what text does to control characters.
func tidyLines(s string) string {
	return regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f-\x9f]+`).ReplaceAllString(s, " ")
}

func TestTextOfContentThatIsSkippedUntilSeen(t *testing.T) {
	d := page(t, `<style>.auto{content-visibility:auto;contain-intrinsic-size:50px}.never{content-visibility:hidden}</style><p>top</p><div style="height:9000px"></div>
		<section class=auto><p>far <b>down</b></p></section><p class=auto>leaf far down</p><div class=never>skipped</div><p>end</p>`)
	var got string
	got = d.text()
	if want := "top\n\nfar down\n\nleaf far down\n\nend"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	wantRows(t, d.snapshot(`{}`), "paragraph: top", "paragraph: far down", "paragraph: leaf far down", "paragraph: end")
}

// Chromium itself lays out no more than some thousand levels: deeper trees are
// built where nothing is rendered.
func TestDeepAndBroadPages(t *testing.T) {
	d := page(t, `<body><div id=hide hidden></div></body>`)
	d.evalPage(`const nest = (n, levels, html) => { for (let i = 0; i < levels; i++) { const c = document.createElement('div'); n.append(c); n = c } n.innerHTML = html };
		nest(document.body, 2000, '<button>bottom</button>text at the bottom'); nest(hide, 10000, '<a href=#deep>deep</a>');
		const s = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); document.body.append(s);
		s.innerHTML = '<g>' + '<path d="M0 0h1"/><text>t</text>'.repeat(3000) + '</g>'`, nil)
	wantRows(t, d.snapshot(`{interactive: true}`), `button "bottom"`)
	if full := rows(t, d.snapshot(`{}`)); len(full) < 2 || full[1].name != "text at the bottom" {
		t.Errorf("rows begin %v", full[:min(len(full), 3)])
	}
	var text, links string
	text = d.text()
	if !strings.HasPrefix(text, "bottomtext at the bottom") {
		t.Errorf("text begins %.40q", text)
	}
	d.eval("browse.links()", &links)
	if !strings.HasPrefix(links, "deep\thttp") {
		t.Errorf("links begin %.40q", links)
	}
	d.evalPage(`document.body.innerHTML = ''; let b = document.body; for (let i = 0; i < 2000; i++) { const c = document.createElement('div'); c.setAttribute('role', i % 2 ? 'button' : 'none'); b.append(c); b = c } b.append('core')`, nil)
	if got := len(rows(t, d.snapshot(`{interactive: true}`))); got != 1000 {
		t.Errorf("%d rows for 1000 nested buttons", got)
	}
}

func TestInstallingTwiceKeepsTheFirst(t *testing.T) {
	d := page(t, `<div id=browse></div><iframe name=browse></iframe><button>B</button>`)
	first := d.snapshot(`{interactive: true}`)
	d.install()
	if second := d.snapshot(`{interactive: true}`); second != first {
		t.Errorf("%q, then %q", first, second)
	}
	var leaked bool
	d.evalPage(`typeof browse.snapshot === 'function' || Object.getOwnPropertyNames(window).includes('browse')`, &leaked)
	if leaked {
		t.Error("the page can see the script")
	}
}

func TestNothingIsWrittenIntoThePage(t *testing.T) {
	b, base := open(t), site(t, "testdata")
	for _, name := range []string{"shop", "form", "mail", "shadow", "modal", "clobber"} {
		d := b.load(t, base+"/"+name+".html")
		d.evalPage(`globalThis.changes = 0; new MutationObserver((l) => { changes += l.length }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
			globalThis.before = document.documentElement.outerHTML`, nil)
		for _, call := range []string{"browse.snapshot({interactive: true})", "browse.snapshot({all: true, refs: true, cursor: true})", "browse.text()", "browse.html()", "browse.links()"} {
			d.eval(call, nil)
		}
		var same bool
		d.evalPage(`new Promise((done) => requestAnimationFrame(() => done(changes === 0 && before === document.documentElement.outerHTML)))`, &same)
		if !same {
			t.Errorf("%s was changed", name)
		}
	}
}

// TestRowsHoldWhatACheckFinds: whoever comes back with the role and the name of
// a row must find them on the element still, in every view of every page.
func TestRowsHoldWhatACheckFinds(t *testing.T) {
	b, base := open(t), site(t, "testdata")
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, path := range pages {
		d := b.load(t, base+"/"+filepath.Base(path))
		d.tree()
		for _, opts := range []string{`{interactive: true}`, `{}`, `{cursor: true}`, `{refs: true}`} {
			var list []row
			for _, r := range rows(t, d.snapshot(opts)) {
				if r.id != 0 {
					list = append(list, r)
				}
			}
			ids := make([]int, len(list))
			for i, r := range list {
				ids[i] = r.id
			}
			var now []facts
			d.eval(fmt.Sprintf(`%s.map((id) => browse.facts(id))`, strings.ReplaceAll(fmt.Sprint(ids), " ", ",")), &now)
			for i, r := range list {
				checked++
				if now[i].Role != r.role || now[i].Shown != r.name {
					t.Errorf("%s %s: row %s %s, but the element is %s %q", filepath.Base(path), opts, now[i].Tag, r.brief(), now[i].Role, now[i].Shown)
				}
				if now[i].Hidden {
					t.Errorf("%s %s: row of a hidden element %s", filepath.Base(path), opts, now[i].Tag)
				}
			}
		}
	}
	t.Logf("%d rows", checked)
}

func TestAllAddsWhatIsHidden(t *testing.T) {
	d := page(t, `<button>seen</button><div style="display:none"><button>not <b>rendered</b></button><p>hidden para</p></div><div aria-hidden=true><a href=#>aria</a></div>
		<button style="visibility:hidden">veiled</button><dialog id=d><button>in dialog</button></dialog>`)
	wantRows(t, d.snapshot(`{interactive: true, all: true}`), `button "seen"`, `button "not rendered" [hidden]`, `link "aria" [hidden]`, `button "veiled" [hidden]`, `dialog [hidden]`, `button "in dialog" [hidden]`)
	wantRows(t, d.snapshot(`{all: true}`), `button "seen"`, `button "not rendered" [hidden]`, `paragraph [hidden]: hidden para`, `link "aria" [hidden]`, `button "veiled" [hidden]`, `dialog [hidden]`, `button "in dialog" [hidden]`)
	d.evalPage(`d.showModal()`, nil)
	wantRows(t, d.snapshot(`{interactive: true, all: true}`), `button "seen" [hidden]`, `button "not rendered" [hidden]`, `link "aria" [hidden]`, `button "veiled" [hidden]`, `dialog [modal]`, `button "in dialog" [focused]`)
	// What has been shown once is still told apart when it is hidden.
	var name string
	d.eval(`browse.facts([...document.querySelectorAll("button")][1]).shown`, &name)
	if name != "not rendered" {
		t.Errorf("a hidden button goes by %q", name)
	}
}

// TestClickableByLooks: each exactly once, in whatever way the hand for a cursor
// came about.
func TestClickableByLooks(t *testing.T) {
	d := page(t, `<style>.p{cursor:pointer}</style><div class=p id=a><span><i>inherits</i></span></div><div class=p><div style="cursor:auto"><b class=p>again</b></div></div>
		<a class=p>anchor without address</a><label class=p>label without control</label><label class=p>with <input></label><button class=p><span><i class=p>in a button</i></span></button>
		<div style="position:fixed" class=p>fixed</div><x-s></x-s><script>document.querySelector('x-s').attachShadow({mode: 'open'}).innerHTML = '<div style="cursor:pointer">in shadow</div>'</script>`)
	wantRows(t, d.snapshot(`{interactive: true}`), ` "inherits" [cursor:pointer]`, ` "again" [cursor:pointer]`, ` "again" [cursor:pointer]`, ` "anchor without address" [cursor:pointer]`,
		` "label without control" [cursor:pointer]`, `textbox "with"`, `button "in a button"`, ` "fixed" [cursor:pointer]`, ` "in shadow" [cursor:pointer]`)
}

// TestSuspects: a page is asked about closed roots only where it may have one,
// and once; what has none costs nothing from then on.
func TestSuspects(t *testing.T) {
	d := page(t, `<h1>T</h1><p>Words</p><div><span></span><button>B</button></div><x-plain>a</x-plain><div id=app></div><div id=un><b>b</b></div>
		<script>for (let i = 0; i < 500; i++) document.body.append(document.createElement("x-row"));
		un.attachShadow({mode: "closed"}).innerHTML = "<input>"</script>`)
	suspects := func() (found []string) {
		d.eval(`browse.hosts().map((el) => el.id || el.localName)`, &found)
		return found
	}
	var rows string
	d.eval("browse.snapshot()", &rows)
	if !strings.HasSuffix(rows, "\n0\t0\th") {
		t.Errorf("the walk does not say that it has met something:\n%s", rows)
	}
	counts := map[string]int{}
	for _, s := range suspects() {
		counts[s]++
	}
	if counts["app"] != 1 || counts["un"] != 1 || counts["x-plain"] != 1 || counts["x-row"] != 8 || len(counts) != 4 {
		t.Errorf("suspects are %v", counts)
	}
	if d.eval("browse.snapshot({interactive: true})", &rows); strings.HasSuffix(rows, "\n0\t0\th") || len(suspects()) > 0 {
		t.Errorf("asked again: %s", rows)
	}
}
