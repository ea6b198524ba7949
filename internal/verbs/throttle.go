package verbs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var throttleVerb = define(command.Spec{
	Name: "throttle", Group: "Emulation", Scope: command.Admin, Output: command.Ours, Nestable: true,
	Summary: "Slow the network of the session's tabs down",
	Doc: `The profiles are those of Chromium's own developer tools. The flags change one figure of a
profile, or stand alone. Speeds are in kilobits a second.`,
	Examples: []string{"throttle slow-3g", "throttle --latency 300 --down 500 --up 200", "throttle off"},
}, throttleRun)

type throttleIn struct {
	Profile string  `arg:"profile" optional:"true" enum:"slow-3g,fast-3g,slow-4g,off" help:"a network, or off"`
	Latency float64 `flag:"latency" value:"MS" help:"added to every request"`
	Down    float64 `flag:"down" value:"KBIT" help:"speed of answers"`
	Up      float64 `flag:"up" value:"KBIT" help:"speed of what is sent"`
}

// kbit is a kilobit a second in bytes a second.
const kbit = 1000.0 / 8

// networks are the profiles of Chromium's developer tools.
var networks = map[string]page.Throttle{
	"slow-3g": {Latency: 2000, Down: 400 * kbit, Up: 400 * kbit},
	"fast-3g": {Latency: 562.5, Down: 1440 * kbit, Up: 675 * kbit},
	"slow-4g": {Latency: 170, Down: 9000 * kbit, Up: 1500 * kbit},
}

func throttleRun(ctx context.Context, env *Env, in throttleIn) (Result, error) {
	if in == (throttleIn{}) {
		return Result{}, api.Errorf(api.BadUsage, "use one of "+strings.Join(slices.Sorted(maps.Keys(networks)), ", ")+", or off", "throttle: name a profile, or a figure")
	}
	if in.Latency < 0 || in.Down < 0 || in.Up < 0 {
		return Result{}, api.Errorf(api.BadUsage, "browse throttle slow-3g", "throttle: figures are not below zero")
	}
	n := networks[in.Profile]
	if in.Latency > 0 {
		n.Latency = in.Latency
	}
	if in.Down > 0 {
		n.Down = in.Down * kbit
	}
	if in.Up > 0 {
		n.Up = in.Up * kbit
	}
	set := &n
	if in.Profile == "off" {
		set = nil
	}
	if err := configure(ctx, env, func(s *page.Settings) { s.Throttle = set }); err != nil {
		return Result{}, err
	}
	if set == nil {
		return Result{Text: "Network: not slowed down"}, nil
	}
	return Result{Text: fmt.Sprintf("Network: latency %g ms, down %s, up %s", n.Latency, speed(n.Down), speed(n.Up)), Data: n}, nil
}

func speed(bytes float64) string {
	if bytes == 0 {
		return "unbounded"
	}
	return fmt.Sprintf("%g kbit/s", bytes/kbit)
}
