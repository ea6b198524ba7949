package verbs

import (
	"context"
	"strings"

	"gstack/internal/command"
	"gstack/internal/page"
)

var gotoVerb = define(command.Spec{
	Name: "goto", Group: "Navigation", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true, AnyPage: true,
	Summary: "Open an address in the tab",
	Doc: `Waits until the document has been parsed (DOMContentLoaded). A bare host gets https://,
localhost and IP addresses get http://. file: addresses are opened inside the working
directory and the temp folder. A page answered with 4xx or 5xx is shown, with its code;
--fail makes that an error. A download or an empty answer is an error that says so.`,
	Examples: []string{"goto example.com", "goto localhost:3000/cart", "goto file://./report.html", "goto https://example.com/missing --fail"},
}, gotoRun)

type gotoIn struct {
	URL  string `arg:"url" help:"http, https or file address, or a bare host"`
	Fail bool   `flag:"fail" help:"fail when the server answers with 4xx or 5xx"`
}

func gotoRun(ctx context.Context, env *Env, in gotoIn) (Result, error) {
	url, err := env.Paths.URL(in.URL)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	n, err := open(ctx, env, env.Tab, url)
	if err != nil {
		return Result{}, err
	}
	if in.Fail {
		if err := failOnStatus(n); err != nil {
			return Result{}, err
		}
	}
	shown := page.Shown(url)
	if strings.TrimSuffix(n.URL, "/") != strings.TrimSuffix(shown, "/") {
		return settled("Navigated to %s (%s)\nnow at %s", n, source(shown), statusText(n), source(n.URL)), nil
	}
	return settled("Navigated to %s (%s)", n, source(shown), statusText(n)), nil
}
