package cli

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

func TestReadHead(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     response
		err      error
	}{
		{"plain", "HTTP/1.1 200 OK\nContent-Length: 3\n\n", response{status: 200, length: 3, exit: -1}, nil},
		{"no reason", "HTTP/1.1 204\n\n", response{status: 204, length: -1, exit: -1}, nil},
		{"case and space", "HTTP/1.1 200 OK\ncONTENT-lENGTH:\t 3 \n\n", response{status: 200, length: 3, exit: -1}, nil},
		{"chunked", "HTTP/1.1 200 OK\nTransfer-Encoding: Chunked\n\n", response{status: 200, length: -1, chunked: true, exit: -1}, nil},
		{"interim", "HTTP/1.1 102 Processing\nBrowse-Budget-Ms: 1500\n\n", response{status: 102, length: -1, exit: -1, budget: 1500 * time.Millisecond}, nil},
		{"error", "HTTP/1.1 410 Gone\nBrowse-Exit: 3\nContent-Length: 0\n\n", response{status: 410, exit: 3}, nil},
		{"exit out of range", "HTTP/1.1 410 Gone\nBrowse-Exit: 256\n\n", response{status: 410, length: -1, exit: -1}, nil},
		{"same length twice", "HTTP/1.1 200 OK\nContent-Length: 3\nContent-Length: 3\n\n", response{status: 200, length: 3, exit: -1}, nil},
		{"two lengths", "HTTP/1.1 200 OK\nContent-Length: 3\nContent-Length: 4\n\n", response{}, errProtocol},
		{"negative length", "HTTP/1.1 200 OK\nContent-Length: -3\n\n", response{}, errProtocol},
		{"signed length", "HTTP/1.1 200 OK\nContent-Length: +3\n\n", response{}, errProtocol},
		{"huge length", "HTTP/1.1 200 OK\nContent-Length: 99999999999999999999\n\n", response{}, errProtocol},
		{"other coding", "HTTP/1.1 200 OK\nTransfer-Encoding: gzip\n\n", response{}, errProtocol},
		{"HTTP/1.0", "HTTP/1.0 200 OK\n\n", response{}, errProtocol},
		{"not HTTP", "SSH-2.0-OpenSSH\n", response{}, errProtocol},
		{"bad status", "HTTP/1.1 20x OK\n\n", response{}, errProtocol},
		{"small status", "HTTP/1.1 099 OK\n\n", response{}, errProtocol},
		{"header without colon", "HTTP/1.1 200 OK\nfoo\n\n", response{}, errProtocol},
		{"cut", "HTTP/1.1 200 OK\nContent-Le", response{}, io.ErrUnexpectedEOF},
		{"nothing", "", response{}, io.ErrUnexpectedEOF},
		{"long line", "HTTP/1.1 200 " + strings.Repeat("x", 70000) + "\n\n", response{}, errProtocol},
		{"many headers", "HTTP/1.1 200 OK\n" + strings.Repeat("a: b\n", 200) + "\n", response{}, errProtocol},
	} {
		got, err := readHead(bufio.NewReaderSize(strings.NewReader(crlf(tt.in)), 32<<10))
		if !errors.Is(err, tt.err) || err == nil && got != tt.want {
			t.Errorf("%s: got %+v, %v; want %+v, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

func TestBody(t *testing.T) {
	const head = "HTTP/1.1 200 OK\n"
	big := strings.Repeat("0123456789", 10000)
	for _, tt := range []struct {
		name, in, want string
		err            error
	}{
		{"length", head + "Content-Length: 3\n\nabcdef", "abc", nil},
		{"big", head + "Content-Length: 100000\n\n" + big, big, nil},
		{"cut", head + "Content-Length: 7\n\nabc", "abc", io.ErrUnexpectedEOF},
		{"until close", head + "\nabc", "abc", nil},
		{"chunks", head + "Transfer-Encoding: chunked\n\n3\nabc\nA ;x=y\n0123456789\n0\n\n", "abc0123456789", nil},
		{"trailer", head + "Transfer-Encoding: chunked\n\n1\na\n0\nX: y\n\n", "a", nil},
		{"length and chunks", head + "Content-Length: 1\nTransfer-Encoding: chunked\n\n2\nab\n0\n\n", "ab", nil},
		{"cut chunk", head + "Transfer-Encoding: chunked\n\n5\nab", "ab", io.ErrUnexpectedEOF},
		{"no last chunk", head + "Transfer-Encoding: chunked\n\n2\nab\n", "ab", io.ErrUnexpectedEOF},
		{"bad size", head + "Transfer-Encoding: chunked\n\nxyz\n", "", errProtocol},
		{"signed size", head + "Transfer-Encoding: chunked\n\n+1\na\n0\n\n", "", errProtocol},
		{"huge size", head + "Transfer-Encoding: chunked\n\nfffffffffffffffff\n", "", errProtocol},
		{"long chunk", head + "Transfer-Encoding: chunked\n\n1\nab\n0\n\n", "a", errProtocol},
	} {
		in := crlf(tt.in)
		if tt.name == "big" {
			in = crlf(strings.TrimSuffix(tt.in, big)) + big
		}
		r := bufio.NewReaderSize(strings.NewReader(in), 32<<10)
		h, err := readHead(r)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var out bytes.Buffer
		if err := h.body(r, &out); !errors.Is(err, tt.err) || out.String() != tt.want {
			t.Errorf("%s: got %q, %v; want %q, %v", tt.name, out.String(), err, tt.want, tt.err)
		}
	}
}

// FuzzResponse checks that no answer makes the parser panic, hang or return more
// than was sent, and that a length is kept to.
func FuzzResponse(f *testing.F) {
	for _, s := range []string{
		"HTTP/1.1 200 OK\nContent-Length: 3\n\nabc", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\n0\n\n",
		"HTTP/1.1 102 Processing\nBrowse-Budget-Ms: 5\n\nHTTP/1.1 410 Gone\nBrowse-Exit: 3\n\n{}", "HTTP/1.1 200 OK\n\nabc",
	} {
		f.Add([]byte(crlf(s)))
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bufio.NewReaderSize(bytes.NewReader(data), 32<<10)
		h, err := readHead(r)
		for err == nil && h.status < 200 {
			h, err = readHead(r)
		}
		if err != nil {
			return
		}
		if h.exit < -1 || h.exit == 0 || h.exit > 255 || h.length < -1 || h.budget < 0 {
			t.Fatalf("%+v", h)
		}
		var out bytes.Buffer
		err = h.body(r, &out)
		if out.Len() > len(data) || err == nil && !h.chunked && h.length >= 0 && int64(out.Len()) != h.length {
			t.Fatalf("%d bytes of body, %+v, %v", out.Len(), h, err)
		}
		_ = decodeError(out.Bytes(), h.status).Text()
	})
}
