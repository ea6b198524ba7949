package resolver

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"gstack/internal/safe"

	"go.uber.org/goleak"
	"golang.org/x/net/dns/dnsmessage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, table map[string][]string) (*Server, *http.Client) {
	t.Helper()
	s, err := Start(safe.Network{}, func(_ context.Context, network, host string) ([]netip.Addr, error) {
		list, ok := table[host]
		if !ok {
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
		var out []netip.Addr
		for _, a := range list {
			if a == "fail" {
				return nil, errors.New("no server answers")
			}
			if ip := netip.MustParseAddr(a); ip.Is4() == (network == "ip4") {
				out = append(out, ip)
			}
		}
		return out, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	tr := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	t.Cleanup(func() { tr.CloseIdleConnections(); s.Close() })
	return s, &http.Client{Transport: tr}
}

// ask returns the addresses that a question is answered with.
func ask(t *testing.T, s *Server, c *http.Client, method, name string, kind dnsmessage.Type) (dnsmessage.RCode, []string) {
	t.Helper()
	q := dnsmessage.Message{Header: dnsmessage.Header{ID: 7, RecursionDesired: true}, Questions: []dnsmessage.Question{{Name: dnsmessage.MustNewName(name), Type: kind, Class: dnsmessage.ClassINET}}}
	b, err := q.Pack()
	if err != nil {
		t.Fatal(err)
	}
	at := strings.TrimSuffix(s.Template(), "{?dns}")
	var r *http.Response
	if method == "GET" {
		r, err = c.Get(at + "?dns=" + base64.RawURLEncoding.EncodeToString(b))
	} else {
		r, err = c.Post(at, "application/dns-message", bytes.NewReader(b))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	var m dnsmessage.Message
	if err := m.Unpack(data); err != nil {
		t.Fatalf("%s: %v, status %d", name, err, r.StatusCode)
	}
	if m.ID != 7 || !m.Response || len(m.Questions) != 1 {
		t.Errorf("%s: header %+v", name, m.Header)
	}
	var out []string
	for _, a := range m.Answers {
		switch body := a.Body.(type) {
		case *dnsmessage.AResource:
			out = append(out, netip.AddrFrom4(body.A).String())
		case *dnsmessage.AAAAResource:
			out = append(out, netip.AddrFrom16(body.AAAA).String())
		}
	}
	return m.RCode, out
}

func TestAnswers(t *testing.T) {
	s, c := start(t, map[string][]string{
		"a.test": {"192.0.2.1", "192.0.2.2", "2001:db8::1"}, "meta.test": {"169.254.169.254", "fd00:ec2::254"}, "mixed.test": {"169.254.169.254", "192.0.2.9"}, "down.test": {"fail"},
	})
	for _, x := range []struct {
		name string
		kind dnsmessage.Type
		want string
		code dnsmessage.RCode
		why  string
	}{
		{"a.test.", dnsmessage.TypeA, "192.0.2.1 192.0.2.2", dnsmessage.RCodeSuccess, ""},
		{"A.Test.", dnsmessage.TypeAAAA, "2001:db8::1", dnsmessage.RCodeSuccess, ""},
		{"a.test.", dnsmessage.TypeHTTPS, "", dnsmessage.RCodeSuccess, ""},
		{"a.test.", dnsmessage.TypeTXT, "", dnsmessage.RCodeSuccess, ""},
		{"meta.test.", dnsmessage.TypeA, "", dnsmessage.RCodeSuccess, "a cloud metadata service"},
		{"meta.test.", dnsmessage.TypeAAAA, "", dnsmessage.RCodeSuccess, "a unique local address, where clouds serve metadata"},
		{"mixed.test.", dnsmessage.TypeA, "192.0.2.9", dnsmessage.RCodeSuccess, ""},
		{"none.test.", dnsmessage.TypeA, "", dnsmessage.RCodeSuccess, ""},
		{"down.test.", dnsmessage.TypeA, "", dnsmessage.RCodeServerFailure, ""},
	} {
		for _, method := range []string{"GET", "POST"} {
			code, got := ask(t, s, c, method, x.name, x.kind)
			if strings.Join(got, " ") != x.want || code != x.code {
				t.Errorf("%s %s %v: %v, %v", method, x.name, x.kind, code, got)
			}
		}
		if got := s.Refused(x.name); got != x.why {
			t.Errorf("Refused(%s) = %q", x.name, got)
		}
	}
}

// TestStrangers: who does not know the path, and pages, get nothing.
func TestStrangers(t *testing.T) {
	s, c := start(t, nil)
	at := strings.TrimSuffix(s.Template(), "{?dns}")
	for _, u := range []string{at[:strings.LastIndexByte(at, '/')+1], at[:strings.LastIndexByte(at, '/')+1] + "dns-query?dns=AAAB"} {
		r, err := c.Get(u)
		if err != nil || r.StatusCode != 404 {
			t.Errorf("%s: %v, %v", u, r, err)
		}
		r.Body.Close()
	}
	req, _ := http.NewRequest("GET", at+"?dns=AAAB", nil)
	req.Header.Set("Origin", "https://a.test")
	if r, err := c.Do(req); err != nil || r.StatusCode != 404 {
		t.Errorf("a page: %v, %v", r, err)
	}
	for _, q := range []string{"", "?dns=", "?dns=!!", "?dns=AAAB"} {
		if r, err := c.Get(at + q); err != nil || r.StatusCode != 400 {
			t.Errorf("%q: %v, %v", q, r, err)
		}
	}
}
