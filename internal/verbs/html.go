package verbs

import (
	"context"

	"gstack/internal/command"
)

var htmlVerb = define(command.Spec{
	Name: "html", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary:  "Print the HTML of the page or of an element",
	Doc:      `Without a target: the doctype and the whole document. With one: the element's inner HTML.`,
	Examples: []string{"html", "html '#main'", "html @e4"},
}, htmlRun)

func htmlRun(ctx context.Context, env *Env, in targetIn) (Result, error) {
	html, own, err := readFrom(ctx, env, in, env.Tab.HTML)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: html, Own: own}, nil
}
