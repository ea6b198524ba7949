//go:build unix

package daemon_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"gstack/internal/cli"
	"gstack/internal/daemon"
	"gstack/internal/workspace"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"browse": func() {
			workspace.TestOnlyBuild(os.Getenv("FAKE_BUILD"))
			os.Exit(cli.Main(os.Args[1:]))
		},
		"browsed": func() {
			workspace.TestOnlyBuild(os.Getenv("FAKE_BUILD"))
			os.Exit(daemon.Main(newFake))
		},
		// bystander is a process that is nobody's daemon: it says its pid and waits
		// for the end of its input.
		"bystander": func() {
			fmt.Println(os.Getpid())
			_, _ = io.Copy(io.Discard, os.Stdin)
		},
		"flaky": flaky,
	})
}

// limit is how long a script waits for anything.
const limit = 20 * time.Second

func TestScript(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the scripts look for processes in /proc")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: false,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			// Not under /tmp itself: a work tree there would be everybody's.
			ws := filepath.Join(e.WorkDir, "ws")
			home := filepath.Join(e.WorkDir, "home")
			for _, d := range []string{ws, home, filepath.Join(ws, ".git")} {
				if err := os.MkdirAll(d, 0o700); err != nil {
					return err
				}
			}
			if err := os.WriteFile(filepath.Join(ws, ".git/HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
				return err
			}
			e.Setenv("HOME", home)
			e.Setenv("GSTACK_HOME", "")
			e.Setenv("WS", ws)
			e.Setenv("STATE", filepath.Join(ws, ".gstack/browse.json"))
			e.Cd = ws
			e.Defer(func() {
				if left := leftovers(e.WorkDir); left != "" {
					e.T().Fatal("left behind: " + left)
				}
			})
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "readonly" {
				return canMount(), nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"parallel": cmdParallel, "daemons": cmdDaemons, "state": cmdState, "signal": cmdSignal, "end": cmdEnd, "http": cmdHTTP,
			"quick": cmdQuick, "gone": cmdGone, "fifo": cmdFifo, "heard": cmdHeard, "someone": cmdSomeone, "setstate": cmdSetState, "lock": cmdLock, "interrupt": cmdInterrupt, "readonly": cmdReadonly, "pretend": cmdPretend, "pretended": cmdPretended,
		},
	})
}

// canMount reports whether a folder can be made read-only for us: by its mode,
// or for root by a mount.
func canMount() bool {
	if os.Geteuid() != 0 {
		return true
	}
	dir, err := os.MkdirTemp("", "mount")
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	if exec.Command("mount", "-t", "tmpfs", "none", dir).Run() != nil {
		return false
	}
	return exec.Command("umount", dir).Run() == nil
}

// readonly DIR makes a folder read-only until the script ends.
func cmdReadonly(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(args[0])
	if os.Geteuid() != 0 {
		ts.Check(os.Chmod(dir, 0o555))
		ts.Defer(func() { _ = os.Chmod(dir, 0o755) })
		return
	}
	ts.Check(exec.Command("mount", "--bind", dir, dir).Run())
	ts.Defer(func() { _ = exec.Command("umount", dir).Run() })
	ts.Check(exec.Command("mount", "-o", "remount,bind,ro", dir).Run())
}

// leftovers ends every process that mentions dir and names it, and the files
// that a clean stop removes.
func leftovers(dir string) string {
	var out []string
	for _, pid := range processes(dir) {
		out = append(out, "process "+strconv.Itoa(pid))
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		name := filepath.Base(path)
		if err == nil && (strings.HasSuffix(name, ".lock") || strings.Contains(name, ".tmp.") || name == workspace.FileName && filepath.Base(filepath.Dir(path)) != "kept") {
			out = append(out, path)
		}
		return nil
	})
	return strings.Join(out, ", ")
}

// processes returns the daemons whose command line has a path under dir.
func processes(dir string) []int {
	var out []int
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		data, err := os.ReadFile(name)
		args := strings.Split(string(data), "\x00")
		if err != nil || filepath.Base(args[0]) != "browsed" || !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, dir) }) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// handle opens the state file that $STATE names.
func handle(ts *testscript.TestScript) *workspace.Handle {
	file := ts.Getenv("STATE")
	h, err := workspace.Open(workspace.Place{Dir: filepath.Dir(file), File: file})
	if err != nil {
		ts.Fatalf("%s: %v", file, err)
	}
	return h
}

