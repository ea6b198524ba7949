package verbs

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var credentialsVerb = define(command.Spec{
	Name: "credentials", Group: "Network", Scope: command.Admin, Output: command.Ours, Nestable: true, Stdin: command.StdinDash,
	Summary: "Answer a site that asks for a user name and a password by HTTP",
	Doc: `For basic, digest and other HTTP authentication, not for forms. The site of the current page is
answered, or that of --origin, in all tabs of the session, and no other; each question once, so
that a wrong password is an error and no loop. The password is never printed or logged;
"-" reads user:password from standard input, so that it is in no argument list either. The
word off removes what there is, for --origin or for all. Chromium keeps sending
what a server has accepted until the browser ends. Without words, lists sites and users.`,
	Examples: []string{"credentials - --origin https://staging.example.com < secret", "credentials ann:secret", "credentials", "credentials off"},
}, credentialsRun)

type credentialsIn struct {
	Pair   string `arg:"user:password" optional:"true" help:"what to answer, - for standard input, or off"`
	Origin string `flag:"origin" value:"URL" help:"the site that is answered: scheme, host and port"`
}

func credentialsRun(ctx context.Context, env *Env, in credentialsIn) (Result, error) {
	if in.Pair == "" {
		return credentialsList(env.Tab.Settings().Credentials), nil
	}
	pair := in.Pair
	if pair == "-" {
		text, err := stdin(env, "credentials")
		if err != nil {
			return Result{}, err
		}
		pair = withoutBreak(text)
	}
	origin, err := in.site(env, pair == "off")
	if err != nil {
		return Result{}, err
	}
	user, password, ok := strings.Cut(pair, ":")
	if pair != "off" && (!ok || user == "" || strings.ContainsFunc(pair, func(r rune) bool { return r < ' ' || r == 0x7f })) {
		return Result{}, api.Errorf(api.BadUsage, "usage: browse credentials <user>:<password>", "credentials: there is no user before a colon, or a control character")
	}
	removed := 0
	for _, c := range env.Tab.Settings().Credentials {
		if origin == "" || c.Origin == origin {
			removed++
		}
	}
	if pair == "off" && removed == 0 {
		return Result{}, api.Errorf(api.NotFound, "browse credentials lists them", "there are no credentials to remove")
	}
	err = configure(ctx, env, func(s *page.Settings) {
		s.Credentials = slices.DeleteFunc(slices.Clone(s.Credentials), func(c page.Credential) bool { return origin == "" || c.Origin == origin })
		if pair != "off" {
			s.Credentials = append(s.Credentials, page.Credential{Origin: origin, User: user, Password: password})
		}
	})
	if err != nil {
		return Result{}, err
	}
	if pair == "off" {
		return Result{Text: "Credentials removed", Data: map[string]int{"removed": removed}}, nil
	}
	return Result{Text: "Credentials set for " + api.Clean(origin) + ": " + api.Clean(user) + ":****", Data: map[string]string{"origin": origin, "user": user}}, nil
}

// site returns the origin that is meant; "" for all of them, when all may be.
func (in credentialsIn) site(env *Env, all bool) (string, error) {
	if in.Origin == "" && all {
		return "", nil
	}
	if in.Origin == "" {
		u, err := site(env.Tab)
		if err != nil {
			return "", api.Errorf(api.Failed, "browse credentials - --origin https://host", "credentials: the tab shows no site that could be meant")
		}
		return page.Origin(u.String()), nil
	}
	address, err := env.Paths.URL(in.Origin)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return "", api.Errorf(api.BadUsage, "browse credentials - --origin https://host", "credentials: --origin is no http address, or has a user in it")
	}
	return page.Origin(address), nil
}

func credentialsList(list []page.Credential) Result {
	if len(list) == 0 {
		return Result{Text: "(no credentials set)", Data: []any{}}
	}
	var lines []string
	var data []map[string]string
	for _, c := range list {
		lines = append(lines, api.Clean(c.Origin+": "+c.User+":****"))
		data = append(data, map[string]string{"origin": c.Origin, "user": c.User})
	}
	return Result{Text: strings.Join(lines, "\n"), Data: data}
}
