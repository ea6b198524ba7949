package verbs

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/shield"
)

var routeVerb = define(command.Spec{
	Name: "route", Group: "Network", Scope: command.Admin, Output: command.Ours, Nestable: true,
	Summary: "Abort, answer or change requests of the session's tabs",
	Doc: `The glob is matched with the whole address; * stands for any text, all else for itself. One that
begins with / is about path and query on any host, one without a scheme about http and https.
What happens to a request that it means, of the kinds of --type and the method of --when:

  --abort                     it fails, for the --reason
  --body, --body-file,        it is answered by this, with 200, --status and --header,
  --status                    and no server is asked
  --url, --method, --post,    it is sent changed; a header without a value is removed
  --request-header
  --response-header           the head of its response is changed; with --keep, --status is, too

The last route that means a request acts on it, --times N only so often. Redirects are requests of
their own. Web sockets and what a service worker asks for are beyond its reach. Routes hold in all tabs of the
session, those to come included, until they are removed or browse reset.

  route list                  what there is, and how often it has acted
  route rm ID|GLOB            remove one
  route clear                 remove all`,
	Examples: []string{"route '*' --type image,font --abort", `route /api/user --body '{"name":"Ann"}' --header 'Content-Type: application/json'`,
		"route '*.js' --status 503 --times 2", "route 'https://api.test/*' --request-header 'X-Feature: beta'", "route list", "route rm 1"},
}, routeRun)

type routeIn struct {
	Glob     string   `arg:"glob" help:"what addresses are meant; or list, rm, clear"`
	Which    string   `arg:"which" optional:"true" help:"after rm: the number or the glob of a route"`
	Abort    bool     `flag:"abort" help:"let the requests fail"`
	Reason   string   `flag:"reason" enum:"failed,aborted,timedout,accessdenied,connectionclosed,connectionreset,connectionrefused,namenotresolved,internetdisconnected,addressunreachable,blockedbyclient" help:"why, for --abort"`
	Status   int      `flag:"status" value:"CODE" help:"HTTP status of the answer"`
	Body     string   `flag:"body" value:"TEXT" help:"answer with this"`
	BodyFile string   `flag:"body-file" value:"FILE" help:"answer with the content of a file"`
	Headers  []string `flag:"header" value:"NAME:VALUE" help:"header of the answer; may be repeated"`
	Request  []string `flag:"request-header" value:"NAME:VALUE" help:"set a header of the request; may be repeated"`
	Response []string `flag:"response-header" value:"NAME:VALUE" help:"set a header of the server's response; may be repeated"`
	Keep     bool     `flag:"keep" help:"--status changes the server's response instead of replacing it"`
	URL      string   `flag:"url" value:"URL" help:"send the request there instead; the page does not notice"`
	Method   string   `flag:"method" value:"METHOD" help:"send it with this method"`
	Post     string   `flag:"post" value:"TEXT" help:"send this as its body"`
	Types    string   `flag:"type" value:"TYPES" help:"only requests of these kinds, such as document,script,image,font,stylesheet,media,xhr,fetch"`
	When     string   `flag:"when" value:"METHOD" help:"only requests with this method"`
	Times    int      `flag:"times" value:"N" help:"only so often"`
}

// reasons are the names of --reason as the protocol writes them (CDP
// Network.ErrorReason).
var reasons = map[string]string{
	"": "Failed", "failed": "Failed", "aborted": "Aborted", "timedout": "TimedOut", "accessdenied": "AccessDenied", "connectionclosed": "ConnectionClosed",
	"connectionreset": "ConnectionReset", "connectionrefused": "ConnectionRefused", "namenotresolved": "NameNotResolved",
	"internetdisconnected": "InternetDisconnected", "addressunreachable": "AddressUnreachable", "blockedbyclient": "BlockedByClient",
}

// resourceTypes are the kinds of requests (CDP Network.ResourceType).
var resourceTypes = []string{
	"document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "prefetch", "eventsource",
	"manifest", "signedexchange", "ping", "cspviolationreport", "preflight", "other",
}

// Bounds of routes: how many a session has, how large an answer from a file is.
const (
	maxRoutes = 200
	maxAnswer = 50 << 20
)

