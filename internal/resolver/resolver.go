// Package resolver answers the browser's questions for the addresses of names,
// and leaves out those that may not be opened.
//
// The browser asks it by DNS over HTTPS (RFC 8484) on the loopback, and asks
// nobody else. So what a name stands for is judged on the very answer that is
// connected to: a name that changes its answer between a check and the
// connection (DNS rebinding) gains nothing. Names are looked up as the machine
// does it: hosts file, resolv.conf, search domains.
package resolver

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"gstack/internal/safe"

	"golang.org/x/net/dns/dnsmessage"
)

const (
	// lookupLimit bounds one look-up.
	lookupLimit = 15 * time.Second
	// ttl is how long the browser may keep an answer, in seconds. The look-up does
	// not tell how long it is valid.
	ttl = 60
	// maxQuery bounds a question, in bytes (RFC 1035 allows 512 without extensions).
	maxQuery = 4 << 10
	// maxRefused bounds the names that are remembered as refused.
	maxRefused = 1000
)

// Lookup returns the addresses of a name; network is "ip4" or "ip6".
type Lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)

// Server is the resolver of one browser.
type Server struct {
	policy safe.Network
	lookup Lookup
	path   string
	pin    string
	port   int
	http   http.Server
	wg     sync.WaitGroup

	mu      sync.Mutex
	refused map[string]string // name → why
}

// Start begins to answer. A nil lookup is the machine's.
func Start(policy safe.Network, lookup Lookup) (*Server, error) {
	if lookup == nil {
		lookup = new(net.Resolver).LookupNetIP
	}
	cert, pin, err := certificate()
	if err != nil {
		return nil, err
	}
	var secret [16]byte
	if _, err := rand.Read(secret[:]); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{
		policy: policy, lookup: lookup, pin: pin, path: "/" + hex.EncodeToString(secret[:]), refused: map[string]string{},
		port: l.Addr().(*net.TCPAddr).Port,
	}
	s.http = http.Server{
		Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 5 * time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog:  log.New(io.Discard, "", 0), // preconnections that are given up
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS13, NextProtos: []string{"h2", "http/1.1"}},
	}
	s.wg.Go(func() { _ = s.http.ServeTLS(l, "", "") })
	return s, nil
}

// certificate makes the key of a server that lives as long as its daemon, and
// the hash by which the browser knows it (SHA-256 of the public key, base64).
func certificate() (tls.Certificate, string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "resolver of the daemon"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	spki, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	sum := sha256.Sum256(spki)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, base64.StdEncoding.EncodeToString(sum[:]), nil
}

// Template is the address of the resolver as a URI template (RFC 8484).
func (s *Server) Template() string {
	return fmt.Sprintf("https://127.0.0.1:%d%s{?dns}", s.port, s.path)
}

// Pin is the hash of the resolver's public key.
func (s *Server) Pin() string { return s.pin }

// Port is where it listens.
func (s *Server) Port() int { return s.port }

// Refused returns why the name was refused, "" if it was not.
func (s *Server) Refused(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused[canonical(name)]
}

func canonical(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

// Close ends the resolver and waits for it.
func (s *Server) Close() {
	_ = s.http.Close()
	s.wg.Wait()
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != s.path || r.Header.Get("Origin") != "" {
		http.NotFound(w, r)
		return
	}
	question, err := read(r)
	var m dnsmessage.Message
	if err != nil || m.Unpack(question) != nil || len(m.Questions) != 1 {
		http.Error(w, "not a DNS question", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), lookupLimit)
	defer cancel()
	answer, err := s.answer(ctx, &m)
	if err != nil {
		http.Error(w, "no answer", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/dns-message")
	w.Header().Set("Cache-Control", fmt.Sprintf("max-age=%d", ttl))
	_, _ = w.Write(answer)
}

func read(r *http.Request) ([]byte, error) {
	switch r.Method {
	case http.MethodGet:
		return base64.RawURLEncoding.DecodeString(r.URL.Query().Get("dns"))
	case http.MethodPost:
		return io.ReadAll(io.LimitReader(r.Body, maxQuery))
	}
	return nil, errors.New("method")
}

// answer answers a question. Of other kinds than addresses there is nothing:
// hints of addresses in HTTPS records (RFC 9460) would go around the policy.
func (s *Server) answer(ctx context.Context, m *dnsmessage.Message) ([]byte, error) {
	q := m.Questions[0]
	reply := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: m.ID, Response: true, OpCode: m.OpCode, RecursionDesired: m.RecursionDesired, RecursionAvailable: true},
		Questions: m.Questions,
	}
	network := map[dnsmessage.Type]string{dnsmessage.TypeA: "ip4", dnsmessage.TypeAAAA: "ip6"}[q.Type]
	if network == "" || q.Class != dnsmessage.ClassINET {
		return reply.Pack()
	}
	name := canonical(q.Name.String())
	ips, err := s.lookup(ctx, network, name)
	var de *net.DNSError
	switch {
	case err == nil:
	case errors.As(err, &de) && de.IsNotFound, isNoAddress(err):
		return reply.Pack() // no such address
	default:
		reply.RCode = dnsmessage.RCodeServerFailure
		return reply.Pack()
	}
	for _, ip := range s.allowed(name, ips) {
		h := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: ttl}
		if q.Type == dnsmessage.TypeA && ip.Is4() {
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AResource{A: ip.As4()}})
		} else if q.Type == dnsmessage.TypeAAAA {
			reply.Answers = append(reply.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}})
		}
	}
	return reply.Pack()
}

// isNoAddress reports whether a look-up failed because the name has no address
// of the family that was asked for (net.AddrError).
func isNoAddress(err error) bool {
	var ae *net.AddrError
	return errors.As(err, &ae)
}

// allowed returns the addresses that may be used, and remembers a name that has
// none.
func (s *Server) allowed(name string, ips []netip.Addr) []netip.Addr {
	var out []netip.Addr
	why := ""
	for _, ip := range ips {
		ip = ip.WithZone("").Unmap()
		if w := s.policy.Addr(ip); w != "" {
			why = w
			continue
		}
		out = append(out, ip)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case why != "" && len(out) == 0:
		if len(s.refused) >= maxRefused {
			clear(s.refused)
		}
		s.refused[name] = why
	case len(out) > 0:
		delete(s.refused, name)
	}
	return out
}
