package page

import (
	"context"
	"strings"

	"sync"
	"time"

	"gstack/internal/cdp"

	cdpcss "github.com/chromedp/cdproto/css"
)

// matchedStyles is the part of the answer of CSS.getMatchedStylesForNode that is
// shown. Members that are absent mean true in the protocol, or nothing.
type matchedStyles struct {
	Inline     *cssStyle   `json:"inlineStyle"`
	Attributes *cssStyle   `json:"attributesStyle"`
	Rules      []ruleMatch `json:"matchedCSSRules"`
	Pseudo     []struct {
		Type    string      `json:"pseudoType"`
		Matches []ruleMatch `json:"matches"`
	} `json:"pseudoElements"`
}

type ruleMatch struct {
	Rule     cssRule `json:"rule"`
	Matching []int   `json:"matchingSelectors"`
}

type cssRule struct {
	Sheet     string `json:"styleSheetId"`
	Origin    string `json:"origin"`
	Selectors struct {
		List []struct {
			Specificity struct {
				A int64 `json:"a"`
				B int64 `json:"b"`
				C int64 `json:"c"`
			} `json:"specificity"`
		} `json:"selectors"`
		Text string `json:"text"`
	} `json:"selectorList"`
	Style      *cssStyle   `json:"style"`
	Media      []condition `json:"media"`
	Supports   []condition `json:"supports"`
	Containers []condition `json:"containerQueries"`
	Layers     []condition `json:"layers"`
}

type condition struct {
	Text      string `json:"text"`
	Condition string `json:"conditionText"`
}

type cssStyle struct {
	Properties []cssProperty `json:"cssProperties"`
	Range      *struct {
		StartLine int64 `json:"startLine"`
	} `json:"range"`
}

type cssProperty struct {
	Name      string    `json:"name"`
	Value     string    `json:"value"`
	Important bool      `json:"important"`
	Implicit  bool      `json:"implicit"`
	Disabled  bool      `json:"disabled"`
	ParsedOK  *bool     `json:"parsedOk"`
	Range     *struct{} `json:"range"`
	Longhands []struct {
		Name string `json:"name"`
	} `json:"longhandProperties"`
}

// sheets are the style sheets that the CSS domain has told of, by id.
type sheets struct {
	mu   sync.Mutex
	byID map[string]*cdpcss.StyleSheetHeader
	more chan struct{} // closed and replaced when there is another one
}

func (x *sheets) add(h *cdpcss.StyleSheetHeader) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.byID[string(h.StyleSheetID)] = h
	close(x.more)
	x.more = make(chan struct{})
}

// of returns a sheet, waiting until ctx ends for one that has not been told of:
// events are handled apart from answers. It is nil for one that is unknown.
func (x *sheets) of(ctx context.Context, id string) *cdpcss.StyleSheetHeader {
	for {
		x.mu.Lock()
		h, more := x.byID[id], x.more
		x.mu.Unlock()
		if h != nil || id == "" {
			return h
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil
		}
	}
}

// sheetLimit bounds how long a style sheet may take to be told of.
const sheetLimit = 500 * time.Millisecond

// Inspection is what the browser's inspector says about an element.
type Inspection struct {
	Tag      string              `json:"tag"`
	Selector string              `json:"selector"`
	Width    float64             `json:"width"`  // content and padding, CSS pixels
	Height   float64             `json:"height"` // content and padding, CSS pixels
	Box      map[string][]string `json:"box"`    // margin, border, padding: top right bottom left; content: width height
	Rules    []Rule              `json:"rules"`  // the strongest first
	Inline   []Declaration       `json:"inline"`
	Pseudo   map[string][]Rule   `json:"pseudo,omitempty"`
	Computed [][2]string         `json:"computed"`
}

