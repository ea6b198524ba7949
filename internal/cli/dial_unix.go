//go:build unix

package cli

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// conn is a connection to the daemon.
type conn = *os.File

// errRefused means that nothing listens on the port.
var errRefused = errors.New("connection refused")

// dial connects to a port of 127.0.0.1. It uses the system calls because
// linking net costs every call about 0.4 ms.
func dial(port int, limit time.Duration) (conn, error) {
	syscall.ForkLock.RLock()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	if err := syscall.SetNonblock(fd, true); err != nil {
		_ = syscall.Close(fd)
		return nil, os.NewSyscallError("fcntl", err)
	}
	addr := &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
	err = syscall.Connect(fd, addr)
	f := os.NewFile(uintptr(fd), "daemon")
	if errors.Is(err, syscall.EINPROGRESS) || errors.Is(err, syscall.EINTR) {
		err = connected(f, limit)
	}
	if err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.ECONNREFUSED) {
			return nil, errRefused
		}
		return nil, os.NewSyscallError("connect", err)
	}
	return f, nil
}

// connected waits until a connection under way is made or refused.
func connected(f *os.File, limit time.Duration) error {
	rc, err := f.SyscallConn()
	if err != nil {
		return err
	}
	if err := f.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	defer func() { _ = f.SetWriteDeadline(time.Time{}) }()
	var state error
	asked := false
	err = rc.Write(func(fd uintptr) bool {
		if !asked { // the first call comes before the wait
			asked = true
			return false
		}
		errno, err := syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_ERROR)
		if err != nil {
			state = err
		} else if errno != 0 {
			state = syscall.Errno(errno)
		}
		return true
	})
	if state != nil {
		return state
	}
	return err
}
