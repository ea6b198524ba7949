package action_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/snapshot"
)

// fuzzPage changes itself by chance. Every control carries in its name attribute,
// which no role, name or text comes from, which element it is and which record it
// acts on now; a click logs that. change(seed, n) makes n changes.
const fuzzPage = `<!doctype html><title>fuzz</title><style>li, .card, tr { display: block; height: 22px } iframe { height: 80px }</style>
<div id=bar></div><ul id=list></ul><div id=cards></div><table><tbody id=rows></tbody></table><div id=hosts></div><div id=inners></div>
<script src=/fuzz.js></script><script>build(bar, list, cards, rows); if (self === top) { addFrame(); addHost(); }</script>`

const fuzzScript = `
let serial = 0, record = 0, state = 1;
const id = () => (top.serials = (top.serials ?? 0) + 1);
const rec = () => (top.records = (top.records ?? 0) + 1);
function rnd(n) { state ^= state << 13; state ^= state >>> 17; state ^= state << 5; return (state >>> 0) % n; }
const any = (list) => list[rnd(list.length)];
const word = (n) => ['Ann', 'Bob', 'Cyd', 'Dan', 'Eve', 'Fay'][n % 6] + ' ' + 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[n % 26] + 'abcdefghijklmnop'[(n / 26 | 0) % 16] + 'qrstuv'[(n / 416 | 0) % 6];
function mark(el, r) { el.serial ??= id(); el.rec = r; el.setAttribute('name', 's' + el.serial + '_r' + r); }
function control(text, r) {
  const b = document.createElement('button');
  b.textContent = text;
  b.onclick = (e) => top.hits.push(e.currentTarget.getAttribute('name'));
  mark(b, r);
  return b;
}
// A row shows one record: its word, a kind that others share, a count, two buttons.
function row(tag) {
  const el = document.createElement(tag);
  el.className = tag === 'div' ? 'card' : '';
  for (let i = 0; i < 3; i++) el.append(document.createElement(tag === 'tr' ? 'td' : 'span'), ' ');
  const r = rec(), end = tag === 'tr' ? el.insertCell() : el;
  end.append(control('Edit', r), control('Delete', r));
  show(el, r);
  return el;
}
function show(el, r) {
  el.rec = r;
  const [a, b, c] = el.children;
  a.textContent = word(r);
  b.textContent = r % 2 ? 'Admin' : 'User';
  c.textContent = String(r % 7);
  for (const x of el.querySelectorAll('button')) mark(x, r);
}
const parents = () => [[list, 'li'], [cards, 'div'], [rows, 'tr']];
const some = () => { const all = parents().flatMap(([p]) => [...p.children]); return all.length ? any(all) : null; };
function build() {
  for (const [p, tag] of parents()) for (let i = 0; i < 3; i++) p.append(row(tag));
  for (const t of ['New', 'Reload', 'Help']) bar.append(control(t, 0));
}
function addHost() {
  const tag = any(['div', 'x-host', 'section']), h = document.createElement(tag);
  hosts.append(h);
  const root = h.attachShadow({mode: any(['open', 'closed'])});
  root.append(control('Inside ' + id(), 0), control('Inside', 0));
  h.inner = root;
}
function addFrame() { const f = document.createElement('iframe'); f.src = '/frame.html'; inners.append(f); }
const kinds = [
  function insert() { const [p, tag] = any(parents()); if (p.children.length < 6) p.insertBefore(row(tag), any([...p.children, null])); },
  function remove() { some()?.remove(); },
  function move() { const r = some(); if (r) r.parentNode.insertBefore(r, any([...r.parentNode.children, null])); },
  function recycle() { const r = some(); if (r) show(r, rec()); },
  function shuffle() { const [p] = any(parents()), recs = [...p.children].map((x) => x.rec).sort(() => rnd(3) - 1); [...p.children].forEach((x, i) => show(x, recs[i])); },
  function shift() { const [p] = any(parents()), recs = [...p.children].map((x) => x.rec); [...p.children].forEach((x, i) => show(x, recs[i + 1] ?? rec())); },
  function count() { const r = some(); if (r) r.children[2].textContent = String(rnd(50)); },
  function badge() { const r = some(); if (r) r.children[1].textContent = r.children[1].textContent ? '' : (r.rec % 2 ? 'Admin' : 'User'); },
  function replace() { const r = some(), b = r && any([...r.querySelectorAll('button')]); if (b) b.replaceWith(control(b.textContent, r.rec)); },
  function rename() { const b = any([...document.querySelectorAll('button')]); b.textContent = any(['New', 'Old', 'Edit', 'Delete', 'Stop']); },
  function retype() { const b = any([...document.querySelectorAll('button')]); b.getAttribute('role') ? b.removeAttribute('role') : b.setAttribute('role', 'link'); },
  function carry() {
    const a = some(), b = some();
    if (!a || !b || a === b || a.tagName !== b.tagName) return;
    const x = any([...a.querySelectorAll('button')]), y = any([...b.querySelectorAll('button')]);
    if (x && y) { y.before(x); mark(x, b.rec); }
  },
  function again() { const r = some(); if (r) { const p = r.parentNode, n = r.nextSibling; r.remove(); p.insertBefore(r, n); } },
  function clone() { const r = some(); if (r && r.parentNode.children.length < 6) { const c = row(r.localName); show(c, rec()); r.replaceWith(c); } },
  function attach() { if (self === top && hosts.children.length < 5) addHost(); },
  function detach() { if (self === top) hosts.firstChild?.remove(); },
  function inshadow() { const h = hosts.children[0]; if (h?.inner) { const b = any([...h.inner.children]); if (b) b.replaceWith(control(b.textContent, 0)); } },
  function reload() { if (self === top && rnd(4) === 0 && inners.firstChild) inners.firstChild.contentWindow.location.reload(); },
  function reframe() { if (self === top && rnd(6) === 0) { inners.firstChild?.remove(); addFrame(); } },
];
top.hits ??= [];
function change(seed, n) {
  state = seed | 1;
  const done = [];
  for (let i = 0; i < n; i++) { const f = any(kinds); f(); done.push(f.name); }
  if (self === top && rnd(3) === 0) try { inners.firstChild.contentWindow.change(seed + 7, 1); done.push('inframe'); } catch {}
  return done.join();
}`

