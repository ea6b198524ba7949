package page

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"gstack/internal/cdp"
)

// Route says what becomes of requests of a page (CDP Fetch). One of Abort,
// Fulfil and Change is set. A route in use is never modified; its counter is.
type Route struct {
	ID      int
	Pattern string   // see [MatchAddress]
	Types   []string // CDP resource types in lower case; none means all
	Method  string   // of the requests that are meant, "" for any
	Times   int64    // how often it acts, 0 for ever

	Abort  string // CDP Network.ErrorReason, "" for no
	Fulfil *Fulfilment
	Change *Change

	// Taken counts the requests that it has acted on, in all tabs.
	Taken *atomic.Int64
}

// Header is a header line of a request or a response.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Fulfilment is an answer that no server has given.
type Fulfilment struct {
	Status  int
	Headers []Header
	Body    []byte
}

// Change is what is changed in a request before it is sent, and in the head of
// its response. Headers without a value are removed.
type Change struct {
	URL, Method string // "" keeps them
	Body        *string
	Request     []Header
	Status      int // of the response, 0 keeps it
	Response    []Header
}

// Credential answers a server that asks for a user and a password (RFC 9110,
// section 11). Origin is the only one that is answered: scheme, host and port.
type Credential struct {
	Origin, User, Password string
}

// MatchAddress reports whether a glob means an address: * stands for any text,
// all else for itself. One that begins with / is about path and query alone, one
// without a scheme about any.
func MatchAddress(glob, address string) bool {
	switch {
	case strings.HasPrefix(glob, "/"):
		_, rest, _ := strings.Cut(address, "://")
		i := strings.IndexByte(rest, '/')
		return i >= 0 && matchGlob(glob, rest[i:])
	case strings.HasPrefix(glob, "*") || strings.Contains(glob, "://"):
		return matchGlob(glob, address)
	}
	_, rest, ok := strings.Cut(address, "://")
	return ok && matchGlob(glob, rest)
}

func matchGlob(glob, s string) bool {
	first, rest, star := strings.Cut(glob, "*")
	if !star {
		return glob == s
	}
	s, ok := strings.CutPrefix(s, first)
	if !ok {
		return false
	}
	for {
		rest = strings.TrimLeft(rest, "*")
		part, after, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(part):], after
	}
}

// means reports whether r is about a request.
func (r *Route) means(e *paused) bool {
	return MatchAddress(r.Pattern, e.Request.URL) && (len(r.Types) == 0 || slices.Contains(r.Types, strings.ToLower(e.Type))) &&
		(r.Method == "" || strings.EqualFold(r.Method, e.Request.Method))
}

