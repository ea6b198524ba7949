package server

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"syscall"

	"gstack/internal/api"
)

// Random ports stay below the ephemeral range of macOS, which begins at 49152.
const (
	lowPort, highPort = 10000, 49151 // the high end is not drawn
	portTries         = 5
)

// Listen binds the local listener to 127.0.0.1: to port, or to a random one from
// 10000 to 49150 when port is 0.
func Listen(port int) (net.Listener, *api.Error) {
	if port != 0 {
		l, err := listen(port)
		if errors.Is(err, syscall.EADDRINUSE) {
			return nil, api.Errorf(api.DaemonGone, "unset BROWSE_PORT, or set it to a free port", "port %d of 127.0.0.1 (BROWSE_PORT) is in use", port)
		}
		if err != nil {
			return nil, bindError(port, err)
		}
		return l, nil
	}
	for range portTries {
		port := lowPort + rand.IntN(highPort-lowPort)
		l, err := listen(port)
		if err == nil {
			return l, nil
		}
		if !errors.Is(err, syscall.EADDRINUSE) {
			return nil, bindError(port, err)
		}
	}
	return nil, api.Errorf(api.DaemonGone, "set BROWSE_PORT to a free port", "%d ports drawn from %d to %d of 127.0.0.1 are all in use", portTries, lowPort, highPort-1)
}

func listen(port int) (net.Listener, error) {
	// No keep-alive probes: the peer is on this machine, and they cost each
	// connection four system calls.
	lc := net.ListenConfig{KeepAlive: -1}
	return lc.Listen(context.Background(), "tcp4", "127.0.0.1:"+strconv.Itoa(port))
}

func bindError(port int, err error) *api.Error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		err = errno
	}
	return api.Errorf(api.DaemonGone, "a sandbox seems to forbid local listeners; allow 127.0.0.1", "cannot listen on port %d of 127.0.0.1: %v", port, err)
}
