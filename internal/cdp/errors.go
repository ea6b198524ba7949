package cdp

import (
	"errors"
	"strconv"

	"github.com/go-json-experiment/json"
)

// Errors that a call returns when no answer can come any more. They are
// wrapped with the method; test for them with errors.Is.
var (
	// ErrClosed means that the connection has ended: the browser is gone, or
	// Close was called. Conn.Err tells which.
	ErrClosed = errors.New("connection to the browser is closed")
	// ErrDetached means that the target of the session is gone.
	ErrDetached = errors.New("target is gone")
	// ErrCrashed means that the renderer of the target died while it had the
	// command. The session lives on: a navigation gives it a new renderer, and
	// Chromium may still run the command there.
	ErrCrashed = errors.New("page has crashed")
	// ErrStuck means that the browser has stopped reading and that the bound
	// of Options.WriteQueueBytes is reached.
	ErrStuck = errors.New("browser does not read its commands")
	// ErrTooLarge means that the answer was over 128 MB and was thrown away.
	ErrTooLarge = errors.New("answer of the browser is too large")
)

// Codes of protocol errors (JSON-RPC 2.0 section 5.1, and crdtp's
// DispatchCode for those that Chromium adds).
const (
	CodeServerError     = -32000 // the command was understood and failed
	CodeSessionNotFound = -32001 // the session has been detached
	CodeMethodNotFound  = -32601
	CodeInvalidParams   = -32602
)

// Error is the browser's answer to a command that failed.
type Error struct {
	Method  string `json:"-"`
	Code    int64  `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data,omitzero"` // more words, often empty
}

func (e *Error) Error() string {
	s := e.Method + ": " + e.Message
	if e.Data != "" {
		s += ": " + e.Data
	}
	return s + " (" + strconv.FormatInt(e.Code, 10) + ")"
}

// Is reports that a protocol error with [CodeSessionNotFound] is ErrDetached:
// the browser and this client notice a detached target in either order. One that
// stands in place of an answer that was too large is ErrTooLarge.
func (e *Error) Is(target error) bool {
	return target == ErrDetached && e.Code == CodeSessionNotFound || target == ErrTooLarge && e.Code == codeTooLarge
}

// decodeError turns the error member of an answer into an Error.
func decodeError(method string, raw []byte) error {
	e := &Error{}
	if err := json.Unmarshal(raw, e, decodeOptions); err != nil {
		// An error object of another shape is still an error.
		e = &Error{Code: CodeServerError, Message: string(raw)}
	}
	e.Method = method
	return e
}
