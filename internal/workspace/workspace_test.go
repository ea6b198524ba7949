//go:build unix

package workspace

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"gstack/internal/api"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestTop(t *testing.T) {
	root := t.TempDir()
	write(t, root+"/repo/.git/HEAD", "ref: refs/heads/main\n")
	write(t, root+"/repo/a/b/x", "")
	write(t, root+"/repo/tree/.git", "gitdir: /somewhere\n")
	write(t, root+"/repo/tree/sub/x", "")
	write(t, root+"/repo/empty/.git/x", "")
	write(t, root+"/repo/odd/.git", "not one")
	write(t, root+"/none/x", "")
	if err := os.Symlink("/nowhere", root+"/none/.git"); err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"repo": "repo", "repo/a/b": "repo", "repo/tree/sub": "repo/tree", "repo/empty": "repo", "repo/odd": "repo", "none": "none", "repo/.git": "repo",
	} {
		if got := Top(filepath.Join(root, in)); got != filepath.Join(root, want) {
			t.Errorf("Top(%s) = %s, want %s", in, got, want)
		}
	}
	if got := Top("/"); got != "/" {
		t.Errorf("Top(/) = %s", got)
	}
}

func TestBackups(t *testing.T) {
	a := At("/srv/project").Backups(env("HOME", "/home/u"))
	b := At("/srv/other/project").Backups(env("HOME", "/home/u"))
	if len(a) != 2 || !strings.HasPrefix(a[0].Dir, "/home/u/.gstack/workspaces/project-") || a[0].Dir == b[0].Dir || a[0].Project != "/srv/project" {
		t.Errorf("%+v %+v", a, b)
	}
	if c := At("/x").Backups(env("HOME", "/home/u", "GSTACK_HOME", "/g")); !strings.HasPrefix(c[0].Dir, "/g/workspaces/x-") {
		t.Errorf("%+v", c)
	}
	if c := At("/").Backups(env()); len(c) != 1 || strings.Contains(filepath.Base(c[0].Dir), "/") || !strings.HasPrefix(filepath.Base(c[0].Dir), "root-") {
		t.Errorf("%+v", c)
	}
	p, err := Locate(env("BROWSE_STATE_FILE", "/s/d/f.json"))
	if err != nil || p.File != "/s/d/f.json" || p.Dir != "/s/d" || p.Project != "/s" || p.Backups(env("HOME", "/h")) != nil {
		t.Errorf("%+v, %v", p, err)
	}
}

var sample = State{
	PID: 4711, PIDStart: 99, Port: 23456, Token: "token", StartedAt: "2026-01-02T03:04:05Z", ServerPath: "/bin/browsed", BinaryVersion: "abc",
	Mode: "headed", Proxy: "http://p:1", ConfigHash: "0123456789abcdef",
}

func TestPublishAndOpen(t *testing.T) {
	p := At(t.TempDir())
	if _, _, err := p.Prepare(env()); err != nil {
		t.Fatal(err)
	}
	write(t, p.File+".tmp.1.dead", "left by somebody")
	pub, err := p.Publish(sample)
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(p.File + ".tmp.*"); left != nil {
		t.Errorf("left: %v", left)
	}
	h, err := Open(p)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	want := sample
	want.Workspace = p.File
	if h.State != want {
		t.Errorf("read %+v, wrote %+v", h.State, want)
	}
	if !h.Held() || !h.Alive() || h.Running() || !pub.Mine() || pub.Lost() {
		t.Errorf("held %v, alive %v, running %v, mine %v, lost %v", h.Held(), h.Alive(), h.Running(), pub.Mine(), pub.Lost())
	}
	if h.WaitGone(20 * time.Millisecond) {
		t.Error("gone while it is held")
	}

	// The next daemon's file takes the name; the old handle still tells of the old.
	next, err := p.Publish(State{PID: 2, Port: 1, Token: "n"})
	if err != nil {
		t.Fatal(err)
	}
	if pub.Mine() || !pub.Lost() || !h.Held() {
		t.Errorf("mine %v, lost %v, held %v", pub.Mine(), pub.Lost(), h.Held())
	}
	pub.Remove()
	if _, err := os.Stat(p.File); err != nil {
		t.Error("a daemon removed another one's state")
	}
	next.Remove()
	if _, err := Open(p); !errors.Is(err, ErrNone) {
		t.Errorf("after removal: %v", err)
	}
	next.Close()
	pub.Close()
}

