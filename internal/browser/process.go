package browser

import (
	"context"
	"fmt"
	"sync"
	"time"

	"gstack/internal/cdp"

	cdpbrowser "github.com/chromedp/cdproto/browser"
)

// Bounds of the end of a browser, none of which is reached in normal times.
const (
	// exitDelay is how long a browser that closed its end of the protocol may
	// take to exit by itself.
	exitDelay = 300 * time.Millisecond
	// closeDelay is how long a browser with a profile that is kept may take to
	// write it.
	closeDelay = 5 * time.Second
	// killDelay is how long the kernel may take to end what was killed.
	killDelay = 5 * time.Second
)

// Exit is how a browser ended.
type Exit struct {
	// Code is the exit code, -1 after a signal or when it is not known.
	Code int
	// Signal is the name of the signal that ended it, such as "SIGKILL".
	Signal string
	// Asked means that Close was called before it ended.
	Asked bool
	// Lost means that the connection ended while the browser ran: it closed the
	// protocol, or it is a remote one.
	Lost bool
}

// String says it in a clause that follows "the browser".
func (e Exit) String() string {
	switch {
	case e.Asked:
		return "was closed"
	case e.Lost:
		return "closed the connection"
	case e.Signal != "":
		return "was ended by " + e.Signal
	default:
		return fmt.Sprintf("exited with code %d", e.Code)
	}
}

// Version is what a browser says about itself.
type Version = cdpbrowser.GetVersionResult

// Process is a running browser: one that [Launch] started, or a remote one of
// [Connect]. Its methods may be called by several goroutines.
type Process struct {
	conn    *cdp.Conn
	child   *child   // nil for a remote browser
	profile *profile // nil for a remote browser
	kept    bool     // the user's own profile, which must be written before the end
	binary  Binary
	version Version
	proxy   Proxy
	notes   []string

	stop     chan struct{} // closed by Close
	stopOnce sync.Once
	done     chan struct{} // closed when exit is set
	exit     Exit
	gone     chan struct{} // closed when nothing is left
	cleanErr error         // set before gone is closed
}

// Conn returns the connection to the browser.
func (p *Process) Conn() *cdp.Conn { return p.conn }

// Done is closed when the browser has ended or the connection is lost. From
// then on Exit tells how; what is left is being cleaned up, for which Close waits.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit tells how the browser ended. It is the zero value before Done is closed.
func (p *Process) Exit() Exit {
	select {
	case <-p.done:
		return p.exit
	default:
		return Exit{}
	}
}

// Pid returns the number of the browser's first process, 0 for a remote one.
func (p *Process) Pid() int {
	if p.child == nil {
		return 0
	}
	return p.child.pid
}

// Profile returns the folder of the user data, "" for a remote browser.
func (p *Process) Profile() string {
	if p.profile == nil {
		return ""
	}
	return p.profile.data
}

// Binary returns what was started, the zero value for a remote browser.
func (p *Process) Binary() Binary { return p.binary }

// Version returns what the browser says about itself.
func (p *Process) Version() Version { return p.version }

// Proxy returns the proxy in use. If it [Proxy.HasLogin], the owner of the pages
// answers its challenges (CDP Fetch.authRequired).
func (p *Process) Proxy() Proxy { return p.proxy }

// Notes returns what the user should be told about this browser, once.
func (p *Process) Notes() []string { return p.notes }

// LastWords returns what the browser wrote to its standard error last: at most
// two lines that tell something.
func (p *Process) LastWords() []string {
	if p.child == nil {
		return nil
	}
	return tellingLines(p.child.stderr.String())
}

// Close ends the browser and waits until nothing is left of it: no process, no
// profile. A remote browser is only disconnected from. The error is that of the
// profile's removal, or that of ctx, in which case the end goes on by itself.
//
// A browser with a temporary profile is killed. That is as good as
// Browser.close, for there is nothing to be saved, and takes 40 ms instead of 105 ms
// until the last process has gone (Chromium 156).
func (p *Process) Close(ctx context.Context) error {
	p.stopOnce.Do(func() { close(p.stop) })
	select {
	case <-p.gone:
		return p.cleanErr
	case <-ctx.Done():
		return ctx.Err()
	}
}

// supervise owns the end of a browser that was started here, whoever causes it.
func (p *Process) supervise() {
	defer close(p.gone)
	c := p.child
	select {
	case <-p.stop:
		p.exit.Asked = true
		if p.kept {
			p.conn.Root().Start("Browser.close", nil)
			within(closeDelay, c.exited)
		}
	case <-c.exited:
	case <-p.conn.Done():
		p.exit.Lost = !within(exitDelay, c.exited)
	}
	c.kill()
	within(killDelay, c.exited)
	p.exit.Code, p.exit.Signal = c.status()
	close(p.done)

	p.conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), killDelay)
	defer cancel()
	c.endRest(ctx, p.profile.dir)
	c.release()
	p.cleanErr = p.profile.remove(ctx)
}

// attend is supervise for a remote browser.
func (p *Process) attend() {
	defer close(p.gone)
	select {
	case <-p.stop:
		p.exit = Exit{Code: -1, Asked: true}
	case <-p.conn.Done():
		p.exit = Exit{Code: -1, Lost: true}
	}
	close(p.done)
	p.conn.Close()
}

// within waits for c, but no longer than d.
func within(d time.Duration, c <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c:
		return true
	case <-t.C:
		return false
	}
}
