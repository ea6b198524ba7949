//go:build unix

package cli

import (
	"os"
	"syscall"
)

// detached puts the daemon into a session of its own: it gets no Ctrl-C of this
// terminal and outlives it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// killGroup ends a child that leads its own session, and what it started.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
