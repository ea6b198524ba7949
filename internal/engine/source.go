package engine

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"gstack/internal/api"
	"gstack/internal/browser"
	"gstack/internal/cdp"
	"gstack/internal/daemon"
	"gstack/internal/knob"
	"gstack/internal/resolver"
	"gstack/internal/safe"
)

// source starts the daemon's browser when it is needed, or attaches to the one
// that BROWSE_CDP_URL names.
type source struct {
	headed bool
	proxy  string // address with credentials, "" for what the environment says
	log    *slog.Logger
	policy safe.Network
	lookup resolver.Lookup // of names, nil for that of the machine

	mu    sync.Mutex
	proc  *browser.Process
	bctx  *browser.Context
	temp  string // folder of ours, removed at the end; "" for none
	own   bool   // bctx was made here and is disposed of at the end
	names *resolver.Server

	dead   chan struct{} // closed when the browser has died on its own
	closed chan struct{} // closed by Close
	wg     sync.WaitGroup
}

func newSource(cfg daemon.Config) *source {
	return &source{
		headed: cfg.Headed, proxy: cfg.Proxy.URL, log: cfg.Log, policy: policyOf(cfg),
		dead: make(chan struct{}), closed: make(chan struct{}),
	}
}

// policyOf returns which hosts may be opened.
func policyOf(cfg daemon.Config) safe.Network {
	return safe.Network{PublicOnly: knob.PublicOnly.Get(), Ports: []int{cfg.Port}}
}

// network returns how the browser is held to the policy, and starts the resolver
// that does a part of it.
func (s *source) network() browser.Network {
	n := browser.Network{Rules: s.policy.Rules(), Direct: s.policy.Direct()}
	if knob.SystemDNS.Get() {
		s.log.Info("names are resolved by the system, and what they stand for is not checked", "because", knob.SystemDNS.Name)
		return n
	}
	names, err := resolver.Start(s.policy, s.lookup)
	if err != nil {
		s.log.Error("the resolver could not be started; what names stand for is not checked", "error", err)
		return n
	}
	s.mu.Lock()
	old := s.names
	s.names = names
	s.mu.Unlock()
	if old != nil { // of a start that failed
		old.Close()
	}
	n.Resolver, n.Pin = names.Template(), names.Pin()
	// The first rule that matches counts: the browser must reach the resolver.
	self := fmt.Sprintf("127.0.0.1:%d", names.Port())
	n.Rules = append([]string{"MAP " + self + " " + self}, n.Rules...)
	return n
}

// refused returns why a host cannot be opened, "" when that is not the policy.
func (s *source) refused(host string) string {
	if why := s.policy.Host(host); why != "" {
		return why
	}
	s.mu.Lock()
	names := s.names
	s.mu.Unlock()
	if names == nil {
		return ""
	}
	return names.Refused(host)
}

// sweepLimit bounds the search for profiles of dead daemons.
const sweepLimit = 10 * time.Second

