package cli

import (
	"errors"
	"os"
	"strconv"
	"syscall"
	"time"

	"gstack/internal/api"
	"gstack/internal/knob"
	"gstack/internal/workspace"
	"gstack/internal/workspace/flat"
)

// goneLimit is how long a call waits for a daemon that is shutting down.
const goneLimit = 10 * time.Second

// maxTries bounds how often a request is sent: each try follows a real change,
// such as a daemon that ended, and a machine on which daemons end that often has
// another problem.
const maxTries = 5

// exitPipe is the exit code of a program that wrote to a closed pipe.
const exitPipe = 128 + int(syscall.SIGPIPE)

// command runs a command that may start a daemon.
func (c *client) command() int {
	body, err := c.encode()
	if err != nil {
		return c.fail(err)
	}
	c.body = body
	for try := 1; ; try++ {
		h, err := c.ensure()
		if err != nil && c.noStart {
			return c.notRunning(notRunning)
		}
		if err != nil {
			return c.fail(err)
		}
		if c.replaced(h) {
			h.Close()
			continue
		}
		a := c.deliver(h)
		switch a.outcome {
		case answered:
			if a.head.note != "" {
				c.note(a.head.note)
			}
			if a.err == nil {
				return api.ExitOK
			}
			if again := c.afterError(h, a.err, try); again {
				continue
			}
			return c.failWith(a.err, a.head.exit)
		case unwritable:
			return c.unwritten(a.cause)
		}
		if err := c.trouble(h, a, try); err != nil {
			return c.fail(err)
		}
		h.Close()
	}
}

// deliver sends the request to a daemon. When the answer was lost it asks that
// daemon once more: it runs an id once, and still has the answer. No other daemon
// is asked, and so what follows a lost answer never says that it was undelivered.
func (c *client) deliver(h *workspace.Handle) answer {
	a := c.post(h.State, "/command", c.body, true)
	if a.outcome != lost || !h.Alive() {
		return a
	}
	again := c.post(h.State, "/command", c.body, true)
	if again.outcome == undelivered || again.outcome == answered && again.err != nil && again.err.Code == api.Unauthorized {
		return a // the daemon was about to die, and its port may be another's by now
	}
	return again
}

// afterError reports whether the request is sent again after an error that says
// that it did not run.
func (c *client) afterError(h *workspace.Handle, e *api.Error, try int) bool {
	if try >= maxTries {
		return false
	}
	switch e.Code {
	case api.Stopping:
		return h.WaitGone(goneLimit)
	case api.Unauthorized: // the state file was replaced while we read it
		now, alive := c.find()
		if !alive {
			return false
		}
		defer now.Close()
		return now.State.Token != h.State.Token
	}
	return false
}

// trouble deals with a request that got no answer. It returns nil when the
// request did not run and is to be sent again.
func (c *client) trouble(h *workspace.Handle, a answer, try int) *api.Error {
	name := c.inv.verb
	switch a.outcome {
	case lost, cut:
		what := "it may or may not have run"
		if a.outcome == cut {
			what = "it ran, and its answer broke off"
		}
		if h.Alive() {
			return api.Errorf(api.DaemonGone, "look at the page before you run it again", "the connection was lost during %s: %s", name, what)
		}
		return api.Errorf(api.DaemonGone, "look at the page before you run it again; the next call starts a new daemon, without the old tabs",
			"the daemon (pid %d) died during %s: %s", h.State.PID, name, what)
	case overtime:
		return api.Errorf(api.Timeout, "run browse status, then browse restart if the daemon is stuck",
			"%s did not end within %s; the daemon still works on it", name, round(a.waited))
	case silent:
		return c.unstick(h, a.waited)
	}
	// Undelivered. A port that refuses while the lock is held belongs to a daemon
	// that shuts down.
	switch {
	case try >= maxTries:
		return api.Errorf(api.DaemonGone, "see "+h.Place.LogPath(), "%s could not be delivered in %d tries: %v", name, try, a.cause)
	case !h.Alive(), !errors.Is(a.cause, errRefused): // a connection that was reset: once more
		return nil
	case !h.Running():
		return api.Errorf(api.DaemonBusy, "stop it there, or set BROWSE_STATE_FILE to another path",
			"the daemon of this workspace (pid %d) cannot be reached from here; it may run in another container", h.State.PID)
	case h.WaitGone(goneLimit):
		return nil
	}
	return c.unstick(h, goneLimit)
}

// unstick reports a daemon that lives and does not answer. With --force-restart
// it ends it, and the request is sent to a new one.
func (c *client) unstick(h *workspace.Handle, waited time.Duration) *api.Error {
	if !c.inv.force {
		return api.Errorf(api.DaemonBusy,
			"run it again later; browse --force-restart "+c.inv.verb+" replaces the daemon, and its tabs, cookies and logins are lost",
			"the daemon (pid %d) is alive but did not answer for %s", h.State.PID, round(waited))
	}
	c.note("replacing the daemon (pid " + strconv.Itoa(h.State.PID) + "), which did not answer for " + round(waited))
	return c.kill(h)
}

