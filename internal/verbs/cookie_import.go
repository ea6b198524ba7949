package verbs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/cookie"
)

var cookieImportVerb = define(command.Spec{
	Name: "cookie-import", Group: "State", Scope: command.Admin, Output: command.Ours, Nestable: true, Stdin: command.StdinDash,
	Summary: "Load cookies from a file",
	Doc: `Takes JSON as browsers, extensions, Playwright and WebDriver write it, Netscape cookies.txt, a
cURL command as developer tools copy it, and a Cookie header. Cookies without a domain are for the host
of the current page. Those of other sites are left out and counted, --all takes them too.
Cookies that have expired are left out. "-" reads standard input.`,
	Examples: []string{"cookie-import cookies.json", "cookie-import --all cookies.txt", "cookie-import - < curl.txt"},
}, cookieImportRun)

type cookieImportIn struct {
	File string `arg:"file" help:"the file, or - for standard input"`
	All  bool   `flag:"all" help:"cookies of every site, not only of the current page's"`
}

// maxCookieFile bounds what is read, in bytes.
const maxCookieFile = 16 << 20

func cookieImportRun(ctx context.Context, env *Env, in cookieImportIn) (Result, error) {
	data, err := cookieFile(env, in.File)
	if err != nil {
		return Result{}, err
	}
	read, err := cookie.Read(data)
	if err != nil {
		return Result{}, api.Errorf(api.BadUsage, "browse help cookie-import", "cookie-import: %s holds no cookies that can be read: %v", in.File, err)
	}
	u, err := site(env.Tab)
	if err != nil && !(in.All && !slices.ContainsFunc(read, func(c cookie.Cookie) bool { return c.Domain == "" && c.URL == "" })) {
		return Result{}, err
	}
	var take []cookie.Cookie
	others := map[string]bool{}
	expired := 0
	for _, c := range read {
		switch {
		case c.Expires > 0 && c.Expires < float64(time.Now().Unix()):
			expired++
			continue
		case c.Domain == "" && c.URL == "":
			c = ofPage(c, u)
		case !in.All && !c.Fits(u.Hostname()):
			others[c.Host()] = true
			continue
		}
		take = append(take, c)
	}
	if len(take) == 0 && len(others) > 0 {
		sites := slices.Sorted(maps.Keys(others))
		return Result{}, api.Errorf(api.BadUsage, "browse goto one of these sites first, or add --all",
			"cookie-import: no cookie in %s is for %s; they are for %s", in.File, u.Hostname(), api.Clean(strings.Join(sites[:min(len(sites), 5)], ", ")))
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	if len(take) > 0 {
		if err := env.Tabs.SetCookies(ctx, take); err != nil {
			return Result{}, err
		}
	}
	text := fmt.Sprintf("Loaded %d cookies from %s", len(take), in.File)
	if n := len(read) - len(take) - expired; n > 0 {
		text += fmt.Sprintf("\n%d of other sites left out, --all takes them", n)
	}
	if expired > 0 {
		text += fmt.Sprintf("\n%d have expired and were left out", expired)
	}
	return Result{Text: text, Data: map[string]int{"loaded": len(take), "otherSites": len(read) - len(take) - expired, "expired": expired}}, nil
}

func cookieFile(env *Env, name string) ([]byte, error) {
	if name == "-" {
		text, err := stdin(env, "cookie-import")
		return []byte(text), err
	}
	return inputFile(env, name, maxCookieFile)
}
