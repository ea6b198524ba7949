package main

import (
	"embed"
	"fmt"
	"net/http"
	"strings"
)

//go:embed page
var pageFiles embed.FS

// pages serves the small page, the 50,000-node page, and as many tab pages as
// are asked for.
func pages() http.Handler {
	huge := hugePage()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /small", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, pageFiles, "page/small.html") })
	mux.HandleFunc("GET /small.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, pageFiles, "page/small.js") })
	mux.HandleFunc("GET /huge", func(w http.ResponseWriter, r *http.Request) { html(w, huge) })
	mux.HandleFunc("GET /tab/{n}", func(w http.ResponseWriter, r *http.Request) {
		n := r.PathValue("n")
		html(w, fmt.Sprintf(`<!doctype html><html lang="en"><head><title>Tab %s</title><link rel="icon" href="data:,"></head><body><h1>This is tab %s</h1><button>Go on from %s</button></body></html>`, n, n, n))
	})
	return mux
}

func html(w http.ResponseWriter, page string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, page)
}

func hugePage() string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><head><title>Huge</title><link rel="icon" href="data:,"></head><body><h1>Huge page</h1><table><tbody>`)
	for i := range 2500 {
		b.WriteString("<tr>")
		for j := range 7 {
			fmt.Fprintf(&b, "<td><span>c%d-%d</span></td>", i, j)
		}
		fmt.Fprintf(&b, `<td><a href="#r%d">Open record %d</a></td><td><button type="button">Edit record %d</button></td><td><i>x%d</i></td></tr>`, i, i, i, i)
	}
	b.WriteString("</tbody></table></body></html>")
	return b.String()
}