func routeRun(ctx context.Context, env *Env, in routeIn) (Result, error) {
	switch in.Glob {
	case "list":
		if err := in.alone(); err != nil {
			return Result{}, err
		}
		return routeList(env.Tab.Settings().Routes), nil
	case "rm", "remove", "clear":
		return routeRemove(ctx, env, in)
	}
	if in.Which != "" {
		return Result{}, api.Errorf(api.BadUsage, "browse help route", "route: %s after the glob means nothing", quote(in.Which))
	}
	r, err := in.route(env)
	if err != nil {
		return Result{}, err
	}
	if len(env.Tab.Settings().Routes) >= maxRoutes {
		return Result{}, api.Errorf(api.TooLarge, "browse route clear", "route: there are %d routes, no more are taken", maxRoutes)
	}
	r.ID = env.Tabs.NextRoute()
	err = configure(ctx, env, func(s *page.Settings) { s.Routes = append(slices.Clone(s.Routes), r) })
	if err != nil {
		return Result{}, err
	}
	return Result{Text: fmt.Sprintf("Route %d: %s", r.ID, routeLine(r)), Data: routeData(r)}, nil
}

// route makes what the words say.
func (in routeIn) route(env *Env) (*page.Route, error) {
	r := &page.Route{Pattern: in.Glob, Method: strings.ToUpper(in.When), Times: int64(in.Times), Taken: new(atomic.Int64)}
	if strings.ContainsAny(in.Glob, " \t\r\n") || in.Glob == "" || in.Times < 0 || !isMethod(in.When) || !isMethod(in.Method) {
		return nil, api.Errorf(api.BadUsage, "browse help route", "route: %s is no glob of addresses, or --times, --when or --method makes no sense", quote(in.Glob))
	}
	for _, t := range strings.Split(in.Types, ",") {
		if t = strings.ToLower(strings.TrimSpace(t)); t == "" {
			continue
		}
		if !slices.Contains(resourceTypes, t) {
			return nil, api.Errorf(api.BadUsage, "the kinds are "+strings.Join(resourceTypes, ", "), "route: there is no kind of request %s", quote(t))
		}
		r.Types = append(r.Types, t)
	}
	fulfils := in.Body != "" || in.BodyFile != "" || len(in.Headers) > 0 || in.Status != 0 && !in.Keep
	changes := in.URL != "" || in.Method != "" || in.Post != "" || len(in.Request) > 0 || len(in.Response) > 0 || in.Keep
	n := 0
	for _, on := range []bool{in.Abort, fulfils, changes} {
		if on {
			n++
		}
	}
	if n != 1 || in.Reason != "" && !in.Abort || in.Body != "" && in.BodyFile != "" || in.Status != 0 && (in.Status < 100 || in.Status > 599) {
		return nil, api.Errorf(api.BadUsage, "browse help route", "route: want one of --abort, an answer (--body, --body-file, --status, --header) and a change (--url, --method, --post, --request-header, --response-header)")
	}
	var err error
	switch {
	case in.Abort:
		r.Abort = reasons[in.Reason]
	case fulfils:
		r.Fulfil, err = in.fulfilment(env)
	default:
		r.Change, err = in.change(env)
	}
	return r, err
}

func (in routeIn) fulfilment(env *Env) (*page.Fulfilment, error) {
	f := &page.Fulfilment{Status: in.Status, Body: []byte(in.Body)}
	if f.Status == 0 {
		f.Status = 200
	}
	var err error
	if f.Headers, err = headerLines(in.Headers); err != nil {
		return nil, err
	}
	if in.BodyFile != "" {
		if f.Body, err = inputFile(env, in.BodyFile, maxAnswer); err != nil {
			return nil, err
		}
	}
	if f.Body == nil {
		f.Body = []byte{}
	}
	if f.Headers == nil {
		f.Headers = []page.Header{}
	}
	typed := slices.ContainsFunc(f.Headers, func(h page.Header) bool { return strings.EqualFold(h.Name, "Content-Type") })
	if !typed && len(f.Body) > 0 {
		f.Headers = append(f.Headers, page.Header{Name: "Content-Type", Value: typeOf(in.BodyFile, f.Body)})
	}
	return f, nil
}

func (in routeIn) change(env *Env) (*page.Change, error) {
	c := &page.Change{Method: strings.ToUpper(in.Method)}
	if in.Keep {
		c.Status = in.Status
	}
	var err error
	if in.URL != "" {
		if c.URL, err = env.Paths.URL(in.URL); err != nil {
			return nil, err
		}
		if !strings.HasPrefix(c.URL, "http") {
			return nil, api.Errorf(api.BadUsage, "name an http address", "route: a request cannot be sent to %s", quote(c.URL))
		}
	}
	if in.Post != "" {
		c.Body = &in.Post
	}
	if c.Request, err = headerLines(in.Request); err != nil {
		return nil, err
	}
	c.Response, err = headerLines(in.Response)
	return c, err
}