func TestDeadStates(t *testing.T) {
	p := At(t.TempDir())
	if _, _, err := p.Prepare(env()); err != nil {
		t.Fatal(err)
	}
	alive := func(s State) bool {
		t.Helper()
		pub, err := p.Publish(s)
		if err != nil {
			t.Fatal(err)
		}
		pub.Close()
		h, err := Open(p)
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		return h.Alive()
	}
	start, running := Process(os.Getpid())
	if !running {
		t.Fatal("we do not run")
	}
	s := sample
	if s.PID, s.PIDStart = os.Getpid(), start; start != 0 && !alive(s) {
		t.Error("pid and start time are right, and it is taken for dead")
	}
	if s.PIDStart++; alive(s) {
		t.Error("a pid that was given out again is taken for the daemon")
	}
	if s.PIDStart = 0; alive(s) {
		t.Error("a pid without a start time is taken for the daemon")
	}
	if alive(sample) {
		t.Error("a pid that does not run is taken for the daemon")
	}
	// Copied elsewhere, with a pid that runs.
	s.PIDStart = start
	alive(s)
	other := At(t.TempDir())
	data, err := os.ReadFile(p.File)
	if err != nil {
		t.Fatal(err)
	}
	write(t, other.File, string(data))
	h, err := Open(other)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if h.Alive() {
		t.Error("a copied state file is taken for ours")
	}
}

func TestOpenDistrusts(t *testing.T) {
	good := string(State{PID: 4711, Port: 23456, Token: "t"}.encode())
	for name, make := range map[string]func(path string) error{
		"writable by the group": func(f string) error { return errors.Join(os.WriteFile(f, []byte(good), 0o600), os.Chmod(f, 0o620)) },
		"writable by all":       func(f string) error { return errors.Join(os.WriteFile(f, []byte(good), 0o600), os.Chmod(f, 0o602)) },
		"a link": func(f string) error {
			return errors.Join(os.WriteFile(f+".real", []byte(good), 0o600), os.Symlink(f+".real", f))
		},
		"another user's":  func(f string) error { return errors.Join(os.WriteFile(f, []byte(good), 0o600), os.Chown(f, 65534, -1)) },
		"a pipe":          func(f string) error { return syscall.Mkfifo(f, 0o600) },
		"a folder":        func(f string) error { return os.Mkdir(f, 0o700) },
		"empty":           func(f string) error { return os.WriteFile(f, nil, 0o600) },
		"not JSON":        func(f string) error { return os.WriteFile(f, []byte(good[:20]), 0o600) },
		"too large":       func(f string) error { return os.WriteFile(f, []byte(good+strings.Repeat(" ", maxState)), 0o600) },
		"no token":        func(f string) error { return os.WriteFile(f, []byte(`{"pid":4711,"port":1}`), 0o600) },
		"no port":         func(f string) error { return os.WriteFile(f, []byte(`{"pid":4711,"token":"t"}`), 0o600) },
		"port over limit": func(f string) error { return os.WriteFile(f, []byte(`{"pid":4711,"token":"t","port":65536}`), 0o600) },
		"pid of init":     func(f string) error { return os.WriteFile(f, []byte(`{"pid":1,"token":"t","port":1}`), 0o600) },
		"negative pid":    func(f string) error { return os.WriteFile(f, []byte(`{"pid":-5,"token":"t","port":1}`), 0o600) },
		"a token with a line break": func(f string) error {
			return os.WriteFile(f, []byte(`{"pid":4711,"token":"t\r\nX: y","port":1}`), 0o600)
		},
	} {
		if name == "another user's" && os.Geteuid() != 0 {
			continue
		}
		p := At(t.TempDir())
		if err := os.Mkdir(p.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := make(p.File); err != nil {
			t.Fatal(err)
		}
		if h, err := Open(p); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
	}
}

func TestLock(t *testing.T) {
	p := At(t.TempDir())
	if _, err := p.TryLock(); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("a missing folder: %v", err)
	} else if ae := (*api.Error)(nil); !errors.As(err, &ae) || !strings.Contains(ae.Message, p.lockPath()) || !strings.Contains(ae.Message, "no such file") {
		t.Errorf("a missing folder: %v", err)
	}
	if err := os.Mkdir(p.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, p.lockPath(), "left by somebody who was killed")
	l, err := p.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.TryLock(); !errors.Is(err, ErrLocked) {
		t.Errorf("twice: %v", err)
	}
	if p.WaitUnlocked(20 * time.Millisecond) {
		t.Error("unlocked while it is held")
	}
	waited := make(chan bool)
	go func() { waited <- p.WaitUnlocked(10 * time.Second) }()
	l.Release()
	if !<-waited {
		t.Error("not unlocked")
	}
	if _, err := os.Stat(p.lockPath()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock file: %v", err)
	}
	if !p.WaitUnlocked(time.Second) {
		t.Error("waits for a lock that is not there")
	}

	// A holder whose file was replaced does not remove the other one.
	l, err = p.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(p.lockPath()); err != nil {
		t.Fatal(err)
	}
	l2, err := p.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
	if _, err := os.Stat(p.lockPath()); err != nil {
		t.Error("another holder's lock file was removed")
	}
	l2.Release()
}

