package page

import (
	"context"
	"strings"
	"time"
)

// Link is one link of a page.
type Link struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// readFrameLimit bounds how long a frame other than the first may take to
// answer a reading call.
const readFrameLimit = 3 * time.Second

// frameMark opens the line with which browse.text marks where a frame stands.
const frameMark = "\x00frame:"

// frameSilent is the line in place of a frame that did not answer.
const frameSilent = "(this frame did not answer)"

// Text returns what a person would read: of the whole page, or of el, which may be
// the document of a frame. The text of frames stands where the frames stand.
func (t *Tab) Text(ctx context.Context, el *Element) (string, error) {
	t.BindFrames(ctx)
	top, doc, id := t.target(el)
	calls := map[string]*Pending{}
	for _, f := range t.FramesIn(top) {
		if f != top {
			calls[f.ID] = f.StartPart(ctx, "text", 0)
		}
	}
	text, err := top.pierced(ctx, doc, "text", id)
	if err != nil {
		return "", err
	}
	return spliceText(ctx, text, calls), nil
}

func (t *Tab) target(el *Element) (*Frame, DocID, Asked) {
	if el != nil {
		return el.Frame, el.Doc, el.Asked()
	}
	return t.Main(), "", Asked{}
}

// spliceText replaces the marks of frames by the text of the frames.
func spliceText(ctx context.Context, text string, calls map[string]*Pending) string {
	if !strings.Contains(text, frameMark) {
		return text
	}
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		token, is := strings.CutPrefix(line, frameMark)
		if !is {
			if i > 0 && b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(line)
			continue
		}
		c := calls[token]
		if c == nil {
			continue
		}
		delete(calls, token)
		fctx, cancel := context.WithTimeout(ctx, readFrameLimit)
		inner, err := c.Pierce(fctx, 0)
		cancel()
		if err != nil {
			inner = unread(err)
		} else {
			inner = spliceText(ctx, inner, calls)
		}
		if inner != "" {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(inner)
		}
	}
	return b.String()
}

// HTML returns the document with its doctype, that of the top frame or of the
// frame whose document el is, or the inner HTML of el.
func (t *Tab) HTML(ctx context.Context, el *Element) (string, error) {
	f, doc, id := t.target(el)
	var html string
	err := f.Call(ctx, doc, "html", &html, id)
	return html, err
}

// unloadedMark is the line with which browse.links stands for a frame that the
// browser does not load.
const unloadedMark = "\x00unloaded"

// Links lists the links of the page, or of el; those in a frame stand where the
// frame stands.
func (t *Tab) Links(ctx context.Context, el *Element) ([]Link, Unread, error) {
	t.BindFrames(ctx)
	top, doc, id := t.target(el)
	calls := map[string]*Pending{}
	for _, f := range t.FramesIn(top) {
		if f != top {
			calls[f.ID] = f.StartPart(ctx, "links", 0)
		}
	}
	text, err := top.pierced(ctx, doc, "links", id)
	if err != nil {
		return nil, Unread{}, err
	}
	links, un := parseLinks(spliceText(ctx, text, calls))
	return links, un, nil
}

func parseLinks(text string) (links []Link, un Unread) {
	for line := range strings.SplitSeq(text, "\n") {
		name, url, ok := strings.Cut(line, "\t")
		switch {
		case ok:
			links = append(links, Link{Name: name, URL: Shown(url)})
		case line == unloadedMark:
			un.NotLoaded++
		case line == frameSilent:
			un.Silent++
		}
	}
	return links, un
}
