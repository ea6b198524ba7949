//go:build unix

package cdp

import (
	"io"
	"os"
	"syscall"
)

// nonblocking returns a func that writes to w as much as fits at this moment,
// or nil when w offers no such thing: it must be a file that the runtime polls,
// as those of os.Pipe are.
func nonblocking(w io.Writer) func([]byte) (int, error) {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	rc, err := f.SyscallConn()
	if err != nil || !isNonblocking(rc) {
		return nil
	}
	// One goroutine writes at a time, so that the closure can be made once.
	var (
		msg  []byte
		n    int
		werr error
	)
	step := func(fd uintptr) bool {
		n, werr = 0, nil
		for n < len(msg) {
			k, err := syscall.Write(int(fd), msg[n:])
			if err == syscall.EINTR {
				continue
			}
			if err != nil {
				if err != syscall.EAGAIN {
					werr = os.NewSyscallError("write", err)
				}
				break
			}
			n += k
		}
		return true // never wait
	}
	return func(p []byte) (int, error) {
		msg = p
		err := rc.Write(step)
		msg = nil
		if err == nil {
			err = werr
		}
		return n, err
	}
}

func isNonblocking(rc syscall.RawConn) bool {
	nonblock := false
	err := rc.Control(func(fd uintptr) {
		flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0)
		nonblock = errno == 0 && flags&syscall.O_NONBLOCK != 0
	})
	return err == nil && nonblock
}
