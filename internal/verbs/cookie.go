package verbs

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/cookie"
	"gstack/internal/session"
)

var cookieVerb = define(command.Spec{
	Name: "cookie", Group: "State", Scope: command.Admin, Output: command.Ours, Nestable: true, Stdin: command.StdinDash,
	Summary: "Set a cookie of the page's site",
	Doc: `For the host of the current page alone and all its paths, until the browser ends, unless the
flags say otherwise. The value is never printed; "-" reads name=value from standard input, so that it
is in no argument list either. --delete removes the cookies of that name which the page can have.`,
	Examples: []string{"cookie theme=dark", "cookie sid=abc --secure --http-only --same-site lax --days 7", "cookie - < cookie.txt", "cookie sid --delete"},
}, cookieRun)

type cookieIn struct {
	Pair     string  `arg:"name=value" help:"the cookie"`
	Domain   string  `flag:"domain" value:"HOST" help:"the host of the page or a parent of it, whose sub-domains have the cookie too"`
	Path     string  `flag:"path" value:"PATH" default:"/" help:"where on the site it is sent"`
	Secure   bool    `flag:"secure" help:"only over https"`
	HTTPOnly bool    `flag:"http-only" help:"not for scripts"`
	SameSite string  `flag:"same-site" enum:"strict,lax,none" help:"whether other sites' requests carry it"`
	Within   string  `flag:"partition" value:"SITE" help:"only within pages of this site, such as https://top.example (needs --secure and --same-site none)"`
	Days     float64 `flag:"days" value:"N" help:"how long it is kept"`
	Delete   bool    `flag:"delete" help:"remove it"`
}

// site returns the address of the tab's page when it can have cookies.
func site(t *session.Tab) (*url.URL, error) {
	u, err := url.Parse(t.URL())
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, api.Errorf(api.Failed, "browse goto the site first", "%s has no cookies: it is not a page of a site", source(t.URL()))
	}
	return u, nil
}

func cookieRun(ctx context.Context, env *Env, in cookieIn) (Result, error) {
	pair := in.Pair
	if pair == "-" {
		text, err := stdin(env, "cookie")
		if err != nil {
			return Result{}, err
		}
		pair = withoutBreak(text)
	}
	u, err := site(env.Tab)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	if in.Delete {
		pair, _, _ = strings.Cut(pair, "=") // the value is not wanted, and may be a secret
		return cookieDelete(ctx, env, u, strings.TrimSpace(pair))
	}
	name, value, ok := strings.Cut(pair, "=")
	name = strings.TrimSpace(name)
	if !ok || name == "" {
		return Result{}, api.Errorf(api.BadUsage, "usage: browse cookie <name>=<value>", "cookie: there is no name before a =")
	}
	c := cookie.Cookie{Name: name, Value: value, Path: in.Path, Secure: in.Secure, HTTPOnly: in.HTTPOnly}
	c.SameSite, _ = cookie.SameSite(in.SameSite)
	if in.Days > 0 {
		c.Expires = float64(time.Now().Unix()) + in.Days*24*60*60
	}
	if in.Within != "" {
		top, err := url.Parse(in.Within)
		if err != nil || top.Host == "" {
			return Result{}, api.Errorf(api.BadUsage, "browse cookie … --partition https://top.example", "cookie: --partition is %s, not scheme and host of a site", quote(in.Within))
		}
		// The protocol wants the site without its port.
		c.Partition = &cookie.Partition{TopLevelSite: top.Scheme + "://" + top.Hostname(), CrossSite: top.Hostname() != u.Hostname()}
	}
	c.Domain = in.Domain
	if !c.Fits(u.Hostname()) {
		return Result{}, api.Errorf(api.BadUsage, "browse goto a page of "+api.Clean(c.Host())+" first",
			"cookie: a page of %s cannot have cookies of %s", u.Hostname(), api.Clean(c.Host()))
	}
	if c.Domain == "" {
		c = ofPage(c, u)
	} else if !strings.HasPrefix(c.Domain, ".") && c.Host() != strings.Trim(u.Hostname(), "[]") {
		c.Domain = "." + c.Domain
	}
	if err := c.Check(); err != nil {
		return Result{}, api.Errorf(api.BadUsage, "browse help cookie", "cookie %s: %v", api.Clean(name), err)
	}
	if err := env.Tabs.SetCookies(ctx, []cookie.Cookie{c}); err != nil {
		return Result{}, err
	}
	return Result{Text: "Cookie set: " + api.Clean(name) + "=****", Data: map[string]string{"name": name}}, nil
}

// ofPage makes c a cookie of the page at u alone. The browser keeps it apart
// from those of other ports and schemes of the host.
func ofPage(c cookie.Cookie, u *url.URL) cookie.Cookie {
	c.URL, c.SourceScheme, c.SourcePort = u.Scheme+"://"+u.Host+"/", "NonSecure", 80
	if u.Scheme == "https" {
		c.SourceScheme, c.SourcePort = "Secure", 443
	}
	if port, err := strconv.Atoi(u.Port()); err == nil {
		c.SourcePort = port
	}
	return c
}

func cookieDelete(ctx context.Context, env *Env, u *url.URL, name string) (Result, error) {
	n, err := env.Tabs.DeleteCookies(ctx, name, u.Hostname())
	if err != nil {
		return Result{}, err
	}
	if n == 0 {
		return Result{}, api.Errorf(api.NotFound, "check its name", "a page of %s has no cookie %s", u.Hostname(), quote(name))
	}
	return Result{Text: "Cookie removed: " + api.Clean(name), Data: map[string]any{"name": name, "removed": n}}, nil
}
