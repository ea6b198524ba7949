package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

//go:embed site
var siteFiles embed.FS

// site is what is pictured, served on loopback.
type site struct {
	base  string // address of its folder
	close func() error
}

// serve serves the pages until close is called.
func serve(ctx context.Context) (site, error) {
	files, err := fs.Sub(siteFiles, "site")
	if err != nil {
		return site{}, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return site{}, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServerFS(files))
	mux.HandleFunc("/picture/{n}", picture)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	return site{"http://" + listener.Addr().String() + "/", func() error {
		err := server.Close()
		if e := <-served; !errors.Is(e, http.ErrServerClosed) {
			err = errors.Join(err, e)
		}
		return err
	}}, nil
}

// picture is a picture with a number, of a colour of its own; it takes a while to
// come, as pictures do.
func picture(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(strings.TrimSuffix(r.PathValue("n"), ".svg"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	select {
	case <-time.After(200 * time.Millisecond):
	case <-r.Context().Done():
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><rect width="600" height="300" fill="hsl(%d,60%%,70%%)"/><text x="300" y="200" font-size="150" font-family="sans-serif" text-anchor="middle">%d</text></svg>`, n*30, n)
}
