package inject_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// facts is what browse.facts says about an element.
type facts struct {
	Role, Name, Shown, Value, Disabled, Checked, Expanded, Pressed, Tag string
	States                                                              []string
	Hidden, Visible, Editable, Focused                                  bool
}

// axNode is a node of Chromium's accessibility tree.
type axNode struct {
	Backend    int          `json:"backendDOMNodeId"`
	Ignored    bool         `json:"ignored"`
	Role       axValue      `json:"role"`
	Name       axValue      `json:"name"`
	Value      axValue      `json:"value"`
	Properties []axProperty `json:"properties"`
}

type axValue struct {
	Value json.RawMessage `json:"value"`
}

type axProperty struct {
	Name  string  `json:"name"`
	Value axValue `json:"value"`
}

func (v axValue) String() string {
	var s string
	if json.Unmarshal(v.Value, &s) == nil {
		return s
	}
	return string(v.Value)
}

func (n *axNode) property(name string) string {
	for _, p := range n.Properties {
		if p.Name == name {
			return p.Value.String()
		}
	}
	return ""
}

// domNode is a node of DOM.getDocument.
type domNode struct {
	Backend     int        `json:"backendNodeId"`
	Type        int        `json:"nodeType"`
	ShadowType  string     `json:"shadowRootType"`
	Children    []*domNode `json:"children"`
	ShadowRoots []*domNode `json:"shadowRoots"`
}

// elements appends the elements of a tree in the order in which collect, in the
// page, meets them: an element, what is in its shadow root, its children.
func (n *domNode) elements(out []*domNode) []*domNode {
	if n.Type == 1 {
		out = append(out, n)
	}
	for _, r := range n.ShadowRoots {
		if r.ShadowType != "user-agent" {
			out = r.elements(out)
		}
	}
	for _, c := range n.Children {
		out = c.elements(out)
	}
	return out
}

// bindClosed makes the closed shadow roots known, as the daemon does.
func (d *document) bindClosed(n *domNode) {
	for _, r := range n.ShadowRoots {
		if r.ShadowType == "closed" {
			host, root := d.resolve(n.Backend), d.resolve(r.Backend)
			var res evaluated
			d.call("Runtime.callFunctionOn", map[string]any{
				"objectId": host, "functionDeclaration": "function(root) { browse.bindClosed(this, root); (globalThis.knownClosed ??= new Map()).set(this, root); }",
				"arguments": []any{map[string]any{"objectId": root}},
			}, &res)
			d.decode(res, nil)
		}
		d.bindClosed(r)
	}
	for _, c := range n.Children {
		d.bindClosed(c)
	}
}

func (d *document) resolve(backend int) string {
	var r struct {
		Object struct {
			ObjectID string `json:"objectId"`
		} `json:"object"`
	}
	d.call("DOM.resolveNode", map[string]any{"backendNodeId": backend, "executionContextId": d.world}, &r)
	return r.Object.ObjectID
}