// command returns a process of the script's environment and folder.
func command(ts *testscript.TestScript, args []string) *exec.Cmd {
	path, err := exec.LookPath(args[0])
	if err != nil {
		ts.Fatalf("%v", err)
	}
	cmd := exec.Command(path, args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{
		"PATH", "HOME", "WS", "STATE", "BROWSE_STATE_FILE", "BROWSE_IDLE_TIMEOUT", "FAKE_START", "FAKE_BUILD", "FAKE_CLOSED",
		"BROWSE_START_TIMEOUT", "AUTH_TOKEN",
	} {
		if v := ts.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	return cmd
}

// parallel N PROGRAM ARGS… runs N at once. All must exit alike: with 0, or with
// "!" with something else. What they print is in parallel.out, one kind of
// answer a line, with its count in front.
func cmdParallel(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var mu sync.Mutex
	kinds := map[string]int{}
	failed := 0
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		cmd := command(ts, args[1:])
		go func() {
			defer wg.Done()
			out, err := cmd.CombinedOutput()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed++
			}
			for line := range strings.Lines(string(out)) {
				kinds[strings.TrimSuffix(line, "\n")]++
			}
		}()
	}
	wg.Wait()
	var b strings.Builder
	for _, k := range slices.Sorted(func(yield func(string) bool) {
		for k := range kinds {
			if !yield(k) {
				return
			}
		}
	}) {
		fmt.Fprintf(&b, "%d %s\n", kinds[k], k)
	}
	ts.Check(os.WriteFile(ts.MkAbs("parallel.out"), []byte(b.String()), 0o600))
	ts.Logf("%s", b.String())
	if want := map[bool]int{false: 0, true: n}[neg]; failed != want {
		ts.Fatalf("%d of %d failed, want %d", failed, n, want)
	}
}

// daemons N checks how many daemons the script's folders have.
func cmdDaemons(ts *testscript.TestScript, neg bool, args []string) {
	if got := processes(ts.Getenv("WORK")); fmt.Sprint(len(got)) != args[0] {
		ts.Fatalf("daemons: %v, want %s of them", got, args[0])
	}
}

// state sets PID, PORT and TOKEN from the state file.
func cmdState(ts *testscript.TestScript, neg bool, args []string) {
	h := handle(ts)
	defer h.Close()
	ts.Setenv("PID", strconv.Itoa(h.State.PID))
	ts.Setenv("PORT", strconv.Itoa(h.State.Port))
	ts.Setenv("TOKEN", h.State.Token)
}

// setstate NAME VALUE changes a member of the state file, with its lock lost.
func cmdSetState(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(ts.Getenv("STATE"))
	data, err := os.ReadFile(path)
	ts.Check(err)
	re := regexp.MustCompile(`("` + regexp.QuoteMeta(args[0]) + `":)("[^"]*"|[0-9]+)`)
	if !re.Match(data) {
		ts.Fatalf("no %s in %s", args[0], data)
	}
	ts.Check(os.Remove(path))
	ts.Check(os.WriteFile(path, re.ReplaceAll(data, []byte("${1}"+args[1])), 0o600))
}

var signals = map[string]syscall.Signal{"KILL": syscall.SIGKILL, "STOP": syscall.SIGSTOP, "CONT": syscall.SIGCONT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "INT": syscall.SIGINT}

// signal NAME PID
func cmdSignal(ts *testscript.TestScript, neg bool, args []string) {
	pid, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(syscall.Kill(pid, signals[args[0]]))
	// A stop takes effect when each thread next enters the kernel.
	for end := time.Now().Add(limit); args[0] == "STOP" && !stopped(pid); runtime.Gosched() {
		if time.Now().After(end) {
			ts.Fatalf("pid %d does not stop", pid)
		}
	}
}

// stopped reports whether all threads of a process are stopped.
func stopped(pid int) bool {
	stats, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/stat")
	for _, name := range stats {
		data, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(data[bytes.LastIndexByte(data, ')')+1:][:3], []byte("T")) {
			return false
		}
	}
	return len(stats) > 0
}

// end NAME signals the daemon of the state file and waits for its end.
func cmdEnd(ts *testscript.TestScript, neg bool, args []string) {
	h := handle(ts)
	defer h.Close()
	ts.Check(syscall.Kill(h.State.PID, signals[args[0]]))
	if !h.WaitGone(limit) {
		ts.Fatalf("pid %d has not ended", h.State.PID)
	}
}

// gone waits for the end of the daemon of the state file.
func cmdGone(ts *testscript.TestScript, neg bool, args []string) {
	h := handle(ts)
	defer h.Close()
	if !h.WaitGone(limit) {
		ts.Fatalf("pid %d has not ended", h.State.PID)
	}
}

// fifo NAME… makes named pipes, through which the fake engine tells where it is.
func cmdFifo(ts *testscript.TestScript, neg bool, args []string) {
	for _, a := range args {
		ts.Check(syscall.Mkfifo(ts.MkAbs(a), 0o600))
	}
}

// heard NAME REGEXP waits for the text of a named pipe.
func cmdHeard(ts *testscript.TestScript, neg bool, args []string) {
	got := make(chan string, 1)
	path := ts.MkAbs(args[0])
	go func() {
		data, err := os.ReadFile(path)
		if err != nil {
			data = []byte(err.Error())
		}
		got <- string(data)
	}()
	select {
	case text := <-got:
		if !regexp.MustCompile(args[1]).MatchString(text) {
			ts.Fatalf("%s: heard %q, want %s", args[0], text, args[1])
		}
	case <-time.After(limit):
		ts.Fatalf("%s: heard nothing", args[0])
	}
}

