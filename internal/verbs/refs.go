package verbs

import (
	"context"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var refsVerb = define(command.Spec{
	Name: "refs", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary: "List the refs that were given out, with what they are now",
	Doc: `One line per ref of the tab, or of the frame that was entered: what it was shown as, and,
where that is no longer so, what it is now. Using a ref that has changed or is gone fails.
Refs of documents that are gone are not listed.`,
	Examples: []string{"refs", "refs --stale"},
}, refsRun)

type refsIn struct {
	Stale bool   `flag:"stale" help:"only refs that have changed or are gone"`
	Frame string `flag:"frame" value:"FRAME" help:"of this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
}

// refInfo is the machine form of a ref.
type refInfo struct {
	Ref   string        `json:"ref"`
	State page.Liveness `json:"state"`
	Role  string        `json:"role"`
	Name  string        `json:"name,omitempty"`
	// Frame is the address of the frame that the element is in, if it is not the
	// top one.
	Frame   string `json:"frame,omitempty"`
	NowRole string `json:"nowRole,omitempty"`
	NowName string `json:"nowName,omitempty"`
	Moved   string `json:"moved,omitempty"`
}

func refsRun(ctx context.Context, env *Env, in refsIn) (Result, error) {
	p, err := where(ctx, env, "", in.Frame)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	states, err := env.Tab.StillShown(ctx, p.frame)
	if err != nil {
		return Result{}, err
	}
	infos := []refInfo{}
	var lines []string
	at := env.Tab.Main()
	for _, r := range states {
		if in.Stale && r.State == page.Live {
			continue
		}
		i := refInfo{Ref: r.Label, State: r.State, Role: r.Role, Name: r.Name, NowRole: r.NowRole, NowName: r.NowName, Moved: r.Moved}
		if r.Frame != env.Tab.Main() {
			i.Frame = frameURL(r.Frame)
		}
		if r.Frame != at {
			at = r.Frame
			lines = append(lines, contextLine(at))
		}
		infos = append(infos, i)
		lines = append(lines, refLine(r))
	}
	if len(infos) > 0 {
		return Result{Text: strings.Join(lines, "\n"), Data: infos, Lines: true}, nil
	}
	empty := "(no refs; browse snapshot -i gives them)"
	if len(states) > 0 {
		empty = "(no ref is stale)"
	}
	return Result{Text: empty, Data: infos, Ours: true}, nil
}

func refLine(r page.RefState) string {
	s := r.String()
	switch r.State {
	case page.Live:
		return s
	case page.Changed:
		now := page.Element{Label: "now", Role: r.NowRole, Name: r.NowName}
		if r.Moved != "" {
			return s + " → " + r.Moved
		}
		if r.NowRole == "" {
			return s + " → now " + api.Clean(r.NowDesc)
		}
		return s + " → " + now.String()
	case page.Gone:
		return s + " → gone"
	}
	return s + " → its frame does not answer"
}

// contextLine opens what is about one frame only.
func contextLine(f *page.Frame) string {
	return `[Context: iframe src="` + page.Escape(frameURL(f)) + `"]`
}
