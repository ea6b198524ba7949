package action

import (
	"fmt"
	"strings"

	"gstack/internal/api"
	"gstack/internal/page"
)

// outcome names the result of one attempt. The texts of page code's replies are
// in [outcomeNames].
type outcome int

const (
	done outcome = iota
	gone
	changed
	isOption
	hidden
	disabled
	readOnly
	notEditable
	badValue
	moving
	outside
	covered
	noPointer
	unfocused
	intercepted
	unseen
	unbound
	renamed
	offBox
	unknownOutcome
)

// outcomeNames are the `why` values of browse.ready and its like.
var outcomeNames = map[string]outcome{
	"": done, "gone": gone, "changed": changed, "option": isOption, "hidden": hidden, "disabled": disabled,
	"readonly": readOnly, "uneditable": notEditable, "badvalue": badValue, "moving": moving, "outside": outside,
	"covered": covered, "unbound": unbound, "nopointer": noPointer, "unfocused": unfocused,
	"offbox": offBox,
}

// final reports whether waiting cannot help.
func (o outcome) final() bool {
	switch o {
	case changed, renamed, isOption, notEditable, badValue, offBox, unknownOutcome:
		return true
	}
	return false
}

// miss is one attempt that did not succeed. The zero value is success.
type miss struct {
	why  outcome
	what string // a reason, or the shape wanted, as the page code says it
	by   string // what covers or took it, named for the user
	ref  string // the ref of by, if it has one
	now  string // what a changed element is now, or a sample of a good value
}

// say tells the miss in a few words, for the list of what was tried.
func (m miss) say() string {
	switch m.why {
	case gone:
		return "not in the page"
	case changed:
		if m.what != "" {
			return m.what
		}
		return "now " + m.now
	case renamed:
		return "became " + m.now + " when the pointer came over it"
	case offBox:
		return "its box is " + m.what
	case isOption:
		return "an option of a list"
	case hidden:
		return "not visible"
	case disabled:
		return "disabled" + in(m.what)
	case readOnly:
		return "read-only"
	case notEditable:
		return "takes no text" + in(m.what)
	case badValue:
		return "wants " + m.what
	case moving:
		return "moving"
	case outside:
		return "outside the viewport after scrolling"
	case covered:
		return "covered by " + m.by
	case noPointer:
		return "takes no pointer events"
	case unfocused:
		return "did not take the focus"
	case intercepted:
		return "moved or covered at the last moment: the pointer met " + m.by
	case unseen:
		return "the input did not arrive"
	case unbound:
		return "its frame is not shown"
	}
	return "unknown answer " + m.what
}

func in(s string) string {
	if s == "" || s == "true" {
		return ""
	}
	return " (" + s + ")"
}

// tried is the log of attempts, repeats folded.
type tried struct {
	lines []string
	count []int
}

func (t *tried) add(line string) {
	if n := len(t.lines); n > 0 && t.lines[n-1] == line {
		t.count[n-1]++
		return
	}
	t.lines = append(t.lines, line)
	t.count = append(t.count, 1)
}

// maxTried bounds the log; an element that flickers could fill it.
const maxTried = 12

func (t *tried) list() []string {
	var out []string
	for i, l := range t.lines {
		if t.count[i] > 1 {
			l = fmt.Sprintf("%s (%d times)", l, t.count[i])
		}
		out = append(out, l)
	}
	if n := len(out); n > maxTried {
		out = append(append(out[:maxTried/2:maxTried/2], fmt.Sprintf("… %d more", n-maxTried)), out[n-maxTried/2:]...)
	}
	return out
}

// hints by kind of thing that takes no text.
var uneditableHints = map[string]string{
	"select":   "browse select %s VALUE",
	"checkbox": "browse check %s",
	"radio":    "browse check %s",
	"submit":   "browse click %s",
	"button":   "browse click %s",
}

// fail turns the last miss into the error that the user sees.
func (m miss) fail(el *page.Element, verb string, log *tried) *api.Error {
	name, label := what(el), el.Label
	snapshot := "browse snapshot -i"
	e := func(code api.Code, hint, format string, args ...any) *api.Error {
		err := api.Errorf(code, hint, format, args...)
		err.Tried = log.list()
		return err
	}
	switch m.why {
	case gone:
		return e(api.StaleRef, snapshot, "%s is no longer in the page", name)
	case changed:
		if m.what != "" {
			return e(api.ChangedRef, snapshot, "%s %s", name, m.what)
		}
		return e(api.ChangedRef, snapshot, "%s is not what was shown any more, it is now %s", name, m.now)
	case renamed:
		return e(api.ChangedRef, snapshot+", then click what it is now", "%s became %s when the pointer came over it, so it was not pressed", name, m.now)
	case offBox:
		return e(api.BadUsage, fmt.Sprintf("browse %s %s --position %s", verb, label, m.now), "the position is outside of %s, whose box is %s pixels", name, m.what)
	case isOption:
		list := "LIST"
		if m.ref != "" {
			list = m.ref
		}
		return e(api.BadUsage, "browse select "+list+" "+page.Quote(m.what), "%s is an option of a <select>, which takes no clicks", name)
	case hidden:
		return e(api.NotVisible, snapshot+" shows what is visible", "%s is not visible", name)
	case disabled:
		return e(api.NotEnabled, snapshot+" shows what else the form wants", "%s is disabled%s", name, in(m.what))
	case readOnly:
		return e(api.NotEditable, snapshot, "%s is read-only", name)
	case notEditable:
		hint := snapshot + " lists the fields"
		if h := uneditableHints[m.what]; h != "" {
			hint = fmt.Sprintf(h, label)
		}
		return e(api.NotEditable, hint, "%s takes no text%s", name, in(strings.TrimPrefix(m.what, "none")))
	case badValue:
		return e(api.BadUsage, fmt.Sprintf("browse %s %s %s", verb, label, m.now), "%s wants %s", name, m.what)
	case moving:
		return e(api.Moving, "wait until the page is at rest, then retry", "%s does not stand still", name)
	case outside:
		return e(api.OutsideViewport, "browse screenshot shows what is in view; browse scroll top scrolls by hand", "%s cannot be scrolled into view", name)
	case covered, intercepted:
		hint := "dismiss what covers it (browse press Escape, or its close button), then retry"
		if m.ref != "" {
			hint = fmt.Sprintf("dismiss %s (browse press Escape, or its close button), then retry", m.ref)
		}
		return e(api.Covered, hint, "%s is covered by %s", name, m.by)
	case noPointer:
		return e(api.NotEnabled, snapshot, "%s takes no pointer events (CSS pointer-events: none)", name)
	case unfocused:
		if m.by != "" {
			return e(api.NotEditable, snapshot, "%s did not keep the focus, it went to %s", name, m.by)
		}
		return e(api.NotEditable, snapshot, "%s did not take the focus", name)
	case unbound:
		return e(api.NotVisible, snapshot, "the frame of %s is not shown in the page around it", name)
	case unseen:
		return e(api.NotVerified, snapshot, "the %s was sent, but %s did not receive it", verb, name)
	}
	return e(api.Internal, snapshot, "%s %s: %s", verb, name, m.say())
}
