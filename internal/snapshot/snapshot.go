// Package snapshot turns what the page's walker returns into the text that an
// agent reads: one line per node, refs in front, frames spliced in place.
//
// It knows rows and refs, and neither the DOM nor any protocol method.
package snapshot

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/page"
)

// Options choose what is shown. They never change the number of a ref, nor what
// it is remembered as.
type Options struct {
	// Interactive keeps only what can be acted on.
	Interactive bool
	// Compact leaves out structure without name and text.
	Compact bool
	// Cursor adds elements that are clickable by cursor or handler, as @c.
	Cursor bool
	// All includes hidden nodes, marked.
	All bool
	// URLs adds the address of links.
	URLs bool
	// Boxes adds where each element stands.
	Boxes bool
	// Depth leaves out what is deeper; -1 means no limit.
	Depth int
	// MaxName cuts names and values, in characters; 0 means [DefaultMaxName].
	MaxName int
	// Grep keeps nodes whose line matches, and those around them; nil keeps all.
	Grep *regexp.Regexp
	// Fold shortens long runs of like nodes.
	Fold Fold
	// Root is the element to start at, nil for the whole page.
	Root *page.Element
	// Frame limits the snapshot to a frame and what is below it; nil means all.
	Frame *page.Frame
}

// DefaultMaxName is where names and values are cut, in characters.
const DefaultMaxName = 200

// walkOptions is what browse.snapshot takes.
type walkOptions struct {
	Interactive bool       `json:"interactive"`
	Cursor      bool       `json:"cursor"`
	All         bool       `json:"all"`
	URLs        bool       `json:"urls"`
	Boxes       bool       `json:"boxes,omitempty"`
	Root        page.Asked `json:"root"`
	Depth       int        `json:"depth"`
	MaxName     int        `json:"maxName"`
}

// Node is one line of a snapshot.
type Node struct {
	Depth  int    `json:"depth"`
	Ref    string `json:"ref,omitempty"`
	Role   string `json:"role"`
	Name   string `json:"name,omitempty"`
	States string `json:"states,omitempty"`
	Value  string `json:"value,omitempty"`
	URL    string `json:"url,omitempty"`
	// Error is what is wrong with a field whose states say invalid.
	Error string `json:"error,omitempty"`
	// Box is where the element stands; only when it was asked for.
	Box *Box `json:"box,omitempty"`
	// Folded, when set, makes the node stand for so many like the ones before it.
	Folded int `json:"folded,omitempty"`
}

// frameLimit bounds how long a frame other than the top one may take to answer,
// so that a hung advertisement does not hide the page.
const frameLimit = 3 * time.Second

// Take reads the tab's page, all frames at once.
func Take(ctx context.Context, t *page.Tab, o Options) ([]Node, error) {
	b := builder{t: t, o: o, parts: map[string]part{}}
	top := t.Main()
	switch {
	case o.Root != nil:
		top = o.Root.Frame
	case o.Frame != nil:
		top = o.Frame
	}
	t.BindFrames(ctx)
	// Names are cut here, and not for the table of refs, which remembers what the
	// element is and not how much of it was shown.
	wo := walkOptions{Interactive: o.Interactive, Cursor: o.Cursor || o.Interactive, All: o.All, URLs: o.URLs, Boxes: o.Boxes, Depth: o.Depth}
	wo.MaxName = max(o.MaxName, DefaultMaxName)
	frames := t.FramesIn(top)
	if len(frames) == 0 {
		return nil, gone(t)
	}
	if o.Boxes {
		b.maps = t.Maps(ctx)
	}
	calls := make([]*page.Pending, len(frames))
	for i, f := range frames {
		w, doc := wo, page.DocID("")
		if f == top && o.Root != nil {
			w.Root, doc = o.Root.Asked(), o.Root.Doc
		}
		if f == top {
			calls[i] = f.Start(ctx, doc, "snapshot", w).About(w.Root)
		} else {
			calls[i] = f.StartPart(ctx, "snapshot", w)
		}
	}
	for i, c := range calls {
		f := frames[i]
		fctx, cancel := ctx, context.CancelFunc(func() {})
		if f != top {
			fctx, cancel = context.WithTimeout(ctx, frameLimit)
		}
		w := wo
		if f == top && o.Root != nil {
			w.Root = o.Root.Asked()
		}
		text, err := c.Pierce(fctx, w)
		cancel()
		if err != nil && f == top {
			return b.retryTop(ctx, err)
		}
		b.parts[f.ID] = part{f: f, doc: c.Doc(), text: text, err: err}
	}
	b.splice(top.ID, 0)
	return shorten(b.nodes, o), nil
}

