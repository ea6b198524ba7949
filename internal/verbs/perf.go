package verbs

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
)

var perfVerb = define(command.Spec{
	Name: "perf", Group: "Inspection", Scope: command.Read, Effect: command.Reads, Output: command.Ack, Nestable: true,
	Summary: "Print how long the page took to load",
	Doc: `The phases of the navigation in milliseconds, then Core Web Vitals as far as the page has them:
fcp and lcp (first and largest contentful paint), cls (layout shift, without unit), inp (the
slowest interaction so far).`,
	Examples: []string{"perf", "perf --json"},
}, perfRun)

func perfRun(ctx context.Context, env *Env, _ noArgs) (Result, error) {
	read(ctx, env)
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	p, err := env.Tab.Perf(ctx)
	if err != nil {
		return Result{}, err
	}
	if len(p.Phases) == 0 {
		return Result{Text: "No navigation timing data available", Data: map[string]any{}}, nil
	}
	var lines []string
	data := map[string]any{"loaded": p.Loaded}
	for _, ph := range p.Phases {
		var name string
		var ms int
		if json.Unmarshal(ph[0], &name) != nil || json.Unmarshal(ph[1], &ms) != nil {
			return Result{}, api.Errorf(api.Internal, "", "perf: %s is no phase", ph)
		}
		lines = append(lines, fmt.Sprintf("%-12s %dms", name, ms))
		data[name] = ms
	}
	for _, v := range []struct {
		name string
		ms   *float64
	}{{"fcp", p.FCP}, {"lcp", p.LCP}, {"inp", p.INP}} {
		if v.ms != nil {
			line := fmt.Sprintf("%-12s %.0fms", v.name, *v.ms)
			if v.name == "lcp" && p.LCPElement != "" {
				line += " " + quote(p.LCPElement)
			}
			lines = append(lines, line)
			data[v.name] = *v.ms
		}
	}
	if p.CLS != nil {
		lines = append(lines, fmt.Sprintf("%-12s %g", "cls", *p.CLS))
		data["cls"] = *p.CLS
	}
	if !p.Loaded {
		lines = append(lines, "(the page is still loading)")
	}
	return Result{Text: strings.Join(lines, "\n"), Data: data}, nil
}
