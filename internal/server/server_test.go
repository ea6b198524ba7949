package server

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"gstack/internal/api"
)

// serve starts a server and returns its address.
func serve(t *testing.T, c Commander) string {
	t.Helper()
	l, ferr := Listen(0)
	if ferr != nil {
		t.Fatal(ferr)
	}
	s := New(Options{Token: "secret", Commander: c, Health: func() Health { return Health{} }, Stop: func(StopRequest) StopAnswer { return StopAnswer{} }, Log: quiet()})
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Shutdown(t.Context())
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

func TestListenKeepsToItsPorts(t *testing.T) {
	l, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	host, text, _ := net.SplitHostPort(l.Addr().String())
	port, _ := strconv.Atoi(text)
	if host != "127.0.0.1" || port < lowPort || port >= highPort {
		t.Errorf("listens on %s", l.Addr())
	}
	if _, err := Listen(port); err == nil || !strings.Contains(err.Message, "in use") || err.Code != api.DaemonGone {
		t.Errorf("a port in use: %v", err)
	}
}

// An undeclared route, surface or credential is refused.
func TestRoutesFailClosed(t *testing.T) {
	s := New(Options{Token: "secret", Log: quiet()})
	seen := map[string]bool{}
	for _, r := range s.routes() {
		key := r.method + " " + r.path
		if seen[key] {
			t.Errorf("%s is declared twice", key)
		}
		seen[key] = true
		if r.surfaces == 0 || r.needs == nobody {
			t.Errorf("%s is out of reach: %+v", key, r)
		}
		if r.needs == anyone && r.path != "/health" {
			t.Errorf("%s needs no token", key)
		}
	}
	if New(Options{Log: quiet()}).o.Token != "" {
		t.Fatal("a token from nowhere")
	}
}

// Without a token nobody is root, not even with an empty one.
func TestEmptyTokenIsNobody(t *testing.T) {
	l, ferr := Listen(0)
	if ferr != nil {
		t.Fatal(ferr)
	}
	s := New(Options{Commander: commander{run: echo}, Log: quiet()})
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "POST /command HTTP/1.1\r\nHost: "+l.Addr().String()+"\r\nAuthorization: Bearer \r\nContent-Length: 2\r\n\r\n{}")
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || !strings.Contains(line, " 401 ") {
		t.Errorf("%q, %v", line, err)
	}
	s.Shutdown(t.Context())
	<-done
}

// A client that never finishes its request is cut off, before and after the
// token is known.
func TestSlowRequestsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the header limit, 5 s")
	}
	t.Parallel()
	addr := serve(t, commander{run: echo})
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(3 * headerTimeout)); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	_, _ = io.WriteString(c, "POST /command HTTP/1.1\r\nHost: "+addr+"\r\nX-Slow: ")
	if _, err := io.ReadAll(c); errors.Is(err, io.EOF) || time.Since(began) > 2*headerTimeout {
		t.Errorf("open for %v, %v", time.Since(began), err)
	}
}

// A long command is not cut by the limits of a request, and several requests may
// share a connection.
func TestKeepAlive(t *testing.T) {
	addr := serve(t, commander{budget: time.Minute, run: echo})
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r := bufio.NewReader(c)
	for range 3 {
		body := `{"command":"echo","args":["a"]}`
		_, _ = io.WriteString(c, "POST /command HTTP/1.1\r\nHost: "+addr+"\r\nAuthorization: Bearer secret\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+body)
		line, err := r.ReadString('\n')
		if err != nil || line != "HTTP/1.1 200 OK\r\n" {
			t.Fatalf("%q, %v", line, err)
		}
		for line != "\r\n" {
			if line, err = r.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(line, "Access-Control") || strings.HasPrefix(line, "Set-Cookie") {
				t.Errorf("unwanted header %q", line)
			}
		}
		if b, err := r.ReadByte(); b != 'a' || err != nil {
			t.Fatalf("%q, %v", b, err)
		}
	}
}
