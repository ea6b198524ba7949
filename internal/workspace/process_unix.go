//go:build unix && !linux && !darwin

package workspace

import "syscall"

// Process reports whether a process runs. Its start time cannot be told here
// and is 0: the lock on the state file decides alone.
func Process(pid int) (start uint64, running bool) {
	if pid <= 1 {
		return 0, false
	}
	err := syscall.Kill(pid, 0)
	return 0, err == nil || err == syscall.EPERM
}
