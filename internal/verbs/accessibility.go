package verbs

import (
	"context"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var accessibilityVerb = define(command.Spec{
	Name: "accessibility", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary: "Print the browser's own accessibility tree",
	Doc: `One line per node, as the browser tells it to assistive technology: role in its own words, name,
states, value, → address. Nodes that it ignores are left out. It has no refs and is slow on
large pages; snapshot is what to work with. What secret fields hold is never shown.`,
	Examples: []string{"accessibility", "accessibility '#menu' -d 2", "accessibility --json"},
}, accessibilityRun)

type accessibilityIn struct {
	Target string `arg:"target" optional:"true" help:"ref (@e3) or selector; the whole page without one"`
	Depth  int    `flag:"depth" short:"d" default:"-1" help:"leave out what is deeper than N, 0 is the top"`
	Frame  string `flag:"frame" value:"FRAME" help:"in this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
}

func accessibilityRun(ctx context.Context, env *Env, in accessibilityIn) (Result, error) {
	if in.Depth < -1 {
		return Result{}, api.Errorf(api.BadUsage, "browse accessibility -d 3", "accessibility: --depth is %d, want 0 or more", in.Depth)
	}
	read := func(ctx context.Context, el *page.Element) ([]page.AXNode, error) {
		return env.Tab.Accessibility(ctx, el, in.Depth)
	}
	nodes, own, err := readFrom(ctx, env, targetIn{Target: in.Target, Frame: in.Frame}, read)
	if err != nil {
		return Result{}, err
	}
	if len(nodes) == 0 {
		return Result{Text: "(no accessible elements found)", Data: []page.AXNode{}, Own: own}, nil
	}
	var b strings.Builder
	for i, n := range nodes {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeAX(&b, n)
	}
	return Result{Text: b.String(), Data: nodes, Own: own, Lines: true}, nil
}

func writeAX(b *strings.Builder, n page.AXNode) {
	b.WriteString(strings.Repeat("  ", n.Depth))
	b.WriteString("[" + n.Role + "]")
	if n.Name != "" {
		b.WriteString(` "` + page.Escape(n.Name) + `"`)
	}
	if len(n.States) > 0 {
		b.WriteString(" [" + api.Clean(strings.Join(n.States, ", ")) + "]")
	}
	if n.Value != "" {
		b.WriteString(`: "` + page.Escape(n.Value) + `"`)
	}
	if n.Description != "" {
		b.WriteString(` (description "` + page.Escape(n.Description) + `")`)
	}
	if n.URL != "" {
		b.WriteString(" → " + api.Clean(n.URL))
	}
}
