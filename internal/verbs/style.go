package verbs

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
)

var styleVerb = define(command.Spec{
	Name: "style", Group: "Inspection", Scope: command.Admin, Output: command.Ack, Nestable: true, FreeText: true,
	Summary: "Change a CSS property of an element, and undo that",
	Doc: `The value counts over every rule, and is gone with the document. Each tab remembers its last 200
changes: browse inspect --history lists them, --undo takes back the last one or that with a number,
and puts the style attribute back to what it was. Values that would load something are refused. A custom property
goes after --, since it begins with dashes.`,
	Examples: []string{"style .card background-color '#fff4d6'", "style @e3 display none", "style --undo", "style --undo 2"},
}, styleRun)

type styleIn struct {
	Undo  bool   `flag:"undo" help:"take a change back: the last one, or that with the number that follows"`
	What  string `arg:"target" optional:"true" help:"ref (@e3) or selector"`
	Words string `arg:"property and value" optional:"true" rest:"true" help:"a CSS property and what it shall be"`
}

// loads are what a value could have the page load or run.
var loads = regexp.MustCompile(`(?i)url\s*\(|src\s*\(|image-set\s*\(|expression\s*\(|@import|javascript:|data:|\\`)

var propertyName = regexp.MustCompile(`^-{0,2}[A-Za-z][A-Za-z0-9_-]*$`)

func styleRun(ctx context.Context, env *Env, in styleIn) (Result, error) {
	if in.Undo {
		return styleUndo(ctx, env, in)
	}
	property, value, _ := strings.Cut(strings.TrimSpace(in.Words), " ")
	value = strings.TrimSpace(value)
	switch {
	case in.What == "" || property == "" || value == "":
		return Result{}, api.Errorf(api.BadUsage, "usage: browse style <target> <property> <value>, or browse style --undo [N]", "style: target, property or value is missing")
	case !propertyName.MatchString(property):
		return Result{}, api.Errorf(api.BadUsage, "browse style .card background-color red", "style: %s is no CSS property", quote(property))
	case loads.MatchString(value) || strings.ContainsAny(value, ";{}"):
		return Result{}, api.Errorf(api.BadUsage, "give a value that loads nothing, for one property", "style: the value %s could load or run something", quote(value))
	}
	if !strings.HasPrefix(property, "--") {
		property = strings.ToLower(property)
	}
	el, err := find(ctx, env, in.What)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	r, err := el.Restyle(ctx, in.What, property, strings.TrimSpace(strings.TrimSuffix(value, "!important")))
	if err != nil {
		return Result{}, err
	}
	return Result{Text: fmt.Sprintf("Style modified: %s { %s: %s → %s } (inline)\nbrowse style --undo %d takes it back", api.Clean(in.What), property, styleValue(r.Old), styleValue(r.New), r.Index), Data: r}, nil
}

// styleValue is a computed value in an answer.
func styleValue(v string) string {
	if v == "" {
		return "(none)"
	}
	if r := []rune(v); len(r) > maxDeclaration {
		v = string(r[:maxDeclaration-1]) + "…"
	}
	return api.Clean(v)
}

func styleUndo(ctx context.Context, env *Env, in styleIn) (Result, error) {
	n := 0
	if in.What != "" {
		var err error
		if n, err = strconv.Atoi(in.What); err != nil || n < 1 || in.Words != "" {
			return Result{}, api.Errorf(api.BadUsage, "usage: browse style --undo [N]", "style: %s is not the number of a change", quote(in.What))
		}
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	r, now, err := env.Tab.Unstyle(ctx, n)
	if err != nil {
		if r.Index > 0 {
			err = withNote(err, fmt.Sprintf("change %d of %s: what it was made in is gone, and the change with it", r.Index, r.Property))
		}
		return Result{}, err
	}
	return Result{Text: fmt.Sprintf("Style restored: %s { %s: %s → %s }", api.Clean(r.Target), r.Property, styleValue(r.New), styleValue(now)), Data: r}, nil
}

// styleHistory is the answer of inspect --history.
func styleHistory(env *Env) Result {
	list, all := env.Tab.Restylings()
	if len(list) == 0 {
		return Result{Text: "(no changes of style)", Data: []any{}, Ours: true}
	}
	var lines []string
	if left := all - len(list); left > 0 {
		lines = append(lines, fmt.Sprintf("(%d earlier ones are forgotten)", left))
	}
	for _, r := range list {
		line := fmt.Sprintf("[%d] %s %s { %s: %s → %s }", r.Index, r.At.Format("15:04:05"), api.Clean(r.Target), r.Property, styleValue(r.Old), styleValue(r.New))
		if r.Undone {
			line += " (undone)"
		}
		lines = append(lines, line)
	}
	return Result{Text: strings.Join(lines, "\n"), Data: list, Lines: true}
}
