//go:build !unix

package browser

import (
	"context"
	"os"
	"runtime"

	"gstack/internal/api"
)

// child is never made here: Chromium takes the protocol's pipes as inherited
// handles on this system, which is not implemented.
type child struct {
	pid         int
	toBrowser   *os.File
	fromBrowser *os.File
	exited      chan struct{}
	stderr      tail
}

func spawn(string, []string, []string) (*child, error) {
	return nil, api.Errorf(api.BrowserGone, "start a browser with --remote-debugging-port=9222 and set BROWSE_CDP_URL=http://127.0.0.1:9222",
		"browse cannot start a browser on %s, only connect to one", runtime.GOOS)
}

func (c *child) kill() {}

func (c *child) status() (code int, signal string) { return -1, "" }

func (c *child) endRest(context.Context, string) {}

func (c *child) release() {}
