//go:build unix

package cli

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// errRefused means that nothing listens on the port.
var errRefused = errors.New("connection refused")

// conn is a connection to the daemon: a blocking socket whose time limits are
// the kernel's. Neither net nor the runtime's poller is used, which together
// would cost every call about 0.5 ms.
type conn struct{ fd int }

// dial connects to a port of 127.0.0.1.
func dial(port int, limit time.Duration) (*conn, error) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	c := &conn{fd: fd}
	// It bounds connect on Linux; elsewhere a connect to this host does not wait.
	if err = c.limit(syscall.SO_SNDTIMEO, limit); err == nil {
		err = syscall.Connect(fd, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
	}
	switch {
	case err == nil:
		return c, nil
	case errors.Is(err, syscall.ECONNREFUSED):
		err = errRefused
	case errors.Is(err, syscall.EINPROGRESS), errors.Is(err, syscall.EAGAIN):
		err = os.ErrDeadlineExceeded
	default:
		err = os.NewSyscallError("connect", err)
	}
	c.Close()
	return nil, err
}

func (c *conn) limit(option int, d time.Duration) error {
	tv := syscall.NsecToTimeval(max(d, time.Millisecond).Nanoseconds()) // zero would mean for ever
	return os.NewSyscallError("setsockopt", syscall.SetsockoptTimeval(c.fd, syscall.SOL_SOCKET, option, &tv))
}

// SetReadLimit sets how long a Read may wait.
func (c *conn) SetReadLimit(d time.Duration) error { return c.limit(syscall.SO_RCVTIMEO, d) }

// SetWriteLimit sets how long a Write may wait for the daemon to take anything.
func (c *conn) SetWriteLimit(d time.Duration) error { return c.limit(syscall.SO_SNDTIMEO, d) }

// Read implements io.Reader, except that the end of the stream is a read of no
// bytes without an error. Past its limit the error is os.ErrDeadlineExceeded.
func (c *conn) Read(p []byte) (int, error) {
	return waited(func() (int, error) { return syscall.Read(c.fd, p) })
}

// Write writes what the socket takes within the limit.
func (c *conn) Write(p []byte) (int, error) {
	return waited(func() (int, error) { return syscall.Write(c.fd, p) })
}

// waited repeats a call that a signal interrupted.
func waited(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EAGAIN):
			err = os.ErrDeadlineExceeded
		}
		return max(n, 0), err
	}
}

// Close closes the connection.
func (c *conn) Close() { _ = syscall.Close(c.fd) }
