// Package action acts on the elements of a page as a person would, with real
// input events, and says what came of it.
//
// One loop serves every action. It checks the element (there, still what was
// shown, visible, enabled, at rest, in view, not covered), acts, and verifies
// that the element got what was sent. Each check that fails has a name, is
// logged, and is tried again with a growing pause until the time is up; the
// last one becomes the error. While the input is on its way, a guard in the page
// (page/inject/act.js) lets it pass only to the element it is meant for.
//
// The package knows no verbs: results are data.
package action

import (
	"fmt"
	"time"

	"gstack/internal/page"
)

// DefaultTimeout is how long an element may take to appear and to become
// actionable when the caller does not say.
const DefaultTimeout = 5 * time.Second

// Options apply to every action.
type Options struct {
	// Timeout bounds the wait until the element can be acted on; 0 means
	// [DefaultTimeout]. The deadline of the context bounds it too.
	Timeout time.Duration
	// Until is when to stop waiting for what the action has begun, such as a
	// navigation; zero leaves that to the context.
	Until time.Time
	// Leave does not wait for a navigation that the action begins.
	Leave bool
	// Force leaves out all checks but "is it there" and "has it a place". What
	// the pointer hits then is not verified.
	Force bool
	// AnyType leaves out the check of an input's accept attribute.
	AnyType bool
}

// Result is what an action did.
type Result struct {
	// Element is what was acted on; nil for keys that went to no element.
	Element *page.Element
	// Effects is what the action caused in the tab.
	Effects page.Effects
	// Value is what the field holds after Fill, at most 2000 characters. It is
	// empty for a secret field.
	Value string
	// Secret says that neither the value given nor the one held may be shown.
	Secret bool
	// Altered says that the page turned the value given into another.
	Altered bool
	// Picked are the labels of the options that Select selected.
	Picked []string
	// Routed says that a click on an option became a selection in its list.
	Routed bool
	// State is "true", "false" or "mixed" for something that can be checked, as
	// it is after the action; otherwise empty.
	State string
	// Count is the number of characters typed.
	Count int
	// Fields is how many fields took typed text, when the page handed the focus on
	// from one to the next; Into are the first of them. 0 when there was one.
	Fields int
	Into   []*page.Element
	// Focus is the element that a click moved the focus to, when it is another
	// than the one clicked.
	Focus *page.Element
	// Moved are the changes that a drag made to what was dragged, in words.
	Moved []string
	// Note is a remark for the reader, in our words; empty when all is plain.
	Note string
}

// Point is a place in CSS pixels, from the top left corner of an element's box.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// what names an element in a message.
func what(el *page.Element) string {
	if el == nil {
		return "the page"
	}
	return el.String()
}

// other is an element that the page code names in a reply.
type other struct {
	ID   int    `json:"id"`
	Role string `json:"role"`
	Name string `json:"name"`
	Desc string `json:"desc"`
}

// show names another element of el's document, with a ref when it can have one.
func show(t *page.Tab, f *page.Frame, doc page.DocID, o *other) string {
	if o == nil {
		return "something"
	}
	if o.ID == 0 {
		if o.Desc == "" {
			return "something"
		}
		return o.Desc
	}
	ref := t.Show(&page.Element{Frame: f, Doc: doc, ID: o.ID, Role: o.Role, Name: o.Name})
	if o.Name != "" && o.Role != "" {
		return fmt.Sprintf("%s [%s] %s %s", ref, o.Role, page.Quote(o.Name), o.Desc)
	}
	return ref + " " + o.Desc
}
