package verbs

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

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
	if err := configure(ctx, env, func(s *page.Settings) { s.Place = place }); err != nil {
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
