// Package daemon is the life of browsed: start, handshake with the call that
// started it, idle shutdown, signals, shutdown.
//
// It knows no verb and no browser. The program gives [Main] an engine; the
// engine gets a [Control], through which a command stops or restarts the daemon.
//
// Order of a start: configuration, log, start lock (inherited or taken),
// listener, engine, state file, "ready". A client finds the state file only when
// requests are answered. Order of a shutdown: no new commands, running ones end
// or are cancelled, answers go out, engine closed, state file removed, exit. The
// end of the process releases the lock on the state file, which is what a
// waiting client waits for.
package daemon

import (
	"context"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"gstack/internal/server"
	"gstack/internal/workspace"
)

// Engine runs commands on a browser.
type Engine interface {
	server.Commander
	// HasState reports whether a stop would lose something: a tab beyond a blank
	// one, a login, a capture that runs. It does not wait for the browser.
	HasState() bool
	// Dead is closed when the browser has died and the daemon should end.
	Dead() <-chan struct{}
	// DeadExit is the daemon's exit code after Dead.
	DeadExit() int
	// Close ends the browser and leaves nothing behind. It returns when that is
	// done or ctx is.
	Close(ctx context.Context) error
}

// TabCounter is implemented by an engine that can count its tabs without waiting
// for the browser.
type TabCounter interface{ Tabs() int }

// Control is what an engine may do to the daemon.
type Control interface {
	// Stop ends the daemon once the running command's answer has gone out. It
	// returns at once; from then on other commands get [api.Stopping].
	Stop()
	// Restart is Stop, except that the next start keeps the configuration.
	Restart()
	// Info describes the daemon.
	Info() Info
}

// Config is what the engine is built from.
type Config struct {
	Project   string // top folder of the workspace
	StateDir  string // 0700, ours
	StateFile string
	Headed    bool
	Proxy     workspace.Proxy // credentials may be in the environment
	Token     string          // root token
	Port      int             // of the local listener
	Build     string          // build id, "" unknown
	Log       *slog.Logger
}

// Info describes a daemon.
type Info struct {
	PID         int
	Port        int
	StartedAt   time.Time
	Build       string
	Mode        string // "launched" or "headed"
	Proxy       string // origin, "" none
	ConfigHash  string
	Project     string
	StateDir    string
	StateFile   string
	LogFile     string        // "" when it logs to its terminal
	IdleTimeout time.Duration // 0 never
	Running     []server.Running
	Stopping    bool
}

// Times of a shutdown.
const (
	stopGrace   = 50 * time.Millisecond // for the answer of stop and whatever is about to end
	deadGrace   = 2 * time.Second       // for commands to notice that the browser died
	drainLimit  = time.Second
	answerLimit = time.Second
	engineLimit = 5 * time.Second
	exitLimit   = 10 * time.Second // after it the process ends whatever hangs
	lostEvery   = 30 * time.Second // how often the state file is looked at
)

// ending is why a daemon ends.
type ending struct {
	text   string // for the log and the next start; "" keeps no reason
	forget bool   // the user ended it: the configuration is not kept
	code   int
	grace  time.Duration
}

type daemon struct {
	cfg     Config
	conf    workspace.Config
	hash    string
	place   workspace.Place
	idle    time.Duration
	logFile string
	log     *slog.Logger
	started time.Time
	engine  Engine
	server  *server.Server
	state   *workspace.Published
	lost    time.Duration // how often to look whether the state file is still ours

	ask chan ending // requests to end; the first one counts

	mu       sync.Mutex
	stopping bool
	told     map[string]bool // builds that were refused a replacement
}

// Main runs the daemon and returns its exit code.
func Main(newEngine func(ctx context.Context, c Control, cfg Config) (Engine, error)) int {
	p, done := parseArgs(os.Args[1:])
	if done != nil {
		return *done
	}
	d, l, cancel, err := start(p, newEngine)
	if err != nil {
		p.fail(err)
		return err.Exit()
	}
	defer cancel()
	return d.run(l, p.ready)
}

