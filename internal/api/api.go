// Package api holds what crosses the wire between the client and the daemon:
// requests, errors, error codes and header names. It imports nothing else of
// this module and nothing heavy, because the thin client links it.
package api

import (
	"fmt"
	"strings"
)

// Request is the body of POST /command.
type Request struct {
	// Command is the verb as typed, an alias included.
	Command string `json:"command"`
	// Args are the words after the verb, global flags already taken out.
	Args []string `json:"args"`
	// TabID names the tab to act on; 0 means the current tab of the session.
	TabID int `json:"tabId,omitempty"`
	// Session names the client's session; empty means "default".
	Session string `json:"session,omitempty"`
	// Stdin is what the client read from its standard input, nil when it did not read it.
	Stdin *string `json:"stdin,omitempty"`
	// Cwd is the client's working directory, the base of relative paths.
	// It counts only from the local root client.
	Cwd string `json:"cwd,omitempty"`
	// RequestID makes a retry safe: a second request with the same id gets the
	// answer of the first and runs nothing.
	RequestID string `json:"requestId,omitempty"`
	// JSON asks for the machine form of the answer.
	JSON bool `json:"json,omitempty"`
	// Raw asks for page content without the envelope; root only.
	Raw bool `json:"raw,omitempty"`
	// MaxBytes cuts page content, in bytes; 0 never, nil keeps the default.
	MaxBytes *int `json:"maxBytes,omitempty"`
	// Page is the part to show of content that was cut, counted from 1; 0 is 1.
	Page int `json:"page,omitempty"`
	// TimeoutMS overrides the verb's default deadline, in milliseconds; 0 keeps it.
	TimeoutMS int `json:"timeoutMs,omitempty"`
}

// Answer is what a command that succeeded prints.
type Answer struct {
	// Text goes to standard output.
	Text string
	// Note is a sentence for standard error, about more than the command itself;
	// "" for none. It is one line.
	Note string
}

// Header names of the command endpoint.
const (
	// HeaderBudget travels on an interim 102 response: the milliseconds that
	// the daemon gives the running command, so that a client knows how long to
	// wait without knowing the verb.
	HeaderBudget = "Browse-Budget-Ms"
	// HeaderExit travels with an error answer: the exit code of the process.
	HeaderExit = "Browse-Exit"
	// HeaderProgress travels on an interim 102 response: how far the command is, in
	// one line for a person at a terminal.
	HeaderProgress = "Browse-Progress"
	// HeaderNote travels with an answer: [Answer.Note].
	HeaderNote = "Browse-Note"
)

// Code classifies an [Error] where its cause is known. Clients branch on it,
// never on the message. The zero value is reported as [Internal].
type Code string

// The codes. Each has a row in [Status].
const (
	Failed           Code = "failed"            // the command ran and its answer is no
	Internal         Code = "internal"          // our fault
	BadUsage         Code = "bad_usage"         // wrong words on the command line
	UnknownVerb      Code = "unknown_command"   // no such verb
	BadRequest       Code = "bad_request"       // not a command request at all
	PageError        Code = "page_error"        // the page's own script threw
	UnknownTab       Code = "unknown_tab"       // no such tab
	UnknownRef       Code = "unknown_ref"       // a ref that no snapshot showed
	StaleRef         Code = "stale_ref"         // the ref's document or element is gone
	ChangedRef       Code = "changed_ref"       // the ref's element is no longer what was shown
	NotFound         Code = "not_found"         // a selector matched nothing in time
	Ambiguous        Code = "ambiguous"         // a selector matched several elements
	NotVisible       Code = "not_visible"       // the element has no visible box
	NotEnabled       Code = "not_enabled"       // the element is disabled or inert
	NotEditable      Code = "not_editable"      // the element cannot take text
	Moving           Code = "moving"            // the element never stood still
	Covered          Code = "covered"           // another element takes the pointer
	OutsideViewport  Code = "outside_viewport"  // the element cannot be scrolled into view
	NotVerified      Code = "not_verified"      // the action ran, its effect did not show
	DialogOpen       Code = "dialog_open"       // a dialog blocks the page
	NavigationFailed Code = "navigation_failed" // DNS, refused, TLS, aborted
	IsDownload       Code = "is_download"       // the address is a file, not a page
	HTTPError        Code = "http_error"        // goto --fail met a 4xx or 5xx
	Timeout          Code = "timeout"           // the deadline passed
	PathDenied       Code = "path_denied"       // outside the folders that may be read or written
	FileError        Code = "file_error"        // missing, a directory, unreadable
	URLDenied        Code = "url_denied"        // scheme or host that may not be opened
	Unauthorized     Code = "unauthorized"      // no or wrong token
	Forbidden        Code = "forbidden"         // scope, host, origin
	RouteUnknown     Code = "route_unknown"     // no such endpoint
	TooLarge         Code = "too_large"         // request over its size limit
	PageCrashed      Code = "page_crashed"      // the tab's renderer died
	BrowserMissing   Code = "browser_missing"   // no Chromium on this machine
	BrowserGone      Code = "browser_gone"      // Chromium died or cannot be started
	DaemonBusy       Code = "daemon_busy"       // alive, but does not answer
	DaemonGone       Code = "daemon_gone"       // died, or cannot be started
	Stopping         Code = "stopping"          // the daemon is shutting down
)

