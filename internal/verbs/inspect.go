package verbs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var inspectVerb = define(command.Spec{
	Name: "inspect", Group: "Inspection", Scope: command.Read, Effect: command.Reads, Nestable: true,
	Summary: "Report where the style of an element comes from",
	Doc: `The box, then the rules that apply, the strongest first, each with source and specificity [ids,
classes, tags]; what a stronger one overrides is marked. Then inline styles, pseudo-elements and
computed values. --all adds the browser's own style sheet. --history lists the changes of browse style.`,
	Examples: []string{"inspect @e3", "inspect .card --all"},
}, inspectRun)

type inspectIn struct {
	Target  string `arg:"target" optional:"true" help:"ref (@e3) or selector"`
	All     bool   `flag:"all" help:"with the rules of the browser's own style sheet"`
	History bool   `flag:"history" help:"list the changes that browse style has made in the tab instead"`
}

func inspectRun(ctx context.Context, env *Env, in inspectIn) (Result, error) {
	if in.History == (in.Target != "") || in.History && in.All {
		return Result{}, api.Errorf(api.BadUsage, "usage: browse inspect <target> [--all], or browse inspect --history", "inspect: want a target, or --history alone")
	}
	if in.History {
		return styleHistory(env), nil
	}
	el, err := find(ctx, env, in.Target)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	r, err := el.Inspect(ctx)
	if err != nil {
		return Result{}, err
	}
	if !in.All {
		own := func(x page.Rule) bool { return x.UserAgent }
		r.Rules = slices.DeleteFunc(r.Rules, own)
		for name, rules := range r.Pseudo {
			if r.Pseudo[name] = slices.DeleteFunc(rules, own); len(r.Pseudo[name]) == 0 {
				delete(r.Pseudo, name)
			}
		}
	}
	return Result{Text: report(r), Data: r}, nil
}

// report is the plain form of an inspection.
func report(r page.Inspection) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Element: %s\nSelector: %s\nDimensions: %g x %g\n\nBox Model:\n", api.Clean(r.Tag), api.Clean(r.Selector), r.Width, r.Height)
	for _, part := range []string{"margin", "border", "padding", "content"} {
		fmt.Fprintf(&b, "  %-8s %s\n", part+":", api.Clean(strings.Join(r.Box[part], "  ")))
	}
	fmt.Fprintf(&b, "\nMatched Rules (%d):\n", len(r.Rules))
	writeRules(&b, r.Rules)
	if len(r.Inline) > 0 {
		fmt.Fprintf(&b, "\nInline Styles:\n  %s\n", declarations(r.Inline))
	}
	names := make([]string, 0, len(r.Pseudo))
	for name := range r.Pseudo {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "\nPseudo-element %s (%d):\n", name, len(r.Pseudo[name]))
		writeRules(&b, r.Pseudo[name])
	}
	b.WriteString("\nComputed:\n")
	for i, c := range r.Computed {
		if i%3 == 0 {
			b.WriteString("  ")
		}
		b.WriteString(api.Clean(c[0] + ": " + c[1]))
		if i%3 == 2 || i == len(r.Computed)-1 {
			b.WriteByte('\n')
		} else {
			b.WriteString("; ")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func writeRules(b *strings.Builder, rules []page.Rule) {
	if len(rules) == 0 {
		b.WriteString("  (none)\n")
	}
	for _, r := range rules {
		fmt.Fprintf(b, "  %s { %s }\n    -> %s", api.Clean(r.Selector), declarations(r.Declarations), api.Clean(r.Source))
		if r.Line > 0 {
			fmt.Fprintf(b, ":%d", r.Line)
		}
		fmt.Fprintf(b, " [%d,%d,%d]", r.Specificity[0], r.Specificity[1], r.Specificity[2])
		for _, c := range r.Conditions {
			b.WriteString(" " + api.Clean(c))
		}
		b.WriteByte('\n')
	}
}

// maxDeclaration bounds a value in a report, in characters.
const maxDeclaration = 200

func declarations(list []page.Declaration) string {
	var out []string
	for _, d := range list {
		value := d.Value
		if r := []rune(value); len(r) > maxDeclaration {
			value = string(r[:maxDeclaration-1]) + "…"
		}
		s := d.Name + ": " + value
		if d.Important {
			s += " !important"
		}
		if d.Overridden {
			s += " (overridden)"
		}
		out = append(out, api.Clean(s))
	}
	return strings.Join(out, "; ")
}
