//go:build unix

package browser

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gstack/internal/cdp"

	"golang.org/x/sys/unix"
)

// left lists the processes of a browser that are still there, zombies that
// somebody else must wait for left out.
func left(pid int, dir string) []string {
	var found []string
	for _, p := range processes() {
		args := commandLine(p)
		pgid, err := unix.Getpgid(p)
		_, runs := startTime(p)
		ours := err == nil && pgid == pid
		if uses(args, dir) || ours && runs {
			found = append(found, fmt.Sprintf("%d %.80q", p, args))
		}
	}
	return found
}

// vanish waits until nothing is left of a browser.
func vanish(t *testing.T, pid int, dir string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for len(left(pid, dir)) > 0 {
		if !pause(ctx, 10*time.Millisecond) {
			t.Fatalf("still there: %s", strings.Join(left(pid, dir), ", "))
		}
	}
}

func launched(t *testing.T, o Options) *Process {
	t.Helper()
	installed(t)
	p, err := Launch(limit(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(context.Background()) })
	return p
}

func TestLaunchAndClose(t *testing.T) {
	installed(t)
	begin := time.Now()
	p := launched(t, Options{})
	t.Logf("%s answers after %v", p.Version().Product, time.Since(begin))
	if p.Version().ProtocolVersion == "" {
		t.Error("no version")
	}
	if err := openPage(limit(t), p); err != nil {
		t.Fatal(err)
	}
	dir := p.profile.dir
	if st, err := os.Stat(dir); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("profile: %v, %v", st.Mode(), err)
	}
	if n := len(left(p.Pid(), dir)); n < 3 {
		t.Errorf("only %d processes found, the test cannot see what is left", n)
	}
	if sid, err := unix.Getsid(p.Pid()); err != nil || sid != p.Pid() {
		t.Errorf("session %d, %v; want its own", sid, err)
	}
	begin = time.Now()
	if err := p.Close(limit(t)); err != nil {
		t.Fatal(err)
	}
	t.Logf("gone after %v", time.Since(begin))
	if found := left(p.Pid(), dir); len(found) > 0 {
		t.Errorf("left behind: %v", found)
	}
	if zombies := zombies(); len(zombies) > 0 {
		t.Errorf("not waited for: %v", zombies)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the profile is still there: %v", err)
	}
	if e := p.Exit(); !e.Asked || e.Lost || e.Signal != "SIGKILL" {
		t.Errorf("exit %+v", e)
	}
	if err := p.Conn().Root().Call(limit(t), "Browser.getVersion", nil, nil); !errors.Is(err, cdp.ErrClosed) {
		t.Errorf("a call after Close: %v", err)
	}
	if err := p.Close(limit(t)); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

// zombies lists this process's ended children.
func zombies() []string {
	var found []string
	for _, pid := range processes() {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		_, rest, ok := strings.Cut(string(data), ") ")
		f := strings.Fields(rest)
		if ok && len(f) > 1 && f[0] == "Z" && f[1] == fmt.Sprint(os.Getpid()) {
			found = append(found, string(data[:min(60, len(data))]))
		}
	}
	return found
}

