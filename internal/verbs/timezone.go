package verbs

import (
	"context"
	"time"
	_ "time/tzdata" // the machine may have none

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var timezoneVerb = define(command.Spec{
	Name: "timezone", Group: "Emulation", Scope: command.Admin, Output: command.Ours, Nestable: true,
	Summary:  "Set the time zone of the session's tabs",
	Doc:      `Scripts that run from now on see it; what a page has already shown does not change by itself.`,
	Examples: []string{"timezone Asia/Tokyo", "timezone off"},
}, timezoneRun)

type timezoneIn struct {
	Zone string `arg:"zone|off" help:"an IANA name, or off for the machine's"`
}

func timezoneRun(ctx context.Context, env *Env, in timezoneIn) (Result, error) {
	zone := in.Zone
	if zone == "off" {
		zone = ""
	} else if _, err := time.LoadLocation(zone); err != nil || zone == "" || zone == "Local" {
		// Chromium itself takes any word once another tab of the process has a zone.
		return Result{}, api.Errorf(api.BadUsage, "browse timezone Europe/Berlin", "timezone: %q is not the name of a time zone", zone)
	}
	if err := configure(ctx, env, func(s *page.Settings) { s.Timezone = zone }); err != nil {
		return Result{}, err
	}
	if zone == "" {
		return Result{Text: "Time zone: the machine's"}, nil
	}
	return Result{Text: "Time zone set to " + api.Clean(zone), Data: map[string]string{"timezone": zone}}, nil
}