// take counts a request, unless r has acted as often as it may.
func (r *Route) take() bool {
	for {
		n := r.Taken.Load()
		if r.Times > 0 && n >= r.Times {
			return false
		}
		if r.Taken.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// filter is the pattern of CDP Fetch that covers what a route is about, and may
// cover more: each request that it holds takes a way through the daemon.
func (r *Route) filter() m {
	glob := r.Pattern
	switch {
	case strings.HasPrefix(glob, "/"):
		glob = "*://*" + glob
	case !strings.HasPrefix(glob, "*") && !strings.Contains(glob, "://"):
		glob = "*://" + glob
	}
	return m{"urlPattern": strings.NewReplacer(`\`, `\\`, "?", `\?`).Replace(glob)}
}

// held are the patterns of the requests that are held on a session; auth says
// whether questions for passwords are, too.
func (s Settings) held(files bool) (patterns []m, auth bool) {
	if files {
		patterns = append(patterns, m{"urlPattern": "file://*"})
	}
	for _, r := range s.Routes {
		patterns = append(patterns, r.filter())
	}
	for _, c := range s.Credentials {
		patterns = append(patterns, m{"urlPattern": c.Origin + "/*"})
	}
	if s.Attach {
		patterns = append(patterns, m{"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"})
	}
	return patterns, len(s.Credentials) > 0
}

// intercept puts into force on a session what [Settings.held] says. It is the
// only owner of the Fetch domain: what is enabled last is all that is.
func (t *Tab) intercept(s *cdp.Session) *cdp.Pending {
	t.fetching.Lock() // what is computed last is sent last
	defer t.fetching.Unlock()
	t.mu.Lock()
	patterns, auth := t.settings.held(t.guarded && s == t.sess)
	t.mu.Unlock()
	if len(patterns) == 0 {
		return s.Start("Fetch.disable", nil)
	}
	return s.Start("Fetch.enable", m{"patterns": patterns, "handleAuthRequests": auth})
}

// intercepts reports whether a new session of the tab needs [Tab.intercept].
func (t *Tab) intercepts(s *cdp.Session) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	patterns, _ := t.settings.held(t.guarded && s == t.sess)
	return len(patterns) > 0
}

// paused is CDP Fetch.requestPaused.
type paused struct {
	ID      string `json:"requestId"`
	Network string `json:"networkId"`
	Type    string `json:"resourceType"`
	Request struct {
		URL      string            `json:"url"`
		Fragment string            `json:"urlFragment"`
		Method   string            `json:"method"`
		Headers  map[string]string `json:"headers"`
	} `json:"request"`
	Error    string   `json:"responseErrorReason"`
	Status   int      `json:"responseStatusCode"`
	Response []Header `json:"responseHeaders"`
}

// maxAnswering bounds the requests whose responses are waited for.
const maxAnswering = 10_000

// handleHeld decides about the requests and questions that are held.
func (t *Tab) handleHeld(s *cdp.Session) {
	s.On("Fetch.requestPaused", func(params []byte) {
		var e paused
		if json.Unmarshal(params, &e) != nil {
			return
		}
		if e.Status != 0 || e.Error != "" {
			t.answerHeld(s, &e)
			return
		}
		if allow, _ := t.Files(); strings.HasPrefix(strings.ToLower(e.Request.URL), "file:") && (allow == nil || !allow(e.Request.URL)) {
			s.Start("Fetch.failRequest", m{"requestId": e.ID, "errorReason": "AccessDenied"})
			return
		}
		t.requestHeld(s, &e)
	})
	s.On("Fetch.authRequired", func(params []byte) {
		var e struct {
			ID        string `json:"requestId"`
			Challenge struct {
				Source string `json:"source"`
				Origin string `json:"origin"`
			} `json:"authChallenge"`
		}
		if json.Unmarshal(params, &e) == nil {
			s.Start("Fetch.continueWithAuth", m{"requestId": e.ID, "authChallengeResponse": t.answer(e.ID, e.Challenge.Source, e.Challenge.Origin)})
		}
	})
}

// requestHeld lets the latest route that is about a request act on it.
func (t *Tab) requestHeld(s *cdp.Session, e *paused) {
	routes := t.Settings().Routes
	for i := len(routes) - 1; i >= 0; i-- {
		r := routes[i]
		if !r.means(e) || !r.take() {
			continue
		}
		switch {
		case r.Abort != "":
			s.Start("Fetch.failRequest", m{"requestId": e.ID, "errorReason": r.Abort})
		case r.Fulfil != nil:
			s.Start("Fetch.fulfillRequest", m{"requestId": e.ID, "responseCode": r.Fulfil.Status, "responseHeaders": r.Fulfil.Headers, "body": r.Fulfil.Body})
		default:
			t.changeRequest(s, e, r.Change)
		}
		return
	}
	s.Start("Fetch.continueRequest", m{"requestId": e.ID})
}

func (t *Tab) changeRequest(s *cdp.Session, e *paused, c *Change) {
	params := m{"requestId": e.ID}
	if c.URL != "" {
		params["url"] = c.URL
	}
	if c.Method != "" {
		params["method"] = c.Method
	}
	if c.Body != nil {
		params["postData"] = []byte(*c.Body) // base64, as the protocol wants it
	}
	if len(c.Request) > 0 {
		var list []Header
		for _, k := range slices.Sorted(maps.Keys(e.Request.Headers)) {
			list = append(list, Header{k, e.Request.Headers[k]})
		}
		params["headers"] = changed(list, c.Request)
	}
	if c.Status != 0 || len(c.Response) > 0 {
		params["interceptResponse"] = true
		t.mu.Lock()
		if len(t.answering) < maxAnswering {
			t.answering[e.Network] = c
		}
		t.mu.Unlock()
	}
	s.Start("Fetch.continueRequest", params)
}

// answerHeld changes the head of a response.
func (t *Tab) answerHeld(s *cdp.Session, e *paused) {
	t.mu.Lock()
	c := t.answering[e.Network]
	delete(t.answering, e.Network)
	attach := t.settings.Attach
	t.mu.Unlock()
	if attach && e.Error == "" && e.Type == "Document" {
		t.attachHeld(s, e)
		return
	}
	if c == nil || e.Error != "" {
		s.Start("Fetch.continueResponse", m{"requestId": e.ID})
		return
	}
	status := e.Status
	if c.Status != 0 {
		status = c.Status
	}
	s.Start("Fetch.continueResponse", m{"requestId": e.ID, "responseCode": status, "responseHeaders": changed(e.Response, c.Response)})
}

// changed returns headers with others set, or removed where these have no value.
func changed(list, by []Header) []Header {
	out := slices.DeleteFunc(slices.Clone(list), func(h Header) bool {
		return slices.ContainsFunc(by, func(b Header) bool { return strings.EqualFold(b.Name, h.Name) })
	})
	for _, b := range by {
		if b.Value != "" {
			out = append(out, b)
		}
	}
	return out
}

// answer returns what a server is told that asks for a password: what there is
// for its origin, once. One that asks again has refused it; its page is shown.
func (t *Tab) answer(id, source, origin string) m {
	if strings.EqualFold(source, "Proxy") {
		return m{"response": "Default"}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.settings.Credentials {
		if Origin(origin) != c.Origin {
			continue
		}
		if t.challenged[id] {
			delete(t.challenged, id)
			return m{"response": "CancelAuth"}
		}
		if len(t.challenged) > maxAnswering {
			clear(t.challenged)
		}
		t.challenged[id] = true
		return m{"response": "ProvideCredentials", "username": c.User, "password": c.Password}
	}
	return m{"response": "Default"}
}

// Origin returns scheme, host and port of an address as they are compared, the
// port left out where it is the usual one; "" for what has none.
func Origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	} else if scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	}
	return scheme + "://" + host
}