// Rule is a CSS rule that applies to an element.
type Rule struct {
	Selector     string        `json:"selector"`
	Specificity  [3]int64      `json:"specificity"`          // of the strongest selector that matches
	Source       string        `json:"source"`               // address of the sheet, <style>, or user agent
	Line         int64         `json:"line,omitempty"`       // counted from 1
	Conditions   []string      `json:"conditions,omitempty"` // @media, @supports, @container, @layer around it
	UserAgent    bool          `json:"userAgent,omitempty"`
	Declarations []Declaration `json:"declarations"`
}

// Declaration is one property of a rule.
type Declaration struct {
	Name       string `json:"name"`
	Value      string `json:"value"`
	Important  bool   `json:"important,omitempty"`
	Overridden bool   `json:"overridden,omitempty"` // by a stronger rule
	longhands  []string
}

// Inspect returns what applies to e, the browser's own style sheet included.
func (e *Element) Inspect(ctx context.Context) (Inspection, error) {
	var r struct {
		missing
		Inspection
	}
	if err := e.Frame.Call(ctx, e.Doc, "inspect", &r, e.ID, e.shown()); err != nil {
		return r.Inspection, err
	}
	if err := e.missed(r.missing); err != nil {
		return r.Inspection, err
	}
	t := e.Frame.tab
	select {
	case t.inspecting <- struct{}{}:
		defer func() { <-t.inspecting }()
	case <-ctx.Done():
		return r.Inspection, t.deadline(ctx, "another inspection is still running in this tab")
	}
	h, err := e.Frame.Hold(ctx, e.Doc, "inspected", e.ID)
	if err != nil {
		return r.Inspection, err
	}
	if h == nil {
		return r.Inspection, e.missed(missing{Why: "gone"})
	}
	defer h.Release()
	out := r.Inspection
	if err := h.matched(ctx, &out); err != nil {
		return r.Inspection, t.Broken(ctx, "reading the styles of the element", err)
	}
	return out, nil
}

// matched asks the CSS domain, which is on only meanwhile: it costs the page.
func (h *Handle) matched(ctx context.Context, out *Inspection) error {
	known := &sheets{byID: map[string]*cdpcss.StyleSheetHeader{}, more: make(chan struct{})}
	cancel := cdp.Handle(h.s, cdpcss.StyleSheetAdded, func(e *cdpcss.EventStyleSheetAdded) { known.add(e.Header) })
	defer func() {
		cancel()
		h.s.Start("CSS.disable", nil)
		h.s.Start("DOM.disable", nil)
	}()
	h.s.Start("DOM.enable", nil)
	// It answers when it has read the style sheets, and until then it is not on.
	if err := h.s.Call(ctx, "CSS.enable", nil, nil); err != nil {
		return err
	}
	h.s.Start("DOM.getDocument", m{"depth": 0})
	var node struct {
		ID int64 `json:"nodeId"`
	}
	if err := h.s.Call(ctx, "DOM.requestNode", m{"objectId": h.id}, &node); err != nil {
		return err
	}
	var r matchedStyles
	if err := h.s.Call(ctx, "CSS.getMatchedStylesForNode", m{"nodeId": node.ID}, &r); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, sheetLimit)
	defer stop()
	out.fill(ctx, &r, known)
	return nil
}

// fill takes over rules and marks what is overridden.
func (in *Inspection) fill(ctx context.Context, r *matchedStyles, known *sheets) {
	in.Rules, in.Inline = rulesOf(ctx, r.Rules, known), declarationsOf(r.Inline)
	if attributes := declarationsOf(r.Attributes); len(attributes) > 0 {
		in.Rules = append(in.Rules, Rule{Selector: "(attributes)", Source: "attributes of the element", Declarations: attributes})
	}
	overrides(in.Inline, in.Rules)
	for _, p := range r.Pseudo {
		rules := rulesOf(ctx, p.Matches, known)
		overrides(nil, rules)
		if in.Pseudo == nil {
			in.Pseudo = map[string][]Rule{}
		}
		in.Pseudo["::"+p.Type] = rules
	}
}