// gone is the answer when there is no frame left to read.
func gone(t *page.Tab) error {
	if e := t.Gone(); e != nil {
		return e
	}
	return api.Errorf(api.StaleRef, "browse snapshot -i", "the frame is no longer in the page")
}

// shorten leaves out what can be left out once all rows have their refs. It
// reuses nodes.
func shorten(nodes []Node, o Options) []Node {
	if o.Compact {
		nodes = slices.DeleteFunc(nodes, func(n Node) bool { return n.Ref == "" && n.Name == "" && n.Value == "" })
	}
	if o.MaxName > 0 && o.MaxName < DefaultMaxName {
		for i := range nodes {
			nodes[i].Name, nodes[i].Value = cut(nodes[i].Name, o.MaxName), cut(nodes[i].Value, o.MaxName)
		}
	}
	if o.Grep != nil {
		nodes = grep(nodes, o.Grep)
	}
	return fold(nodes, o.Fold)
}

// cut shortens s to n characters, the last of them an ellipsis.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// retryTop asks again when the document was replaced between question and
// answer; what was read of other frames belongs to the old one.
func (b *builder) retryTop(ctx context.Context, err error) ([]Node, error) {
	var e *api.Error
	if b.o.Root != nil || b.o.Frame != nil && b.o.Frame.Detached() || !errors.As(err, &e) || e.Code != api.StaleRef || ctx.Err() != nil {
		return nil, err
	}
	return Take(ctx, b.t, b.o)
}

// part is what one frame answered.
type part struct {
	f    *page.Frame
	doc  page.DocID
	text string
	err  error
}

type builder struct {
	t     *page.Tab
	o     Options
	parts map[string]part
	maps  map[*page.Frame]page.Map
	nodes []Node
}

// splice appends the rows of a frame at a depth, and those of its children where
// their elements stand.
func (b *builder) splice(frameID string, depth int) {
	p, ok := b.parts[frameID]
	if !ok {
		return
	}
	delete(b.parts, frameID) // a frame is shown once
	if p.err != nil {
		b.nodes = append(b.nodes, Node{Depth: depth, Role: "text", Name: "(this frame did not answer: " + p.err.Error() + ")"})
		return
	}
	rest := p.text
	for rest != "" {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		var cols [10]string
		for i := range cols {
			if cols[i], line, ok = strings.Cut(line, "\t"); !ok {
				break
			}
		}
		d, _ := strconv.Atoi(cols[0])
		id, _ := strconv.Atoi(cols[1])
		n := Node{Depth: depth + d, Role: cols[3], Name: cols[4], States: cols[5], Value: cols[6], Error: cols[8]}
		kind := cols[2]
		if b.o.Depth >= 0 && n.Depth > b.o.Depth {
			continue
		}
		if id > 0 && kind != "s" && kind != "t" {
			num := b.t.Refs().Assign(p.f, p.doc, id, n.Role, n.Name, kind == "c")
			n.Ref = page.Label(num, kind == "c")
		}
		if kind != "f" {
			n.URL = page.Shown(cols[7])
		} else {
			n.States = b.frameStates(n.States, cols[7])
		}
		if cols[9] != "" {
			n.Box = box(b.maps[p.f], cols[9])
		}
		b.nodes = append(b.nodes, n)
		if kind == "f" && cols[7] != "" {
			b.splice(cols[7], n.Depth+1)
		}
	}
}

// frameStates adds what is known of a frame to the states of its element: that it
// is loading, or that nothing of it could be read.
func (b *builder) frameStates(states, frameID string) string {
	f := b.parts[frameID].f
	switch {
	case f != nil && f.Loading():
		states += ",loading"
	case f == nil && !strings.HasSuffix(states, "not loaded"):
		states += ",not read"
	}
	return strings.TrimPrefix(states, ",")
}

// Refs returns the refs that are shown, in their order.
func Refs(nodes []Node) []string {
	refs := []string{}
	for i := range nodes {
		if nodes[i].Ref != "" {
			refs = append(refs, nodes[i].Ref)
		}
	}
	return refs
}
