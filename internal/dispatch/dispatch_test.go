package dispatch

import (
	"context"
	"strings"
	"testing"

	"gstack/internal/api"
	"gstack/internal/browser"
	"gstack/internal/capture"
	"gstack/internal/safe"
	"gstack/internal/session"
	"gstack/internal/verbs"
)

// noBrowser is a source whose browser cannot be started.
type noBrowser struct{}

func (noBrowser) Open(context.Context, browser.Events) (*browser.Context, error) {
	return nil, api.Errorf(api.BrowserMissing, "apt-get install chromium", "no Chromium")
}
func (noBrowser) Done() <-chan struct{}       { return nil }
func (noBrowser) Close(context.Context) error { return nil }

type noDaemon struct{ stopped bool }

func (d *noDaemon) Stop()                                  { d.stopped = true }
func (d *noDaemon) Status() verbs.Status                   { return verbs.Status{PID: 1} }
func (d *noDaemon) RSS() uint64                            { return 1 }
func (d *noDaemon) Doctor(context.Context) []browser.Check { return nil }

func newDispatcher() (*Dispatcher, *noDaemon) {
	d := &noDaemon{}
	return New(session.New(noBrowser{}, capture.NewStore("", nil)), d, "/nowhere", safe.Network{}), d
}

// TestZeroIdentity: whoever has not been identified may run nothing.
func TestZeroIdentity(t *testing.T) {
	d, _ := newDispatcher()
	for _, s := range verbs.Specs() {
		_, err := d.Run(context.Background(), Identity{}, &api.Request{Command: s.Name})
		if err == nil || err.Code != api.Forbidden {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

// TestNesting: what is not marked as a step never runs as one.
func TestNesting(t *testing.T) {
	d, daemon := newDispatcher()
	for _, s := range verbs.Specs() {
		if s.Nestable {
			continue
		}
		_, err := d.Run(context.Background(), Identity{Root: true}, &api.Request{Command: "chain", Args: []string{`[["` + s.Name + `"]]`}})
		if err == nil || err.Code != api.BadUsage || !strings.Contains(err.Message, "cannot be a step") {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	if daemon.stopped {
		t.Error("a chain stopped the daemon")
	}
}

// TestWithoutBrowser: verbs that need none answer, the others say what is
// missing, and every error has a code with a row.
func TestWithoutBrowser(t *testing.T) {
	d, _ := newDispatcher()
	for _, c := range []struct {
		req  api.Request
		want api.Code
	}{
		{api.Request{Command: "status"}, ""},
		{api.Request{Command: "tabs"}, ""},
		{api.Request{Command: "help"}, ""},
		{api.Request{Command: "url"}, api.BrowserMissing},
		{api.Request{Command: "newtab"}, api.BrowserMissing},
		{api.Request{Command: "url", TabID: 3}, api.UnknownTab},
		{api.Request{Command: "url", TabID: -1}, api.UnknownTab},
		{api.Request{Command: "url", Args: []string{"--tab-id", "0"}}, api.BrowserMissing},
		{api.Request{Command: "url", Session: "a b"}, api.BadUsage},
		{api.Request{Command: ""}, api.BadRequest},
		{api.Request{Command: "CLICK"}, api.UnknownVerb},
	} {
		_, err := d.Run(context.Background(), Identity{Root: true}, &c.req)
		got := api.Code("")
		if err != nil {
			got = err.Code
			if _, ok := api.Status[got]; !ok {
				t.Errorf("%+v: code %q has no row", c.req, got)
			}
		}
		if got != c.want {
			t.Errorf("%+v: %v, want %q", c.req, err, c.want)
		}
	}
}

// TestBudget: the client is told the deadline of the verb, of the flag, or of
// what is waited for.
func TestBudget(t *testing.T) {
	d, _ := newDispatcher()
	for _, c := range []struct {
		req  api.Request
		want string
	}{
		{api.Request{Command: "url"}, "16s"},
		{api.Request{Command: "js", Args: []string{"1"}}, "31s"},
		{api.Request{Command: "url", Args: []string{"--timeout", "2s"}}, "3s"},
		{api.Request{Command: "url", TimeoutMS: 4000}, "5s"},
		{api.Request{Command: "wait", Args: []string{"60000"}}, "1m1.5s"},
	} {
		if got := d.Budget(&c.req).String(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.req, got, c.want)
		}
	}
}
