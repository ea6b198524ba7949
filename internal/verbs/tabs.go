package verbs

import (
	"context"
	"fmt"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
)

var tabsVerb = define(command.Spec{
	Name: "tabs", Group: "Tabs", Scope: command.Read, Tunnel: true, Effect: command.Serves, Output: command.Ack, Needs: command.Nothing, Nestable: true,
	Summary: "List the open tabs",
	Doc:     `The arrow marks the current tab of the session. Numbers are never reused.`,
}, tabsRun)

// maxTitle bounds a title in the list, in characters.
const maxTitle = 80

func tabsRun(ctx context.Context, env *Env, _ noArgs) (Result, error) {
	infos, err := env.Tabs.Tabs(ctx, env.Session)
	if err != nil {
		return Result{}, err
	}
	var b strings.Builder
	for i, t := range infos {
		if i > 0 {
			b.WriteByte('\n')
		}
		arrow := "  "
		if t.Current {
			arrow = "→ "
		}
		title := api.Clean(t.Title)
		if title == "" || title == t.URL {
			title = "(untitled)"
		}
		if r := []rune(title); len(r) > maxTitle {
			title = string(r[:maxTitle-1]) + "…"
		}
		fmt.Fprintf(&b, "%s[%d] %s — %s", arrow, t.ID, title, source(t.URL))
		if t.Label != "" {
			fmt.Fprintf(&b, " (label %s)", t.Label)
		}
		if t.Opener != 0 {
			fmt.Fprintf(&b, " (opened by %d)", t.Opener)
		}
		if t.Crashed {
			b.WriteString(" (crashed)")
		}
	}
	text := b.String()
	if len(infos) == 0 {
		text = "(no tabs)"
	}
	return Result{Text: text, Data: infos}, nil
}
