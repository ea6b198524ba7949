package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/knob"
	"gstack/internal/workspace"
	"gstack/internal/workspace/flat"
)

// startAt starts the daemon of a place, or waits for whoever does so. why says
// what became of the last one, "" when that is not known.
func (c *client) startAt(place workspace.Place, why string) (*workspace.Handle, *api.Error) {
	limit := startLimit()
	began := time.Now()
	for {
		lock, err := place.TryLock()
		if errors.Is(err, workspace.ErrLocked) {
			if !place.WaitUnlocked(limit - time.Since(began)) {
				return nil, api.Errorf(api.DaemonBusy, "run it again; BROWSE_START_TIMEOUT (in ms) allows more",
					"another call has been starting the daemon for %s", round(time.Since(began)))
			}
			if h := living(place); h != nil {
				return h, nil
			}
			// Many calls do not each repeat a start that cannot work.
			if e := place.StartupError(began); e != nil {
				return nil, e
			}
			continue
		}
		if err != nil {
			return nil, asError(err)
		}
		// Whoever held the lock before may have started it.
		if h := living(place); h != nil {
			lock.Release()
			return h, nil
		}
		e := c.spawn(place, lock, why, limit)
		lock.Release()
		if e != nil {
			return nil, e
		}
		c.started = true
		if h := living(place); h != nil {
			return h, nil
		}
		return nil, api.Errorf(api.DaemonGone, "see "+place.LogPath(), "the daemon ended right after its start")
	}
}

func asError(err error) *api.Error {
	var e *api.Error
	if errors.As(err, &e) {
		return e
	}
	return api.Errorf(api.FileError, "", "cannot start the daemon: %v", err)
}

// living returns the daemon of a place when it lives.
func living(place workspace.Place) *workspace.Handle {
	h, err := workspace.Open(place)
	if err != nil {
		return nil
	}
	if h.Alive() {
		return h
	}
	h.Close()
	return nil
}

// configuration returns what a new daemon is started with: what this call asks
// for, and what the last one had, so that no call silently drops a proxy or a
// window.
func (c *client) configuration(place workspace.Place) (conf workspace.Config, last workspace.Last, fail *api.Error) {
	last = place.Last(os.Getenv)
	conf = workspace.Config{Headed: c.inv.headed || last.Config.Headed, Proxy: c.inv.proxy}
	if p := last.Config.Proxy; conf.Proxy.Origin == "" && p.Origin != "" {
		if p.Credentials && knob.ProxyUser.Get() == "" && knob.ProxyPass.Get() == "" {
			return conf, last, api.Errorf(api.BadUsage, "give --proxy again, or run browse stop to forget it",
				"the last daemon used the proxy %s with credentials, which are not kept", p.Origin)
		}
		conf.Proxy = p
	}
	return conf, last, nil
}

// spawn starts browsed and waits until it is ready. The child shares the lock,
// so that it stays locked when this call is killed half way.
func (c *client) spawn(place workspace.Place, lock *workspace.Lock, why string, limit time.Duration) *api.Error {
	conf, last, fail := c.configuration(place)
	if fail != nil {
		return fail
	}
	path, fail := daemonPath()
	if fail != nil {
		return fail
	}
	c.note(startLine(conf, last, why))
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return asError(err)
	}
	defer null.Close()
	log, err := place.OpenLog()
	if err != nil {
		log = null
	} else {
		defer log.Close()
	}
	r, w, err := os.Pipe()
	if err != nil {
		return asError(err)
	}
	defer r.Close()
	p, err := os.StartProcess(path, []string{path, "--handshake", "--project", place.Project}, &os.ProcAttr{
		Dir: "/", Env: childEnv(place, conf), Files: []*os.File{null, log, log, w, lock.File()}, Sys: detached(),
	})
	_ = w.Close()
	if err != nil {
		return api.Errorf(api.DaemonGone, "check that it is a program that you may run", "cannot run %s: %v", path, reason(err))
	}
	return handshake(place, p, r, limit)
}

// startLine is the one line that a start prints.
func startLine(conf workspace.Config, last workspace.Last, why string) string {
	var parts []string
	if !conf.Plain() {
		parts = append(parts, conf.String())
	}
	if last.Reason != "" {
		why = "the last one ended: " + last.Reason
	}
	if why != "" {
		parts = append(parts, why)
	}
	if len(parts) == 0 {
		return "Starting server..."
	}
	return "Starting server... (" + strings.Join(parts, "; ") + ")"
}

// daemonPath returns the program browsed beside this one.
func daemonPath() (string, *api.Error) {
	exe, err := os.Executable()
	if err == nil {
		exe, err = filepath.EvalSymlinks(exe)
	}
	if err != nil {
		return "", api.Errorf(api.DaemonGone, "run browse by its full path", "cannot tell where this program is: %v", reason(err))
	}
	path := filepath.Join(filepath.Dir(exe), "browsed"+filepath.Ext(exe))
	if fi, err := os.Stat(path); err != nil || fi.IsDir() {
		return "", api.Errorf(api.DaemonGone, "install browsed beside browse", "the daemon's program was not found at %s", path)
	}
	return path, nil
}

// childEnv is the environment of the daemon: ours, with the workspace and the
// configuration that this call settled on.
func childEnv(place workspace.Place, conf workspace.Config) []string {
	set := map[string]string{knob.StateFile.Name: place.File, knob.Headed.Name: "", knob.ProxyURL.Name: ""}
	if conf.Headed {
		set[knob.Headed.Name] = "1"
	}
	if conf.Proxy.Origin != "" {
		set[knob.ProxyURL.Name] = conf.Proxy.URL
	}
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if _, ours := set[name]; !ours {
			env = append(env, kv)
		}
	}
	for name, v := range set {
		if v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// maxWord bounds what a daemon says during its start, in bytes.
const maxWord = 1 << 20

// handshake waits for the child's word on the pipe.
func handshake(place workspace.Place, p *os.Process, r *os.File, limit time.Duration) *api.Error {
	_ = r.SetReadDeadline(time.Now().Add(limit))
	data, err := io.ReadAll(io.LimitReader(r, maxWord))
	if string(data) == "ready\n" {
		_ = p.Release()
		return nil
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		// It never got ready, so it has no tabs to lose.
		killGroup(p)
		_, _ = p.Wait()
		return api.Errorf(api.DaemonGone, "see "+place.LogPath()+"; BROWSE_START_TIMEOUT (in ms) allows more",
			"the daemon was not ready within %s", round(limit))
	}
	if o, perr := flat.Parse(data); perr == nil && o.String("error") != "" {
		_, _ = p.Wait()
		e := decodeError(data, 0)
		if len(e.Tried) > 1 { // three lines in all
			e.Tried = e.Tried[len(e.Tried)-1:]
		}
		return e
	}
	state, werr := p.Wait()
	how := "without a word"
	if werr == nil {
		how = state.String()
	}
	e := api.Errorf(api.DaemonGone, "see "+place.LogPath(), "the daemon ended during its start: %s", how)
	if line := lastLine(place.LogPath()); line != "" {
		e.Tried = []string{line}
	}
	return e
}

// lastLine returns the last line of a log, at most 200 bytes of it.
func lastLine(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	const tail = 4 << 10
	if fi, err := f.Stat(); err == nil && fi.Size() > tail {
		_, _ = f.Seek(-tail, io.SeekEnd)
	}
	data, _ := io.ReadAll(io.LimitReader(f, tail))
	text := strings.TrimSpace(string(data))
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.ToValidUTF8(line[:min(len(line), 200)], "")
}
