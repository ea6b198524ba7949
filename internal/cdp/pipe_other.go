//go:build !unix

package cdp

import "io"

// nonblocking returns nil: there is no write that never waits here, so the
// writer goroutine does all of them.
func nonblocking(io.Writer) func([]byte) (int, error) { return nil }
