package cli

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"unicode/utf8"

	"gstack/internal/api"
	"gstack/internal/workspace/flat"
)

// maxStdin bounds what is read from standard input; the daemon takes no larger
// request.
const maxStdin = 60 << 20

// encode returns the body of the request.
func (c *client) encode() ([]byte, *api.Error) {
	v := &c.inv
	stdin, has, err := readStdin(v)
	if err != nil {
		return nil, err
	}
	for i, a := range v.args {
		if !utf8.ValidString(a) {
			return nil, usage("argument %d of %s is not UTF-8", i+1, v.verb)
		}
	}
	if !utf8.ValidString(v.verb) || !utf8.ValidString(v.session) {
		return nil, usage("the command line is not UTF-8")
	}
	var w flat.Writer
	w.String("command", v.verb)
	w.Strings("args", v.args)
	if v.tab != 0 {
		w.Int("tabId", int64(v.tab))
	}
	if v.session != "" {
		w.String("session", v.session)
	}
	if has {
		w.String("stdin", stdin)
	}
	// Without it relative paths are refused, which is better than a wrong base.
	if utf8.ValidString(c.place.Cwd) {
		w.String("cwd", c.place.Cwd)
	}
	w.String("requestId", strconv.FormatUint(rand.Uint64(), 36)+strconv.FormatUint(rand.Uint64(), 36))
	if v.json {
		w.Bool("json", true)
	}
	if v.raw {
		w.Bool("raw", true)
	}
	if v.maxBytes >= 0 {
		w.Int("maxBytes", int64(v.maxBytes))
	}
	if v.page > 0 {
		w.Int("page", int64(v.page))
	}
	if v.timeout > 0 {
		w.Int("timeoutMs", v.timeout.Milliseconds())
	}
	return w.Bytes(), nil
}

// readsStdin reports whether the verb's table says that this call reads standard
// input.
func (v *invocation) readsStdin() bool {
	switch {
	case len(v.args) == 0:
		return stdinRule(v.verb) == "no-args"
	case slices.Contains(v.args, "-"):
		return stdinRule(v.verb) == "dash"
	}
	return false
}

// readStdin reads standard input when the call does.
func readStdin(v *invocation) (string, bool, *api.Error) {
	if !v.readsStdin() {
		return "", false, nil
	}
	data, err := io.ReadAll(io.LimitReader(os.Stdin, maxStdin+1))
	switch {
	case err != nil:
		return "", false, api.Errorf(api.FileError, "", "cannot read standard input: %v", reason(err))
	case len(data) > maxStdin:
		return "", false, api.Errorf(api.TooLarge, "pass it as a file", "standard input is over %d bytes", maxStdin)
	case !utf8.Valid(data):
		return "", false, usage("standard input is not UTF-8")
	}
	return string(data), true, nil
}

// reason drops operation and path from a file error.
func reason(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// encodeError returns the error as one JSON object and a line break.
func encodeError(e *api.Error) []byte {
	var w flat.Writer
	w.Bool("ok", false)
	w.String("code", string(e.Code))
	w.String("error", e.Message)
	if len(e.Tried) > 0 {
		w.Strings("tried", e.Tried)
	}
	if e.Hint != "" {
		w.String("hint", e.Hint)
	}
	if e.Steps != "" {
		w.Raw("steps", string(e.Steps))
	}
	return append(w.Bytes(), '\n')
}

// decodeError reads an error answer. What is not one of ours is quoted.
func decodeError(data []byte, status int) *api.Error {
	o, err := flat.Parse(data)
	if err != nil || o.String("error") == "" {
		text := string(data[:min(len(data), 200)])
		return api.Errorf(api.Internal, "", "the daemon answered %d: %s", status, text)
	}
	return &api.Error{Code: api.Code(o.String("code")), Message: o.String("error"), Tried: o.Strings("tried"), Hint: o.String("hint"), Output: o.String("output"), Steps: api.JSON(o.Raw("steps"))}
}