// quick MS PROGRAM ARGS… checks that a program succeeds within that time.
func cmdQuick(ts *testscript.TestScript, neg bool, args []string) {
	ms, err := strconv.Atoi(args[0])
	ts.Check(err)
	began := time.Now()
	if err := ts.Exec(args[1], args[2:]...); (err != nil) != neg {
		ts.Fatalf("%v", err)
	}
	if took := time.Since(began); took > time.Duration(ms)*time.Millisecond {
		ts.Fatalf("it took %v, want at most %d ms", took, ms)
	}
}

// someone starts a process that is not a daemon and sets SOMEONE to its pid. Its
// start time differs from the daemon's in the state file, as it does for a pid
// that comes round again; the clock of start times has ticks of 10 ms.
func cmdSomeone(ts *testscript.TestScript, neg bool, args []string) {
	h := handle(ts)
	h.Close()
	for {
		bystander(ts)
		pid, err := strconv.Atoi(ts.Getenv("SOMEONE"))
		ts.Check(err)
		if start, _ := workspace.Process(pid); start != h.State.PIDStart {
			return
		}
	}
}

func bystander(ts *testscript.TestScript) {
	cmd := command(ts, []string{"bystander"})
	in, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	ts.Check(err)
	ts.Setenv("SOMEONE", strings.TrimSpace(line))
	ts.Defer(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
}

// pretend WORD… runs a flaky daemon until "pretended", which sets its output as
// the content of flaky.out.
func cmdPretend(ts *testscript.TestScript, neg bool, args []string) {
	cmd := command(ts, append([]string{"flaky"}, args...))
	in, err := cmd.StdinPipe()
	ts.Check(err)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	r := bufio.NewReader(out)
	_, err = r.ReadString('\n')
	ts.Check(err)
	end := sync.OnceFunc(func() {
		_ = in.Close()
		text, _ := io.ReadAll(r)
		_ = cmd.Wait()
		_ = os.WriteFile(ts.MkAbs("flaky.out"), text, 0o600)
	})
	ts.Defer(end)
	pretenders.Store(ts, end)
}

var pretenders sync.Map

// pretended ends the flaky daemon.
func cmdPretended(ts *testscript.TestScript, neg bool, args []string) {
	end, ok := pretenders.Load(ts)
	if !ok {
		ts.Fatalf("there is none")
	}
	end.(func())()
}

// lock holds the start lock of the state file until the script ends.
func cmdLock(ts *testscript.TestScript, neg bool, args []string) {
	file := ts.Getenv("STATE")
	place := workspace.Place{Dir: filepath.Dir(file), File: file}
	ts.Check(os.MkdirAll(place.Dir, 0o700))
	l, err := place.TryLock()
	ts.Check(err)
	ts.Defer(l.Release)
}

// interrupt FIFO PROGRAM ARGS… runs a program, and ends it by SIGINT once the
// pipe has said something.
func cmdInterrupt(ts *testscript.TestScript, neg bool, args []string) {
	cmd := command(ts, args[1:])
	ts.Check(cmd.Start())
	cmdHeard(ts, false, []string{args[0], "."})
	ts.Check(cmd.Process.Signal(syscall.SIGINT))
	_ = cmd.Wait()
}

// http METHOD PATH [Name: value]… [=BODY] sends a request as it stands to $PORT.
// The answer is in http.out: status, headers, body. A header "Host: " or
// "Authorization: " replaces the right one; with an empty value it is left out.
// "@N" as a body is N bytes long.
func cmdHTTP(ts *testscript.TestScript, neg bool, args []string) {
	host, auth, body := "127.0.0.1:"+ts.Getenv("PORT"), "Bearer "+ts.Getenv("TOKEN"), ""
	var more strings.Builder
	for _, a := range args[2:] {
		name, v, _ := strings.Cut(a, ": ")
		switch {
		case strings.HasPrefix(a, "=@"):
			n, err := strconv.Atoi(a[2:])
			ts.Check(err)
			body = strings.Repeat(" ", n)
		case strings.HasPrefix(a, "="):
			body = a[1:]
		case name == "Host":
			host = v
		case name == "Authorization":
			auth = v
		default:
			more.WriteString(a + "\r\n")
		}
	}
	head := args[0] + " " + args[1] + " HTTP/1.1\r\nConnection: close\r\n" + more.String()
	if host != "" {
		head += "Host: " + host + "\r\n"
	}
	if auth != "" {
		head += "Authorization: " + auth + "\r\n"
	}
	if body != "" {
		head += fmt.Sprintf("Content-Length: %d\r\n", len(body))
	}
	c, err := net.Dial("tcp", "127.0.0.1:"+ts.Getenv("PORT"))
	ts.Check(err)
	defer c.Close()
	ts.Check(c.SetDeadline(time.Now().Add(limit)))
	go func() { // a refused body is not read to its end
		_, _ = io.WriteString(c, head+"\r\n"+body)
	}()
	out, err := io.ReadAll(c)
	if len(out) == 0 {
		ts.Check(err)
	}
	ts.Check(os.WriteFile(ts.MkAbs("http.out"), bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n")), 0o600))
}
