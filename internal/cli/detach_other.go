//go:build !unix

package cli

import (
	"os"
	"syscall"
)

func detached() *syscall.SysProcAttr { return nil }

func killGroup(p *os.Process) { _ = p.Kill() }
