package verbs

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/shield"
)

var attrsVerb = define(command.Spec{
	Name: "attrs", Group: "Inspection", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary: "Print the attributes of an element as JSON",
	Doc: `In the order of the page. The value of a password field, and what is secret by its name or
its looks, is [redacted].`,
	Examples: []string{"attrs @e3", "attrs '#logo'"},
}, attrsRun)

type elementIn struct {
	Target string `arg:"target" help:"ref (@e3) or selector"`
}

// attributes keeps the order of the page in JSON.
type attributes []page.Attribute

// MarshalJSON implements [json.Marshaler].
func (a attributes) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, x := range a {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(x.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(x.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func attrsRun(ctx context.Context, env *Env, in elementIn) (Result, error) {
	el, err := find(ctx, env, in.Target)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	list, err := el.Attributes(ctx)
	if err != nil {
		return Result{}, err
	}
	for i, a := range list {
		if a.Secret || a.Value != "" && (shield.SecretValue(a.Value) || secretAttribute(a.Name)) {
			list[i].Value = "[redacted]"
		}
	}
	return jsonResult(attributes(list), attributes(list))
}

// secretAttribute is [shield.SecretName] for data attributes, where keys, sessions
// and authors are what an interface is made of more often than they are secret.
func secretAttribute(name string) bool {
	for _, w := range []string{"token", "secret", "password", "passwd", "credential", "csrf", "xsrf", "jwt", "api-key", "apikey"} {
		if strings.Contains(strings.ToLower(name), w) {
			return true
		}
	}
	return false
}