// run serves until something ends the daemon.
func (d *daemon) run(l net.Listener, ready func()) int {
	sigs := make(chan os.Signal, 4)
	signal.Notify(sigs, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(sigs)
	served := make(chan error, 1)
	go func() { served <- d.server.Serve(l) }()
	ready()
	d.log.Info("ready", "pid", os.Getpid(), "port", d.cfg.Port, "state", d.place.File, "build", d.cfg.Build, "config", d.conf.String())

	end, listening := d.wait(sigs, served)
	d.shutdown(end)
	if listening {
		if err := <-served; err != nil {
			d.log.Error("the listener failed", "err", err)
		}
	}
	return end.code
}

// wait returns why the daemon has to end, and whether it still listens.
func (d *daemon) wait(sigs <-chan os.Signal, served <-chan error) (ending, bool) {
	lost := time.NewTicker(d.lost)
	defer lost.Stop()
	idle := time.NewTimer(time.Hour)
	defer idle.Stop()
	for {
		changed, running, since := d.server.Activity()
		idle.Stop()
		if running == 0 && d.idle > 0 && !d.conf.Headed {
			idle.Reset(time.Until(since.Add(d.idle)))
		}
		select {
		case <-changed:
		case <-idle.C:
			if d.server.RefuseIfUnchanged(changed) {
				return ending{text: "it stopped after " + d.idle.String() + " without a command"}, true
			}
		case <-lost.C:
			if d.state.Lost() {
				return ending{text: "its state file was removed"}, true
			}
		case s := <-sigs:
			return ending{text: "it was ended by " + s.String(), grace: stopGrace}, true
		case <-d.engine.Dead():
			return ending{text: "its browser ended", code: d.engine.DeadExit(), grace: deadGrace}, true
		case end := <-d.ask:
			return end, true
		case err := <-served:
			d.log.Error("the listener failed", "err", err)
			return ending{text: "its listener failed", code: 1, grace: stopGrace}, false
		}
	}
}

func (d *daemon) shutdown(end ending) {
	begun := time.Now()
	d.log.Info("shutdown", "reason", end.text, "code", end.code)
	hung := time.AfterFunc(exitLimit, func() {
		d.log.Error("shutdown hangs, giving up")
		d.state.Remove()
		os.Exit(1)
	})
	defer hung.Stop()
	d.server.Refuse()
	d.mu.Lock()
	d.stopping = true
	d.mu.Unlock()

	ctx, cancel := context.WithTimeout(context.Background(), end.grace+drainLimit)
	d.server.Drain(ctx, end.grace)
	cancel()

	// The listener stays open meanwhile, so that a call hears "stopping" and
	// waits rather than meet a closed port.
	ctx, cancel = context.WithTimeout(context.Background(), engineLimit)
	if err := d.engine.Close(ctx); err != nil {
		d.log.Error("the browser did not close cleanly", "err", err)
	}
	cancel()
	ctx, cancel = context.WithTimeout(context.Background(), answerLimit)
	d.server.Shutdown(ctx)
	cancel()
	d.leaveNote(end)
	d.log.Info("ended", "after", time.Since(begun))
	d.state.Remove()
}

// leaveNote tells the next start how this daemon was set up and why it ended.
func (d *daemon) leaveNote(end ending) {
	if !d.state.Mine() {
		return // the place belongs to another daemon, or is gone
	}
	if end.forget || d.conf.Plain() && end.text == "" {
		d.place.ForgetLast(os.Getenv)
		return
	}
	if err := d.place.KeepLast(os.Getenv, workspace.Last{Config: d.conf, Reason: end.text}); err != nil {
		d.log.Warn("cannot leave a note for the next start", "err", err)
	}
}

// end asks the daemon to end. Only the first request counts.
func (d *daemon) end(e ending) {
	d.server.Refuse()
	d.mu.Lock()
	d.stopping = true
	d.mu.Unlock()
	select {
	case d.ask <- e:
	default:
	}
}

// Stop implements [Control].
func (d *daemon) Stop() { d.end(ending{forget: true, grace: stopGrace}) }

// Restart implements [Control].
func (d *daemon) Restart() { d.end(ending{grace: stopGrace}) }

// Info implements [Control].
func (d *daemon) Info() Info {
	d.mu.Lock()
	stopping := d.stopping
	d.mu.Unlock()
	return Info{
		PID: os.Getpid(), Port: d.cfg.Port, StartedAt: d.started, Build: d.cfg.Build, Mode: d.conf.Mode(), Proxy: d.conf.Proxy.Origin,
		ConfigHash: d.hash, Project: d.cfg.Project, StateDir: d.place.Dir, StateFile: d.place.File, LogFile: d.logFile,
		IdleTimeout: d.idle, Running: d.server.Running(), Stopping: stopping,
	}
}

// stopRequest answers POST /stop.
func (d *daemon) stopRequest(r server.StopRequest) server.StopAnswer {
	if !r.OnlyIfBlank {
		d.Stop()
		return server.StopAnswer{Stopping: true}
	}
	// Nothing may begin between the look at the state and the refusal.
	seen, _, _ := d.server.Activity()
	if !d.engine.HasState() && d.server.RefuseIfUnchanged(seen) {
		d.log.Info("replaced by another build", "build", r.Build)
		d.Restart()
		return server.StopAnswer{Stopping: true}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.told) > 100 {
		clear(d.told)
	}
	first := !d.told[r.Build]
	d.told[r.Build] = true
	return server.StopAnswer{First: first}
}

func (d *daemon) health() server.Health {
	h := server.Health{Mode: d.conf.Mode(), Uptime: int64(time.Since(d.started).Seconds()), PID: os.Getpid(), Version: d.cfg.Build}
	if c, ok := d.engine.(TabCounter); ok {
		h.Tabs = c.Tabs()
	}
	return h
}

// program returns the path of this program for the state file.
func program() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		return real
	}
	return exe
}
