//go:build !unix

package cli

import (
	"errors"
	"time"
)

var errRefused = errors.New("connection refused")

// conn is never made: there is no daemon on this system.
type conn struct{}

func dial(int, time.Duration) (*conn, error) { return nil, errRefused }

func (c *conn) SetReadLimit(time.Duration) error  { return errRefused }
func (c *conn) SetWriteLimit(time.Duration) error { return errRefused }
func (c *conn) Read([]byte) (int, error)          { return 0, errRefused }
func (c *conn) Write([]byte) (int, error)         { return 0, errRefused }
func (c *conn) Close()                            {}
