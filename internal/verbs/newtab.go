package verbs

import (
	"context"
	"fmt"

	"gstack/internal/command"
)

var newtabVerb = define(command.Spec{
	Name: "newtab", Group: "Tabs", Scope: command.Write, Tunnel: true, Output: command.Ack, Needs: command.Browser, Nestable: true,
	Summary: "Open a tab and make it the session's current one",
	Doc: `With an address, opens it there. A navigation that fails leaves the tab open, and the error
names it. --label gives it a name by which tab and closetab find it. With --json:
{"tabId": N, "url": "…" or null}.`,
	Examples: []string{"newtab", "newtab https://example.com --label docs", "newtab --json"},
}, newtabRun)

type newtabIn struct {
	URL   string `arg:"url" optional:"true" help:"address to open"`
	Label string `flag:"label" value:"NAME" help:"a name for the tab"`
}

func newtabRun(ctx context.Context, env *Env, in newtabIn) (Result, error) {
	shape := map[string]any{"url": nil}
	url := ""
	if in.URL != "" {
		u, err := env.Paths.URL(in.URL) // before the tab exists
		if err != nil {
			return Result{}, err
		}
		url = u
	}
	if in.Label != "" {
		if err := env.Tabs.CheckLabel(in.Label); err != nil {
			return Result{}, err
		}
	}
	t, err := env.Tabs.Open(ctx, env.Session)
	if err != nil {
		return Result{}, err
	}
	shape["tabId"] = t.ID
	text := fmt.Sprintf("Opened tab %d", t.ID)
	if in.Label != "" {
		if err := env.Tabs.SetLabel(t, in.Label); err != nil {
			return Result{}, withNote(err, fmt.Sprintf("tab %d is open, without a label", t.ID))
		}
		shape["label"] = in.Label
		text += fmt.Sprintf(" (%s)", in.Label)
	}
	if url != "" {
		ctx, cancel := env.Bound(ctx)
		defer cancel()
		n, err := open(ctx, env, t, url)
		if err != nil {
			return Result{}, withNote(err, fmt.Sprintf("tab %d is open and blank", t.ID))
		}
		shape["url"] = n.URL
		text += " → " + source(n.URL)
	}
	return Result{Text: text, JSON: shape}, nil
}
