package page

import (
	"context"
	"encoding/json"
	"sync"
)

// Part is what one document answered to a question that all of them are asked.
type Part[T any] struct {
	Frame *Frame
	Doc   DocID
	Value T
}

// answered is the form in which page code answers such a question (partOf).
type answered[T any] struct {
	V      T        `json:"v"`
	Frames []string `json:"frames"` // tokens of the frames in it, in document order
}

// bindAll makes frames and closed shadow roots known to the documents of top and
// of the frames in it, for calls that do not ask for them by themselves.
func (t *Tab) bindAll(ctx context.Context, top *Frame) {
	t.BindFrames(ctx)
	var wg sync.WaitGroup
	for _, f := range t.FramesIn(top) {
		wg.Go(func() { f.BindClosed(ctx, "", true) })
	}
	wg.Wait()
}

// Unread counts the frames of which nothing was read.
type Unread struct {
	Silent    int // did not answer in time
	NotLoaded int // the browser has not loaded them; it makes 1000 frames per page
}

// Parts runs browse.<fn>(id, args...) on el, or on the whole page, and then on
// the documents of the frames in it, and returns the answers in document order.
func Parts[T any](ctx context.Context, t *Tab, el *Element, fn string, args ...any) (parts []Part[T], un Unread, err error) {
	top, doc, id := t.target(el)
	t.bindAll(ctx, top)
	calls := map[string]*Pending{}
	for _, f := range t.FramesIn(top) {
		if f != top {
			calls[f.ID] = f.StartPart(ctx, fn, append([]any{0}, args...)...)
		}
	}
	var first answered[T]
	own := top.Start(ctx, doc, fn, append([]any{id}, args...)...)
	if err := own.Wait(ctx, &first); err != nil {
		return nil, un, err
	}
	var walk func(f *Frame, doc DocID, a answered[T])
	walk = func(f *Frame, doc DocID, a answered[T]) {
		parts = append(parts, Part[T]{f, doc, a.V})
		for _, token := range a.Frames {
			if token == "" {
				un.NotLoaded++
			}
			c := calls[token]
			if c == nil {
				continue
			}
			delete(calls, token)
			fctx, cancel := context.WithTimeout(ctx, readFrameLimit)
			var inner answered[T]
			err := c.Wait(fctx, &inner)
			cancel()
			if err != nil {
				un.Silent++
				continue
			}
			walk(c.f, c.doc, inner)
		}
	}
	walk(top, own.Doc(), first)
	return parts, un, nil
}

