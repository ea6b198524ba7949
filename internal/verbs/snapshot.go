package verbs

import (
	"context"

	"gstack/internal/command"
	"gstack/internal/snapshot"
)

var snapshotVerb = define(command.Spec{
	Name: "snapshot", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary: "List what is on the page, with refs",
	Doc: `One line per node: @ref [role] "name" [states]. Frames and shadow roots are included. A ref
names that element of that document: it stays valid while the document lives, whatever
else changes, and a command that uses it fails when the element is gone or is no longer
what was shown. Flags choose what is shown, never a ref's number.`,
	Examples: []string{"snapshot -i", "snapshot -i --urls", "snapshot -s '#main' -d 3"},
}, snapshotRun)

type snapshotIn struct {
	Interactive bool   `flag:"interactive" short:"i" help:"only what can be acted on"`
	Compact     bool   `flag:"compact" short:"c" help:"leave out structure without a name"`
	Cursor      bool   `flag:"cursor-interactive" short:"C" help:"add elements that are clickable by cursor or handler, as @c refs"`
	Depth       int    `flag:"depth" short:"d" default:"-1" help:"leave out what is deeper than N, 0 is the top"`
	Selector    string `flag:"selector" short:"s" value:"TARGET" help:"start at this ref or selector"`
	URLs        bool   `flag:"urls" help:"add the address of links"`
	All         bool   `flag:"all" help:"include hidden elements, marked"`
}

func snapshotRun(ctx context.Context, env *Env, in snapshotIn) (Result, error) {
	own := read(ctx, env)
	root, err := optionalTarget(ctx, env, in.Selector)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	nodes, err := snapshot.Take(ctx, env.Tab.Tab, snapshot.Options{
		Interactive: in.Interactive, Compact: in.Compact, Cursor: in.Cursor, Depth: in.Depth, URLs: in.URLs, All: in.All, Root: root,
	})
	if err != nil {
		return Result{}, err
	}
	if len(nodes) == 0 {
		empty := "(no accessible elements found)"
		if in.Interactive {
			empty = "(no interactive elements found)"
		}
		return Result{Text: empty, Data: nodes, Own: own}, nil
	}
	return Result{Text: snapshot.Format(nodes), Data: nodes, Own: own}, nil
}
