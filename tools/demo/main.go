// Demo serves a small shop on loopback and lets browse shop in it, in a scratch
// workspace: every command is shown as an agent types it, with the answer that
// the agent reads. It fails when a step answers anything but what it should.
//
//	go run ./tools/demo                          the whole story
//	go run ./tools/demo -serve localhost:8000    only the shop, to try commands by hand
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"gstack/tools/internal/entry"
)

func main() { entry.Main("demo", run) }

func run(ctx context.Context) error {
	browse := flag.String("browse", "bin/browse", "the program to run")
	out := flag.String("out", "demo-out", "folder for the picture")
	serve := flag.String("serve", "", "only serve the shop at this address, until interrupted")
	flag.Parse()

	shop, err := newShop()
	if err != nil {
		return err
	}
	address := *serve
	if address == "" {
		address = "127.0.0.1:0"
	}
	base, closeShop, err := open(ctx, shop, address)
	if err != nil {
		return err
	}
	if *serve != "" {
		fmt.Println("the shop is open at", base)
		<-ctx.Done()
	} else {
		err = tell(ctx, shop, base, *browse, *out)
	}
	return errors.Join(err, closeShop())
}

// open serves the shop at a loopback address until its close is called.
func open(ctx context.Context, shop *shop, address string) (base string, close func() error, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: shop, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	return "http://" + listener.Addr().String() + "/", func() error {
		err := server.Close()
		if e := <-served; !errors.Is(e, http.ErrServerClosed) {
			err = errors.Join(err, e)
		}
		return err
	}, nil
}

// tell runs the story in a workspace of its own, outside of any repository, so
// that it meets no daemon but the one that it starts.
func tell(ctx context.Context, shop *shop, base, browse, out string) error {
	program, err := filepath.Abs(browse)
	if err != nil {
		return err
	}
	workspace, err := os.MkdirTemp("", "browse-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(workspace)
	a := newAgent(program, workspace)
	err = story(ctx, a, shop, base)
	// The daemon is stopped whatever happened; with its own deadline, because
	// ctx may be what ended the story.
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
	defer cancel()
	if _, stopErr := a.do(stopCtx, "stop"); err == nil {
		err = stopErr
	}
	if err != nil {
		return err
	}
	return keep(filepath.Join(workspace, picture), out)
}

// keep moves the picture to where it can be looked at, since the workspace goes.
func keep(from, out string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	to := filepath.Join(out, picture)
	if err := os.WriteFile(to, b, 0o644); err != nil {
		return err
	}
	fmt.Printf("\nThe last page as a picture: %s\n", to)
	return nil
}