// Open starts the browser, or connects to a running one.
func (s *source) Open(ctx context.Context, ev browser.Events) (*browser.Context, error) {
	p, err := s.process(ctx)
	if err != nil {
		return nil, err
	}
	var bctx *browser.Context
	remote := p.Pid() == 0
	if ev.Downloads, err = s.downloads(p); err != nil {
		_ = p.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	if remote {
		// The user's own tabs there are left alone: ours live in a context of
		// their own.
		hub, herr := browser.NewHub(ctx, p.Conn(), browser.Events{})
		if err = herr; err == nil {
			bctx, err = hub.NewContext(ctx, ev)
		}
	} else {
		hub, herr := browser.NewHub(ctx, p.Conn(), ev)
		if err = herr; err == nil {
			bctx = hub.Default()
		}
	}
	if err != nil {
		_ = p.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	s.mu.Lock()
	s.proc, s.bctx, s.own = p, bctx, remote
	s.mu.Unlock()
	s.wg.Go(func() { s.watch(p) })
	if !remote {
		s.wg.Go(s.sweep)
	}
	return bctx, nil
}

// downloads makes the folder that the browser p writes downloads to: in its own
// temporary folder, with which it is removed, or in one of its own for a browser
// that was there before us.
func (s *source) downloads(p *browser.Process) (string, error) {
	if p.Profile() != "" {
		dir := filepath.Join(p.Profile(), "gstack-downloads")
		return dir, os.Mkdir(dir, 0o700)
	}
	dir, err := os.MkdirTemp("", "gstack-downloads-*")
	s.mu.Lock()
	s.temp = dir
	s.mu.Unlock()
	return dir, err
}

func (s *source) process(ctx context.Context) (*browser.Process, error) {
	if knob.HeadlessSkip.Get() {
		return nil, api.Errorf(api.BrowserMissing, "unset "+knob.HeadlessSkip.Name, "no browser is started, because %s is set", knob.HeadlessSkip.Name)
	}
	if url := knob.CDPURL.Get(); url != "" {
		return browser.Connect(ctx, url, s.protocol())
	}
	if port := knob.CDPPort.Get(); port != 0 {
		return browser.Connect(ctx, strconv.Itoa(port), s.protocol())
	}
	o := browser.Options{Headed: s.headed, CDP: s.protocol(), Network: s.network()}
	if s.proxy != "" {
		p, err := browser.ProxyFromEnv(func(name string) string {
			if name == knob.ProxyURL.Name {
				return s.proxy
			}
			return os.Getenv(name)
		})
		if err != nil {
			return nil, err
		}
		o.Proxy = &p
	}
	p, err := browser.Launch(ctx, o)
	if err != nil {
		return nil, err
	}
	for _, n := range p.Notes() {
		s.log.Info("browser", "note", n)
	}
	v := p.Version()
	s.log.Info("browser started", "pid", p.Pid(), "version", v.Product, "binary", p.Binary().Path)
	return p, nil
}

// protocol are the options of the connection: what goes wrong in it is logged,
// never with the text of a page.
func (s *source) protocol() cdp.Options {
	return cdp.Options{Report: func(err error) { s.log.Error("protocol", "error", err) }}
}

// watch tells the daemon when the browser has died.
func (s *source) watch(p *browser.Process) {
	select {
	case <-p.Done():
	case <-s.closed:
		return
	}
	if e := p.Exit(); !e.Asked {
		s.log.Error("the browser died", "how", e.String(), "last words", p.LastWords())
		close(s.dead)
	}
}

// sweep removes what killed daemons left in the temp folder.
func (s *source) sweep() {
	ctx, cancel := context.WithTimeout(context.Background(), sweepLimit)
	defer cancel()
	removed, err := browser.SweepProfiles(ctx)
	if err != nil {
		s.log.Warn("profiles of dead daemons could not be removed", "error", err)
	}
	for _, dir := range removed {
		s.log.Info("removed the profile of a dead daemon", "dir", dir)
	}
}

// Done is closed when the browser has died on its own.
func (s *source) Done() <-chan struct{} { return s.dead }

// exitCode is the daemon's exit code after the browser died: 0 when it ended
// with success by itself, else 1.
func (s *source) exitCode() int {
	s.mu.Lock()
	p := s.proc
	s.mu.Unlock()
	if p != nil {
		if e := p.Exit(); e.Code == 0 && e.Signal == "" {
			return 0
		}
	}
	return 1
}

// Close ends the browser and waits for everything that was started here.
func (s *source) Close(ctx context.Context) error {
	s.mu.Lock()
	p, bctx, own, names := s.proc, s.bctx, s.own, s.names
	s.mu.Unlock()
	select {
	case <-s.closed:
	default:
		close(s.closed)
	}
	var err error
	if p != nil {
		if own {
			_ = bctx.Close(ctx)
		}
		err = p.Close(ctx)
	}
	if names != nil {
		names.Close()
	}
	s.wg.Wait()
	if s.temp != "" {
		_ = os.RemoveAll(s.temp)
	}
	if p != nil && !own {
		s.sweep()
	}
	return err
}
