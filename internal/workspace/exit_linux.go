package workspace

import (
	"syscall"
	"time"
	"unsafe"
)

// sysPidfdOpen has one number on all architectures (Linux 5.3).
const sysPidfdOpen = 434

// waitExit waits until a process that has let go of its files has also ended: a
// lock comes free a moment before. It reports false when limit passes, and true
// at once where the kernel cannot be asked.
func waitExit(pid int, limit time.Duration) bool {
	fd, _, errno := syscall.Syscall(sysPidfdOpen, uintptr(pid), 0, 0)
	if errno != 0 {
		return true
	}
	defer syscall.Close(int(fd))
	const pollIn = 1
	poll := struct {
		fd              int32
		events, revents int16
	}{fd: int32(fd), events: pollIn}
	for end := time.Now().Add(limit); ; {
		ts := syscall.NsecToTimespec(max(time.Until(end), 0).Nanoseconds())
		n, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&poll)), 1, uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
		if errno != syscall.EINTR {
			return errno != 0 || n > 0
		}
	}
}