// rulesOf returns rules in the order of their strength; the protocol lists them
// the other way round.
func rulesOf(ctx context.Context, matches []ruleMatch, known *sheets) []Rule {
	rules := []Rule{}
	for i := len(matches) - 1; i >= 0; i-- {
		m := matches[i]
		r := Rule{Selector: m.Rule.Selectors.Text, UserAgent: m.Rule.Origin == "user-agent", Declarations: declarationsOf(m.Rule.Style)}
		for _, n := range m.Matching {
			if n < len(m.Rule.Selectors.List) {
				s := m.Rule.Selectors.List[n].Specificity
				r.Specificity = stronger(r.Specificity, [3]int64{s.A, s.B, s.C})
			}
		}
		r.locate(ctx, &m.Rule, known)
		rules = append(rules, r)
	}
	return rules
}

func stronger(a, b [3]int64) [3]int64 {
	for i := range a {
		if a[i] != b[i] {
			if a[i] > b[i] {
				return a
			}
			return b
		}
	}
	return a
}

// locate says where a rule stands, and under which conditions.
func (r *Rule) locate(ctx context.Context, rule *cssRule, known *sheets) {
	var first int64
	if r.UserAgent {
		r.Source = "user agent"
	} else if h := known.of(ctx, rule.Sheet); h == nil {
		r.Source = "unknown"
	} else {
		first = int64(h.StartLine)
		switch {
		case h.IsInline:
			r.Source = "<style>"
		case h.SourceURL == "":
			r.Source = "made by a script"
		default:
			r.Source = Shown(h.SourceURL)
		}
	}
	if rule.Style != nil && rule.Style.Range != nil && !r.UserAgent {
		r.Line = first + rule.Style.Range.StartLine + 1
	}
	for _, group := range []struct {
		name string
		list []condition
	}{{"@media", rule.Media}, {"@supports", rule.Supports}, {"@container", rule.Containers}, {"@layer", rule.Layers}} {
		for _, c := range group.list {
			text := c.Text
			if text == "" {
				text = c.Condition
			}
			r.Conditions = append(r.Conditions, group.name+" "+text)
		}
	}
}

// declarationsOf returns the declarations that were written and are understood.
func declarationsOf(style *cssStyle) []Declaration {
	out := []Declaration{}
	if style == nil {
		return out
	}
	for _, p := range style.Properties {
		if p.Implicit || p.Disabled || p.ParsedOK != nil && !*p.ParsedOK || style.Range != nil && p.Range == nil {
			continue
		}
		d := Declaration{Name: p.Name, Value: strings.TrimSpace(strings.TrimSuffix(p.Value, "!important")), Important: p.Important}
		for _, l := range p.Longhands {
			d.longhands = append(d.longhands, l.Name)
		}
		if d.longhands == nil {
			d.longhands = []string{p.Name}
		}
		out = append(out, d)
	}
	return out
}

// overrides marks the declarations of which a stronger one leaves nothing. Within
// one style the last one counts. Important ones in cascade layers are ranked
// as if there were no layers.
func overrides(inline []Declaration, rules []Rule) {
	taken := map[string]bool{}
	pass := func(important, userAgent bool) {
		if !userAgent {
			markStyle(inline, important, taken)
		}
		for i := range rules {
			if rules[i].UserAgent == userAgent {
				markStyle(rules[i].Declarations, important, taken)
			}
		}
	}
	pass(true, true)
	pass(true, false)
	pass(false, false)
	pass(false, true)
}

func markStyle(list []Declaration, important bool, taken map[string]bool) {
	for i := len(list) - 1; i >= 0; i-- {
		d := &list[i]
		if d.Important != important {
			continue
		}
		d.Overridden = true
		for _, l := range d.longhands {
			if !taken[l] {
				d.Overridden = false
				taken[l] = true
			}
		}
	}
}
