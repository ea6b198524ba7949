// Package snapshot turns what the page's walker returns into the text that an
// agent reads: one line per node, refs in front, frames spliced in place.
//
// It knows rows and refs, and neither the DOM nor any protocol method.
package snapshot

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/page"
)

// Options choose what is shown. They never change the number of a ref.
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
	// Depth leaves out what is deeper; -1 means no limit.
	Depth int
	// MaxName cuts names, in characters; 0 means 200.
	MaxName int
	// Root is the element to start at, nil for the whole page.
	Root *page.Element
	// Frame limits the snapshot to a frame and what is below it; nil means all.
	Frame *page.Frame
}

// walkOptions is what browse.snapshot takes.
type walkOptions struct {
	Interactive bool `json:"interactive"`
	Cursor      bool `json:"cursor"`
	All         bool `json:"all"`
	URLs        bool `json:"urls"`
	Root        int  `json:"root"`
	Depth       int  `json:"depth"`
	MaxName     int  `json:"maxName"`
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
	wo := walkOptions{Interactive: o.Interactive, Cursor: o.Cursor || o.Interactive, All: o.All, URLs: o.URLs, Depth: o.Depth, MaxName: o.MaxName}
	if wo.MaxName == 0 {
		wo.MaxName = 200
	}
	calls := map[*page.Frame]*page.Pending{}
	for _, f := range t.Frames() {
		w := wo
		if f == top {
			if o.Root != nil {
				w.Root = o.Root.ID
			}
		} else if !below(f, top) {
			continue
		}
		doc := page.DocID("")
		if f == top && o.Root != nil {
			doc = o.Root.Doc
		}
		calls[f] = f.Start(ctx, doc, "snapshot", w)
	}
	for f, c := range calls {
		fctx, cancel := ctx, context.CancelFunc(func() {})
		if f != top {
			fctx, cancel = context.WithTimeout(ctx, frameLimit)
		}
		var text string
		err := c.Wait(fctx, &text)
		cancel()
		if err != nil && f == top {
			return b.retryTop(ctx, err)
		}
		b.parts[f.ID] = part{f: f, doc: c.Doc(), text: text, err: err}
	}
	b.splice(top.ID, 0)
	return b.nodes, nil
}

// retryTop asks again when the document was replaced between question and
// answer; what was read of other frames belongs to the old one.
func (b *builder) retryTop(ctx context.Context, err error) ([]Node, error) {
	var e *api.Error
	if b.o.Root != nil || !errors.As(err, &e) || e.Code != api.StaleRef || ctx.Err() != nil {
		return nil, err
	}
	return Take(ctx, b.t, b.o)
}

func below(f, top *page.Frame) bool {
	for p := f.Parent(); p != nil; p = p.Parent() {
		if p == top {
			return true
		}
	}
	return false
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
		var cols [8]string
		for i := range cols {
			cols[i], line, _ = strings.Cut(line, "\t")
		}
		d, _ := strconv.Atoi(cols[0])
		id, _ := strconv.Atoi(cols[1])
		n := Node{Depth: depth + d, Role: cols[3], Name: cols[4], States: cols[5], Value: cols[6]}
		kind := cols[2]
		if b.o.Depth >= 0 && n.Depth > b.o.Depth {
			continue
		}
		if b.o.Compact && kind == "s" && n.Name == "" && n.Value == "" {
			continue
		}
		if id > 0 && kind != "s" && kind != "t" {
			num := b.t.Refs().Assign(p.f, p.doc, id, n.Role, n.Name, kind == "c")
			n.Ref = page.Label(num, kind == "c")
		}
		if kind != "f" {
			n.URL = page.Shown(cols[7])
		}
		b.nodes = append(b.nodes, n)
		if kind == "f" && cols[7] != "" {
			b.splice(cols[7], n.Depth+1)
		}
	}
}

// Format returns the nodes as text.
func Format(nodes []Node) string {
	var b strings.Builder
	b.Grow(len(nodes) * 40)
	for i := range nodes {
		if i > 0 {
			b.WriteByte('\n')
		}
		nodes[i].write(&b)
	}
	return b.String()
}

const spaces = "                                                                "

func (n *Node) write(b *strings.Builder) {
	for d := 2 * n.Depth; d > 0; d -= len(spaces) {
		b.WriteString(spaces[:min(d, len(spaces))])
	}
	if n.Ref != "" {
		b.WriteString(n.Ref)
		b.WriteByte(' ')
	}
	b.WriteByte('[')
	b.WriteString(n.Role)
	b.WriteByte(']')
	if n.Name != "" {
		b.WriteByte(' ')
		quote(b, n.Name)
	}
	if n.States != "" {
		b.WriteString(" [")
		b.WriteString(strings.ReplaceAll(n.States, ",", ", "))
		b.WriteByte(']')
	}
	if n.Value != "" {
		b.WriteString(": ")
		quote(b, n.Value)
	}
	if n.URL != "" {
		b.WriteString(" → ")
		b.WriteString(api.Clean(n.URL))
	}
}

// quote writes page text in double quotes with backslash escapes, on one line.
func quote(b *strings.Builder, s string) {
	b.WriteByte('"')
	b.WriteString(page.Escape(s))
	b.WriteByte('"')
}
