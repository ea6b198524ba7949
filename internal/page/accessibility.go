package page

import (
	"context"
	"errors"
	"slices"
	"strings"

	"gstack/internal/api"
	"gstack/internal/cdp"

	"github.com/go-json-experiment/json/jsontext"
)

// AXNode is one node of the browser's own accessibility tree.
type AXNode struct {
	Depth       int    `json:"depth"`
	Role        string `json:"role"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	Value       string `json:"value,omitempty"`
	// States are properties that hold, as "focused" or "level=2".
	States []string `json:"states,omitempty"`
	URL    string   `json:"url,omitempty"`
}

// axNode is a node as the protocol has it (CDP Accessibility.AXNode).
type axNode struct {
	ID      string  `json:"nodeId"`
	Ignored bool    `json:"ignored"`
	Role    axValue `json:"role"`
	Name    axValue `json:"name"`
	About   axValue `json:"description"`
	Value   axValue `json:"value"`
	Parent  string  `json:"parentId"`
	Backend int64   `json:"backendDOMNodeId"`

	ChildIDs   []string `json:"childIds"`
	Properties []struct {
		Name  string  `json:"name"`
		Value axValue `json:"value"`
	} `json:"properties"`
}

type axValue struct {
	Value jsontext.Value `json:"value"`
}

func (v axValue) String() string {
	if len(v.Value) == 0 {
		return ""
	}
	if v.Value.Kind() == '"' {
		s, _ := unquote(v.Value)
		return s
	}
	return string(v.Value)
}

// axTree is the tree of one frame.
type axTree struct {
	f     *Frame
	nodes map[string]*axNode
	root  string
	mask  *strings.Replacer
	exact map[string]bool
	err   error
}

// Accessibility returns the browser's own accessibility tree
// (CDP Accessibility.getFullAXTree) of the whole page, or of what is below el,
// frames in their places; what secret fields hold is taken out of it. depth limits
// it, -1 for no limit. A tree that is too large to be sent is [api.TooLarge].
func (t *Tab) Accessibility(ctx context.Context, el *Element, depth int) ([]AXNode, error) {
	top, _, id := t.target(el)
	start := int64(0)
	if id != (Asked{}) {
		h, err := el.Frame.Hold(ctx, el.Doc, "nodeOf", id)
		if err != nil {
			return nil, err
		}
		if h == nil {
			return nil, api.Errorf(api.StaleRef, "browse snapshot -i", "%s is no longer in the page", el.String())
		}
		defer h.Release()
		var r struct {
			Node struct {
				Backend int64 `json:"backendNodeId"`
			} `json:"node"`
		}
		if err := h.s.Call(ctx, "DOM.describeNode", m{"objectId": h.id}, &r); err != nil {
			return nil, t.Broken(ctx, "the page did not answer", err)
		}
		start = r.Node.Backend
	}
	b := axBuilder{top: top, trees: map[*Frame]*axTree{}, owners: map[axOwner]*Frame{}, depth: depth}
	for _, f := range t.FramesIn(top) {
		b.read(ctx, f)
	}
	if tree := b.trees[top]; tree == nil || tree.err != nil {
		if tree != nil {
			return nil, tree.err
		}
		return nil, top.gone()
	}
	from := b.trees[top].root
	if start != 0 {
		from = ""
		for _, n := range b.trees[top].nodes {
			if n.Backend == start {
				from = n.ID
			}
		}
	}
	if from != "" {
		b.add(b.trees[top], from, 0)
	}
	return b.out, nil
}

// axOwner is the element that shows a frame. Backend ids are numbered anew in each
// process.
type axOwner struct {
	in      *Frame // the frame whose document has the element
	backend int64
}

type axBuilder struct {
	top    *Frame
	trees  map[*Frame]*axTree
	owners map[axOwner]*Frame
	depth  int
	out    []AXNode
}

// read asks for the tree of one frame, and for what must not be shown of it.
func (b *axBuilder) read(ctx context.Context, f *Frame) {
	tree := &axTree{f: f, nodes: map[string]*axNode{}}
	b.trees[f] = tree
	if p := f.Parent(); p != nil && f != b.top {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, readFrameLimit)
		defer cancel()
		b.own(ctx, p, f)
		if !f.loads(ctx, frameLoadLimit) {
			tree.err = errNotLoaded
			return
		}
	}
	f.BindClosed(ctx, f.Doc(), true)
	var secrets []string
	if tree.err = f.Call(ctx, "", "secretValues", &secrets); tree.err != nil {
		return
	}
	tree.hide(secrets)
	var r struct {
		Nodes []*axNode `json:"nodes"`
	}
	s := f.Session()
	err := s.Call(ctx, "Accessibility.getFullAXTree", m{"frameId": f.ID}, &r)
	if errors.Is(err, cdp.ErrTooLarge) {
		tree.err = api.Errorf(api.TooLarge, "browse snapshot, which is smaller", "the browser's accessibility tree of this page is too large to be sent")
		return
	}
	if err != nil {
		tree.err = f.tab.Broken(ctx, "the browser did not answer", err)
		return
	}
	for _, n := range r.Nodes {
		tree.nodes[n.ID] = n
		if n.Parent == "" && tree.root == "" {
			tree.root = n.ID
		}
	}
}

// own notes which element of p's document shows f.
func (b *axBuilder) own(ctx context.Context, p, f *Frame) {
	var o struct {
		Backend int64 `json:"backendNodeId"`
	}
	if p.Session().Call(ctx, "DOM.getFrameOwner", m{"frameId": f.ID}, &o) == nil {
		b.owners[axOwner{p, o.Backend}] = f
	}
}

const axRedacted = "[redacted]"

// hide prepares the tree for hiding secret values: short ones where they stand
// alone, others anywhere.
func (t *axTree) hide(secrets []string) {
	t.exact = map[string]bool{}
	var pairs []string
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	for _, s := range secrets {
		t.exact[s] = true
		if len(s) > 3 {
			pairs = append(pairs, s, axRedacted)
		}
	}
	t.mask = strings.NewReplacer(pairs...)
}

func (t *axTree) safe(v axValue) string {
	s := v.String()
	// The browser shows a password as bullets, which tells its length.
	if t.exact[s] || s != "" && strings.Trim(s, "•") == "" {
		return axRedacted
	}
	return t.mask.Replace(s)
}

// axQuiet are properties that say little, or that are told otherwise.
var axQuiet = map[string]bool{"url": true, "focusable": true, "editable": true, "settable": true, "labelledby": true, "describedby": true,
	"owns": true, "controls": true, "activedescendant": true, "details": true, "errormessage": true, "flowto": true}

// add appends node id of a tree with what is below it. Nodes that the browser
// ignores leave their place to what is in them.
func (b *axBuilder) add(t *axTree, id string, depth int) {
	n := t.nodes[id]
	if n == nil || n.Role.String() == "InlineTextBox" || b.depth >= 0 && depth > b.depth {
		return
	}
	delete(t.nodes, id) // shown once, whatever the tree says
	if !n.Ignored {
		b.out = append(b.out, t.node(n, depth))
		depth++
	}
	for _, c := range n.ChildIDs {
		b.add(t, c, depth)
	}
	inner := b.trees[b.owners[axOwner{t.f, n.Backend}]]
	if n.Backend == 0 || inner == nil {
		return
	}
	if inner.err != nil {
		b.out = append(b.out, AXNode{Depth: depth, Role: "text", Name: unread(inner.err)})
		return
	}
	b.add(inner, inner.root, depth)
}

func (t *axTree) node(n *axNode, depth int) AXNode {
	out := AXNode{Depth: depth, Role: n.Role.String(), Name: t.safe(n.Name), Description: t.safe(n.About), Value: t.safe(n.Value)}
	for _, p := range n.Properties {
		v := p.Value.String()
		switch {
		case p.Name == "url":
			out.URL = Shown(v)
		case axQuiet[p.Name] || v == "" || v == "false" && p.Name != "checked" && p.Name != "expanded" && p.Name != "pressed":
		case v == "true":
			out.States = append(out.States, p.Name)
		default:
			out.States = append(out.States, p.Name+"="+t.mask.Replace(v))
		}
	}
	return out
}
