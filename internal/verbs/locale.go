package verbs

import (
	"context"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var localeVerb = define(command.Spec{
	Name: "locale", Group: "Emulation", Scope: command.Admin, Output: command.Ours, Nestable: true,
	Summary:  "Set the language of the session's tabs",
	Doc:      `Accept-Language, navigator.languages and how dates and numbers are written.`,
	Examples: []string{"locale de-DE", "locale off"},
}, localeRun)

type localeIn struct {
	Tag string `arg:"tag|off" help:"a language tag (BCP 47), or off for Chromium's own"`
}

func localeRun(ctx context.Context, env *Env, in localeIn) (Result, error) {
	tag := strings.ReplaceAll(in.Tag, "_", "-")
	language, _, regional := strings.Cut(tag, "-")
	languages, locale := tag, strings.ReplaceAll(tag, "-", "_")
	switch {
	case tag == "off":
		languages, locale = "", ""
	case !isToken(tag) || len(language) < 2 || len(tag) > 35 || strings.ContainsAny(tag, "!#$%&'*+.^`|~"):
		return Result{}, api.Errorf(api.BadUsage, "browse locale de-DE", "locale: %q is not a language tag", in.Tag)
	case regional:
		languages += "," + language
	}
	err := configure(ctx, env, func(s *page.Settings) { s.Languages, s.Locale = languages, locale })
	if err != nil {
		return Result{}, err
	}
	if locale == "" {
		return Result{Text: "Locale: Chromium's own"}, nil
	}
	return Result{Text: "Locale set to " + tag, Data: map[string]string{"locale": tag, "languages": languages}}, nil
}
