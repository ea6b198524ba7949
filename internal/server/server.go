// Package server answers HTTP on the local listener.
//
// Every route is declared in one table with its surface and credential; what is
// not declared is refused. A request passes the same gate whatever its route:
// Host must be ours, nothing that a web page would send (Origin, Referer,
// Sec-Fetch-Site) may be there, and the bearer token must be right. There are
// no CORS headers. The package knows no verb and no browser: commands go to a
// [Commander], and /health is about the daemon alone, so that a hung page never
// makes the daemon look dead.
package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"gstack/internal/api"
)

// Commander runs commands.
type Commander interface {
	// Run runs one command and returns its answer. root says that the caller
	// proved to be the local user.
	Run(ctx context.Context, root bool, req *api.Request) (api.Answer, *api.Error)
	// Budget returns the deadline that Run gives the command.
	Budget(req *api.Request) time.Duration
}

// Health is the answer of GET /health. It holds no secret and nothing of a page.
type Health struct {
	Status       string `json:"status"` // "healthy" or "stopping"
	Mode         string `json:"mode"`   // "launched" or "headed"
	Uptime       int64  `json:"uptime"` // whole seconds
	Tabs         int    `json:"tabs"`
	TerminalPort *int   `json:"terminalPort"`
	PID          int    `json:"pid"`
	Version      string `json:"version"` // build id
}

// StopRequest is the body of POST /stop.
type StopRequest struct {
	// OnlyIfBlank asks to stop only when nothing would be lost.
	OnlyIfBlank bool `json:"onlyIfBlank,omitempty"`
	// Build is the build id of the client that asks.
	Build string `json:"build,omitempty"`
}

// StopAnswer is the answer of POST /stop.
type StopAnswer struct {
	Stopping bool `json:"stopping"`
	// First is set when this build asks for the first time and was refused.
	First bool `json:"first,omitempty"`
}

// Options configure a [Server]. All are required.
type Options struct {
	Token     string // root token
	Commander Commander
	Health    func() Health
	Stop      func(StopRequest) StopAnswer
	Log       *slog.Logger
}

// Limits of a request and of a connection.
const (
	maxBody       = 64 << 20
	maxHeader     = 16 << 10
	headerTimeout = 5 * time.Second
	bodyTimeout   = 30 * time.Second
	idleTimeout   = 10 * time.Second
	answerTimeout = time.Hour // the reader of a large output may be a pager
)

// Server serves the local listener.
type Server struct {
	o     Options
	token [sha256.Size]byte
	calls *calls
	http  *http.Server
	hosts atomic.Pointer[[3]string]
}

// New returns a server that does not listen yet.
func New(o Options) *Server {
	s := &Server{o: o, token: sha256.Sum256([]byte(o.Token)), calls: newCalls(o.Log)}
	s.http = &http.Server{
		Handler:           s.handler(Local),
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
	}
	return s
}

// Serve answers on l until [Server.Shutdown]. It returns nil then, and the
// listener's error otherwise.
func (s *Server) Serve(l net.Listener) error {
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	s.hosts.Store(&[3]string{"127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port})
	if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Running returns the commands that run now, oldest first.
func (s *Server) Running() []Running { return s.calls.list() }

// Activity returns a channel that is closed at the next change of the number of
// running commands, that number, and when it last fell to zero.
func (s *Server) Activity() (changed <-chan struct{}, running int, since time.Time) {
	return s.calls.activity()
}

// RefuseIfUnchanged makes the server refuse new commands, unless one runs or has
// run since [Server.Activity] returned seen; it reports whether it refuses now.
func (s *Server) RefuseIfUnchanged(seen <-chan struct{}) bool { return s.calls.refuseIfUnchanged(seen) }

// Refuse makes the server answer every further command with [api.Stopping].
func (s *Server) Refuse() { s.calls.refuse() }

// Drain refuses new commands, lets the running ones finish for grace, then
// cancels them and waits for them until ctx is done.
func (s *Server) Drain(ctx context.Context, grace time.Duration) {
	s.calls.refuse()
	t := time.NewTimer(grace)
	defer t.Stop()
	for cancelled := false; ; {
		changed, running, _ := s.calls.activity()
		if running == 0 {
			return
		}
		select {
		case <-changed:
		case <-t.C:
			if !cancelled {
				cancelled = true
				s.calls.cancelAll()
			}
		case <-ctx.Done():
			s.o.Log.Warn("commands did not end in time", "running", running)
			return
		}
	}
}

// Shutdown closes the listener, lets the answers under way go out until ctx is
// done, and then closes every connection.
func (s *Server) Shutdown(ctx context.Context) {
	if err := s.http.Shutdown(ctx); err != nil {
		_ = s.http.Close()
	}
}

// Surface says through which listener a request came. The zero value is none.
type Surface int

// The surfaces.
const (
	Local Surface = 1 << iota
)

// credential says what a request must prove. The zero value is out of reach.
type credential int

const (
	nobody credential = iota
	root
	anyone
)

type route struct {
	method, path string
	surfaces     Surface
	needs        credential
	handle       func(http.ResponseWriter, *http.Request)
}

func (s *Server) routes() []route {
	return []route{
		{"GET", "/health", Local, anyone, s.health},
		{"POST", "/command", Local, root, s.command},
		{"POST", "/stop", Local, root, s.stop},
	}
}

// handler returns the gate and the routes of one surface.
func (s *Server) handler(on Surface) http.Handler {
	routes := s.routes()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler { //nolint:errorlint // a sentinel panic value, by its documentation
					panic(p)
				}
				s.o.Log.Error("panic in a handler", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				s.fail(w, api.Errorf(api.Internal, "see the daemon log", "the daemon failed on this request"))
			}
		}()
		w.Header()["Date"] = nil // costs a clock read and a format, and nobody here caches
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if err := s.gate(r); err != nil {
			s.fail(w, err)
			return
		}
		isRoot := s.isRoot(r)
		for _, rt := range routes {
			if rt.path != r.URL.Path || rt.method != r.Method || rt.surfaces&on == 0 {
				continue
			}
			if rt.needs == anyone || rt.needs == root && isRoot {
				rt.handle(w, r)
				return
			}
		}
		switch {
		case !isRoot: // also for an unknown path: which paths exist is not for strangers
			s.fail(w, unauthorized(r))
		default:
			s.fail(w, api.Errorf(api.RouteUnknown, "use POST /command or GET /health", "no endpoint %s %s", r.Method, r.URL.Path))
		}
	})
}

