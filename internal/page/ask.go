package page

import (
	"context"
	"encoding/json"

	"gstack/internal/api"

	jsonv2 "github.com/go-json-experiment/json"
)

// missing says why page code did not find what it was asked about: "gone", or
// "changed" with what the element is now. Why is "" when it did.
type missing struct {
	Why  string `json:"why"`
	Role string `json:"role"`
	Name string `json:"name"`
	Desc string `json:"desc"`
	// Of one that is itself what it was, in another place; see [Moved].
	Moved bool   `json:"moved"`
	Was   string `json:"was"`
	Place string `json:"place"`
}

// Asked is an element as an argument of page code, which answers only when it is
// there and, if it was named by a ref, is what was shown (targetOf in dom.js). The
// zero value is the whole document.
type Asked struct{ el *Element }

// Asked returns e as an argument; nil, and the document of a frame, are the whole
// document.
func (e *Element) Asked() Asked {
	if e == nil || e.ID == 0 {
		return Asked{}
	}
	return Asked{e}
}

// MarshalJSON writes what page code is told: 0, the id, or the id with what the
// element was shown as.
func (a Asked) MarshalJSON() ([]byte, error) {
	switch {
	case a.el == nil:
		return []byte("0"), nil
	case a.el.Shown:
		return json.Marshal(m{"id": a.el.ID, "role": a.el.Role, "name": a.el.Name})
	}
	return json.Marshal(a.el.ID)
}

// About names the element of a call that is inside another argument.
func (p *Pending) About(a Asked) *Pending {
	p.el = a.el
	return p
}

// unmet returns the error of a call whose element is not what it was, nil for any
// other exception. Only page code of ours throws strings, which hold that answer.
func (p *Pending) unmet(e *exception) error {
	var text string
	var why missing
	if p.el == nil || e.Exception == nil || e.Exception.Type != "string" ||
		jsonv2.Unmarshal(e.Exception.Value, &text, lenient) != nil || jsonv2.Unmarshal([]byte(text), &why, lenient) != nil {
		return nil
	}
	return p.el.missed(why)
}

// shown is what an element was shown as, for page code to compare; nil for one
// that no snapshot has shown.
func (e *Element) shown() any {
	if !e.Shown {
		return nil
	}
	return m{"role": e.Role, "name": e.Name}
}

func (e *Element) missed(m missing) error {
	switch m.Why {
	case "":
		return nil
	case "changed":
		if m.Moved {
			return api.Errorf(api.ChangedRef, "browse snapshot -i", "%s %s", e, Moved(m.Was, m.Place))
		}
		now := what(m.Role, m.Name)
		if m.Role == "" {
			now = m.Desc
		}
		return api.Errorf(api.ChangedRef, "browse snapshot -i", "%s is not what was shown any more, it is now %s", e, now)
	}
	return api.Errorf(api.StaleRef, "browse snapshot -i", "%s is no longer in the page", e)
}

// Attribute is an attribute of an element. Secret is set when its value is one
// by what the element is for.
type Attribute struct {
	Name, Value string
	Secret      bool
}

// Attributes returns the attributes of e in their order.
func (e *Element) Attributes(ctx context.Context) ([]Attribute, error) {
	var r struct {
		missing
		List   [][2]string `json:"list"`
		Secret []string    `json:"secret"`
	}
	if err := e.Frame.Call(ctx, e.Doc, "attrs", &r, e.ID, e.shown()); err != nil {
		return nil, err
	}
	var out []Attribute
	for _, a := range r.List {
		attr := Attribute{Name: a[0], Value: a[1]}
		for _, s := range r.Secret {
			attr.Secret = attr.Secret || s == a[0]
		}
		out = append(out, attr)
	}
	return out, e.missed(r.missing)
}

// Style returns the computed value of a CSS property of e, or of a pseudo-element
// of it such as "::before". known is false for what is no property, and for a
// custom one that is not set.
func (e *Element) Style(ctx context.Context, property, pseudo string) (value string, known bool, err error) {
	var r struct {
		missing
		Value string `json:"value"`
		Known bool   `json:"known"`
	}
	if err := e.Frame.Call(ctx, e.Doc, "css", &r, e.ID, property, pseudo, e.shown()); err != nil {
		return "", false, err
	}
	return r.Value, r.Known, e.missed(r.missing)
}

// Is answers whether e is in a state of ask.js. no says why the question makes no
// sense for the element, "" when it does.
func (e *Element) Is(ctx context.Context, state string) (yes bool, no string, err error) {
	var r struct {
		missing
		Yes bool   `json:"yes"`
		No  string `json:"no"`
	}
	if err := e.Frame.Call(ctx, e.Doc, "is", &r, e.ID, state, e.shown()); err != nil {
		return false, "", err
	}
	return r.Yes, r.No, e.missed(r.missing)
}