// One of many that try at once gets the lock, over and over.
func TestLockExcludes(t *testing.T) {
	p := At(t.TempDir())
	if err := os.Mkdir(p.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const workers, rounds = 8, 200
	done := make(chan struct{})
	for range workers {
		go func() {
			defer func() { done <- struct{}{} }()
			for got := 0; got < rounds; {
				l, err := p.TryLock()
				if errors.Is(err, ErrLocked) {
					p.WaitUnlocked(time.Second)
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				mark := p.Dir + "/mark"
				if f, err := os.OpenFile(mark, os.O_CREATE|os.O_EXCL, 0o600); err != nil {
					t.Errorf("two hold the lock: %v", err)
				} else {
					f.Close()
				}
				_ = os.Remove(mark)
				l.Release()
				got++
			}
		}()
	}
	for range workers {
		<-done
	}
}

func TestProcess(t *testing.T) {
	for _, pid := range []int{-1, 0, 1} {
		if _, running := Process(pid); running {
			t.Errorf("pid %d counts as a daemon", pid)
		}
	}
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	start, running := Process(cmd.Process.Pid)
	if !running || runtime.GOOS == "linux" && start == 0 {
		t.Errorf("start %d, running %v", start, running)
	}
	if waitExit(cmd.Process.Pid, 20*time.Millisecond) && (runtime.GOOS == "linux" || runtime.GOOS == "darwin") {
		t.Error("exited while it runs")
	}
	in.Close()
	if !waitExit(cmd.Process.Pid, 10*time.Second) {
		t.Error("has not exited")
	}
	if _, running := Process(cmd.Process.Pid); running && runtime.GOOS == "linux" {
		t.Error("a zombie counts as running")
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, running := Process(cmd.Process.Pid); running {
		t.Error("runs after its end")
	}
}

func TestPrepare(t *testing.T) {
	home := t.TempDir()
	at := func() Place { return At(t.TempDir()) }

	p := at()
	use, notes, err := p.Prepare(env("HOME", home))
	if err != nil || use != p || notes != nil {
		t.Errorf("%+v, %q, %v", use, notes, err)
	}
	if fi, err := os.Stat(p.Dir); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", fi, err)
	}

	// One that others can write is closed to them.
	p = at()
	if err := errors.Join(os.Mkdir(p.Dir, 0o700), os.Chmod(p.Dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	if use, _, err := p.Prepare(env("HOME", home)); err != nil || use != p {
		t.Errorf("%+v, %v", use, err)
	}
	if fi, err := os.Stat(p.Dir); err != nil || fi.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}

	// A link goes elsewhere, and nothing is written through it.
	p = at()
	victim := t.TempDir()
	if err := os.Symlink(victim, p.Dir); err != nil {
		t.Fatal(err)
	}
	use, notes, err = p.Prepare(env("HOME", home))
	if err != nil || !strings.HasPrefix(use.Dir, home+"/.gstack/workspaces/") || len(notes) != 1 {
		t.Errorf("%+v, %q, %v", use, notes, err)
	}
	if left, _ := os.ReadDir(victim); len(left) != 0 {
		t.Errorf("written through a link: %v", left)
	}

	// Another user's folder.
	if os.Geteuid() == 0 {
		p = at()
		if err := errors.Join(os.Mkdir(p.Dir, 0o777), os.Chown(p.Dir, 65534, -1)); err != nil {
			t.Fatal(err)
		}
		if use, _, err := p.Prepare(env("HOME", home)); err != nil || use == p {
			t.Errorf("%+v, %v", use, err)
		}
	}

	// A file in the way.
	p = at()
	write(t, p.Dir, "a file")
	if _, _, err := p.Prepare(env("HOME", home)); err == nil || !strings.Contains(err.Message, "a file is in the way of the state folder "+p.Dir) {
		t.Errorf("%v", err)
	}
}

func TestMentions(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "node_modules\n": false, ".gstack": true, ".gstack/\n": true, "/.gstack/": true, "**/.gstack": true, "!.gstack\n": true, "*": true,
		".*\r\n": true, ".gstack2": false, "#.gstack": false, "x/.gstack": false, "a\n  .gstack/*  \nb": true,
	} {
		if got := mentions(text); got != want {
			t.Errorf("mentions(%q) = %v", text, got)
		}
	}
}

func TestParseProxy(t *testing.T) {
	for raw, want := range map[string]string{
		"socks5://h:1": "socks5://h:1", "HTTP://Host.Example": "http://host.example:80", "https://h/": "https://h:443", "socks5://[::1]:9": "socks5://[::1]:9",
		"socks5://[::1]": "socks5://[::1]:1080", "http://u:p@h:1": "http://h:1", "http://u:p@ss@h:1": "http://h:1",
	} {
		p, err := ParseProxy(raw, "", "")
		if err != nil || p.Origin != want || p.URL != raw || p.Credentials != strings.Contains(raw, "@") {
			t.Errorf("%s: %+v, %v", raw, p, err)
		}
	}
	for _, raw := range []string{
		"", "h:1", "ftp://h:1", "socks5h://h:1", "http://", "http://:1", "http://h:0", "http://h:65536", "http://h:x", "http://h:1/path", "http://h:1?q", "http://h h:1",
		"http://u:hush@", "http://h\r\n:1", "http://[::1:1", "http://h:1:2", "socks5://u:hush@h:port",
	} {
		if p, err := ParseProxy(raw, "", ""); err == nil || err.Code != api.BadUsage || strings.Contains(err.Text(), "hush") {
			t.Errorf("%q: %+v, %v", raw, p, err)
		}
	}
	if _, err := ParseProxy("http://u:hush@h", "u", ""); err == nil || strings.Contains(err.Text(), "hush") {
		t.Errorf("credentials twice: %v", err)
	}
	if p, err := ParseProxy("http://h", "u", "hush"); err != nil || !p.Credentials || strings.Contains(p.Origin, "hush") {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestLast(t *testing.T) {
	p := At(t.TempDir())
	home := env("GSTACK_HOME", t.TempDir())
	if got := p.Last(home); got != (Last{}) {
		t.Errorf("nothing is %+v", got)
	}
	proxy, perr := ParseProxy("http://u:hush@h:1", "", "")
	if perr != nil {
		t.Fatal(perr)
	}
	if err := p.KeepLast(home, Last{Config: Config{Headed: true, Proxy: proxy}, Reason: "it was idle"}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(p.lastPath(home))
	if err != nil || strings.Contains(string(data), "hush") {
		t.Errorf("%s, %v", data, err)
	}
	got := p.Last(home)
	if !got.Config.Headed || got.Config.Proxy.Origin != "http://h:1" || !got.Config.Proxy.Credentials || got.Reason != "it was idle" {
		t.Errorf("%+v", got)
	}
	if other := At(t.TempDir()).Last(home); other != (Last{}) {
		t.Errorf("another workspace has %+v", other)
	}
	// A damaged proxy is not dropped silently.
	write(t, p.lastPath(home), `{"proxy":"nonsense"}`)
	if got := p.Last(home); !got.Config.Proxy.Credentials || got.Config.Proxy.Origin == "" {
		t.Errorf("%+v", got)
	}
	p.ForgetLast(home)
	if got := p.Last(home); got != (Last{}) {
		t.Errorf("forgotten is %+v", got)
	}
	if err := p.KeepLast(env(), Last{}); err == nil || p.Last(env()) != (Last{}) {
		t.Errorf("without a home: %v", err)
	}
	p.ForgetLast(env())
}

// A repository can bring a .gstack with anything in it. None of our files is
// written through its links, and nothing of it is believed.
func TestPlantedStateFolder(t *testing.T) {
	p := At(t.TempDir())
	victim := t.TempDir() + "/victim"
	write(t, victim, "precious")
	if err := os.Mkdir(p.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{p.File, p.lockPath(), p.LogPath(), p.startupErrorPath(), p.Dir + "/.gitignore", p.Project + "/.gitignore", p.Dir + "/browse-last.json"} {
		if err := os.Symlink(victim, name); err != nil {
			t.Fatal(err)
		}
	}
	home := env("GSTACK_HOME", t.TempDir())
	if _, _, err := p.Prepare(home); err != nil {
		t.Fatal(err)
	}
	if _, err := p.TryLock(); err == nil {
		t.Error("a link was locked")
	}
	if f, err := p.OpenLog(); err == nil {
		_, _ = f.WriteString("log")
		f.Close()
	}
	if err := p.KeepStartupError(api.Errorf(api.Internal, "", "it failed")); err != nil {
		t.Error(err)
	}
	if e := p.StartupError(time.Now().Add(-time.Minute)); e == nil || e.Message != "it failed" {
		t.Errorf("%v", e)
	}
	if e := p.StartupError(time.Now().Add(time.Minute)); e != nil {
		t.Errorf("an old report is used: %v", e)
	}
	pub, err := p.Publish(sample)
	if err != nil {
		t.Fatal(err)
	}
	pub.Close()
	if err := p.KeepLast(home, Last{Reason: "x"}); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(victim); err != nil || string(data) != "precious" {
		t.Errorf("the victim is %q, %v", data, err)
	}
	write(t, p.Dir+"/browse-last.json.real", `{"proxy":"http://evil:1"}`)
	if err := os.Rename(p.Dir+"/browse-last.json.real", p.Dir+"/browse-last.json"); err != nil {
		t.Fatal(err)
	}
	p.ForgetLast(home)
	if got := p.Last(home); got != (Last{}) {
		t.Errorf("a planted configuration is believed: %+v", got)
	}
}

func TestLogRotates(t *testing.T) {
	p := At(t.TempDir())
	if err := os.Mkdir(p.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, p.LogPath()+".1", "older")
	write(t, p.LogPath(), strings.Repeat("x", MaxLog+1))
	f, err := p.OpenLog()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if fi, err := os.Stat(p.LogPath() + ".1"); err != nil || fi.Size() != MaxLog+1 {
		t.Errorf("%v, %v", fi, err)
	}
	if fi, err := f.Stat(); err != nil || fi.Size() != 0 || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", fi, err)
	}
	again, err := p.OpenLog()
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	if left, _ := os.ReadDir(p.Dir); len(left) != 2 {
		t.Errorf("%v", left)
	}
}
