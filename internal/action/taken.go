package action

import (
	"fmt"

	"gstack/internal/api"
	"gstack/internal/page"
)

// took is what typed keys found where the focus was when they were sent
// (page/inject/field.js, tookBy).
type took struct {
	Kind     string `json:"kind"`
	ReadOnly bool   `json:"readOnly"`
	Same     bool   `json:"same"`
	App      bool   `json:"app"`
	// Fields is how many fields the text went into; Into are the first of them.
	Fields int     `json:"fields"`
	Into   []other `json:"into"`
}

// taken decides whether typed text went into something. Each character that a
// field takes is in an input event; a page that handles keys itself stops them
// before, or changes the field on its own. Keys that nothing had a use for are
// an error: the text is nowhere.
func (r *run) taken(fin report, want typedText, res *Result) error {
	got, at := fin.Seen["chars"], fin.Typed
	if at.Fields > 1 {
		res.Fields = at.Fields
		for _, o := range at.Into {
			el := &page.Element{Frame: r.el.Frame, Doc: r.el.Doc, ID: o.ID, Role: o.Role, Name: o.Name}
			el.Label = r.t.Show(el)
			res.Into = append(res.Into, el)
		}
	}
	switch {
	case got >= want.chars || at.Kind == "set": // parts of a date are no text
		return nil
	case fin.Seen["keys"] < want.keys:
		res.Note = fmt.Sprintf("%d of %d keys arrived there, then the focus went to another document", fin.Seen["keys"], want.keys)
		return nil
	case got > 0:
		res.Note = fmt.Sprintf("only %d of %d characters were taken", got, want.chars)
		return nil
	case !at.Same:
		return nil
	case fin.Seen["passed"] < fin.Seen["keys"]:
		res.Note = "the page handled the keys itself, no field took them as text"
		return nil
	case at.App:
		res.Note = "no field took the text, the keys went to " + what(r.el)
		return nil
	}
	hint := "browse fill TARGET TEXT; or browse click the field first. browse press sends keys that are no text"
	switch {
	case r.el.ID == 0:
		return api.Errorf(api.NotEditable, hint, "nothing took the text, no element has the focus")
	case at.ReadOnly:
		return api.Errorf(api.NotEditable, "browse snapshot -i", "%s has the focus and is read-only, it did not take the text", what(r.el))
	case at.Kind == "text" || at.Kind == "rich" || at.Kind == "select":
		return api.Errorf(api.NotVerified, "browse snapshot -i shows what it holds; it may be full (maxlength), or allow other characters only",
			"%s has the focus and did not take the text", what(r.el))
	}
	return api.Errorf(api.NotEditable, hint, "nothing took the text, the focus is on %s, which takes none", what(r.el))
}
