package verbs

import (
	"context"
	"maps"
	"slices"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/shield"
)

var headerVerb = define(command.Spec{
	Name: "header", Group: "Emulation", Scope: command.Admin, Output: command.Ours, Nestable: true, FreeText: true, Stdin: command.StdinDash,
	Summary: "Send a header with every request of the session's tabs",
	Doc: `Every request carries it, to whatever host it goes, until it is set to nothing or browse reset.
Without words, lists the headers; values of those that carry secrets are masked. "-" reads name:value
from standard input, so that a secret is in no argument list.`,
	Examples: []string{"header X-Feature:beta", "header 'Authorization: Bearer abc'", "header X-Feature:", "header"},
}, headerRun)

type headerIn struct {
	Header string `arg:"name:value" rest:"true" optional:"true" help:"the header; nothing after the colon removes it"`
}

// ownHeaders are those that belong to the connection and cannot be set (Fetch
// standard, forbidden request-headers; Chromium refuses or overrides them).
var ownHeaders = map[string]bool{
	"connection": true, "content-length": true, "host": true, "keep-alive": true, "te": true, "trailer": true, "transfer-encoding": true, "upgrade": true,
}

func headerRun(ctx context.Context, env *Env, in headerIn) (Result, error) {
	line := in.Header
	if line == "-" {
		text, err := stdin(env, "header")
		if err != nil {
			return Result{}, err
		}
		line = text
	}
	if line = strings.TrimSpace(line); line == "" {
		return headerList(env.Tab.Settings().Headers), nil
	}
	name, value, ok := strings.Cut(line, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !ok || !isToken(name):
		return Result{}, api.Errorf(api.BadUsage, "usage: browse header <name>:<value>", "header: there is no header name before a colon")
	case strings.ContainsAny(value, "\r\n\x00"):
		return Result{}, api.Errorf(api.BadUsage, "one header at a time", "header: the value of %s has line breaks", name)
	case ownHeaders[strings.ToLower(name)]:
		return Result{}, api.Errorf(api.BadUsage, "browse help header", "header: %s belongs to the connection and cannot be set", name)
	}
	err := configure(ctx, env, func(s *page.Settings) {
		headers := maps.Clone(s.Headers)
		maps.DeleteFunc(headers, func(k, _ string) bool { return strings.EqualFold(k, name) })
		if value != "" {
			if headers == nil {
				headers = map[string]string{}
			}
			headers[name] = value
		}
		s.Headers = headers
	})
	if err != nil {
		return Result{}, err
	}
	if value == "" {
		return Result{Text: "Header removed: " + name}, nil
	}
	return Result{Text: "Header set: " + name + ": " + shield.MaskHeader(name, value)}, nil
}

func headerList(headers map[string]string) Result {
	if len(headers) == 0 {
		return Result{Text: "(no headers set)", Data: map[string]string{}}
	}
	masked := map[string]string{}
	var lines []string
	for _, k := range slices.Sorted(maps.Keys(headers)) {
		masked[k] = shield.MaskHeader(k, headers[k])
		lines = append(lines, k+": "+masked[k])
	}
	return Result{Text: strings.Join(lines, "\n"), Data: masked}
}

// isToken reports whether s is a header name (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	for _, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}
