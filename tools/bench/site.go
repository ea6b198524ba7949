package main

import (
	"context"
	"embed"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

//go:embed page
var pageFiles embed.FS

// What the large pages hold: big has 2,000 things to act on among 10,000
// elements, huge 5,000 among 50,000.
const (
	bigRows  = 2000
	hugeRows = 2500
)

// A site serves the fixture pages from two ports, so that a frame can be of
// another origin, and remembers what was asked for.
type site struct {
	base    string
	servers []*http.Server
	wait    sync.WaitGroup
	pages   map[string]string

	mu   sync.Mutex // guards hits
	hits map[string]int
}

func newSite(ctx context.Context) (*site, error) {
	s := &site{pages: map[string]string{}, hits: map[string]int{}}
	entries, err := pageFiles.ReadDir("page")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		b, err := pageFiles.ReadFile("page/" + e.Name())
		if err != nil {
			return nil, err
		}
		s.pages["/"+e.Name()] = string(b)
	}
	s.pages["/big.html"], s.pages["/huge.html"] = bigPage(), hugePage()
	var other string
	for range 2 {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			s.close()
			return nil, err
		}
		s.base, other = other, "http://"+l.Addr().String()
		server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
		s.servers = append(s.servers, server)
		s.wait.Go(func() { server.Serve(l) }) //nolint:errcheck // it ends by close
	}
	// localhost and 127.0.0.1 are different sites, so the frame gets a process
	// of its own.
	s.pages["/frames.html"] = strings.ReplaceAll(s.pages["/frames.html"], "{{other}}", strings.Replace(other, "127.0.0.1", "localhost", 1))
	return s, nil
}

func (s *site) close() {
	for _, server := range s.servers {
		server.Close()
	}
	s.wait.Wait()
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.hits[r.URL.RequestURI()]++
	s.mu.Unlock()
	page, ok := s.pages[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	kind := "text/html; charset=utf-8"
	if strings.HasSuffix(r.URL.Path, ".js") {
		kind = "text/javascript; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprint(w, page)
}

// asked tells whether exactly this path and query were requested.
func (s *site) asked(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[uri] > 0
}

const head = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>%s</title><link rel="icon" href="data:,">%s</head><body>
`

func bigPage() string {
	var b strings.Builder
	fmt.Fprintf(&b, head, "Big", `<style>
body { margin: 0; font: 9px sans-serif }
.row { float: left; width: 210px; height: 22px; overflow: hidden }
.row * { display: inline; margin: 0; font: 9px sans-serif }
footer { clear: both }
</style>`)
	b.WriteString("<h1>Big page</h1>\n")
	for i := range bigRows {
		control := fmt.Sprintf(`<button type="button" id="b%d">Button number %d</button>`, i, i)
		if i%2 == 0 {
			control = fmt.Sprintf(`<a href="#l%d">Link number %d</a>`, i, i)
		}
		fmt.Fprintf(&b, `<div class="row"><span>Row %d</span>%s<p>Some words about row %d</p><em>note %d</em></div>`+"\n", i, control, i, i)
	}
	b.WriteString("<footer>The very end of big</footer></body></html>\n")
	return b.String()
}

func hugePage() string {
	var b strings.Builder
	fmt.Fprintf(&b, head, "Huge", "")
	b.WriteString("<h1>Huge page</h1><table><tbody>\n")
	for i := range hugeRows {
		b.WriteString("<tr>")
		for j := range 7 {
			fmt.Fprintf(&b, "<td><span>c%d-%d</span></td>", i, j)
		}
		fmt.Fprintf(&b, `<td><a href="#r%d">Open record %d</a></td><td><button type="button">Edit record %d</button></td><td><i>x%d</i></td></tr>`+"\n", i, i, i, i)
	}
	b.WriteString("</tbody></table><footer>The very end of huge</footer></body></html>\n")
	return b.String()
}
