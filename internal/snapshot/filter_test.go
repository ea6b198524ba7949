package snapshot

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// outline reads nodes from lines such as "  @e1 row Name".
func outline(text string) []Node {
	var nodes []Node
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		n := Node{Depth: (len(line) - len(strings.TrimLeft(line, " "))) / 2}
		if words[0][0] == '@' {
			n.Ref, words = words[0], words[1:]
		}
		n.Role, n.Name = words[0], strings.Join(words[1:], " ")
		nodes = append(nodes, n)
	}
	return nodes
}

func TestGrep(t *testing.T) {
	nodes := outline("main\n  list Fruit\n    item Apple\n    item Pear\n  list Nuts\n    item Hazel\n@e1 button Apple juice\n")
	for pattern, want := range map[string]string{
		"(?i)apple":   "[main]\n  [list] \"Fruit\"\n    [item] \"Apple\"\n@e1 [button] \"Apple juice\"",
		"hazel":       "",
		`\[list\]`:    "[main]\n  [list] \"Fruit\"\n  [list] \"Nuts\"",
		`^@e1 `:       `@e1 [button] "Apple juice"`,
		`"Hazel"$|^$`: "[main]\n  [list] \"Nuts\"\n    [item] \"Hazel\"",
	} {
		if got := Format(grep(nodes, regexp.MustCompile(pattern))); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", pattern, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	rows := func(n int, row func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(row(i))
		}
		return b.String()
	}
	plain := func(i int) string { return fmt.Sprintf("  row %d\n    cell a\n    cell b\n", i) }
	refs := func(i int) string { return fmt.Sprintf("  row %d\n    @e%d link x\n", i, i+1) }
	for _, c := range []struct {
		name, nodes string
		how         Fold
		lines       int
		folded      string
	}{
		{"nothing asked", "table\n" + rows(20, plain), FoldNone, 61, ""},
		{"a long run", "table\n" + rows(20, plain), FoldPlain, 14, "  … 16 more [row] like these"},
		{"a run that is just long enough", "table\n" + rows(8, plain), FoldPlain, 14, "  … 4 more [row] like these"},
		{"a short run", "table\n" + rows(7, plain), FoldPlain, 22, ""},
		{"refs are kept", "table\n" + rows(20, refs), FoldPlain, 41, ""},
		{"refs are folded when that is asked", "table\n" + rows(20, refs), FoldRefs, 10, "  … 16 more [row] like these"},
		{"another shape ends a run", "table\n" + rows(6, plain) + "  row\n    cell alone\n" + rows(6, plain), FoldPlain, 39, ""},
		{"runs inside of what is alike", rows(3, func(int) string {
			return "list\n" + rows(9, func(i int) string { return fmt.Sprintf("  item %d\n", i) })
		}), FoldPlain, 18, "  … 5 more [item] like these"},
	} {
		nodes := fold(outline(c.nodes), c.how)
		text := Format(nodes)
		if len(nodes) != c.lines || !strings.Contains("\n"+text+"\n", "\n"+c.folded) {
			t.Errorf("%s: %d lines\n%s", c.name, len(nodes), text)
		}
		for _, n := range nodes {
			if n.Folded > 0 && c.folded == "" {
				t.Errorf("%s: folded\n%s", c.name, text)
			}
		}
	}
}