// Exit codes of the client. Scripts may rely on zero and non-zero only.
const (
	ExitOK          = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitElement     = 3
	ExitDenied      = 4
	ExitTimeout     = 5
	ExitUnavailable = 6
)

// Status maps each code to its HTTP status and the client's exit code.
var Status = map[Code]struct{ HTTP, Exit int }{
	Failed:           {422, ExitFailed},
	Internal:         {500, ExitFailed},
	BadUsage:         {400, ExitUsage},
	UnknownVerb:      {400, ExitUsage},
	BadRequest:       {400, ExitUsage},
	PageError:        {422, ExitFailed},
	UnknownTab:       {404, ExitUsage},
	UnknownRef:       {404, ExitElement},
	StaleRef:         {410, ExitElement},
	ChangedRef:       {409, ExitElement},
	NotFound:         {404, ExitElement},
	Ambiguous:        {409, ExitElement},
	NotVisible:       {409, ExitElement},
	NotEnabled:       {409, ExitElement},
	NotEditable:      {409, ExitElement},
	Moving:           {409, ExitElement},
	Covered:          {409, ExitElement},
	OutsideViewport:  {409, ExitElement},
	NotVerified:      {409, ExitElement},
	DialogOpen:       {409, ExitElement},
	NavigationFailed: {502, ExitFailed},
	IsDownload:       {422, ExitFailed},
	HTTPError:        {422, ExitFailed},
	Timeout:          {504, ExitTimeout},
	PathDenied:       {403, ExitDenied},
	FileError:        {404, ExitFailed},
	URLDenied:        {403, ExitDenied},
	Unauthorized:     {401, ExitDenied},
	Forbidden:        {403, ExitDenied},
	RouteUnknown:     {404, ExitUsage},
	TooLarge:         {413, ExitUsage},
	PageCrashed:      {503, ExitUnavailable},
	BrowserMissing:   {503, ExitUnavailable},
	BrowserGone:      {503, ExitUnavailable},
	DaemonBusy:       {503, ExitUnavailable},
	DaemonGone:       {503, ExitUnavailable},
	Stopping:         {503, ExitUnavailable},
}

// Error is the only error shape that a client sees. On the wire it is a JSON
// object whose "error" member is the message (server.md section 3.1).
type Error struct {
	Code    Code     `json:"code"`
	Message string   `json:"error"`           // lower case, no full stop, names the thing
	Tried   []string `json:"tried,omitempty"` // what was tried, oldest first, repeats folded
	Hint    string   `json:"hint,omitempty"`  // the next command to run
	// Output is what the command printed before it failed, such as the steps of
	// a chain. The client writes it to stdout.
	Output string `json:"output,omitempty"`
	// Steps is the machine form of Output where there is one: an array with an
	// object per step. A client that prints the machine form prints it in the
	// error, in place of Output.
	Steps JSON `json:"steps,omitzero"`
}

// JSON is text that is one JSON value; it is empty for none.
type JSON string

// MarshalJSON returns the value as it is.
func (j JSON) MarshalJSON() ([]byte, error) { return []byte(j), nil }

func (e *Error) Error() string { return e.Message }

// Errorf returns an [Error] with the given code and hint.
func Errorf(code Code, hint, format string, args ...any) *Error {
	return &Error{Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

// HTTP returns the HTTP status of e; 500 for a code without a row.
func (e *Error) HTTP() int {
	if s, ok := Status[e.Code]; ok {
		return s.HTTP
	}
	return 500
}

// Exit returns the exit code of e; [ExitFailed] for a code without a row.
func (e *Error) Exit() int {
	if s, ok := Status[e.Code]; ok {
		return s.Exit
	}
	return ExitFailed
}

// Text formats e for stderr, one prefixed line per fact. Line breaks inside a
// fact are escaped, so page text quoted by an error cannot forge a line.
func (e *Error) Text() string {
	var b strings.Builder
	line := func(prefix, s string) {
		b.WriteString(prefix)
		b.WriteString(Clean(s))
		b.WriteByte('\n')
	}
	line("error: ", e.Message)
	for _, t := range e.Tried {
		line("tried: ", t)
	}
	if e.Hint != "" {
		line("hint: ", e.Hint)
	}
	return b.String()
}

// Clean escapes control characters (C0, DEL, C1, line and paragraph
// separators, bidirectional overrides), so that quoted page text stays on its
// line and cannot drive a terminal.
func Clean(s string) string {
	clean := true
	for _, r := range s {
		if isControl(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case isControl(r) && r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case isControl(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
