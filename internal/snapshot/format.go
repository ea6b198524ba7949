package snapshot

import (
	"strconv"
	"strings"

	"gstack/internal/api"
	"gstack/internal/page"
)

// Format returns the nodes as text.
func Format(nodes []Node) string {
	var b strings.Builder
	b.Grow(len(nodes) * 40)
	for i := range nodes {
		if i > 0 {
			b.WriteByte('\n')
		}
		indent(&b, nodes[i].Depth)
		nodes[i].write(&b)
	}
	return b.String()
}

const spaces = "                                                                "

func indent(b *strings.Builder, depth int) {
	for d := 2 * depth; d > 0; d -= len(spaces) {
		b.WriteString(spaces[:min(d, len(spaces))])
	}
}

// write writes the node as one line without indentation. No page can forge a line
// of ours: those of nodes begin with a ref or a role in brackets.
func (n *Node) write(b *strings.Builder) {
	if n.Folded > 0 {
		b.WriteString("… ")
		b.WriteString(strconv.Itoa(n.Folded))
		b.WriteString(" more [")
		b.WriteString(n.Role)
		b.WriteString("] like these")
		return
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
	n.writeStates(b)
	if n.Value != "" {
		b.WriteString(": ")
		quote(b, n.Value)
	}
	if n.URL != "" {
		b.WriteString(" → ")
		b.WriteString(api.Clean(n.URL))
	}
	if n.Box != nil {
		n.Box.write(b)
	}
}

// writeStates writes the states in brackets, invalid with what is wrong.
func (n *Node) writeStates(b *strings.Builder) {
	if n.States == "" {
		return
	}
	b.WriteString(" [")
	if n.Error == "" {
		b.WriteString(strings.ReplaceAll(n.States, ",", ", "))
	} else {
		for i, s := range strings.Split(n.States, ",") {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(s)
			if s == "invalid" {
				b.WriteByte('=')
				quote(b, n.Error)
			}
		}
	}
	b.WriteByte(']')
}

// quote writes page text in double quotes with backslash escapes, on one line.
func quote(b *strings.Builder, s string) {
	b.WriteByte('"')
	b.WriteString(page.Escape(s))
	b.WriteByte('"')
}
