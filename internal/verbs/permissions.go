package verbs

import (
	"context"
	"net/url"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
)

var permissionsVerb = define(command.Spec{
	Name: "permissions", Group: "Emulation", Scope: command.Admin, Output: command.Ours, Nestable: true,
	Summary: "Answer permissions of pages in advance",
	Doc: `Names are those of the Permissions API, such as geolocation, notifications, camera,
microphone, clipboard-read, clipboard-write. They hold for all tabs, on every site or on that of --origin.`,
	Examples: []string{"permissions grant notifications clipboard-read", "permissions deny camera --origin https://example.com"},
}, permissionsRun)

type permissionsIn struct {
	Answer string   `arg:"grant|deny|ask" enum:"grant,deny,ask" help:"the answer; ask is Chromium's own behaviour, which in a window that nobody sees denies"`
	Names  []string `arg:"name" rest:"true" help:"the permissions"`
	Origin string   `flag:"origin" value:"URL" help:"only for this site"`
}

func permissionsRun(ctx context.Context, env *Env, in permissionsIn) (Result, error) {
	origin := ""
	if in.Origin != "" {
		u, err := url.Parse(in.Origin)
		if err != nil || u.Scheme == "" || u.Host == "" {
			return Result{}, api.Errorf(api.BadUsage, "--origin https://example.com", "permissions: %q is not an origin", in.Origin)
		}
		origin = u.Scheme + "://" + u.Host
	}
	setting := map[string]string{"grant": "granted", "deny": "denied", "ask": "prompt"}[in.Answer]
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	for i, name := range in.Names {
		if err := env.Tabs.Permit(ctx, name, setting, origin); err != nil {
			if i > 0 {
				err = withNote(err, "set before it: "+strings.Join(in.Names[:i], ", "))
			}
			return Result{}, err
		}
	}
	text := "Permissions " + setting + ": " + strings.Join(in.Names, ", ")
	if origin != "" {
		text += " for " + api.Clean(origin)
	}
	return Result{Text: text, Data: map[string]any{"setting": setting, "names": in.Names, "origin": origin}}, nil
}
