// Package engine puts the inside of a daemon together: browser, tabs, dispatch.
package engine

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

	"gstack/internal/api"
	"gstack/internal/browser"
	"gstack/internal/capture"
	"gstack/internal/daemon"
	"gstack/internal/dispatch"
	"gstack/internal/knob"
	"gstack/internal/safe"
	"gstack/internal/session"
	"gstack/internal/state"
	"gstack/internal/verbs"
)

// Engine runs the commands of one daemon.
type Engine struct {
	tabs     *session.Manager
	dispatch *dispatch.Dispatcher
	source   *source
	memory   *memory
}

// New returns the engine of a daemon. No browser is started before a command
// needs one.
func New(_ context.Context, c daemon.Control, cfg daemon.Config) (daemon.Engine, error) {
	src := newSource(cfg)
	tabs := session.New(src, capture.NewStore(cfg.StateDir, src.refused))
	tabs.Headed, tabs.MaxDownload, tabs.MaxHTML = cfg.Headed, int64(knob.MaxDownload.Get()), int64(knob.MaxHTML.Get())
	tabs.States = state.NewFolder(cfg.StateDir, knob.StateKey.Get())
	if knob.PersistState.Get() {
		paths := safe.NewPaths("", cfg.StateDir).On(src.policy)
		tabs.Persist = session.Persist{Every: knob.PersistInterval.Get(), Allow: paths.URL, Log: cfg.Log}
	}
	return &Engine{tabs: tabs, source: src, memory: newMemory(restFor), dispatch: dispatch.New(tabs, host{c, cfg}, cfg.StateDir, src.policy)}, nil
}

// Run runs one command.
func (e *Engine) Run(ctx context.Context, root bool, req *api.Request) (api.Answer, *api.Error) {
	defer e.memory.ended()
	defer e.tabs.Touch()
	return e.dispatch.Run(ctx, dispatch.Identity{Root: root}, req)
}

// Budget returns the deadline that Run gives the command.
func (e *Engine) Budget(req *api.Request) time.Duration { return e.dispatch.Budget(req) }

// HasState reports whether a stop would lose something.
func (e *Engine) HasState() bool { return e.tabs.HasState() }

// Tabs returns how many tabs are open.
func (e *Engine) Tabs() int { return e.tabs.Count() }

// Dead is closed when the browser has died on its own.
func (e *Engine) Dead() <-chan struct{} { return e.source.Done() }

// DeadExit is 0 when the browser ended by itself with success, else 1.
func (e *Engine) DeadExit() int { return e.source.exitCode() }

// Close ends the browser and leaves nothing behind.
func (e *Engine) Close(ctx context.Context) error {
	e.memory.close()
	return e.tabs.Close(ctx)
}

// host is what verbs may ask of the daemon.
type host struct {
	control daemon.Control
	cfg     daemon.Config
}

func (h host) Stop() { h.control.Stop() }

func (h host) Status() verbs.Status {
	i := h.control.Info()
	version := i.Build
	if version == "" {
		version = "unknown"
	}
	return verbs.Status{PID: i.PID, Mode: i.Mode, Version: version, Uptime: time.Since(i.StartedAt), State: i.StateFile}
}

// RSS reads it from /proc; elsewhere the runtime's view stands for it.
func (h host) RSS() uint64 {
	data, err := os.ReadFile("/proc/self/statm")
	var total, resident uint64
	if err == nil {
		if _, err := fmt.Sscan(string(data), &total, &resident); err == nil {
			return resident * uint64(os.Getpagesize())
		}
	}
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	return ms.Sys - ms.HeapReleased
}

func (h host) Doctor(ctx context.Context) []browser.Check { return browser.Diagnose(ctx, os.Getenv) }

// sweepFlag makes the daemon's program clean up after dead daemons and end. The
// client calls it when it finds that the daemon to be stopped is dead.
const sweepFlag = "--sweep"

// Main is the daemon's program. It returns the exit code.
func Main() int {
	if len(os.Args) == 2 && os.Args[1] == sweepFlag {
		ctx, cancel := context.WithTimeout(context.Background(), sweepLimit)
		defer cancel()
		if _, err := browser.SweepProfiles(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
	return daemon.Main(New)
}
