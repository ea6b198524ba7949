package test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// newSite serves the folder that a script unpacks, and a few addresses that
// misbehave on purpose. Nothing is cached.
func newSite(dir string) *httptest.Server {
	files := http.FileServer(http.Dir(dir))
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		// The file server sends index.html to its folder; scripts want the name.
		if strings.HasSuffix(r.URL.Path, "/index.html") {
			http.ServeFile(w, withPath(r, strings.TrimSuffix(r.URL.Path, "index.html")), dir+r.URL.Path)
			return
		}
		files.ServeHTTP(w, r)
	})
	mux.Handle(npmPath, npmFiles)
	// What the server was sent, one header a line.
	mux.HandleFunc("/_headers", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		_ = r.Header.Write(w)
	})
	// How often the server was asked for a path.
	asked := &requests{paths: map[string]int{}}
	mux.HandleFunc("/_count", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprint(w, asked.count(r.URL.Query().Get("path")))
	})
	// What only ann with the password s3cret may see.
	mux.HandleFunc("/_auth", func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "ann" || password != "s3cret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="fixture"`)
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, "who are you?")
			return
		}
		fmt.Fprint(w, "hello ann")
	})
	// A picture for those who have the cookie of the page, and come from it.
	mux.HandleFunc("/_members.gif", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("member"); err != nil || c.Value != "1" || !strings.HasPrefix(r.Referer(), "http://"+r.Host) {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		http.ServeFile(w, r, filepath.Join(dir, "p.gif"))
	})
	mux.HandleFunc("/_redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	})
	mux.HandleFunc("/_status", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(r.URL.Query().Get("code"))
		w.WriteHeader(code)
	})
	// A document that says of itself that its scripts are off.
	mux.HandleFunc("/_sandbox/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "sandbox allow-same-origin")
		http.ServeFile(w, withPath(r, "/"), filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(r.URL.Path, "/_sandbox/"))))
	})
	mux.HandleFunc("/_download", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
		fmt.Fprint(w, "a,b\n")
	})
	// A file of n bytes, in ten parts with a pause after each, of which cut bytes come.
	mux.HandleFunc("/_file", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		n, _ := strconv.Atoi(q.Get("n"))
		ms, _ := strconv.Atoi(q.Get("ms"))
		w.Header().Set("Content-Disposition", "attachment; filename*=UTF-8''"+url.PathEscape(q.Get("name")))
		w.Header().Set("Content-Length", strconv.Itoa(n))
		if q.Has("cut") {
			n, _ = strconv.Atoi(q.Get("cut"))
		}
		for range 10 {
			if _, err := w.Write(bytes.Repeat([]byte("x"), n/10)); err != nil || r.Context().Err() != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-time.After(time.Duration(ms) * time.Millisecond):
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("/_hang", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // until then the server does not notice that the client leaves
		<-r.Context().Done()
	})
	mux.HandleFunc("/_slow", func(w http.ResponseWriter, r *http.Request) {
		ms, _ := strconv.Atoi(r.URL.Query().Get("ms"))
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>slow</title><p>slow page")
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/_unended", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>unended</title>"+r.URL.Query().Get("head")+"<p>first part<p><button onclick=\"document.title='clicked'\">Go</button>"+r.URL.Query().Get("then"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/_empty", func(w http.ResponseWriter, _ *http.Request) {
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_ = conn.Close()
		}
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.note(r.URL.Path)
		mux.ServeHTTP(w, r)
	}))
	sites.Store(server, asked)
	return server
}

// requests counts what a site was asked for.
type requests struct {
	mu    sync.Mutex
	paths map[string]int
}

func (r *requests) note(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paths[path]++
}

var sites sync.Map // *httptest.Server → *requests

// wasAsked reports whether a site was asked for a path.
func wasAsked(s *httptest.Server, path string) bool {
	v, _ := sites.Load(s)
	asked := v.(*requests)
	return asked.count(path) > 0
}

func (r *requests) count(path string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.paths[path]
}

func withPath(r *http.Request, path string) *http.Request {
	c := r.Clone(r.Context())
	c.URL.Path = path
	return c
}

// closedPort returns a port of the loopback on which nobody listens.
func closedPort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
