package daemon

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"strconv"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"

	"gstack/internal/api"
	"gstack/internal/knob"
	"gstack/internal/server"
	"gstack/internal/workspace"
)

// File descriptors of the handshake: a call that starts a daemon passes
// --handshake, the write end of a pipe and the start lock. The daemon answers
// "ready" and a line break, or one [api.Error] as JSON.
const (
	readyFD = 3
	lockFD  = 4
)

// params is how the daemon was called.
type params struct {
	project string
	pipe    *os.File        // nil when it was started by hand
	place   workspace.Place // set once it is known
	lock    *workspace.Lock
}

const usage = `browsed: the daemon behind browse

  browsed [--project DIR]

browse starts it by itself. Started by hand it stays in the foreground and logs
to standard error; it serves the workspace of the current folder, or the state
file that BROWSE_STATE_FILE names.
`

// parseArgs returns the parameters, or an exit code when there is nothing more
// to do.
func parseArgs(argv []string) (*params, *int) {
	p, code := &params{}, 0
	for i := 0; i < len(argv); i++ {
		switch {
		case argv[i] == "--handshake":
			closeOnExec(readyFD)
			closeOnExec(lockFD)
			p.pipe = os.NewFile(readyFD, "handshake")
		case argv[i] == "--project" && i+1 < len(argv):
			i++
			p.project = argv[i]
		case argv[i] == "--version":
			fmt.Println("browsed", orUnknown(workspace.Build()))
			return nil, &code
		case argv[i] == "--help", argv[i] == "-h":
			fmt.Print(usage)
			return nil, &code
		default:
			fmt.Fprint(os.Stderr, api.Errorf(api.BadUsage, "browsed --help", "unknown argument %q", argv[i]).Text())
			code = api.ExitUsage
			return nil, &code
		}
	}
	return p, nil
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// fail reports a failed start to whoever started it, and for later reading.
func (p *params) fail(e *api.Error) {
	if p.place.Dir != "" {
		_ = p.place.KeepStartupError(e) // told below as well
	}
	if p.pipe == nil {
		fmt.Fprint(os.Stderr, e.Text())
	} else if data, err := json.Marshal(e); err == nil {
		_, _ = p.pipe.Write(data)
		_ = p.pipe.Close()
	}
	if p.lock != nil {
		p.lock.Release()
	}
}

// ready lets the starter go on. The lock goes first: whoever waits for it finds
// the state file.
func (p *params) ready() {
	p.place.ForgetStartupError()
	p.lock.Release()
	if p.pipe != nil {
		_, _ = p.pipe.WriteString("ready\n") // the starter may have died meanwhile
		_ = p.pipe.Close()
	}
}

// start brings everything up but the loop that serves.
func start(p *params, newEngine func(context.Context, Control, Config) (Engine, error)) (d *daemon, l net.Listener, cancel func(), fail *api.Error) {
	if err := p.take(); err != nil {
		return nil, nil, nil, err
	}
	conf, fail := config(os.Getenv)
	if fail != nil {
		return nil, nil, nil, fail
	}
	log, logFile, err := openLog(p)
	if err != nil {
		return nil, nil, nil, api.Errorf(api.FileError, "make the folder writable", "cannot open the log: %v", err)
	}
	for _, s := range knob.Set(os.Getenv) {
		log.Info("environment", "name", s.Name, "value", s.Value)
	}
	l, fail = server.Listen(knob.Port.Get())
	if fail != nil {
		return nil, nil, nil, fail
	}
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return nil, nil, nil, api.Errorf(api.Internal, "", "the listener has no TCP address")
	}
	d = &daemon{
		place: p.place, conf: conf, hash: confHash(conf), idle: knob.IdleTimeout.Get(), log: log, logFile: logFile,
		started: time.Now(), ask: make(chan ending, 1), told: map[string]bool{}, lost: lostEvery,
		cfg: Config{
			Project: p.place.Project, StateDir: p.place.Dir, StateFile: p.place.File, Headed: conf.Headed, Proxy: conf.Proxy,
			Token: rootToken(os.Getenv), Port: addr.Port, Build: workspace.Build(), Log: log,
		},
	}
	ctx, cancel := context.WithCancel(context.Background())
	if fail = d.build(ctx, newEngine); fail != nil {
		cancel()
		_ = l.Close()
		return nil, nil, nil, fail
	}
	return d, l, cancel, nil
}

// take finds the place and holds its start lock.
func (p *params) take() *api.Error {
	place, fail := workspace.Locate(os.Getenv)
	if fail != nil {
		return fail
	}
	if p.project != "" {
		place.Project = p.project
	}
	if p.pipe != nil {
		p.place = place
		p.lock = place.InheritLock(lockFD)
		return nil
	}
	place, notes, fail := place.Prepare(os.Getenv)
	if fail != nil {
		return fail
	}
	for _, n := range notes {
		fmt.Fprintln(os.Stderr, "[browsed] "+n)
	}
	lock, err := place.TryLock()
	var ae *api.Error
	switch {
	case errors.Is(err, workspace.ErrLocked):
		return api.Errorf(api.DaemonBusy, "try again in a moment", "another daemon of this workspace is being started")
	case errors.As(err, &ae):
		return ae
	case err != nil:
		return api.Errorf(api.FileError, "", "cannot lock the workspace: %v", err)
	}
	p.place, p.lock = place, lock
	if h, err := workspace.Open(place); err == nil {
		defer h.Close()
		if h.Alive() {
			return api.Errorf(api.DaemonBusy, "browse stop", "the daemon of this workspace runs already, with pid %d", h.State.PID)
		}
	}
	return nil
}