// headerLines reads "name: value" lines; a value may be empty.
func headerLines(lines []string) ([]page.Header, error) {
	var out []page.Header
	for _, l := range lines {
		name, value, ok := strings.Cut(l, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !isToken(name) || strings.ContainsAny(value, "\r\n\x00") {
			return nil, api.Errorf(api.BadUsage, "write 'Name: value'", "route: a header has no name before a colon, or line breaks")
		}
		out = append(out, page.Header{Name: name, Value: value})
	}
	return out, nil
}

func isMethod(s string) bool { return s == "" || isToken(s) && len(s) < 30 }

func routeRemove(ctx context.Context, env *Env, in routeIn) (Result, error) {
	if in.Glob == "clear" != (in.Which == "") {
		return Result{}, api.Errorf(api.BadUsage, "usage: browse route rm <id|glob>, or browse route clear", "route %s: the route to remove is missing, or one too many", in.Glob)
	}
	which := in.Which
	if in.Which = ""; in.alone() != nil {
		return Result{}, in.alone()
	}
	gone := func(r *page.Route) bool {
		return which == "" || r.Pattern == which || strconv.Itoa(r.ID) == which
	}
	n := 0
	for _, r := range env.Tab.Settings().Routes {
		if gone(r) {
			n++
		}
	}
	if n == 0 && which != "" {
		return Result{}, api.Errorf(api.NotFound, "browse route list", "there is no route %s", quote(which))
	}
	err := configure(ctx, env, func(s *page.Settings) { s.Routes = slices.DeleteFunc(slices.Clone(s.Routes), gone) })
	return Result{Text: fmt.Sprintf("Routes removed: %d", n), Data: map[string]int{"removed": n}}, err
}

// alone refuses flags beside a word that takes none.
func (in routeIn) alone() error {
	if in.Which != "" || in.Abort || in.Body != "" || in.BodyFile != "" || in.Status != 0 || in.URL != "" || in.Types != "" || len(in.Headers)+len(in.Request)+len(in.Response) > 0 {
		return api.Errorf(api.BadUsage, "browse help route", "route %s takes no other words", in.Glob)
	}
	return nil
}

func routeList(routes []*page.Route) Result {
	if len(routes) == 0 {
		return Result{Text: "(no routes)", Data: []any{}}
	}
	var lines []string
	var data []map[string]any
	for _, r := range routes {
		lines = append(lines, fmt.Sprintf("%d  %s (acted %d times)", r.ID, routeLine(r), r.Taken.Load()))
		data = append(data, routeData(r))
	}
	return Result{Text: strings.Join(lines, "\n"), Data: data}
}

// routeLine says in a line what a route does; of headers it names no values that
// carry secrets.
func routeLine(r *page.Route) string {
	what := r.Pattern
	if r.Method != "" {
		what = r.Method + " " + what
	}
	if r.Types != nil {
		what += " [" + strings.Join(r.Types, ",") + "]"
	}
	does := ""
	switch {
	case r.Abort != "":
		does = "abort"
		if r.Abort != "Failed" {
			does += " as " + r.Abort
		}
	case r.Fulfil != nil:
		does = fmt.Sprintf("answer %d, %d bytes", r.Fulfil.Status, len(r.Fulfil.Body))
	default:
		does = "change " + strings.Join(changes(r.Change), ", ")
	}
	if r.Times > 0 {
		does += fmt.Sprintf(", %d times", r.Times)
	}
	return api.Clean(what + " → " + does)
}

func changes(c *page.Change) []string {
	var out []string
	if c.URL != "" {
		out = append(out, "address to "+source(page.Shown(c.URL)))
	}
	if c.Method != "" {
		out = append(out, "method to "+c.Method)
	}
	if c.Body != nil {
		out = append(out, fmt.Sprintf("body to %d bytes", len(*c.Body)))
	}
	for _, h := range c.Request {
		out = append(out, "request header "+headerLine(h))
	}
	if c.Status != 0 {
		out = append(out, fmt.Sprintf("status to %d", c.Status))
	}
	for _, h := range c.Response {
		out = append(out, "response header "+headerLine(h))
	}
	return out
}

func headerLine(h page.Header) string {
	if h.Value == "" {
		return h.Name + " removed"
	}
	return h.Name + ": " + shield.MaskHeader(h.Name, h.Value)
}

func routeData(r *page.Route) map[string]any {
	return map[string]any{"id": r.ID, "pattern": r.Pattern, "types": r.Types, "does": routeLine(r), "acted": r.Taken.Load()}
}
