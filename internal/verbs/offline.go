package verbs

import (
	"context"

	"gstack/internal/command"
	"gstack/internal/page"
)

var offlineVerb = define(command.Spec{
	Name: "offline", Group: "Emulation", Scope: command.Admin, Output: command.Ours, Nestable: true,
	Summary:  "Take the session's tabs off the network, or back",
	Doc:      `Requests fail as they do without a cable, and navigator.onLine is false. WebSockets that are open stay so.`,
	Examples: []string{"offline", "offline off"},
}, offlineRun)

type offlineIn struct {
	State string `arg:"on|off" optional:"true" default:"on" enum:"on,off" help:"on when left out"`
}

func offlineRun(ctx context.Context, env *Env, in offlineIn) (Result, error) {
	off := in.State != "off"
	if err := configure(ctx, env, func(s *page.Settings) { s.Offline = off }); err != nil {
		return Result{}, err
	}
	if off {
		return Result{Text: "Offline", Data: map[string]bool{"offline": true}}, nil
	}
	return Result{Text: "Online", Data: map[string]bool{"offline": false}}, nil
}
