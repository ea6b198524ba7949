package verbs

import (
	"context"

	"gstack/internal/command"
)

var resetVerb = define(command.Spec{
	Name: "reset", Group: "Emulation", Scope: command.Admin, Output: command.Ours, Nestable: true,
	Summary: "Put back what the emulation verbs have changed",
	Doc: `Viewport, device, user agent, headers, routes, credentials, network, position, time zone, locale, media features of
all tabs of the session, and the permissions of the browser. Pages, history, forms and refs stay.`,
	Examples: []string{"reset"},
}, resetRun)

func resetRun(ctx context.Context, env *Env, _ noArgs) (Result, error) {
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	if err := env.Tabs.Reset(ctx, env.Session, env.Tab); err != nil {
		return Result{}, err
	}
	return Result{Text: "Everything is as at the start: viewport 1280x720, Chromium's own agent, network and locale"}, nil
}
