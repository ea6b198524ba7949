//go:build !unix

package cli

import (
	"errors"
	"os"
	"time"
)

type conn = *os.File

var errRefused = errors.New("connection refused")

// dial fails: there is no daemon on this system.
func dial(int, time.Duration) (conn, error) { return nil, errRefused }
