//go:build unix

package capture

import "syscall"

const noFollow = syscall.O_NOFOLLOW
