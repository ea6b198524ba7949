package verbs

import (
	"context"
	"maps"
	"slices"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var emulateVerb = define(command.Spec{
	Name: "emulate", Group: "Emulation", Scope: command.Write, Output: command.Ours, Nestable: true,
	Summary:  "Set CSS media type and features of the session's tabs",
	Doc:      `Each flag changes one of them and leaves the others; the word off puts all back.`,
	Examples: []string{"emulate --media print", "emulate --color-scheme dark --reduced-motion reduce", "emulate off"},
}, emulateRun)

type emulateIn struct {
	Off    string `arg:"off" optional:"true" enum:"off" help:"put all back"`
	Media  string `flag:"media" enum:"screen,print" help:"the media type"`
	Scheme string `flag:"color-scheme" enum:"light,dark" help:"prefers-color-scheme"`
	Motion string `flag:"reduced-motion" enum:"reduce,no-preference" help:"prefers-reduced-motion"`
	Data   string `flag:"reduced-data" enum:"reduce,no-preference" help:"prefers-reduced-data"`
	Clear  string `flag:"reduced-transparency" enum:"reduce,no-preference" help:"prefers-reduced-transparency"`
	Con    string `flag:"contrast" enum:"more,less,custom,no-preference" help:"prefers-contrast"`
	Forced string `flag:"forced-colors" enum:"active,none" help:"forced-colors"`
	Gamut  string `flag:"color-gamut" enum:"srgb,p3,rec2020" help:"color-gamut"`
}

func emulateRun(ctx context.Context, env *Env, in emulateIn) (Result, error) {
	features := map[string]string{
		"prefers-color-scheme": in.Scheme, "prefers-reduced-motion": in.Motion, "prefers-reduced-data": in.Data,
		"prefers-reduced-transparency": in.Clear, "prefers-contrast": in.Con, "forced-colors": in.Forced, "color-gamut": in.Gamut,
	}
	maps.DeleteFunc(features, func(_, v string) bool { return v == "" })
	none := len(features) == 0 && in.Media == ""
	if none == (in.Off == "") {
		return Result{}, api.Errorf(api.BadUsage, "browse emulate --color-scheme dark", "emulate: give what to change, or the word off alone")
	}
	change := func(s *page.Settings) {
		if none {
			s.Media, s.Features = "", nil
			return
		}
		if in.Media != "" {
			s.Media = in.Media
		}
		merged := maps.Clone(s.Features)
		if merged == nil {
			merged = map[string]string{}
		}
		maps.Copy(merged, features)
		s.Features = merged
	}
	if err := configure(ctx, env, change); err != nil {
		return Result{}, err
	}
	s := env.Tab.Settings()
	var parts []string
	if s.Media != "" {
		parts = append(parts, "media "+s.Media)
	}
	for _, k := range slices.Sorted(maps.Keys(s.Features)) {
		parts = append(parts, k+" "+s.Features[k])
	}
	if parts == nil {
		return Result{Text: "Emulating nothing"}, nil
	}
	return Result{Text: "Emulating " + strings.Join(parts, ", "), Data: map[string]any{"media": s.Media, "features": s.Features}}, nil
}

// configure changes what the session's pages are told of machine and network.
func configure(ctx context.Context, env *Env, change func(*page.Settings)) error {
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	return env.Tabs.Configure(ctx, env.Session, env.Tab, change)
}
