package cli

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"gstack/internal/api"
)

// errProtocol is returned for an answer that is not HTTP/1.1 as our daemon
// writes it.
var errProtocol = errors.New("the answer is not HTTP")

// Limits of an answer's head.
const (
	maxHeaders = 100
)

// response is the head of an answer.
type response struct {
	status  int
	length  int64 // of the body, -1 unknown
	chunked bool
	exit    int           // of an error, -1 none
	budget  time.Duration // of an interim answer, 0 none
	note    string        // for standard error
	moved   string        // of an interim answer: how far the command is
}

// readHead reads one head, interim ones included.
func readHead(r *bufio.Reader) (response, error) {
	res := response{length: -1, exit: -1}
	line, err := readLine(r)
	if err != nil {
		return res, err
	}
	// "HTTP/1.1 200 OK"; the reason phrase may be missing (RFC 9112 section 4).
	proto, rest, _ := strings.Cut(line, " ")
	code, _, _ := strings.Cut(rest, " ")
	if proto != "HTTP/1.1" || len(code) != 3 {
		return res, errProtocol
	}
	if res.status, err = strconv.Atoi(code); err != nil || res.status < 100 {
		return res, errProtocol
	}
	for range maxHeaders {
		line, err := readLine(r)
		if err != nil {
			return res, err
		}
		if line == "" {
			return res, nil
		}
		name, val, ok := strings.Cut(line, ":")
		if !ok {
			return res, errProtocol
		}
		if err := res.header(name, strings.Trim(val, " \t")); err != nil {
			return res, err
		}
	}
	return res, errProtocol
}

func (res *response) header(name, val string) error {
	switch {
	case strings.EqualFold(name, "Content-Length"):
		n, err := strconv.ParseInt(val, 10, 64)
		if err != nil || n < 0 || val[0] == '+' || res.length >= 0 && res.length != n {
			return errProtocol
		}
		res.length = n
	case strings.EqualFold(name, "Transfer-Encoding"):
		if !strings.EqualFold(val, "chunked") {
			return errProtocol
		}
		res.chunked = true
	case strings.EqualFold(name, api.HeaderExit):
		if n, err := strconv.Atoi(val); err == nil && n > 0 && n < 256 {
			res.exit = n
		}
	case strings.EqualFold(name, api.HeaderNote):
		res.note = val
	case strings.EqualFold(name, api.HeaderProgress):
		res.moved = val
	case strings.EqualFold(name, api.HeaderBudget):
		if n, err := strconv.ParseInt(val, 10, 64); err == nil && n > 0 && n < 1<<40 {
			res.budget = time.Duration(n) * time.Millisecond
		}
	}
	return nil
}

// readLine reads a line without its end. The end of the input inside a head is
// io.ErrUnexpectedEOF.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return "", errProtocol
	case errors.Is(err, io.EOF):
		return "", io.ErrUnexpectedEOF
	case err != nil:
		return "", err
	}
	return strings.TrimSuffix(string(line[:len(line)-1]), "\r"), nil
}

// body copies the body of an answer to w as it arrives.
func (res *response) body(r *bufio.Reader, w io.Writer) error {
	switch {
	case res.chunked:
		return chunks(r, w)
	case res.length >= 0:
		return copyN(w, r, res.length)
	}
	_, err := io.Copy(w, r) // until the daemon closes
	return err
}

// copyN copies n bytes. An early end is io.ErrUnexpectedEOF.
func copyN(w io.Writer, r *bufio.Reader, n int64) error {
	for n > 0 {
		if _, err := r.Peek(1); err != nil {
			return unexpected(err)
		}
		part, _ := r.Peek(int(min(n, int64(r.Buffered()))))
		m, err := w.Write(part)
		if err != nil {
			return writeError{err}
		}
		n -= int64(m)
		_, _ = r.Discard(m)
	}
	return nil
}

// writeError tells trouble with the output from trouble with the daemon.
type writeError struct{ error }

func (e writeError) Unwrap() error { return e.error }

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// chunks copies a chunked body (RFC 9112 section 7.1) and its trailer, which is
// ignored.
func chunks(r *bufio.Reader, w io.Writer) error {
	for {
		line, err := readLine(r)
		if err != nil {
			return err
		}
		size, _, _ := strings.Cut(line, ";")
		size = strings.TrimRight(size, " \t")
		n, err := strconv.ParseUint(size, 16, 62)
		if err != nil || size == "" || size[0] == '+' {
			return errProtocol
		}
		if n == 0 {
			break
		}
		if err := copyN(w, r, int64(n)); err != nil {
			return err
		}
		if line, err := readLine(r); err != nil {
			return err
		} else if line != "" {
			return errProtocol
		}
	}
	for range maxHeaders {
		if line, err := readLine(r); err != nil {
			return err
		} else if line == "" {
			return nil
		}
	}
	return errProtocol
}
