package verbs

import (
	"context"
	"fmt"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
)

var cleanupVerb = define(command.Spec{
	Name: "cleanup", Group: "Visual", Scope: command.Admin, Output: command.Ack, Nestable: true,
	Summary: "Hide advertisements, banners and overlays of the page",
	Doc: `Known consent banners, ad containers, share buttons, paywalls and the like, and what stays in place
while the page is scrolled, but for navigation and the first bar at the top. What holds the main
content is never hidden. The page can be scrolled afterwards, and is not blurred.
Without flags, everything. --undo shows all of it again; so does a reload.`,
	Examples: []string{"cleanup", "cleanup --ads --cookies", "cleanup --undo"},
}, cleanupRun)

type cleanupIn struct {
	Ads      bool `flag:"ads" help:"advertisements"`
	Cookies  bool `flag:"cookies" help:"consent and cookie banners"`
	Sticky   bool `flag:"sticky" help:"what stays in place"`
	Social   bool `flag:"social" help:"share buttons"`
	Overlays bool `flag:"overlays" help:"paywalls, newsletter and survey windows"`
	Clutter  bool `flag:"clutter" help:"recommendations, players, puzzles"`
	All      bool `flag:"all" help:"all of these"`
	Undo     bool `flag:"undo" help:"show again what was hidden"`
}

// cleanupKinds are the kinds of what is hidden, with what answers call one.
var cleanupKinds = []struct{ kind, name string }{
	{"ads", "ads"}, {"cookies", "cookie banners"}, {"sticky", "sticky/fixed elements"}, {"social", "social widgets"}, {"overlays", "overlays"}, {"clutter", "clutter"},
}

// kinds are those that the flags choose.
func (in cleanupIn) kinds() []string {
	on := map[string]bool{"ads": in.Ads, "cookies": in.Cookies, "sticky": in.Sticky, "social": in.Social, "overlays": in.Overlays, "clutter": in.Clutter}
	var list []string
	for _, k := range cleanupKinds {
		if on[k.kind] {
			list = append(list, k.kind)
		}
	}
	if list == nil || in.All {
		list = nil
		for _, k := range cleanupKinds {
			list = append(list, k.kind)
		}
	}
	return list
}

func cleanupRun(ctx context.Context, env *Env, in cleanupIn) (Result, error) {
	read(ctx, env)
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	if in.Undo {
		if in != (cleanupIn{Undo: true}) {
			return Result{}, api.Errorf(api.BadUsage, "browse cleanup --undo", "cleanup: --undo takes no other flag")
		}
		n, err := env.Tab.Unhide(ctx)
		return Result{Text: fmt.Sprintf("Cleanup undone: %d changes", n), Data: map[string]int{"undone": n}}, err
	}
	found, err := env.Tab.Cleanup(ctx, in.kinds())
	if err != nil {
		return Result{}, err
	}
	return Result{Text: cleanedUp(found), Data: found}, nil
}

func cleanedUp(found map[string]int) string {
	var parts []string
	for _, k := range cleanupKinds {
		if n := found[k.kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, k.name))
		}
	}
	if parts == nil {
		return "Nothing found to clean up"
	}
	return "Cleaned up: " + strings.Join(parts, ", ")
}