// tree returns the whole DOM of the document, and knows its closed roots.
func (d *document) tree() *domNode {
	var r struct {
		Root *domNode `json:"root"`
	}
	d.call("DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &r)
	d.bindClosed(r.Root)
	return r.Root
}

// collect lists every element of a document. It trusts no property that a form
// or a named element could have taken over.
const collect = `(() => {
  const get = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const shadow = get(Element, "shadowRoot"), first = get(Node, "firstChild"), next = get(Node, "nextSibling"), type = get(Node, "nodeType");
  const out = [], walk = (n) => {
    if (type.call(n) === 1) {
      out.push(n);
      const root = shadow.call(n) ?? globalThis.knownClosed?.get(n);
      if (root) walk(root);
    }
    for (let c = first.call(n); c; c = next.call(c)) walk(c);
  };
  walk(document);
  return out;
})()`

// facts returns what browse says about every element, in the order of tree.
func (d *document) facts() []facts {
	var all []facts
	d.eval(collect+".map((el) => browse.facts(el))", &all)
	return all
}

func (d *document) accessibility() map[int]*axNode {
	var r struct {
		Nodes []*axNode `json:"nodes"`
	}
	d.call("Accessibility.getFullAXTree", nil, &r)
	nodes := map[int]*axNode{}
	for _, n := range r.Nodes {
		if n.Backend != 0 && nodes[n.Backend] == nil {
			nodes[n.Backend] = n
		}
	}
	return nodes
}

// roleNames translates Chromium's names of roles that ARIA has no word for, or
// another one, into what a snapshot says.
var roleNames = map[string]string{
	"image": "img", "none": "", "generic": "", "presentation": "",
	"SvgRoot": "img", "DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button", "Iframe": "iframe", "IframePresentational": "iframe",
	"Video": "video", "Audio": "audio", "Canvas": "canvas", "Date": "textbox", "DateTime": "textbox", "InputTime": "textbox", "ColorWell": "textbox",
	"Details": "group", "MathMLMath": "math", "LabelText": "", "Legend": "", "Figcaption": "", "Abbr": "", "Ruby": "", "RubyAnnotation": "", "Pre": "",
	"DescriptionList": "", "LayoutTable": "", "LayoutTableRow": "", "LayoutTableCell": "", "Section": "", "SectionWithoutName": "", "PluginObject": "",
	"EmbeddedObject": "", "RootWebArea": "", "StaticText": "", "LineBreak": "", "MenuListPopup": "", "SvgText": "",
}

var (
	space   = regexp.MustCompile(`[\x00-\x20\x7f-\x9f\x{2028}\x{2029}]+`)
	private = regexp.MustCompile(`[\x{e000}-\x{f8ff}]+`)
)

// tidy is what a row does to a name.
func tidy(s string) string {
	return strings.TrimFunc(space.ReplaceAllString(private.ReplaceAllString(s, ""), " "), func(r rune) bool { return r == ' ' || r == '\u00a0' })
}

// difference is one point on which browse and Chromium do not agree.
type difference struct {
	page, tag, what, ours, theirs string
	f                             facts
	ax                            *axNode
}

func (d difference) String() string {
	return fmt.Sprintf("%s %s: %s %q, Chromium %q", d.page, d.tag, d.what, d.ours, d.theirs)
}

// compare returns the points on which the facts of an element and its node in
// the accessibility tree differ.
func compare(page string, f facts, ax *axNode) []difference {
	var out []difference
	differ := func(what, ours, theirs string) {
		if ours != theirs {
			out = append(out, difference{page, f.Tag, what, ours, theirs, f, ax})
		}
	}
	ours := f.Role
	if f.Hidden {
		ours = ""
	}
	if ax == nil || ax.Ignored {
		differ("role", ours, "")
		return out
	}
	theirs := ax.Role.String()
	if to, ok := roleNames[theirs]; ok {
		theirs = to
	}
	if f.Hidden && theirs != "" {
		differ("hidden", "true", "false")
		return out
	}
	differ("role", ours, theirs)
	if ours != theirs || f.Hidden {
		return out
	}
	differ("name", f.Name, tidy(ax.Name.String()))
	if ours == "" {
		return out
	}
	for _, s := range stateNames {
		differ(s, stateOf(f, s), axState(ax, s))
	}
	if slices.Contains(valued, ours) {
		differ("value", f.Value, tidy(ax.Value.String()))
	}
	return out
}

// valued are the roles whose value is compared.
var valued = []string{"textbox", "searchbox", "combobox", "spinbutton", "slider", "progressbar", "meter", "scrollbar", "separator"}

var stateNames = []string{"checked", "disabled", "expanded", "pressed", "selected", "level", "required", "invalid", "readonly", "focused", "modal", "multiselectable"}

// stateOf returns a state of a row as "true", "false", another value or "".
func stateOf(f facts, name string) string {
	switch name {
	case "checked":
		return f.Checked
	case "pressed":
		return f.Pressed
	case "expanded":
		return f.Expanded
	}
	for _, s := range f.States {
		if s == name {
			return "true"
		}
		if v, ok := strings.CutPrefix(s, name+"="); ok {
			return v
		}
	}
	return ""
}

// axState returns a property of Chromium's in the words of a row: what is false
// is not said, except where a row says it.
func axState(ax *axNode, name string) string {
	v := ax.property(name)
	switch name {
	case "checked", "pressed", "expanded":
		return v
	case "level":
		if ax.Role.String() != "heading" {
			return ""
		}
	}
	if v == "false" || v == "0" {
		return ""
	}
	return v
}

// TestOracle holds role, name and states of every element of every fixture
// page against Chromium's accessibility tree.
func TestOracle(t *testing.T) {
	b, base := open(t), site(t, "testdata")
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) < 25 {
		t.Fatalf("%d fixture pages, %v", len(pages), err)
	}
	used := make([]int, len(exceptions))
	elements, plain, agreed := 0, 0, 0
	var rest []difference
	for _, path := range pages {
		page := filepath.Base(path)
		d := b.load(t, base+"/"+page)
		nodes := d.tree().elements(nil)
		all, ax := d.facts(), d.accessibility()
		if len(nodes) != len(all) {
			t.Fatalf("%s: %d elements in the DOM, %d in the world", page, len(nodes), len(all))
		}
		for i, n := range nodes {
			elements++
			diffs := compare(page, all[i], ax[n.Backend])
			if len(diffs) == 0 {
				plain++
			}
			open := slices.DeleteFunc(diffs, func(d difference) bool {
				for i, e := range exceptions {
					if e.covers(d) {
						used[i]++
						return true
					}
				}
				return false
			})
			if len(open) == 0 {
				agreed++
			}
			rest = append(rest, open...)
		}
	}
	for _, d := range rest {
		t.Log(d)
	}
	for i, e := range exceptions {
		t.Logf("%3d × %s", used[i], e.reason)
		if used[i] == 0 {
			t.Errorf("no page needs this exception any more: %s", e.reason)
		}
	}
	share := 100 * float64(agreed) / float64(elements)
	t.Logf("%d elements on %d pages: %d agree as they are (%.2f %%), %d with the exceptions (%.2f %%)",
		elements, len(pages), plain, 100*float64(plain)/float64(elements), agreed, share)
	if share < 99 {
		t.Errorf("agreement is %.2f %%, want 99", share)
	}
}
