package verbs

import (
	"context"
	"slices"
	"strings"

	"gstack/internal/command"
	"gstack/internal/cookie"
	"gstack/internal/shield"
)

var cookiesVerb = define(command.Spec{
	Name: "cookies", Group: "Inspection", Scope: command.Admin, Effect: command.Reads, Nestable: true,
	Summary: "List the cookies of the browser as JSON",
	Doc: `Of every site, not of the page alone; --domain keeps those of one site and what is below
it. Values that are secret by their name or their looks, and those that scripts of the page
cannot read either (httpOnly), are shown as [REDACTED — N chars]. expires is in seconds since
1970, -1 for the end of the session. partitionKey is the site within whose pages alone a partitioned
cookie is seen.`,
	Examples: []string{"cookies", "cookies --domain example.com"},
}, cookiesRun)

type cookiesIn struct {
	Domain string `flag:"domain" value:"HOST" help:"only those that a page of HOST, or below it, may have"`
}

type cookieOut struct {
	Name     string  `json:"name"`
	Value    string  `json:"value"`
	Domain   string  `json:"domain"`
	Path     string  `json:"path"`
	Expires  float64 `json:"expires"`
	HTTPOnly bool    `json:"httpOnly"`
	Secure   bool    `json:"secure"`
	SameSite string  `json:"sameSite,omitempty"`
	// Partition is set for one that is seen within pages of a site only.
	Partition *cookie.Partition `json:"partitionKey,omitempty"`
}

func cookiesRun(ctx context.Context, env *Env, in cookiesIn) (Result, error) {
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	list, err := env.Tabs.Cookies(ctx)
	if err != nil {
		return Result{}, err
	}
	slices.SortStableFunc(list, func(a, b cookie.Cookie) int {
		return strings.Compare(a.Host()+"\x00"+a.Name, b.Host()+"\x00"+b.Name)
	})
	out := []cookieOut{}
	site := strings.ToLower(strings.TrimPrefix(in.Domain, "."))
	for _, c := range list {
		if site != "" && c.Host() != site && !strings.HasSuffix(c.Host(), "."+site) && !c.Fits(site) {
			continue
		}
		o := cookieOut{c.Name, redactedValue(c.Name, c.Value), c.Domain, c.Path, c.Expires, c.HTTPOnly, c.Secure, c.SameSite, c.Partition}
		if c.HTTPOnly && c.Value != "" {
			o.Value = shield.Redacted(c.Value)
		}
		if o.Expires <= 0 {
			o.Expires = -1
		}
		out = append(out, o)
	}
	return jsonResult(out, out)
}
