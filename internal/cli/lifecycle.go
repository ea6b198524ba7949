package cli

import (
	"os"
	"strconv"

	"gstack/internal/api"
	"gstack/internal/workspace"
	"gstack/internal/workspace/flat"
)

// stop ends the daemon and returns when its process has gone. Where none runs
// it says so, starts nothing and succeeds.
func (c *client) stop() int {
	h, alive := c.find()
	if !alive {
		for _, a := range c.inv.args {
			if a[:min(len(a), 1)] != "-" { // a living daemon would refuse it too
				return c.fail(usage("%s takes no arguments, got %q", c.inv.verb, a))
			}
		}
		c.tidy(h)
		sweep()
		return c.notRunning("Server is not running, nothing to stop")
	}
	defer h.Close()
	if c.inv.force {
		if err := c.kill(h); err != nil {
			return c.fail(err)
		}
		c.tidy(h)
		return c.say(api.ExitOK, "stop", "Server stopped", "", "")
	}
	return c.end(h, true)
}

// sweep removes what a daemon that was killed could not remove: its browser's
// profile. The daemon's program knows how; that it is missing is no failure.
func sweep() {
	path, err := daemonPath()
	if err != nil {
		return
	}
	null, oerr := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if oerr != nil {
		return
	}
	defer null.Close()
	p, serr := os.StartProcess(path, []string{path, "--sweep"}, &os.ProcAttr{Env: os.Environ(), Files: []*os.File{null, null, null}})
	if serr == nil {
		_, _ = p.Wait() // it bounds itself
	}
}

// end asks a living daemon to run stop or restart and waits for its end. show
// prints its answer.
func (c *client) end(h *workspace.Handle, show bool) int {
	body, err := c.encode()
	if err != nil {
		return c.fail(err)
	}
	a := c.post(h.State, "/command", body, show)
	switch {
	case a.outcome == answered && a.err != nil && a.err.Code != api.Stopping:
		return c.failWith(a.err, a.head.exit)
	case a.outcome == silent, a.outcome == overtime:
		return c.fail(api.Errorf(api.DaemonBusy, "browse stop --force-restart ends it, and its tabs, cookies and logins are lost",
			"the daemon (pid %d) is alive but did not answer for %s", h.State.PID, round(a.waited)))
	}
	if !h.WaitGone(goneLimit) {
		return c.fail(api.Errorf(api.DaemonBusy, "browse stop --force-restart",
			"the daemon (pid %d) was asked to stop and has not ended after %s", h.State.PID, round(goneLimit)))
	}
	removeState(h.Place)
	if a.outcome != answered {
		sweep() // it did not end by itself
	}
	if show && (a.outcome != answered || a.err != nil) { // somebody else had stopped it
		return c.say(api.ExitOK, c.inv.verb, "Server stopped", "", "")
	}
	return api.ExitOK
}

// restart replaces the daemon by a new one with the same configuration, or with
// what the flags say.
func (c *client) restart() int {
	h, alive := c.find()
	if h != nil {
		// Refused before the old one is gone rather than after.
		if _, _, err := c.configuration(h.Place); err != nil {
			return c.fail(err)
		}
	}
	if alive {
		if c.inv.force {
			if err := c.kill(h); err != nil {
				return c.fail(err)
			}
		} else if code := c.end(h, !c.inv.wantsJSON()); code != api.ExitOK {
			return code
		}
		h.Close()
		h = nil
	}
	h, err := c.start(h)
	if err != nil {
		return c.fail(err)
	}
	if err := c.differs(h.State); err != nil {
		return c.fail(err)
	}
	if !c.inv.wantsJSON() {
		return c.say(api.ExitOK, "restart", "Server started, pid "+strconv.Itoa(h.State.PID), "", "")
	}
	var w flat.Writer
	w.Bool("ok", true)
	w.String("command", "restart")
	w.String("text", "Server started")
	w.String("status", "started")
	w.Int("pid", int64(h.State.PID))
	if err := c.print(string(w.Bytes())); err != nil {
		return c.unwritten(err)
	}
	return api.ExitOK
}

const notRunning = "Status: not running"

// withoutStart runs a command that is about the daemon, and says that there is
// none rather than start one.
func (c *client) withoutStart() int {
	h, alive := c.find()
	if !alive {
		return c.notRunning(notRunning)
	}
	h.Close()
	c.noStart = true
	return c.command()
}

// notRunning is the answer where no daemon is needed and none runs.
func (c *client) notRunning(text string) int {
	return c.say(api.ExitOK, c.inv.verb, text, "status", "not running")
}

// tidy removes what a dead daemon left: its state file, and the memory of its
// configuration.
func (c *client) tidy(dead *workspace.Handle) {
	if dead != nil {
		removeState(dead.Place)
	}
	c.place.ForgetLast(os.Getenv)
	for _, p := range c.place.Backups(os.Getenv) {
		p.ForgetLast(os.Getenv)
	}
}

// removeState removes the state file of a dead daemon, unless somebody starts a
// daemon right now. A daemon that was killed has left it, or one whose folder was
// moved.
func removeState(place workspace.Place) {
	if _, err := os.Lstat(place.File); err != nil {
		return
	}
	lock, err := place.TryLock()
	if err != nil {
		return
	}
	defer lock.Release()
	h, err := workspace.Open(place)
	if err != nil {
		return
	}
	defer h.Close()
	if !h.Alive() {
		_ = os.Remove(place.File)
	}
}