func TestBrowserKilled(t *testing.T) {
	p := launched(t, Options{})
	if err := openPage(limit(t), p); err != nil {
		t.Fatal(err)
	}
	if err := unix.Kill(p.Pid(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if !within(10*time.Second, p.Done()) {
		t.Fatal("Done is not closed")
	}
	if e := p.Exit(); e.Signal != "SIGKILL" || e.Asked || e.Lost || e.Code != -1 {
		t.Errorf("exit %+v", e)
	}
	if got, want := p.Exit().String(), "was ended by SIGKILL"; got != want {
		t.Errorf("exit %q, want %q", got, want)
	}
	if err := p.Close(limit(t)); err != nil {
		t.Error(err)
	}
	if found := left(p.Pid(), p.profile.dir); len(found) > 0 {
		t.Errorf("left behind: %v", found)
	}
	if found := zombies(); len(found) > 0 {
		t.Errorf("not waited for: %v", found)
	}
	if _, err := os.Stat(p.profile.dir); !os.IsNotExist(err) {
		t.Errorf("the profile is still there: %v", err)
	}
}

func TestBrowserExits(t *testing.T) {
	p := launched(t, Options{})
	if err := p.Conn().Root().Call(limit(t), "Browser.close", nil, nil); err != nil && !errors.Is(err, cdp.ErrClosed) {
		t.Fatal(err)
	}
	if !within(10*time.Second, p.Done()) {
		t.Fatal("Done is not closed")
	}
	if e := p.Exit(); e != (Exit{}) {
		t.Errorf("exit %+v, want code 0", e)
	}
	if err := p.Close(limit(t)); err != nil {
		t.Error(err)
	}
}

// TestOwnerKilled: when the daemon is killed, its browser ends by itself, and
// the next sweep removes the profile.
func TestOwnerKilled(t *testing.T) {
	installed(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	cmd := exec.CommandContext(limit(t), exe)
	cmd.Env = append(os.Environ(), helperVariable+"=1", "TMPDIR="+tmp)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	var dir string
	if _, err := fmt.Sscanf(line, "%d %s", &pid, &dir); err != nil {
		t.Fatalf("helper says %q: %v", line, err)
	}
	if n := len(left(pid, dir)); n < 3 {
		t.Errorf("only %d processes found, the test cannot see what is left", n)
	}
	if removed, err := SweepProfiles(limit(t)); err != nil || slices.Contains(removed, dir) {
		t.Errorf("a sweep beside the living daemon: removed %v, %v", removed, err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	vanish(t, pid, dir)
	if removed, err := SweepProfiles(limit(t)); err != nil || !slices.Contains(removed, dir) {
		t.Errorf("swept %v, %v; want %s", removed, err, dir)
	}
	if entries, _ := os.ReadDir(tmp); len(entries) > 0 {
		t.Errorf("left in the temporary folder: %v", entries)
	}
}

// TestOddFolders: names that break programs which quote badly.
func TestOddFolders(t *testing.T) {
	installed(t)
	for name, sub := range map[string]string{
		"space":     "with space",
		"not ASCII": "ünïcödé 目录",
		"quotes":    `quo'te "x" $HOME; *`,
		"long":      strings.Repeat("deep/", 30),
	} {
		t.Run(name, func(t *testing.T) {
			tmp := filepath.Join(t.TempDir(), sub)
			if err := os.MkdirAll(tmp, 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("TMPDIR", tmp)
			// The locale in which names of files are not UTF-8.
			p := launched(t, Options{Environ: append(os.Environ(), "LC_ALL=C")})
			if err := openPage(limit(t), p); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(p.Profile(), tmp) {
				t.Errorf("profile %s is not in %s", p.Profile(), tmp)
			}
			if err := p.Close(limit(t)); err != nil {
				t.Fatal(err)
			}
			if entries, _ := os.ReadDir(tmp); len(entries) > 0 {
				t.Errorf("left in the temporary folder: %v", entries)
			}
			if found := left(p.Pid(), p.profile.dir); len(found) > 0 {
				t.Errorf("left behind: %v", found)
			}
		})
	}
}

// TestHome: a home folder that is missing, or cannot be written to, does not
// matter, and one that can be is left alone.
func TestHome(t *testing.T) {
	installed(t)
	readOnly := filepath.Join(t.TempDir(), "read only")
	if err := os.Mkdir(readOnly, 0o555); err != nil {
		t.Fatal(err)
	}
	writable := t.TempDir()
	for name, home := range map[string]string{"missing": "/nonexistent", "unset": "", "read-only": readOnly, "not empty": writable} {
		t.Run(name, func(t *testing.T) {
			env := []string{}
			for _, kv := range os.Environ() {
				if !strings.HasPrefix(kv, "HOME=") && !strings.HasPrefix(kv, "XDG_") {
					env = append(env, kv)
				}
			}
			if home != "" {
				env = append(env, "HOME="+home)
			}
			p := launched(t, Options{Environ: env})
			if err := openPage(limit(t), p); err != nil {
				t.Fatal(err)
			}
			if err := p.Close(limit(t)); err != nil {
				t.Fatal(err)
			}
			if home == readOnly || home == writable {
				if entries, _ := os.ReadDir(home); len(entries) > 0 {
					t.Errorf("left in the home folder: %v", entries)
				}
			}
		})
	}
}

func TestKeptProfile(t *testing.T) {
	if bin, _, err := FindHeaded(os.Getenv); err != nil || bin.Kind == HeadlessShell {
		t.Skipf("NO FULL BROWSER: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "mine")
	p := launched(t, Options{Profile: dir})
	if _, err := Launch(limit(t), Options{Profile: dir}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("in use by process %d", p.Pid())) {
		t.Errorf("a second browser on the profile: %v", err)
	}
	if err := p.Close(limit(t)); err != nil {
		t.Fatal(err)
	}
	if e := p.Exit(); e.Signal != "" || e.Code != 0 {
		t.Errorf("exit %+v, want an orderly end", e)
	}
	if _, err := os.Stat(filepath.Join(dir, "Local State")); err != nil {
		t.Errorf("the profile was not written: %v", err)
	}
	if _, err := os.Stat(p.profile.dir); !os.IsNotExist(err) {
		t.Errorf("the private folder is still there: %v", err)
	}
}

func TestCloseGivesUp(t *testing.T) {
	p := launched(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Close with an ended context: %v", err)
	}
	if err := p.Close(limit(t)); err != nil {
		t.Error(err)
	}
}
