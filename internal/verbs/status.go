package verbs

import (
	"context"
	"fmt"
	"time"

	"gstack/internal/command"
)

var statusVerb = define(command.Spec{
	Name: "status", Group: "Server", Scope: command.Read, Effect: command.Serves, Output: command.Ack, Needs: command.Nothing, Nestable: true,
	Summary: "Describe the daemon of this workspace",
}, func(_ context.Context, env *Env, _ noArgs) (Result, error) {
	s := env.Daemon.Status()
	url := "about:blank"
	if t := env.Tabs.Current(env.Session); t != nil {
		url = t.URL()
	}
	text := fmt.Sprintf("Status: healthy\nMode: %s\nURL: %s\nTabs: %d\nPID: %d\nVersion: %s\nUptime: %s\nState: %s",
		s.Mode, source(url), env.Tabs.Count(), s.PID, s.Version, s.Uptime.Round(time.Second), s.State)
	return Result{Text: text, Data: map[string]any{
		"status": "healthy", "mode": s.Mode, "url": url, "tabs": env.Tabs.Count(), "pid": s.PID,
		"version": s.Version, "uptimeSeconds": int(s.Uptime.Seconds()), "state": s.State,
	}}, nil
})
