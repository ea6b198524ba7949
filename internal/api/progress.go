package api

import "context"

type progressKey struct{}

// WithProgress returns a context through which a command tells how far it is.
func WithProgress(ctx context.Context, tell func(string)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// Progress tells whoever waits for the command of ctx how far it is, in one short
// line. It may be called often.
func Progress(ctx context.Context, line string) {
	if tell, ok := ctx.Value(progressKey{}).(func(string)); ok {
		tell(line)
	}
}
