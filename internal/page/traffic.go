package page

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/capture"
)

// How [Tab.AwaitIdle] judges requests.
const (
	// quietFor is how long there must be none.
	quietFor = 500 * time.Millisecond
	// heldAfter is when a request that has not ended is taken for one that the
	// server holds on purpose: a long poll, a stream.
	heldAfter = 4 * time.Second
)

// endless are the kinds of requests that a page keeps open or sends without
// waiting for an answer: they say nothing about what it will show.
var endless = []string{"websocket", "webtransport", "eventsource", "ping", "cspviolationreport", "preflight", "media"}

// AwaitIdle waits until the tab has loaded and no request that its page waits for
// has run for 500 ms. Web sockets, event streams, beacons and media do not count;
// neither does a request that has run for 4 s, nor the one that follows it at its
// address. It returns the requests that were left out.
func (t *Tab) AwaitIdle(ctx context.Context) (held []string, err error) {
	if t.rec == nil {
		return nil, t.LoadState(ctx, "networkIdle")
	}
	if err := t.LoadState(ctx, "DOMContentLoaded"); err != nil {
		return nil, err
	}
	t.caughtUp(ctx)
	quiet := time.Now()
	polls := polls{}
	var busy []capture.Request
	for {
		t.mu.Lock()
		gone, going := t.goneLocked(), t.main != nil && t.main.going != ""
		navigated := t.changed
		t.mu.Unlock()
		if gone != nil {
			return nil, gone
		}
		open, changed := t.rec.Activity()
		now := time.Now()
		next := quietFor
		busy, held = busy[:0], held[:0]
		for _, r := range polls.sort(open, now) {
			if !r.held {
				busy = append(busy, r.Request)
				next = min(next, max(heldAfter-now.Sub(r.Started), time.Millisecond))
				continue
			}
			held = append(held, r.Brief())
		}
		if len(busy) > 0 || going {
			quiet = now
		} else if next = quietFor - now.Sub(quiet); next <= 0 {
			return held, nil
		}
		if !awaitAny(ctx, next, changed, navigated) {
			return nil, t.Broken(ctx, "the network was not idle, "+unended(busy, going), ctx.Err())
		}
	}
}

// polls are the addresses, without their queries, at which a request was held.
type polls map[string]bool

// judged is a request that has not ended, and whether the server holds it.
type judged struct {
	capture.Request
	held bool
}

// sort judges the requests that count. One that follows a held request at its
// address is the next round of a long poll; one beside it is another matter.
func (p polls) sort(open []capture.Request, now time.Time) []judged {
	var out []judged
	taken := map[string]bool{}
	key := func(r capture.Request) string {
		address, _, _ := strings.Cut(r.URL, "?")
		return r.Method + " " + address
	}
	for _, r := range open {
		if slices.Contains(endless, r.Kind) {
			continue
		}
		j := judged{Request: r, held: r.Kind != "document" && now.Sub(r.Started) >= heldAfter}
		if j.held {
			p[key(r)], taken[key(r)] = true, true
		}
		out = append(out, j)
	}
	for i, j := range out {
		if k := key(j.Request); !j.held && j.Kind != "document" && p[k] && !taken[k] {
			out[i].held, taken[k] = true, true
		}
	}
	return out
}

// awaitAny waits until a channel is closed or d has passed; false says that ctx
// has ended.
func awaitAny(ctx context.Context, d time.Duration, a, b <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-a:
	case <-b:
	case <-ctx.Done():
		return false
	}
	return true
}

// maxUnended bounds how many requests an error names.
const maxUnended = 3

func unended(rs []capture.Request, going bool) string {
	if len(rs) == 0 && going {
		return "a navigation is under way"
	}
	if len(rs) == 0 {
		return "requests came one after the other"
	}
	var parts []string
	for i, r := range rs {
		if i == maxUnended {
			parts = append(parts, fmt.Sprintf("%d more", len(rs)-i))
			break
		}
		parts = append(parts, r.Brief())
	}
	return "these requests had not ended: " + strings.Join(parts, ", ")
}

// LastRequest returns the number of the latest request of the tab.
func (t *Tab) LastRequest(ctx context.Context) int {
	if t.rec == nil {
		return 0
	}
	t.caughtUp(ctx)
	return t.rec.LastRequest()
}

// AwaitResponse waits until a request later than number after is answered whose
// address match accepts, and returns its line. Requests that run already count.
func (t *Tab) AwaitResponse(ctx context.Context, after int, match func(url string) bool) (capture.Request, error) {
	running, from := map[int]bool{}, after
	open, _ := t.rec.Activity()
	for _, r := range open {
		if r.State == capture.Pending && r.ID <= after {
			running[r.ID], from = true, min(from, r.ID-1)
		}
	}
	for {
		t.mu.Lock()
		state := t.changed // a tab that closes or crashes has no more responses
		t.mu.Unlock()
		list, changed := t.rec.RequestsAfter(from)
		list = slices.DeleteFunc(list, func(r capture.Request) bool { return r.ID <= after && !running[r.ID] })
		for _, r := range list {
			if r.State != capture.Pending && match(r.URL) {
				return r, nil
			}
		}
		if e := t.Gone(); e != nil {
			return capture.Request{}, e
		}
		if !awaitAny(ctx, time.Minute, changed, state) {
			e := api.Errorf(api.Timeout, "browse network lists what has come before; wait begins when it is called",
				"timed out: no response came from such an address, %s", answeredBy(list))
			return capture.Request{}, e
		}
	}
}

// answeredBy says what was requested instead.
func answeredBy(rs []capture.Request) string {
	if len(rs) == 0 {
		return "nothing was requested meanwhile"
	}
	var parts []string
	for i := len(rs) - 1; i >= 0 && len(parts) < maxUnended; i-- {
		parts = append(parts, rs[i].Brief())
	}
	return fmt.Sprintf("of %d requests meanwhile the latest were %s", len(rs), strings.Join(parts, ", "))
}
