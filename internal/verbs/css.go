package verbs

import (
	"context"

	"gstack/internal/api"
	"gstack/internal/command"
)

var cssVerb = define(command.Spec{
	Name: "css", Group: "Inspection", Scope: command.Read, Effect: command.Reads, Output: command.Value, Nestable: true,
	Summary:  "Print the computed value of a CSS property",
	Doc:      `Names are written as in CSS or in JavaScript; --name is a custom property.`,
	Examples: []string{"css @e3 color", "css '#menu' --pseudo ::before content", "css :root -- --accent"},
}, cssRun)

type cssIn struct {
	Target   string `arg:"target" help:"ref (@e3) or selector"`
	Property string `arg:"property" help:"name of the property; custom ones go behind --"`
	Pseudo   string `flag:"pseudo" value:"ELEMENT" help:"of this pseudo-element, such as ::before"`
}

func cssRun(ctx context.Context, env *Env, in cssIn) (Result, error) {
	el, err := find(ctx, env, in.Target)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	value, known, err := el.Style(ctx, in.Property, in.Pseudo)
	if err != nil {
		return Result{}, err
	}
	if !known {
		if len(in.Property) > 2 && in.Property[:2] == "--" {
			return Result{}, api.Errorf(api.NotFound, "", "css: the custom property %s is not set on %s", quote(in.Property), el)
		}
		return Result{}, api.Errorf(api.BadUsage, "names are those of CSS, such as background-color", "css: %s is not a CSS property", quote(in.Property))
	}
	return Result{Text: value, Data: value}, nil
}
