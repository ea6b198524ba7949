package browser

import "context"

// adoptOrphans has nothing to do: launchd waits for every orphan.
func adoptOrphans() {}

func (c *child) reap(context.Context) {}

// groupRuns reports whether a member of the process group is left; zombies do
// not stay.
func (c *child) groupRuns() bool { return true }