// given is a ref with what it named when it was shown.
type given struct {
	label, truth string
	step         int
}

// refsRun is one long run: snapshots, changes and clicks by chance.
type refsRun struct {
	*bench
	ctx                   context.Context
	rnd                   *rand.Rand
	refs                  []given
	acted, refused, shots int
	log                   []string
}

// TestRefsNeverMiss: between a snapshot and the use of a ref the page is changed by
// chance. The ref reaches the very element that was shown, still about the same
// record, or is refused. BROWSE_FUZZ_STEPS makes it longer, BROWSE_FUZZ_SEED repeats it.
func TestRefsNeverMiss(t *testing.T) {
	steps, seed := 250, uint64(time.Now().UnixNano())
	if n, err := strconv.Atoi(os.Getenv("BROWSE_FUZZ_STEPS")); err == nil {
		steps = n
	}
	if n, err := strconv.ParseUint(os.Getenv("BROWSE_FUZZ_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("BROWSE_FUZZ_SEED=%d BROWSE_FUZZ_STEPS=%d", seed, steps)
	b := open(t, fuzzPage, "/fuzz.js", fuzzScript, "/frame.html", fuzzPage)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute+time.Duration(steps)*time.Second)
	defer cancel()
	b.ctx = ctx
	r := refsRun{bench: b, ctx: ctx, rnd: rand.New(rand.NewPCG(seed, 1))}
	for i := range steps {
		if len(r.refs) == 0 || r.rnd.IntN(6) == 0 {
			r.look(i)
		}
		if n := r.rnd.IntN(4); n > 0 {
			r.log = append(r.log, fmt.Sprintf("%d %s", i, b.js(fmt.Sprintf("change(%d, %d)", r.rnd.Int32(), n))))
		}
		if !r.use(i) {
			break
		}
	}
	t.Logf("%d clicks, %d refusals, %d snapshots", r.acted, r.refused, r.shots)
	if !t.Failed() && (r.acted < steps/10 || r.refused < steps/20) {
		t.Errorf("of %d steps only %d acted and %d were refused", steps, r.acted, r.refused)
	}
}

// look takes a snapshot and notes what each ref names.
func (r *refsRun) look(step int) {
	nodes, err := snapshot.Take(r.ctx, r.tab, snapshot.Options{Interactive: r.rnd.IntN(2) == 0, Depth: -1})
	if err != nil {
		r.t.Fatal(err)
	}
	r.shots++
	if len(r.refs) > 200 {
		r.refs = r.refs[len(r.refs)-200:]
	}
	for _, n := range nodes {
		if n.Ref == "" || n.Role != "button" && n.Role != "link" {
			continue
		}
		el, err := r.tab.Ref(n.Ref)
		if err != nil {
			continue // its frame has been loaded anew since
		}
		var facts struct {
			Tag string `json:"tag"`
		}
		if err := el.Frame.Call(r.ctx, el.Doc, "facts", &facts, el.ID); err != nil {
			continue
		}
		if _, after, ok := strings.Cut(facts.Tag, ` name="`); ok {
			truth, _, _ := strings.Cut(after, `"`)
			r.refs = append(r.refs, given{n.Ref, truth, step})
		}
	}
}

// use clicks a ref and compares what was hit with what was shown; false after a
// failure.
func (r *refsRun) use(step int) bool {
	g := r.refs[r.rnd.IntN(len(r.refs))]
	// What was shown last is what the ref stands for.
	for _, later := range r.refs {
		if later.label == g.label && later.step > g.step {
			g = later
		}
	}
	r.js("hits.length = 0; 1")
	el, err := r.tab.Ref(g.label)
	if err == nil {
		_, err = action.Click(r.ctx, r.tab, el, action.ClickOptions{Options: action.Options{Timeout: 300 * time.Millisecond}})
	}
	var e *api.Error
	if errors.As(err, &e) && e.Code == api.Timeout { // a busy machine; one that hangs does so again
		_, err = action.Click(r.ctx, r.tab, el, action.ClickOptions{Options: action.Options{Timeout: 10 * time.Second}})
	}
	hits := r.js("hits.join()")
	switch {
	case hits != "" && hits != g.truth:
		r.t.Errorf("step %d: %s named %s when it was shown in step %d, the click went to %s (%v)", step, g.label, g.truth, g.step, hits, err)
	case err == nil && hits == "":
		r.t.Errorf("step %d: %s: the click succeeded and reached nothing", step, g.label)
	case err == nil:
		r.acted++
		return true
	case errors.As(err, &e) && e.Code != api.Internal && e.Code != api.Timeout:
		r.refused++
		return true
	default:
		r.t.Errorf("step %d: %s: %v", step, g.label, err)
	}
	r.t.Log(strings.Join(r.log[max(0, len(r.log)-30):], "\n"))
	return false
}
