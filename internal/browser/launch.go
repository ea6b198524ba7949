package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
)

// startLimit bounds the start of a browser when the caller's context has no
// deadline. A start takes 0.1 to 0.3 s, on a cold disk some seconds.
const startLimit = 30 * time.Second

// Options of a start. The zero value starts the browser that [Find] finds,
// without a window, on a temporary profile.
type Options struct {
	// Binary is the browser to start; without a path the environment decides.
	Binary Binary
	// Environ is the environment in the form of os.Environ, which nil stands for.
	Environ []string
	// Headed shows the browser on the user's screen.
	Headed bool
	// Profile is a folder of user data that is kept. Empty means a temporary one.
	Profile string
	// Proxy replaces what [ProxyFromEnv] says.
	Proxy *Proxy
	// Network restricts which hosts can be reached.
	Network Network
	// Args are more arguments for Chromium; they win over ours.
	Args []string
	// CDP are the options of the connection.
	CDP cdp.Options
}

// Launch starts a browser and returns when it has answered its first command.
// The errors are of code BrowserMissing, BrowserGone (it does not start; the
// message names the cause), Timeout (the deadline of ctx, or 30 s) or BadUsage.
func Launch(ctx context.Context, o Options) (*Process, error) {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	env := lookup(o.Environ)
	if o.Binary.Path == "" {
		find := Find
		if o.Headed || o.Profile != "" {
			find = FindHeaded // headless shells do not lock a profile
		}
		bin, _, err := find(env)
		if err != nil {
			return nil, err
		}
		o.Binary = bin
	}
	if o.Proxy == nil {
		proxy, err := ProxyFromEnv(env)
		if err != nil {
			return nil, err
		}
		o.Proxy = &proxy
	}
	if pid, ok := lockedBy(o.Profile); o.Profile != "" && ok {
		return nil, api.Errorf(api.BrowserGone, "close that browser, or leave the profile out",
			"the profile %s is in use by process %d", o.Profile, pid)
	}
	return launch(ctx, o, sandboxFor(env, o.Binary.Path))
}

// launch starts the browser, without its sandbox if it cannot start with it.
func launch(ctx context.Context, o Options, box sandbox) (*Process, error) {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	p, err := start(ctx, o, box)
	var refused *refusal
	if errors.As(err, &refused) && refused.sandbox && !box.off {
		box = sandbox{off: true, why: refused.why, fix: "allow user namespaces"}
		p, err = start(ctx, o, box)
	}
	if errors.As(err, &refused) {
		return nil, refused.api
	}
	return p, err
}

// refusal is the error of a browser that did not start.
type refusal struct {
	api     *api.Error
	why     string
	sandbox bool // it may start without the sandbox
}

func (r *refusal) Error() string { return r.api.Message }

// start makes one attempt.
func start(ctx context.Context, o Options, box sandbox) (*Process, error) {
	prof, err := newProfile(o.Binary.Private, o.Profile)
	if err != nil {
		return nil, err
	}
	drop := func() { _ = prof.remove(context.WithoutCancel(ctx)) } // the first error counts
	args, err := flags(setting{
		headed: o.Headed, dataDir: prof.data, noSandbox: box.off,
		sharedMemory: sharedMemory(), proxy: *o.Proxy, network: o.Network, extra: o.Args,
	})
	if err == nil {
		err = o.Network.prefer(prof.data)
	}
	if err != nil {
		drop()
		return nil, err
	}
	c, err := spawn(o.Binary.Path, args, childEnviron(o.Environ, prof, o.Headed))
	if err != nil {
		drop()
		return nil, spawnError(o.Binary, err)
	}
	p := &Process{
		conn: cdp.NewConn(cdp.NewPipe(c.fromBrowser, c.toBrowser), o.CDP), child: c, profile: prof,
		kept: o.Profile != "", binary: o.Binary, proxy: *o.Proxy,
		stop: make(chan struct{}), done: make(chan struct{}), gone: make(chan struct{}),
	}
	if box.off {
		p.notes = append(p.notes, box.note())
	}
	go p.supervise()
	err = p.conn.Root().Call(ctx, "Browser.getVersion", nil, &p.version)
	if err == nil {
		err = prof.record(c.pid)
	}
	if err != nil {
		return nil, p.failed(ctx, err)
	}
	return p, nil
}

// failed ends a browser that did not answer and returns why.
func (p *Process) failed(ctx context.Context, err error) error {
	ended := ctx.Err() == nil && errors.Is(err, cdp.ErrClosed)
	if ended {
		// Its exit code is worth more than that of our kill.
		within(killDelay, p.done)
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*killDelay)
	defer cancel()
	closeErr := p.Close(end)
	if !ended {
		e := api.Errorf(api.Timeout, "browse doctor", "%s did not answer in time", p.binary.name())
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			e = api.Errorf(api.BrowserGone, "browse doctor", "%s did not start: %v", p.binary.name(), err)
		}
		e.Tried = tellingLines(p.child.stderr.String())
		return e
	}
	stderr := p.child.stderr.String()
	message, hint, sandbox := diagnose(stderr)
	r := &refusal{why: message, sandbox: sandbox}
	if message == "" {
		message = "it " + p.exit.String() + " before its first answer"
		hint = "browse doctor"
	}
	r.api = api.Errorf(api.BrowserGone, hint, "%s does not start: %s", p.binary.name(), message)
	r.api.Tried = slices.Concat(tellingLines(stderr), leftBehind(closeErr))
	return r
}

func leftBehind(err error) []string {
	if err == nil {
		return nil
	}
	return []string{"the profile was not removed: " + err.Error()}
}

// name is how messages call the browser.
func (b Binary) name() string { return fmt.Sprintf("%s (%s)", filepath.Base(b.Path), b.Path) }

// spawnError explains why the system did not start the program at all.
func spawnError(b Binary, err error) error {
	if e, ok := errors.AsType[*api.Error](err); ok {
		return e
	}
	return api.Errorf(api.BrowserGone, "browse doctor", "%s cannot be started: %s", b.name(), reason(err))
}
