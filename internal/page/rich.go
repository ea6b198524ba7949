package page

import (
	"context"
	"strings"
)

// Rich is a page, or an element, as HTML that holds what [Tab.Text] shows.
type Rich struct {
	// HTML is what stands in the body, frames spliced in place.
	HTML string `json:"html"`
	// Head describes the document: title, meta elements, JSON-LD.
	Head string `json:"head"`
	// Over is true when the HTML is longer than allowed; it is cut short then.
	Over bool `json:"over"`
}

// Rich returns the page, or el, as HTML without hidden content, scripts and
// what has been typed; frames have their place in it. limit bounds its length,
// in characters.
func (t *Tab) Rich(ctx context.Context, el *Element, limit int) (Rich, error) {
	top, doc, id := t.target(el)
	t.bindAll(ctx, top)
	calls := map[string]*Pending{}
	for _, f := range t.FramesIn(top) {
		if f != top {
			calls[f.ID] = f.StartPart(ctx, "rich", 0, limit)
		}
	}
	var r Rich
	if err := top.Call(ctx, doc, "rich", &r, id, limit); err != nil || r.Over {
		return r, err
	}
	r.HTML, r.Over = spliceRich(ctx, r.HTML, calls, limit)
	return r, nil
}

// spliceRich replaces the marks of frames by the HTML of the frames. The page
// cannot write a mark: its NUL characters are gone.
func spliceRich(ctx context.Context, html string, calls map[string]*Pending, limit int) (_ string, over bool) {
	if !strings.Contains(html, frameMark) {
		return html, false
	}
	var b strings.Builder
	for rest := html; rest != ""; {
		before, after, found := strings.Cut(rest, frameMark)
		b.WriteString(before)
		if !found {
			break
		}
		var token string
		token, rest, _ = strings.Cut(after, "\x00")
		c := calls[token]
		if c == nil {
			continue
		}
		delete(calls, token)
		fctx, cancel := context.WithTimeout(ctx, readFrameLimit)
		var inner Rich
		err := c.Wait(fctx, &inner)
		cancel()
		if err != nil {
			b.WriteString("<p>" + unread(err) + "</p>")
			continue
		}
		inner.HTML, over = spliceRich(ctx, inner.HTML, calls, limit-b.Len())
		if over = over || inner.Over || b.Len()+len(inner.HTML) > limit; over {
			return "", true
		}
		b.WriteString("<div>" + inner.HTML + "</div>")
	}
	return b.String(), false
}