// build makes the server and the engine and writes the state file.
func (d *daemon) build(ctx context.Context, newEngine func(context.Context, Control, Config) (Engine, error)) *api.Error {
	late := &lateEngine{}
	d.server = server.New(server.Options{Token: d.cfg.Token, Commander: late, Health: d.health, Stop: d.stopRequest, Log: d.log})
	engine, err := newEngine(ctx, d, d.cfg)
	if err != nil {
		var ae *api.Error
		if !errors.As(err, &ae) {
			ae = api.Errorf(api.Internal, "see "+d.place.LogPath(), "the daemon cannot start: %v", err)
		}
		return ae
	}
	d.engine, late.Engine = engine, engine
	pid := os.Getpid()
	began, _ := workspace.Process(pid)
	d.state, err = d.place.Publish(workspace.State{
		PID: pid, PIDStart: began, Port: d.cfg.Port, Token: d.cfg.Token, StartedAt: d.started.UTC().Format(time.RFC3339),
		ServerPath: program(), BinaryVersion: d.cfg.Build, Mode: d.conf.Mode(), Proxy: d.conf.Proxy.Origin, ConfigHash: d.hash,
	})
	if err != nil {
		ctx, cancel := context.WithTimeout(context.Background(), engineLimit)
		defer cancel()
		_ = engine.Close(ctx)
		return api.Errorf(api.FileError, "make "+d.place.Dir+" writable", "cannot write the state file: %v", err)
	}
	if d.conf.Plain() {
		d.place.ForgetLast(os.Getenv)
	} else if err := d.place.KeepLast(os.Getenv, workspace.Last{Config: d.conf}); err != nil {
		d.log.Warn("cannot note the configuration", "err", err)
	}
	return nil
}

// lateEngine breaks the circle of server and engine: the engine needs a Control,
// which needs the server. It is set before the first request is served.
type lateEngine struct{ Engine }

// config reads and checks the daemon's environment.
func config(env func(string) string) (workspace.Config, *api.Error) {
	if bad := knob.Problems(env, knob.Daemon); len(bad) > 0 {
		b := bad[0]
		return workspace.Config{}, api.Errorf(api.BadUsage, "unset it or correct it", "%s is %q, want %s", b.Name, b.Value, b.Want)
	}
	c := workspace.Config{Headed: knob.Headed.From(env)}
	if raw := knob.ProxyURL.From(env); raw != "" {
		var err *api.Error
		if c.Proxy, err = workspace.ParseProxy(raw, knob.ProxyUser.From(env), knob.ProxyPass.From(env)); err != nil {
			return c, err
		}
	}
	return c, nil
}

// confHash is the configHash of the state file: the first 16 hex digits of
// SHA-256 over a JSON object of the proxy's origin and the headed flag.
func confHash(c workspace.Config) string {
	sum := sha256.Sum256([]byte(`{"proxy":` + strconv.Quote(c.Proxy.Origin) + `,"headed":` + strconv.FormatBool(c.Headed) + `}`))
	return hex.EncodeToString(sum[:])[:16]
}

// rootToken returns the embedder's token, or a random one of 130 bits. White
// space and invisible characters of the former do not count; with under 16
// visible ones, or one that no header can carry, it is ignored.
func rootToken(env func(string) string) string {
	var given []byte
	for _, r := range knob.AuthToken.From(env) {
		switch {
		case unicode.IsSpace(r) || !unicode.IsGraphic(r):
		case r >= 0x80:
			return rand.Text()
		default:
			given = append(given, byte(r))
		}
	}
	if len(given) >= 16 {
		return string(given)
	}
	return rand.Text()
}

// openLog returns the logger, and the path of its file: "" for a daemon started
// by hand, which logs to standard error.
func openLog(p *params) (*slog.Logger, string, error) {
	level := slog.LevelInfo
	if knob.Debug.Get() {
		level = slog.LevelDebug
	}
	o := &slog.HandlerOptions{Level: level}
	if p.pipe == nil {
		return slog.New(slog.NewTextHandler(os.Stderr, o)), "", nil
	}
	w, err := newRotatingLog(p.place)
	if err != nil {
		return nil, "", err
	}
	return slog.New(slog.NewTextHandler(w, o)), p.place.LogPath(), nil
}

// rotatingLog writes to the daemon's log and changes files at
// [workspace.MaxLog]. A crash report of the Go runtime follows it. slog calls
// Write from one goroutine at a time.
type rotatingLog struct {
	place workspace.Place
	f     *os.File
	size  int64
}

func newRotatingLog(place workspace.Place) (*rotatingLog, error) {
	l := &rotatingLog{place: place}
	return l, l.open()
}

func (l *rotatingLog) open() error {
	f, err := l.place.OpenLog()
	if err != nil {
		return err
	}
	fi, err := f.Stat()
	if err == nil {
		err = debug.SetCrashOutput(f, debug.CrashOptions{})
	}
	if err != nil {
		_ = f.Close()
		return err
	}
	if l.f != nil {
		_ = l.f.Close()
	}
	l.f, l.size = f, fi.Size()
	return nil
}

// Write implements io.Writer. When the file cannot be changed the old one goes
// on growing rather than that lines are lost.
func (l *rotatingLog) Write(b []byte) (int, error) {
	if l.size > workspace.MaxLog {
		if err := l.open(); err != nil {
			l.size = 0 // not at every line
		}
	}
	n, err := l.f.Write(b)
	l.size += int64(n)
	return n, err
}
