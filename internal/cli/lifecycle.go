package cli

import (
	"os"
	"strconv"

	"gstack/internal/api"
	"gstack/internal/workspace"
)

// stop ends the daemon and returns when its process has gone. Where none runs
// it says so, starts nothing and succeeds.
func (c *client) stop() int {
	h := c.find()
	if h == nil || !h.Alive() {
		c.tidy(h)
		return c.notRunning("Server is not running, nothing to stop")
	}
	defer h.Close()
	if c.inv.force {
		if err := c.kill(h); err != nil {
			return c.fail(err)
		}
		c.tidy(c.find())
		c.print("Server stopped")
		return api.ExitOK
	}
	return c.end(h)
}

// end asks a living daemon to run stop or restart and waits for its end.
func (c *client) end(h *workspace.Handle) int {
	body, err := c.encode()
	if err != nil {
		return c.fail(err)
	}
	a := c.post(h.State, "/command", body, true)
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
	if a.outcome != answered || a.err != nil { // somebody else had stopped it
		c.print("Server stopped")
	}
	return api.ExitOK
}

// restart replaces the daemon by a new one with the same configuration, or with
// what the flags say.
func (c *client) restart() int {
	h := c.find()
	place := c.place
	if h != nil {
		place = h.Place
		// Refused before the old one is gone rather than after.
		if _, _, err := c.configuration(place); err != nil {
			return c.fail(err)
		}
	}
	if h != nil && h.Alive() {
		if c.inv.force {
			if err := c.kill(h); err != nil {
				return c.fail(err)
			}
		} else if code := c.end(h); code != api.ExitOK {
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
	c.print("Server started, pid " + strconv.Itoa(h.State.PID))
	return api.ExitOK
}

// withoutStart runs a command that is about the daemon, and says that there is
// none rather than start one.
func (c *client) withoutStart() int {
	h := c.find()
	if h == nil || !h.Alive() {
		return c.notRunning("Status: not running")
	}
	h.Close()
	c.noStart = true
	return c.command()
}

// notRunning is the answer where no daemon is needed and none runs.
func (c *client) notRunning(text string) int {
	if c.inv.wantsJSON() {
		text = `{"status":"not running"}`
	}
	c.print(text)
	return api.ExitOK
}

// tidy removes what a dead daemon left: its state file, unless somebody starts a
// daemon right now, and the memory of its configuration.
func (c *client) tidy(dead *workspace.Handle) {
	place := c.place
	if dead != nil {
		place = dead.Place
		dead.Close()
	}
	if _, err := os.Lstat(place.Dir); err != nil {
		return
	}
	place.ForgetLast()
	if dead == nil {
		return
	}
	lock, err := place.TryLock()
	if err != nil {
		return
	}
	defer lock.Release()
	if h, err := workspace.Open(place); err == nil {
		defer h.Close()
		if !h.Alive() {
			_ = os.Remove(place.File)
		}
	}
}
