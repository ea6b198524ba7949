package browser

import (
	"context"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the parent of its descendants' orphans, in
// place of process 1: Chromium's crash handlers fork twice, and what remains of
// a killed browser has lost its parent, too. In a container whose first process
// waits for nobody they would stay as zombies for ever; here they are waited
// for. Without this right nothing is lost but that.
var adoptOrphans = sync.OnceFunc(func() {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
})

// reap waits for the orphans of the browser that have ended: the members of its
// process group, and crash handlers, whoever's they were. The first process has
// been waited for before.
func (c *child) reap(context.Context) {
	self := os.Getpid()
	for _, pid := range processes() {
		st, ok := readStat(pid)
		if ok && st.state == 'Z' && st.ppid == self && (st.pgid == c.pid || st.name == "chrome_crashpad") {
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
		}
	}
}

// groupRuns reports whether a member of the process group is more than a
// zombie that somebody else has to wait for.
func (c *child) groupRuns() bool {
	self := os.Getpid()
	for _, pid := range processes() {
		if st, ok := readStat(pid); ok && st.pgid == c.pid && (st.state != 'Z' || st.ppid == self) {
			return true
		}
	}
	return false
}
