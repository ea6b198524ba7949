package verbs

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the machine may have none

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var geolocationVerb = define(command.Spec{
	Name: "geolocation", Group: "Emulation", Scope: command.Admin, Output: command.Ours, Nestable: true,
	Summary:  "Set where the session's tabs are on the earth",
	Doc:      `Grants the permission to ask for the position too. Degrees north and east are positive; write -- before a word that begins with a minus sign.`,
	Examples: []string{"geolocation 52.52,13.405", "geolocation --accuracy 10 -- -33.86,151.21", "geolocation off"},
}, geolocationRun)

type geolocationIn struct {
	Place    string  `arg:"latitude,longitude|off" help:"degrees, or off for the true one"`
	Accuracy float64 `flag:"accuracy" value:"METRES" default:"1" help:"how exact the position is"`
}

func geolocationRun(ctx context.Context, env *Env, in geolocationIn) (Result, error) {
	var place *page.Place
	if in.Place != "off" {
		north, east, ok := strings.Cut(in.Place, ",")
		lat, err1 := strconv.ParseFloat(strings.TrimSpace(north), 64)
		long, err2 := strconv.ParseFloat(strings.TrimSpace(east), 64)
		if !ok || err1 != nil || err2 != nil || !(math.Abs(lat) <= 90 && math.Abs(long) <= 180) || !(in.Accuracy >= 0) {
			return Result{}, api.Errorf(api.BadUsage, "browse geolocation 52.52,13.405", "geolocation: %q is not latitude (-90 to 90), comma, longitude (-180 to 180)", in.Place)
		}
		place = &page.Place{Latitude: lat, Longitude: long, Accuracy: in.Accuracy}
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	if err := env.Tabs.Configure(ctx, env.Session, env.Tab, func(s *page.Settings) { s.Place = place }); err != nil {
		return Result{}, err
	}
	if place == nil {
		return Result{Text: "Geolocation: not set"}, nil
	}
	if err := env.Tabs.Permit(ctx, "geolocation", "granted", ""); err != nil {
		return Result{}, err
	}
	return Result{Text: fmt.Sprintf("Geolocation set to %g,%g (permission granted)", place.Latitude, place.Longitude), Data: place}, nil
}

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
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	if err := env.Tabs.Configure(ctx, env.Session, env.Tab, func(s *page.Settings) { s.Timezone = zone }); err != nil {
		return Result{}, err
	}
	if zone == "" {
		return Result{Text: "Time zone: the machine's"}, nil
	}
	return Result{Text: "Time zone set to " + api.Clean(zone), Data: map[string]string{"timezone": zone}}, nil
}

var localeVerb = define(command.Spec{
	Name: "locale", Group: "Emulation", Scope: command.Admin, Output: command.Ours, Nestable: true,
	Summary:  "Set the language of the session's tabs",
	Doc:      `Accept-Language, navigator.languages and how dates and numbers are written.`,
	Examples: []string{"locale de-DE", "locale off"},
}, localeRun)

type localeIn struct {
	Tag string `arg:"tag|off" help:"a language tag (BCP 47), or off for Chromium's own"`
}

func localeRun(ctx context.Context, env *Env, in localeIn) (Result, error) {
	tag := strings.ReplaceAll(in.Tag, "_", "-")
	language, _, regional := strings.Cut(tag, "-")
	languages, locale := tag, strings.ReplaceAll(tag, "-", "_")
	switch {
	case tag == "off":
		languages, locale = "", ""
	case !isToken(tag) || len(language) < 2 || len(tag) > 35 || strings.ContainsAny(tag, "!#$%&'*+.^`|~"):
		return Result{}, api.Errorf(api.BadUsage, "browse locale de-DE", "locale: %q is not a language tag", in.Tag)
	case regional:
		languages += "," + language
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	err := env.Tabs.Configure(ctx, env.Session, env.Tab, func(s *page.Settings) { s.Languages, s.Locale = languages, locale })
	if err != nil {
		return Result{}, err
	}
	if locale == "" {
		return Result{Text: "Locale: Chromium's own"}, nil
	}
	return Result{Text: "Locale set to " + tag, Data: map[string]string{"locale": tag, "languages": languages}}, nil
}

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
