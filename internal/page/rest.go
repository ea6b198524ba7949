package page

import (
	"context"
	"slices"
	"time"
)

// restFor is how long nothing in a page must change for it to be at rest.
const restFor = 60 * time.Millisecond

// Rest waits, at most limit, until what a command has begun has probably been
// drawn: the document has been parsed, no request later than number after is
// under way, and the page has not changed for 60 ms.
func (t *Tab) Rest(ctx context.Context, after int, limit time.Duration) {
	end := time.Now().Add(limit)
	ctx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	t.SettleDocument(ctx, limit)
	for ctx.Err() == nil && t.Gone() == nil {
		last := t.LastRequest(ctx)
		if !t.awaitAnswers(ctx, after) {
			return
		}
		left := time.Until(end)
		if err := t.Main().Call(ctx, "", "rest", nil, restFor.Milliseconds(), left.Milliseconds()); err != nil || t.LastRequest(ctx) == last {
			return
		}
	}
}

// awaitAnswers waits until no request later than number after runs.
func (t *Tab) awaitAnswers(ctx context.Context, after int) bool {
	if t.rec == nil {
		return true
	}
	for {
		open, changed := t.rec.Activity()
		busy := false
		for _, r := range open {
			busy = busy || r.ID > after && !slices.Contains(endless, r.Kind)
		}
		if !busy {
			return true
		}
		if !awaitAny(ctx, heldAfter, changed, nil) {
			return false
		}
	}
}
