package verbs

import (
	"context"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var linksVerb = define(command.Spec{
	Name: "links", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary:  "List the links of the page",
	Doc:      `One line per link, "name → address"; links without text are named by their accessible name.`,
	Examples: []string{"links", "links nav"},
}, linksRun)

// maxLinkName bounds the name of a link in the list, in characters.
const maxLinkName = 120

func linksRun(ctx context.Context, env *Env, in targetIn) (Result, error) {
	var un page.Unread
	links, own, err := readFrom(ctx, env, in, func(ctx context.Context, el *page.Element) (l []page.Link, err error) {
		l, un, err = env.Tab.Links(ctx, el)
		return l, err
	})
	if err != nil {
		return Result{}, err
	}
	var b strings.Builder
	for i, l := range links {
		if i > 0 {
			b.WriteByte('\n')
		}
		name := api.Clean(l.Name)
		if r := []rune(name); len(r) > maxLinkName {
			name = string(r[:maxLinkName-1]) + "…"
		}
		if name == "" {
			name = "(no name)"
		}
		b.WriteString(name + " → " + api.Clean(l.URL))
	}
	if len(links) == 0 {
		own = strings.TrimSpace(own + " (no links)")
	}
	own = strings.TrimSpace(own + "\n" + unreadFrames(un))
	return Result{Text: b.String(), Data: links, Own: own, Lines: true}, nil
}
