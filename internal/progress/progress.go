// Package progress carries what a long command tells of itself while it runs. It
// is apart from api, which the thin client links.
package progress

import "context"

type key struct{}

// With returns a context through which a command tells how far it is.
func With(ctx context.Context, tell func(string)) context.Context {
	return context.WithValue(ctx, key{}, tell)
}

// Tell tells whoever waits for the command of ctx how far it is, in one short
// line. It may be called often.
func Tell(ctx context.Context, line string) {
	if tell, ok := ctx.Value(key{}).(func(string)); ok {
		tell(line)
	}
}
