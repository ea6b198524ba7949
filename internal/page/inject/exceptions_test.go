package inject_test

import (
	"math"
	"strconv"
	"strings"
)

// exception is a point on which a snapshot says something else than Chromium's
// accessibility tree, on purpose or for lack of means.
type exception struct {
	reason string
	covers func(difference) bool
}

func tagIs(d difference, names ...string) bool {
	for _, name := range names {
		if strings.HasPrefix(d.tag, "<"+name+" ") || strings.HasPrefix(d.tag, "<"+name+">") {
			return true
		}
	}
	return false
}

func sameNumber(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && math.Abs(x-y) < 1e-6
}

var exceptions = []exception{
	{"an editable region without a role is a textbox: it is what one types into", func(d difference) bool {
		return d.what == "role" && d.ours == "textbox" && d.theirs == "" && d.f.Editable
	}},
	{"a label takes the role of the hidden checkbox, radio button or file input it stands for", func(d difference) bool {
		return d.what == "role" && tagIs(d, "label") && d.theirs == ""
	}},
	{"secrets have no value here: passwords, card numbers, one-time codes, masked fields", func(d difference) bool {
		return d.what == "value" && d.ours == "" && hasState(d.f, "filled")
	}},
	{"the author's words for a value go before its number", func(d difference) bool {
		return d.what == "value" && (d.theirs == "0.5" && d.ours == "half" || d.theirs == "5" && d.ours == "five" || d.theirs == "80" && d.ours == "80 euros")
	}},
	{"Chromium keeps range values as 32-bit floats", func(d difference) bool {
		return d.what == "value" && sameNumber(d.ours, d.theirs)
	}},
	{"a text field with the role of a number keeps its text for a value", func(d difference) bool {
		return d.what == "value" && tagIs(d, "input") && d.f.Role == "spinbutton" && d.theirs == "0"
	}},
	{"a canvas is always shown: it is where a game or a map is", func(d difference) bool {
		return d.what == "role" && tagIs(d, "canvas") && d.theirs == ""
	}},
	{"what a canvas holds for readers that cannot draw is not on the screen", func(d difference) bool {
		return d.what == "hidden" && d.page == "media.html" && tagIs(d, "button")
	}},
	{"Chromium names a player by its own error message, and disables it: no page of ours has a film", func(d difference) bool {
		return (d.what == "name" && strings.HasPrefix(d.theirs, "Unable to play media.")) || (d.what == "disabled" && tagIs(d, "video", "audio"))
	}},
	{"ElementInternals is not visible from outside the element", func(d difference) bool {
		return tagIs(d, "x-internals")
	}},
	{"the parts of a formula have no roles in ARIA", func(d difference) bool {
		return d.what == "role" && strings.HasPrefix(d.theirs, "MathML")
	}},
	{"a cell of a layout table has no role, so nobody asks for its name", func(d difference) bool {
		return d.what == "name" && d.ours == "" && d.ax.Role.String() == "LayoutTableCell"
	}},
	{"display:list-item does not make a list item", func(d difference) bool {
		return d.what == "role" && d.page == "lists.html" && tagIs(d, "span") && d.theirs == "listitem"
	}},
	{"<wbr> is no space", func(d difference) bool {
		return d.what == "name" && d.ours == "word" && d.theirs == "wo rd"
	}},
	{"a disabled fieldset or option group says so", func(d difference) bool {
		return d.what == "disabled" && tagIs(d, "fieldset", "optgroup") && d.ours == "true"
	}},
	{"what a disabled list has chosen is told", func(d difference) bool {
		return d.what == "selected" && tagIs(d, "option") && d.ours == "true" && d.theirs == ""
	}},
	{"the protocol reports required and readonly for text only", func(d difference) bool {
		return (d.what == "required" || d.what == "readonly") && d.ours == "true" && d.theirs == "" &&
			(d.f.Role == "checkbox" || d.f.Role == "radio" || d.f.Role == "combobox")
	}},
	{"a label that is not rendered leaves the placeholder to name the field", func(d difference) bool {
		return d.what == "name" && d.ours == "shown instead" && d.theirs == ""
	}},
	{"paragraphs that are empty or inline are ignored by Chromium; an empty one has no row here either", func(d difference) bool {
		return d.what == "role" && d.page == "text.html" && tagIs(d, "p") && d.ours == "paragraph"
	}},
	{"Chromium ignores a draggable <span>, but not a draggable <div>; without a name neither has a row", func(d difference) bool {
		return d.what == "role" && d.page == "roles.html" && tagIs(d, "span") && d.ours == "group"
	}},
	{"a list made of a table: Chromium drops its items", func(d difference) bool {
		return d.what == "role" && d.page == "tables.html" && tagIs(d, "tr") && d.ours == "listitem"
	}},
	{"a hidden option of a closed list is in Chromium's tree, but nobody can choose it", func(d difference) bool {
		return d.what == "hidden" && d.page == "hidden.html" && tagIs(d, "option")
	}},
}

func hasState(f facts, name string) bool { return stateOf(f, name) == "true" }