// Option is one choice of a <select>.
type Option struct {
	Value    string `json:"value"`
	Text     string `json:"text"`
	Selected bool   `json:"selected,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
}

// Field is one control of a form.
type Field struct {
	Ref         string   `json:"ref,omitempty"`
	Tag         string   `json:"tag"`
	Type        string   `json:"type,omitempty"`
	Name        string   `json:"name,omitempty"`
	ID          string   `json:"id,omitempty"`
	Label       string   `json:"label,omitempty"`
	Placeholder string   `json:"placeholder,omitempty"`
	Required    bool     `json:"required,omitempty"`
	Disabled    bool     `json:"disabled,omitempty"`
	ReadOnly    bool     `json:"readonly,omitempty"`
	Hidden      bool     `json:"hidden,omitempty"`
	Checked     any      `json:"checked,omitempty"` // true, false or "mixed"
	Value       string   `json:"value,omitempty"`
	Options     []Option `json:"options,omitempty"`
	More        int      `json:"moreOptions,omitempty"`
}

// Form is a form with its fields, or, with Outside set, the fields of a document
// that belong to none.
type Form struct {
	Index   int     `json:"index"`
	Action  string  `json:"action,omitempty"`
	Method  string  `json:"method,omitempty"`
	ID      string  `json:"id,omitempty"`
	Name    string  `json:"name,omitempty"`
	Label   string  `json:"label,omitempty"`
	Outside bool    `json:"outside,omitempty"`
	Frame   string  `json:"frame,omitempty"` // address of the frame that it is in
	Fields  []Field `json:"fields"`
}

// rawForm is a form as the page describes it.
type rawForm struct {
	Action  string     `json:"action"`
	Method  string     `json:"method"`
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Label   string     `json:"label"`
	Outside bool       `json:"outside"`
	Fields  []rawField `json:"fields"`
}

// rawField is a [Field] with what becomes of it: its element and role, which
// make the ref, and whether it is a secret by itself.
type rawField struct {
	Field
	N      int    `json:"n"`
	Role   string `json:"role"`
	Secret bool   `json:"secret"`
	More   int    `json:"more"`
}

// Forms returns the forms of the page, or in el, those of frames included. isSecret
// says of a field's name or id, and of its value, whether the value is secret;
// passwords are, whatever it says.
func (t *Tab) Forms(ctx context.Context, el *Element, isSecret func(name, id, value string) bool) (forms []Form, un Unread, err error) {
	parts, un, err := Parts[[]rawForm](ctx, t, el, "forms")
	if err != nil {
		return nil, un, err
	}
	forms = []Form{}
	for i, p := range parts {
		for _, r := range p.Value {
			f := Form{Index: len(forms), Action: Shown(r.Action), Method: r.Method, ID: r.ID, Name: r.Name, Label: r.Label, Outside: r.Outside, Fields: []Field{}}
			if i > 0 {
				f.Frame = p.Frame.URL()
			}
			for _, x := range r.Fields {
				field := x.Field
				field.More = x.More
				if x.Value != "" && (x.Secret || x.Type != "submit" && x.Type != "button" && isSecret(x.Name, x.ID, x.Value)) {
					field.Value = "[redacted]"
				}
				if x.N != 0 {
					field.Ref = Label(t.refs.Assign(p.Frame, p.Doc, x.N, x.Role, x.Label, false), false)
				}
				f.Fields = append(f.Fields, field)
			}
			forms = append(forms, f)
		}
	}
	return forms, un, nil
}

// Media is what a page shows and plays; the members of its lists are described
// in media.js. Only their index and frame are ours.
type Media struct {
	Images      []MediaItem `json:"images"`
	Videos      []MediaItem `json:"videos"`
	Audio       []MediaItem `json:"audio"`
	Backgrounds []MediaItem `json:"backgroundImages"`
	Total       int         `json:"total"`
}

// MediaItem is one picture, film or sound.
type MediaItem struct {
	Index         int      `json:"index"`
	Src           *string  `json:"src,omitempty"`
	Srcset        string   `json:"srcset,omitempty"`
	CurrentSrc    string   `json:"currentSrc,omitempty"`
	Alt           *string  `json:"alt,omitempty"`
	Width         int      `json:"width,omitempty"`
	Height        int      `json:"height,omitempty"`
	NaturalWidth  int      `json:"naturalWidth,omitempty"`
	NaturalHeight int      `json:"naturalHeight,omitempty"`
	Loading       string   `json:"loading,omitempty"`
	DataSrc       string   `json:"dataSrc,omitempty"`
	Poster        string   `json:"poster,omitempty"`
	Duration      *float64 `json:"duration,omitempty"` // seconds
	Type          string   `json:"type,omitempty"`
	Sources       []Source `json:"sources,omitempty"`
	HLS           *bool    `json:"isHLS,omitempty"`
	DASH          *bool    `json:"isDASH,omitempty"`
	URL           string   `json:"url,omitempty"`
	Selector      string   `json:"selector,omitempty"`
	Element       string   `json:"element,omitempty"`
	Visible       *bool    `json:"visible,omitempty"`
	Frame         string   `json:"frame,omitempty"` // address of the frame that it is in
}

// Source is one of several files that a player chooses from.
type Source struct {
	Src  string `json:"src"`
	Type string `json:"type,omitempty"`
}

// Media lists what the page, or el, shows and plays, in its frames too. kinds
// names the lists wanted: images, videos, audio; none means all.
func (t *Tab) Media(ctx context.Context, el *Element, kinds []string) (m Media, un Unread, err error) {
	if kinds == nil {
		kinds = []string{}
	}
	parts, un, err := Parts[Media](ctx, t, el, "media", kinds)
	if err != nil {
		return m, un, err
	}
	m = Media{Images: []MediaItem{}, Videos: []MediaItem{}, Audio: []MediaItem{}, Backgrounds: []MediaItem{}}
	for i, p := range parts {
		frame := ""
		if i > 0 {
			frame = p.Frame.URL()
		}
		for _, l := range []struct {
			into *[]MediaItem
			from []MediaItem
		}{{&m.Images, p.Value.Images}, {&m.Videos, p.Value.Videos}, {&m.Audio, p.Value.Audio}, {&m.Backgrounds, p.Value.Backgrounds}} {
			for _, item := range l.from {
				item.Index, item.Frame = len(*l.into), frame
				*l.into = append(*l.into, item)
			}
		}
	}
	m.Total = len(m.Images) + len(m.Videos) + len(m.Audio) + len(m.Backgrounds)
	return m, un, nil
}

// About is what a document says about itself to machines.
type About struct {
	JSONLD []string `json:"jsonLd"` // as written, valid or not
	// OpenGraph and Twitter hold a string for each name, or a list when it came
	// several times.
	OpenGraph map[string]any    `json:"openGraph"`
	Twitter   map[string]any    `json:"twitterCards"`
	Meta      map[string]string `json:"meta"`
}

// About returns what the document of f says about itself.
func (f *Frame) About(ctx context.Context) (About, error) {
	var a About
	err := f.Call(ctx, "", "data", &a)
	return a, err
}

// Perf is how long the document took to load.
type Perf struct {
	// Phases holds pairs of a name and milliseconds, in order; empty without data.
	Phases [][2]json.RawMessage `json:"phases"`
	Loaded bool                 `json:"loaded"`
	// Core Web Vitals as far as the page has them; times in milliseconds.
	FCP        *float64 `json:"fcp"`
	LCP        *float64 `json:"lcp"`
	CLS        *float64 `json:"cls"`
	INP        *float64 `json:"inp"`
	LCPElement string   `json:"lcpElement"`
}

// Perf returns the timing of the top document.
func (t *Tab) Perf(ctx context.Context) (Perf, error) {
	var p Perf
	err := t.Main().Call(ctx, "", "perf", &p)
	return p, err
}
