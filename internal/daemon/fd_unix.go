//go:build unix

package daemon

import "syscall"

// closeOnExec keeps an inherited descriptor from the browser.
func closeOnExec(fd int) { syscall.CloseOnExec(fd) }
