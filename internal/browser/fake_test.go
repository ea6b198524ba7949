//go:build unix

package browser

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gstack/internal/api"
)

// fake writes a shell script that stands for a browser.
func fake(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chromium")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// answer is the part of a script that answers the first command, and waits for
// the end of the pipe.
const answer = `printf '{"id":1,"result":{"protocolVersion":"1.3","product":"Fake/1"}}\0' >&4
exec cat <&3 >/dev/null
`

// launchFake starts a script with variables added to the environment.
func launchFake(t *testing.T, o Options, script string, env ...string) (*Process, error) {
	t.Helper()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	o.Environ = append(os.Environ(), append(env, PathVariable+"="+fake(t, script))...)
	p, err := Launch(limit(t), o)
	if err != nil {
		if entries, _ := os.ReadDir(tmp); len(entries) > 0 {
			t.Errorf("left in the temporary folder: %v", entries)
		}
		return nil, err
	}
	t.Cleanup(func() { p.Close(context.Background()) })
	return p, nil
}

func TestDoesNotStart(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   string
		hint   string
		tried  []string
	}{
		"exits at once": {
			script: "exit 3",
			want:   "does not start: it exited with code 3 before its first answer",
			hint:   "browse doctor",
		},
		"closes the protocol": {
			script: "exec 3<&- 4>&-; exec sleep 100",
			want:   "does not start: it closed the connection before its first answer",
			hint:   "browse doctor",
		},
		"is killed": {
			script: "echo 'what I was doing' >&2; kill -9 $$",
			want:   "does not start: it was ended by SIGKILL before its first answer",
			hint:   "browse doctor", tried: []string{"what I was doing"},
		},
		"library": {
			script: "echo 'x: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory' >&2; exit 127",
			want:   "does not start: the library libnss3.so is missing",
			hint:   "browse doctor lists all that are missing and the packages that have them",
			tried:  []string{"x: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory"},
		},
		"display": {
			script: "echo '[12:12:1201/040021.107360:ERROR:ui/ozone/x11.cc:1] Missing X server or $DISPLAY' >&2; exit 1",
			want:   "does not start: there is no display for its window",
			hint:   "leave out --headed, or start it in a desktop session or under xvfb-run",
			tried:  []string{"Missing X server or $DISPLAY"},
		},
		"noise": {
			script: "echo '[1:2:1201/040021.1:ERROR:dbus/bus.cc:405] Failed to connect to the bus' >&2; echo '[1:2:1201/040021.1:FATAL:base/x.cc:1] Check failed: ok' >&2; exit 1",
			want:   "does not start: it exited with code 1 before its first answer",
			hint:   "browse doctor", tried: []string{"Check failed: ok"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			_, err := launchFake(t, Options{}, c.script)
			e, ok := errors.AsType[*api.Error](err)
			if !ok || e.Code != api.BrowserGone {
				t.Fatalf("error %v, want one of code browser_gone", err)
			}
			if !strings.HasSuffix(e.Message, c.want) || e.Hint != c.hint {
				t.Errorf("error %q, hint %q; want %q, %q", e.Message, e.Hint, c.want, c.hint)
			}
			if !slices.Equal(e.Tried, c.tried) {
				t.Errorf("tried %q, want %q", e.Tried, c.tried)
			}
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestNeverAnswers(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	path := fake(t, "echo $$ > "+pidFile+"; echo 'thinking' >&2; exec sleep 1000")
	_, err := Launch(ctx, Options{Binary: Binary{Path: path}})
	e, ok := errors.AsType[*api.Error](err)
	if !ok || e.Code != api.Timeout || !strings.Contains(e.Message, "did not answer in time") || !slices.Equal(e.Tried, []string{"thinking"}) {
		t.Errorf("error %#v, want a timeout that quotes stderr", err)
	}
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	if _, runs := startTime(pid); runs || pid == 0 {
		t.Errorf("process %d still runs", pid)
	}
	if entries, _ := os.ReadDir(tmp); len(entries) > 0 {
		t.Errorf("left in the temporary folder: %v", entries)
	}
}

func TestWrongPath(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for path, want := range map[string]string{
		"/nonexistent/chrome": `GSTACK_CHROMIUM_PATH is "/nonexistent/chrome", which does not exist`,
		"/tmp":                `GSTACK_CHROMIUM_PATH is "/tmp", which is a folder`,
		"/etc/passwd":         `GSTACK_CHROMIUM_PATH is "/etc/passwd", which is not executable`,
		"chromium":            `GSTACK_CHROMIUM_PATH is "chromium", which is not an absolute path`,
	} {
		_, err := Launch(limit(t), Options{Environ: append(os.Environ(), PathVariable+"="+path)})
		e, ok := errors.AsType[*api.Error](err)
		if !ok || e.Code != api.BrowserMissing || e.Message != want || e.Hint == "" {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// TestNotAProgram: an executable file that the system cannot run.
func TestNotAProgram(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := filepath.Join(t.TempDir(), "chrome")
	if err := os.WriteFile(path, []byte("\x7fELF, almost"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Launch(limit(t), Options{Binary: Binary{Path: path}})
	e, ok := errors.AsType[*api.Error](err)
	if !ok || e.Code != api.BrowserGone || !strings.Contains(e.Message, "cannot be started: exec format error") {
		t.Errorf("error %v", err)
	}
}

// TestSandboxRefused: a browser that cannot make its sandbox is started again
// without it, and the user is told.
func TestSandboxRefused(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := fake(t, `case " $* " in *" --no-sandbox "*) `+answer+`;; esac
echo '[1:1:1201/0:FATAL:zygote_host_impl_linux.cc(129)] No usable sandbox! If you are running on Ubuntu 23.10+ ...' >&2
exit 1
`)
	o := Options{Binary: Binary{Path: path}, Environ: os.Environ(), Proxy: &Proxy{}}
	p, err := launch(limit(t), o, sandbox{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(context.Background())
	want := []string{"the browser runs without its sandbox, because this system does not let it make its sandbox"}
	if !slices.Equal(p.Notes(), want) {
		t.Errorf("notes %q, want %q", p.Notes(), want)
	}
	// Refused without a sandbox, too: no third attempt, and the cause is told.
	o.Binary.Path = fake(t, "echo 'No usable sandbox!' >&2; exit 1")
	_, err = launch(limit(t), o, sandbox{})
	if e, ok := errors.AsType[*api.Error](err); !ok || e.Code != api.BrowserGone || !strings.Contains(e.Message, "does not let it make its sandbox") {
		t.Errorf("error %v", err)
	}
}

// TestWhatChromiumGets looks at the arguments and the environment.
func TestWhatChromiumGets(t *testing.T) {
	out := filepath.Join(t.TempDir(), "seen")
	p, err := launchFake(t, Options{Args: []string{"--disable-features=Mine", "--lang=de"}},
		"{ printf '%s\\n' \"$@\"; echo ---; env; } > "+out+"\n"+answer,
		"BROWSE_PROXY_PASS=", "BROWSE_TOKEN=secret-token", "GSTACK_SECRET=secret-too", "AUTH_TOKEN=secret-root-token", "SSL_CERT_FILE=/etc/my.pem",
		"https_proxy=http://user:secret-pass@proxy.example:3128", "http_proxy=", "HTTP_PROXY=", "HTTPS_PROXY=", "ALL_PROXY=", "all_proxy=",
		"no_proxy=corp.example,10.0.0.0/8", "NO_PROXY=", "LC_ALL=C", "GSTACK_CHROMIUM_NO_SANDBOX=1")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	args, env, _ := strings.Cut(string(data), "---\n")
	for _, want := range []string{
		"--remote-debugging-pipe\n", "--headless=new\n", "--user-data-dir=" + p.Profile() + "\n", "--window-size=1280,720\n",
		"--no-sandbox\n", "--lang=de\n", ",Mine\n",
		"--proxy-server=https=http://proxy.example:3128\n",
		"--proxy-bypass-list=corp.example;*.corp.example;10.0.0.0/8\n",
	} {
		if !strings.Contains(args, want) {
			t.Errorf("the arguments lack %q", want)
		}
	}
	if n := strings.Count(args, "--disable-features="); n != 1 {
		t.Errorf("%d lists of disabled features, the last one would win", n)
	}
	for _, want := range []string{"SSL_CERT_FILE=/etc/my.pem\n", "TMPDIR=" + p.profile.tmp() + "\n", "BREAKPAD_DUMP_LOCATION=" + p.profile.crash() + "\n", "LC_ALL=C.UTF-8\n"} {
		if !strings.Contains(env, want) {
			t.Errorf("the environment lacks %q", want)
		}
	}
	if strings.Contains(string(data), "secret") {
		t.Error("a secret reaches Chromium")
	}
	user, pass, ok := p.Proxy().Login("http://proxy.example:3128")
	if !ok || user != "user" || pass != "secret-pass" {
		t.Errorf("login %q %q %v", user, pass, ok)
	}
	if len(p.Notes()) != 1 || !strings.Contains(p.Notes()[0], "GSTACK_CHROMIUM_NO_SANDBOX is set") {
		t.Errorf("notes %q", p.Notes())
	}
}

func TestReservedArguments(t *testing.T) {
	for _, arg := range []string{"--remote-debugging-port=9222", "--user-data-dir=/x", "--remote-debugging-pipe", "http://example.com"} {
		_, err := Launch(limit(t), Options{Binary: Binary{Path: "/bin/true"}, Args: []string{arg}})
		if e, ok := errors.AsType[*api.Error](err); !ok || e.Code != api.BadUsage {
			t.Errorf("%s: %v, want bad usage", arg, err)
		}
	}
}

func TestUnwritableTemp(t *testing.T) {
	t.Setenv("TMPDIR", "/nonexistent/tmp")
	_, err := Launch(limit(t), Options{Binary: Binary{Path: "/bin/true"}})
	e, ok := errors.AsType[*api.Error](err)
	if !ok || e.Code != api.BrowserGone || !strings.Contains(e.Message, "cannot make a browser profile in /nonexistent/tmp") || !strings.Contains(e.Hint, "TMPDIR") {
		t.Errorf("error %v", err)
	}
}