// gate refuses what a web page could have sent: a wrong Host is DNS rebinding,
// and only browsers send Origin, Referer or Sec-Fetch-Site.
func (s *Server) gate(r *http.Request) *api.Error {
	hosts := s.hosts.Load()
	if hosts == nil || !strings.EqualFold(r.Host, hosts[0]) && !strings.EqualFold(r.Host, hosts[1]) && !strings.EqualFold(r.Host, hosts[2]) {
		return api.Errorf(api.Forbidden, "use the address 127.0.0.1 with the daemon's port", "host %q is not this daemon", r.Host)
	}
	for _, h := range []string{"Origin", "Referer"} {
		if _, has := r.Header[h]; has {
			return api.Errorf(api.Forbidden, "send it from a program", "a request with %s is refused: web pages may not call the daemon", h)
		}
	}
	if v := r.Header.Get("Sec-Fetch-Site"); v != "" && v != "none" {
		return api.Errorf(api.Forbidden, "send it from a program", "a request with Sec-Fetch-Site %q is refused: web pages may not call the daemon", v)
	}
	if r.Method == http.MethodOptions {
		return api.Errorf(api.Forbidden, "send it from a program", "OPTIONS is refused: there is no cross-origin access")
	}
	return nil
}

// isRoot compares digests, so that neither content nor length of the token
// shows in the time.
func (s *Server) isRoot(r *http.Request) bool {
	got, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || s.o.Token == "" || len(r.Header["Authorization"]) != 1 {
		return false
	}
	sum := sha256.Sum256([]byte(got))
	return subtle.ConstantTimeCompare(sum[:], s.token[:]) == 1
}

func unauthorized(r *http.Request) *api.Error {
	const hint = "send the token of the state file as Authorization: Bearer"
	if r.Header.Get("Authorization") == "" {
		return api.Errorf(api.Unauthorized, hint, "the request has no bearer token")
	}
	return api.Errorf(api.Unauthorized, hint, "the bearer token is not this daemon's")
}

// encoding writes text of pages, in which anything can stand, without failing.
var encoding = jsontext.AllowInvalidUTF8(true)

func (s *Server) json(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v, encoding)
	if err != nil {
		s.o.Log.Error("cannot encode an answer", "err", err)
		status, data = http.StatusInternalServerError, []byte(`{"code":"internal","error":"the answer cannot be encoded"}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

func (s *Server) fail(w http.ResponseWriter, e *api.Error) {
	w.Header().Set(api.HeaderExit, strconv.Itoa(e.Exit()))
	if e.Code == api.Stopping {
		w.Header().Set("Retry-After", "1")
	}
	s.json(w, e.HTTP(), e)
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	h := s.o.Health()
	if h.Status = "healthy"; s.calls.refusing() {
		h.Status = "stopping"
	}
	s.json(w, http.StatusOK, h)
}

func (s *Server) stop(w http.ResponseWriter, r *http.Request) {
	var req StopRequest
	if err := s.body(w, r, &req); err != nil {
		s.fail(w, err)
		return
	}
	s.json(w, http.StatusOK, s.o.Stop(req))
}

// body decodes the JSON body of r into v, strictly: a member that this build
// does not know might change what the request means.
func (s *Server) body(w http.ResponseWriter, r *http.Request, v any) *api.Error {
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(bodyTimeout))
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return api.Errorf(api.TooLarge, "pass a large text as a file", "the request is over %d bytes", maxBody)
	}
	if err != nil {
		return api.Errorf(api.BadRequest, "send the whole body", "the request's body was cut short")
	}
	_ = rc.SetReadDeadline(time.Time{}) // from here on a read only notices that the client is gone
	if err := json.Unmarshal(data, v, json.RejectUnknownMembers(true)); err != nil {
		return api.Errorf(api.BadRequest, `send {"command": "url", "args": []}`, "the request's body is not valid: %v", jsonReason(err))
	}
	return nil
}

// jsonReason drops the package's name and Go types from a decoding error.
func jsonReason(err error) string {
	var se *jsontext.SyntacticError
	var me *json.SemanticError
	switch {
	case errors.As(err, &se):
		return strings.TrimPrefix(se.Error(), "jsontext: ")
	case errors.As(err, &me):
		where := string(me.JSONPointer)
		if where == "" {
			where = "the top level"
		}
		if errors.Is(err, json.ErrUnknownName) {
			return "unknown member " + where
		}
		return "wrong type at " + where
	}
	return "not JSON"
}
