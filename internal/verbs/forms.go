package verbs

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/shield"
)

var formsVerb = define(command.Spec{
	Name: "forms", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary: "List the forms of the page and their fields as JSON",
	Doc: `Each field has a ref for fill, select, check and click. Fields that belong to no form are in a
last entry with "outside": true; frames and shadow roots are included. Passwords, and values
that are secret by the name of their field or by their looks, are [redacted].`,
	Examples: []string{"forms", "forms '#login'"},
}, formsRun)

func formsRun(ctx context.Context, env *Env, in targetIn) (Result, error) {
	var un page.Unread
	forms, own, err := readFrom(ctx, env, in, func(ctx context.Context, el *page.Element) (f []page.Form, err error) {
		f, un, err = env.Tab.Forms(ctx, el, secretField)
		return f, err
	})
	if err != nil {
		return Result{}, err
	}
	return jsonResult(forms, forms, own, unreadFrames(un))
}

// secretField says which fields hold a secret by what they are called or hold.
func secretField(name, id, value string) bool {
	return shield.SecretName(name) || shield.SecretName(id) || shield.SecretValue(value)
}

// jsonResult answers with a value as JSON text, and as the data of the machine
// form, with sentences of ours below it.
func jsonResult(v, data any, own ...string) (Result, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return Result{}, err
	}
	var said []string
	for _, s := range own {
		if s != "" {
			said = append(said, s)
		}
	}
	return Result{Text: strings.TrimSuffix(b.String(), "\n"), Data: data, Own: strings.Join(said, "\n")}, nil
}

// unreadFrames says of how many frames nothing was read, "" for none.
func unreadFrames(un page.Unread) string {
	count := func(n int, one, many string) string {
		switch n {
		case 0:
			return ""
		case 1:
			return "(one frame " + one + ")"
		}
		return fmt.Sprintf("(%d frames %s)", n, many)
	}
	return strings.TrimSpace(count(un.Silent, "did not answer", "did not answer") + "\n" + count(un.NotLoaded, "has not been loaded by the browser", "have not been loaded by the browser"))
}
