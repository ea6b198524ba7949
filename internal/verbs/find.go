package verbs

import (
	"context"
	"fmt"
	"strings"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/snapshot"
)

var findVerb = define(command.Spec{
	Name: "find", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary: "List what a selector matches, with refs",
	Doc: `One line per visible match, in all frames and shadow roots, as snapshot shows it. It looks once;
with --timeout it waits for a first match. Nothing that matches is an error.
Selectors: CSS (#save, form .row > a), text=Save (anywhere, any case), text="Save" (exactly),
text=/re/i, role=button[name="Save"][expanded], label=, placeholder=, alt=, title=, testid=,
xpath=//a. In A >> B, B is looked for inside A; >> nth=0, >> nth=-1 and >> :visible choose.`,
	Examples: []string{"find text=Save", `find 'role=link[name="Docs"]'`, "find 'tr >> text=Delete' -n 5", "find input --all"},
}, findRun)

type findIn struct {
	Locator string `arg:"selector" help:"what to look for"`
	All     bool   `flag:"all" help:"hidden elements too, marked"`
	Limit   int    `flag:"limit" short:"n" default:"50" help:"list at most N"`
	Frame   string `flag:"frame" value:"FRAME" help:"in this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
}

// findData is the machine form of find.
type findData struct {
	Matches []foundNode `json:"matches"`
	Visible int         `json:"visible"`
	Hidden  int         `json:"hidden"`
}

// foundNode is a match: a snapshot's node, and in which frame it is.
type foundNode struct {
	snapshot.Node
	// Frame is the address of the frame, if it is not the top one.
	Frame string `json:"frame,omitempty"`
}

func findRun(ctx context.Context, env *Env, in findIn) (Result, error) {
	if page.IsRef(in.Locator) {
		return Result{}, api.Errorf(api.BadUsage, "browse snapshot -s "+in.Locator, "find: %s is a ref, which names one element already", in.Locator)
	}
	if in.Limit < 1 {
		return Result{}, api.Errorf(api.BadUsage, "browse find SELECTOR -n 5", "find: --limit is %d, want 1 or more", in.Limit)
	}
	own := read(ctx, env)
	p, err := where(ctx, env, "", in.Frame)
	if err != nil {
		return Result{}, err
	}
	list, visible, hidden, err := action.Matches(ctx, env.Tab.Tab, in.Locator, action.MatchOptions{Frame: p.frame, Hidden: in.All, Limit: in.Limit, Wait: env.Timeout})
	if err != nil {
		return Result{}, err
	}
	d := findData{Matches: []foundNode{}, Visible: visible, Hidden: hidden}
	text, at := "", env.Tab.Main()
	for _, m := range list {
		n := foundNode{Node: snapshot.Node{Ref: m.Label, Role: m.Role, Name: m.Name, States: m.States, Value: m.Value, URL: m.URL}}
		line := snapshot.Format([]snapshot.Node{n.Node})
		if m.Role == "" {
			line = strings.Replace(line, "[]", api.Clean(m.Desc), 1)
		}
		if m.Frame != env.Tab.Main() {
			n.Frame = frameURL(m.Frame)
		}
		if m.Frame != at {
			at = m.Frame
			text += contextLine(at) + "\n"
		}
		text += line + "\n"
		d.Matches = append(d.Matches, n)
	}
	if len(list) == 0 {
		return Result{Text: findNote(0, visible, hidden, in.All), Data: d, Own: own, Ours: true}, nil
	}
	return Result{Text: strings.TrimSuffix(text, "\n"), Data: d, Own: strings.TrimSpace(own + "\n" + findNote(len(list), visible, hidden, in.All)), Lines: true}, nil
}

// findNote says what is not listed.
func findNote(listed, visible, hidden int, all bool) string {
	total := visible
	if all {
		total += hidden
	}
	switch {
	case total > listed:
		return fmt.Sprintf("(%d of %d matches; -n %d lists all)", listed, total, total)
	case !all && hidden == 1 && visible == 0:
		return "(1 hidden match; --all lists it)"
	case !all && hidden > 0 && visible == 0:
		return fmt.Sprintf("(%d hidden matches; --all lists them)", hidden)
	case !all && hidden > 0:
		return fmt.Sprintf("(and %d hidden; --all lists them)", hidden)
	}
	return ""
}
