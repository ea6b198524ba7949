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

var deviceVerb = define(command.Spec{
	Name: "device", Group: "Emulation", Scope: command.Admin, Output: command.Ours, Nestable: true,
	Summary: "Make the session's tabs those of a phone or a tablet",
	Doc: `Window, pixel density, touch, user agent and client hints at once. Without a name, lists the
devices; off puts all of it back. A page that chose its layout by the user agent needs browse reload.`,
	Examples: []string{"device", "device 'iPhone 15'", "device pixel-8", "device off"},
}, deviceRun)

type deviceIn struct {
	Name string `arg:"name" optional:"true" rest:"true" help:"a device of the list, or off"`
}

type device struct {
	view  page.Viewport
	agent string
}

// What Safari on iOS 18 and Chrome on Android say of themselves.
const (
	iPhone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
	iPad    = "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
	android = "Mozilla/5.0 (Linux; Android %s; %s) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 %sSafari/537.36"
)

func phone(w, h int, scale float64, agent string) device {
	return device{page.Viewport{Width: w, Height: h, Scale: scale, Mobile: true, Touch: true}, agent}
}

// devices holds windows without the browser's own bars, in CSS pixels.
var devices = map[string]device{
	"iPhone SE":         phone(375, 667, 2, iPhone),
	"iPhone 13":         phone(390, 664, 3, iPhone),
	"iPhone 15":         phone(393, 659, 3, iPhone),
	"iPhone 15 Pro Max": phone(430, 739, 3, iPhone),
	"iPad Mini":         phone(768, 1024, 2, iPad),
	"iPad Pro 11":       phone(834, 1194, 2, iPad),
	"Pixel 8":           phone(412, 839, 2.625, fmt.Sprintf(android, "15", "Pixel 8", "Mobile ")),
	"Galaxy S24":        phone(360, 780, 3, fmt.Sprintf(android, "15", "SM-S921B", "Mobile ")),
	"Galaxy Tab S9":     phone(640, 1024, 2.5, fmt.Sprintf(android, "15", "SM-X710", "")),
}

// deviceKey is how a name is compared: case, spaces and dashes do not count.
func deviceKey(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

func deviceRun(ctx context.Context, env *Env, in deviceIn) (Result, error) {
	names := slices.Sorted(maps.Keys(devices))
	if in.Name == "" {
		var lines []string
		list := map[string]page.Viewport{}
		for _, n := range names {
			list[n] = devices[n].view
			lines = append(lines, n+": "+window(devices[n].view))
		}
		return Result{Text: strings.Join(lines, "\n"), Data: list}, nil
	}
	change, text := func(s *page.Settings) { s.Viewport, s.Agent = nil, page.Agent{} }, "Device: none, viewport 1280x720"
	if key := deviceKey(in.Name); key != "off" {
		i := slices.IndexFunc(names, func(n string) bool { return deviceKey(n) == key })
		if i < 0 {
			return Result{}, api.Errorf(api.BadUsage, "use one of "+strings.Join(names, ", "), "device: unknown device %q", in.Name)
		}
		d := devices[names[i]]
		change = func(s *page.Settings) { s.Viewport, s.Agent = &d.view, agent(d.agent) }
		text = "Device set to " + names[i] + ": " + window(d.view)
	}
	if err := configure(ctx, env, change); err != nil {
		return Result{}, err
	}
	return Result{Text: text}, nil
}
