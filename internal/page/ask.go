package page

import (
	"context"

	"gstack/internal/api"
)

// missing says why page code did not find what it was asked about: "gone", or
// "changed" with what the element is now. Why is "" when it did.
type missing struct {
	Why  string `json:"why"`
	Role string `json:"role"`
	Name string `json:"name"`
	Desc string `json:"desc"`
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
