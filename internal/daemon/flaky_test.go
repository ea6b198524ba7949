//go:build unix

package daemon_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"gstack/internal/workspace"
)

// flaky plays a daemon that treats its connections badly: each word of the
// command line is what it does with the next one, the last word with all that
// follow. It prints "id <request id>" per command and lives until its input
// ends.
func flaky() {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	check(err)
	place, fail := workspace.Locate(os.Getenv)
	if fail != nil {
		panic(fail)
	}
	place, _, fail = place.Prepare(os.Getenv)
	if fail != nil {
		panic(fail)
	}
	began, _ := workspace.Process(os.Getpid())
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		panic("no TCP address")
	}
	state, err := place.Publish(workspace.State{PID: os.Getpid(), PIDStart: began, Port: addr.Port, Token: "flaky", Mode: "launched"})
	check(err)
	go func() {
		words := os.Args[1:]
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			word := words[0]
			if len(words) > 1 {
				words = words[1:]
			}
			treat(c, word)
		}
	}()
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
	state.Remove()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

var requestID = regexp.MustCompile(`"requestId":"([^"]*)"`)

// treat deals with one connection.
func treat(c net.Conn, word string) {
	defer c.Close()
	if word == "close" { // before the request is read: the client sees a reset
		tcp, ok := c.(*net.TCPConn)
		if !ok {
			panic("no TCP connection")
		}
		check(tcp.SetLinger(0))
		return
	}
	req, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	body, err := io.ReadAll(req.Body)
	check(err)
	if m := requestID.FindSubmatch(body); m != nil {
		fmt.Printf("id %s\n", m[1])
	}
	say := func(lines ...string) { _, _ = io.WriteString(c, strings.Join(lines, "\r\n")) }
	whole := func(status, body string) {
		say("HTTP/1.1 "+status, fmt.Sprintf("Content-Length: %d", len(body)), "", body)
	}
	ok := "HTTP/1.1 200 OK"
	switch word {
	case "read": // and answer nothing
	case "answer":
		say(ok, "content-length: 5", "", "fine\n")
	case "chunked":
		say(ok, "Transfer-Encoding: chunked", "", "3;x=y", "chu", "4", "nked", "0", "Trailer: x", "", "")
	case "close-delimited":
		say(ok, "Connection: close", "", "until the end")
	case "interim":
		say("HTTP/1.1 102 Processing", "Browse-Budget-Ms: 9000", "", ok, "Content-Length: 5", "", "late\n")
	case "budget": // promises a short time and keeps silent, but is well
		say("HTTP/1.1 102 Processing", "Browse-Budget-Ms: 1", "", "")
		var b [1]byte
		check(c.SetReadDeadline(time.Now().Add(limit)))
		_, _ = c.Read(b[:])
	case "half":
		say(ok, "Content-Length: 100000", "", "the first part\n"+strings.Repeat("x", 40000))
	case "head":
		say(ok, "Content-Le")
	case "garbage":
		say("SSH-2.0-OpenSSH_9.2")
	case "html":
		whole("502 Bad Gateway", "<h1>\x1b[31mbad</h1>")
	case "stopping":
		whole("503 Service Unavailable", `{"code":"stopping","error":"it is shutting down"}`)
	case "unauthorized":
		whole("401 Unauthorized", `{"code":"unauthorized","error":"bad one"}`)
	default:
		panic(word)
	}
}
