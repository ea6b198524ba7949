package test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// box is a workspace of its own: folders, environment, and a mark by which
// every process that comes of it is found again.
type box struct {
	t    testing.TB
	dir  string // the workspace
	tmp  string // its temp folder
	mark string
	env  []string
}

var boxes atomic.Int64

const markName = "BROWSE_TEST_MARK"

// newBox makes a workspace, and fails the test when something of it is left
// after its end: processes, profiles, locks.
func newBox(t testing.TB, extra ...string) *box {
	t.Helper()
	needChromium(t)
	root := t.TempDir()
	b := &box{t: t, dir: filepath.Join(root, "work"), tmp: filepath.Join(root, "tmp"),
		mark: fmt.Sprintf("%d.%d", os.Getpid(), boxes.Add(1))}
	for _, d := range []string{b.dir, b.tmp, filepath.Join(root, "home")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(root, "home"), "TMPDIR=" + b.tmp, markName + "=" + b.mark,
		"GSTACK_CHROMIUM_PATH=" + os.Getenv("GSTACK_CHROMIUM_PATH"), "CI=" + os.Getenv("CI"),
	}, extra...)
	t.Cleanup(func() {
		b.run("stop")
		if left := b.awaitGone(5 * time.Second); left != "" {
			t.Errorf("left behind: %s", left)
		}
		b.kill()
	})
	return b
}

// result is what one call of browse gave.
type result struct {
	out, err string
	code     int
}

func (r result) String() string {
	return fmt.Sprintf("exit %d\nstdout: %s\nstderr: %s", r.code, r.out, r.err)
}

// run runs browse with a generous deadline.
func (b *box) run(args ...string) result { return b.runStdin("", args...) }

func (b *box) runStdin(stdin string, args ...string) result {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "browse", args...)
	cmd.Dir, cmd.Env = b.dir, b.env
	cmd.Stdin = strings.NewReader(stdin)
	var out, errb bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errb
	err := cmd.Run()
	r := result{out: strings.TrimSuffix(out.String(), "\n"), err: errb.String()}
	if err != nil {
		r.code = -1
		if cmd.ProcessState != nil {
			r.code = cmd.ProcessState.ExitCode()
		}
	}
	return r
}

// must runs browse and fails the test when that fails.
func (b *box) must(args ...string) string {
	b.t.Helper()
	r := b.run(args...)
	if r.code != 0 {
		b.t.Fatalf("browse %s: %s", strings.Join(args, " "), r)
	}
	return r.out
}

// state returns the daemon's state file.
func (b *box) state() (pid, port int) {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(b.dir, ".gstack", "browse.json"))
	if err != nil {
		b.t.Fatal(err)
	}
	var s struct{ PID, Port int }
	if err := json.Unmarshal(data, &s); err != nil {
		b.t.Fatal(err)
	}
	return s.PID, s.Port
}

// processes returns the pids and command lines of all that came of the box: what
// carries its mark or names its temp folder, and their descendants. A browser
// overwrites its environment, so the mark alone does not find it.
func (b *box) processes() map[int]string {
	parents, cmds := map[int]int{}, map[int]string{}
	found := map[int]string{}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(d))
		stat, err := os.ReadFile(d + "/stat")
		if err != nil || pid == os.Getpid() {
			continue
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if fields[0] == "Z" {
			continue
		}
		parents[pid], _ = strconv.Atoi(fields[1])
		cmd, _ := os.ReadFile(d + "/cmdline")
		cmds[pid] = strings.ReplaceAll(string(bytes.TrimRight(cmd, "\x00")), "\x00", " ")
		env, _ := os.ReadFile(d + "/environ")
		if bytes.Contains(append([]byte{0}, env...), []byte("\x00"+markName+"="+b.mark+"\x00")) || strings.Contains(cmds[pid], b.tmp+"/") {
			found[pid] = cmds[pid]
		}
	}
	for grew := true; grew; {
		grew = false
		for pid, parent := range parents {
			if _, ok := found[pid]; !ok {
				if _, ok := found[parent]; ok {
					found[pid], grew = cmds[pid], true
				}
			}
		}
	}
	return found
}

// browsers returns the pids of the box's browser processes, the main one first.
func (b *box) browsers() (main int, all []int) {
	for pid, cmd := range b.processes() {
		if strings.Contains(cmd, "--user-data-dir") || strings.Contains(cmd, "--type=") || strings.Contains(cmd, "crashpad") {
			all = append(all, pid)
			if strings.Contains(cmd, "--remote-debugging-pipe") && !strings.Contains(cmd, "--type=") {
				main = pid
			}
		}
	}
	return main, all
}

// leftovers says what is there that should not be once everything has stopped.
func (b *box) leftovers() string {
	var left []string
	for pid, cmd := range b.processes() {
		left = append(left, fmt.Sprintf("process %d %.120s", pid, cmd))
	}
	for _, pattern := range []string{b.tmp + "/gstack-*", b.tmp + "/.org.chromium*", b.tmp + "/*/SingletonLock", b.dir + "/.gstack/browse.json", b.dir + "/.gstack/*.tmp*"} {
		files, _ := filepath.Glob(pattern)
		left = append(left, files...)
	}
	return strings.Join(left, "; ")
}

// awaitGone waits until nothing is left; it returns what still is at the end.
func (b *box) awaitGone(d time.Duration) string {
	end := time.After(d)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		left := b.leftovers()
		if left == "" {
			return ""
		}
		select {
		case <-tick.C:
		case <-end:
			return left
		}
	}
}

// kill ends whatever is left, so that one failing test does not disturb others.
func (b *box) kill() {
	for pid := range b.processes() {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}

// needChromium skips a test that needs a browser, visibly, or fails it where
// browser tests are required.
func needChromium(t testing.TB) {
	t.Helper()
	if os.Getenv("BROWSE_TEST_CHROMIUM") == "off" {
		t.Skip("tests with a browser are off")
	}
	if _, err := findChromium(); err != nil {
		if os.Getenv("BROWSE_TEST_CHROMIUM") == "required" {
			t.Fatalf("no Chromium: %v", err)
		}
		t.Skipf("no Chromium on this machine: %v", err)
	}
}
