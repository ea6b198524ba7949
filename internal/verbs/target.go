package verbs

import (
	"context"

	"gstack/internal/action"
	"gstack/internal/page"
)

// find resolves a target to the one element that it names.
func find(ctx context.Context, env *Env, target string) (*page.Element, error) {
	return action.Find(ctx, env.Tab.Tab, target, action.FindOptions{Timeout: env.Timeout})
}

// optionalTarget is find for verbs that take the whole page without a target.
func optionalTarget(ctx context.Context, env *Env, target string) (*page.Element, error) {
	if target == "" {
		return nil, nil
	}
	return find(ctx, env, target)
}