// killGrace is what a daemon that is ended by force gets to close its browser.
const killGrace = 3 * time.Second

// kill ends the daemon by force.
func (c *client) kill(h *workspace.Handle) *api.Error {
	if h.Kill(killGrace) {
		return nil
	}
	return api.Errorf(api.DaemonBusy, "kill -9 "+strconv.Itoa(h.State.PID), "the daemon (pid %d) could not be ended", h.State.PID)
}

func round(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// ensure returns a living daemon that has the configuration that was asked for.
func (c *client) ensure() (*workspace.Handle, *api.Error) {
	h, alive := c.find()
	if !alive {
		var err *api.Error
		if h, err = c.start(h); err != nil {
			return nil, err
		}
	}
	if c.noStart { // it is about the daemon as it is
		return h, nil
	}
	if err := c.differs(h.State); err != nil {
		return nil, err
	}
	return h, nil
}

// differs is the error for a call that asks for another configuration than the
// daemon has. A call that asks for nothing takes the daemon as it is.
func (c *client) differs(s workspace.State) *api.Error {
	var want string
	switch {
	case c.inv.headed && !s.Headed():
		want = "a headed browser"
	case c.inv.proxy.Origin != "" && c.inv.proxy.Origin != s.Proxy:
		want = "the proxy " + c.inv.proxy.Origin
	default:
		return nil
	}
	has := workspace.Config{Headed: s.Headed(), Proxy: workspace.Proxy{Origin: s.Proxy}}
	return api.Errorf(api.BadUsage, "browse restart with the same flags replaces it, and its tabs are lost",
		"this call asks for %s, the running daemon is %s", want, has)
}

// replaced deals with a daemon of another build: one that holds nothing is
// replaced, and replaced reports so; any other is kept, and the user is told
// once.
func (c *client) replaced(h *workspace.Handle) bool {
	ours, theirs := workspace.Build(), h.State.BinaryVersion
	if ours == theirs || ours == "" || theirs == "" {
		return false
	}
	if !c.newer(h) {
		if c.started {
			c.note("browse is build " + short(ours) + " and browsed beside it is " + short(theirs) + "; install both from one build")
		}
		return false
	}
	var w flat.Writer
	w.Bool("onlyIfBlank", true)
	w.String("build", ours)
	a := c.post(h.State, "/stop", w.Bytes(), false)
	if a.outcome != answered {
		return false // the command itself finds out what is wrong
	}
	o, err := flat.Parse(a.text)
	switch {
	case a.err == nil && err == nil && o.Bool("stopping"):
		if h.WaitGone(goneLimit) {
			c.note("the daemon was of another build and held nothing, a new one is started")
			return true
		}
	case a.err != nil, o.Bool("first"):
		c.note("the daemon is build " + short(theirs) + ", this is " + short(ours) + "; browse restart replaces it, and its tabs are lost")
	}
	return false
}

// newer reports whether a daemon started now would be another program than the
// running one. Otherwise a client and a daemon of different builds that are
// installed side by side would replace each other's work at every call.
func (c *client) newer(h *workspace.Handle) bool {
	if c.started {
		return false
	}
	path, err := daemonPath()
	if err != nil {
		return false
	}
	if path != h.State.ServerPath {
		return true
	}
	prog, perr := os.Stat(path)
	began, terr := time.Parse(time.RFC3339, h.State.StartedAt)
	return perr == nil && terr == nil && prog.ModTime().After(began)
}

func short(build string) string {
	if len(build) > 20 {
		return build[:12]
	}
	return build
}

// start starts a daemon, or waits for the one that somebody else starts. dead is
// the state file of the last one, if there is any; start closes it.
func (c *client) start(dead *workspace.Handle) (*workspace.Handle, *api.Error) {
	why := ""
	if dead != nil {
		if dead.State.Workspace == dead.Place.File {
			why = "the last one, pid " + strconv.Itoa(dead.State.PID) + ", died"
		}
		dead.Close()
	}
	if c.noStart {
		return nil, api.Errorf(api.DaemonGone, "browse status", "the daemon ended while %s was sent", c.inv.verb)
	}
	if knob.NoAutostart.Get() {
		return nil, api.Errorf(api.DaemonGone, "unset BROWSE_NO_AUTOSTART, or run browsed", "no daemon runs, and BROWSE_NO_AUTOSTART forbids to start one")
	}
	place, notes, err := c.place.Prepare(os.Getenv)
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		c.note(n)
	}
	return c.startAt(place, why)
}
