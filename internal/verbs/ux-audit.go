package verbs

import (
	"context"
	"time"

	"gstack/internal/command"
)

var uxAuditVerb = define(command.Spec{
	Name: "ux-audit", Group: "Inspection", Scope: command.RootOnly, Effect: command.Reads, Nestable: true,
	Timeout: 30 * time.Second,
	Summary: "Describe the page as a visitor sees it at first sight, as JSON",
	Doc: `What the site and the page are called, navigation, where one is, search, breadcrumbs, headings
with their size, what can be used with its size, and blocks of text. Lists are short: 50
headings and blocks, what is visible of the first 200 controls.`,
	Examples: []string{"ux-audit"},
}, func(ctx context.Context, env *Env, _ noArgs) (Result, error) {
	own := read(ctx, env)
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	a, err := env.Tab.Audit(ctx)
	if err != nil {
		return Result{}, err
	}
	return jsonResult(a, a, own)
})
