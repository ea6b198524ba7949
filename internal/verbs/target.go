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

// readFrom runs a reading of the page, or of the element that target names. Half
// a page is not read when the rest is on its way; own is the sentence that says
// when it did not come.
func readFrom[T any](ctx context.Context, env *Env, target string, f func(context.Context, *page.Element) (T, error)) (got T, own string, err error) {
	own = read(ctx, env)
	el, err := optionalTarget(ctx, env, target)
	if err != nil {
		return got, own, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	got, err = f(ctx, el)
	return got, own, err
}
