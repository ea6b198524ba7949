package workspace

import (
	"syscall"
	"time"
)

// waitExit waits until a process that has let go of its files has also ended: a
// lock comes free a moment before. It reports false when limit passes, and true
// at once where the kernel cannot be asked.
func waitExit(pid int, limit time.Duration) bool {
	kq, err := syscall.Kqueue()
	if err != nil {
		return true
	}
	defer syscall.Close(kq)
	var want, got [1]syscall.Kevent_t
	syscall.SetKevent(&want[0], pid, syscall.EVFILT_PROC, syscall.EV_ADD|syscall.EV_ONESHOT)
	want[0].Fflags = syscall.NOTE_EXIT
	for end := time.Now().Add(limit); ; {
		ts := syscall.NsecToTimespec(max(time.Until(end), 0).Nanoseconds())
		n, err := syscall.Kevent(kq, want[:], got[:], &ts)
		if err != syscall.EINTR {
			return err != nil || n > 0 // an error says that there is no such process
		}
	}
}
