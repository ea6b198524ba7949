package action

import (
	"context"
	"time"

	"gstack/internal/page"
)

// Match is one element that a locator names, as it is shown with its ref.
type Match struct {
	*page.Element
	// States are those of a snapshot row, "hidden" with them; Value is what a field
	// holds, never a secret; URL is the address of a link.
	States, Value, URL string
	// Desc is the element's tag, for one that has no role.
	Desc string
}

// MatchOptions say what [Matches] lists.
type MatchOptions struct {
	// Frame limits the search to one frame and the frames in it; nil means all.
	Frame *page.Frame
	// Hidden lists hidden elements too.
	Hidden bool
	// Limit is how many are listed at most.
	Limit int
	// Wait is how long to wait for a first match; 0 looks once.
	Wait time.Duration
}

// matched is one frame's answer to browse.matches.
type matched struct {
	Total   int    `json:"total"`
	Visible int    `json:"visible"`
	Error   string `json:"error"`
	Items   []struct {
		other
		States string `json:"states"`
		Value  string `json:"value"`
		URL    string `json:"url"`
		Cursor bool   `json:"cursor"`
	} `json:"items"`
}

// Matches lists what a locator names in all frames, each with a ref, in the order
// of the frames and of their documents, and counts all there is. Errors:
// [api.BadUsage] for a locator that cannot be read, [api.NotFound] when nothing
// matches, hidden or not.
func Matches(ctx context.Context, t *page.Tab, locator string, o MatchOptions) (list []Match, visible, hidden int, err error) {
	fo := FindOptions{Frame: o.Frame, Timeout: o.Wait, NoWait: o.Wait == 0}
	all, err := await(ctx, t, locator, fo)
	if err != nil {
		return nil, 0, 0, err
	}
	for _, a := range all {
		if a.Total == 0 {
			continue
		}
		visible, hidden = visible+a.Visible, hidden+a.Total-a.Visible
		var m matched
		err := a.f.Call(ctx, a.doc, "matches", &m, locator, map[string]any{"limit": max(o.Limit-len(list), 0), "all": o.Hidden})
		if isParted(t, err) {
			continue
		}
		if err != nil {
			return nil, 0, 0, err
		}
		for _, it := range m.Items {
			el := &page.Element{Frame: a.f, Doc: a.doc, ID: it.ID, Role: it.Role, Name: it.Name}
			el.Label = page.Label(t.Refs().Assign(a.f, a.doc, it.ID, it.Role, it.Name, it.Cursor), it.Cursor)
			list = append(list, Match{Element: el, States: it.States, Value: it.Value, URL: page.Shown(it.URL), Desc: it.Desc})
		}
	}
	return list, visible, hidden, nil
}

// await looks until something matches.
func await(ctx context.Context, t *page.Tab, locator string, o FindOptions) ([]found, error) {
	bounded, cancel := within(ctx, o.Timeout)
	defer cancel()
	start := time.Now()
	for {
		look := bounded
		if bounded.Err() != nil {
			look = ctx
		}
		all, err := locate(look, t, locator, o.Frame)
		if err != nil {
			return nil, err
		}
		total := 0
		for _, a := range all {
			total += a.Total
		}
		// What a closed root holds counts, too, so it is looked into either way.
		if pierce(look, all) {
			continue
		}
		if total > 0 {
			return all, nil
		}
		if o.NoWait || bounded.Err() != nil {
			return nil, notFound(ctx, t, all, locator, o, time.Since(start))
		}
		change(bounded, all, locator, slice)
	}
}
