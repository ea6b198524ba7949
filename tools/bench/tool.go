package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"gstack/tools/internal/proc"
)

// A tool is a program under measurement: ours, or a peer. The bench speaks
// browse's own command line; a peer translates it.
type tool struct {
	key, label string
	prefix     []string
	env        []string
	dir        string // working directory, home and temp folder are below it
	version    string
	sizes      []sized
	refPrefix  string // what the tool puts before the id of a ref: "@" or nothing
	translate  func(args []string) []string
	hasBatch   bool

	runner *proc.Runner
	mark   string
	calls  int
}

// sized is a part of what a tool occupies on disk.
type sized struct {
	what  string
	paths []string
}

// callLimit ends a command that hangs.
const callLimit = 60 * time.Second

// newTool prepares the folders and the environment that every tool gets alike.
func newTool(run *runEnv, key, label string, extra ...string) (*tool, error) {
	t := &tool{key: key, label: label, dir: filepath.Join(run.dir, key), refPrefix: "@", runner: run.runner,
		mark: fmt.Sprintf("BENCH_MARK=%d:%s", os.Getpid(), key), translate: func(args []string) []string { return args }}
	for _, d := range []string{"home", "tmp", "work"} {
		if err := os.MkdirAll(filepath.Join(t.dir, d), 0o700); err != nil {
			return nil, err
		}
	}
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		lower := strings.ToLower(name)
		if strings.HasPrefix(name, "BROWSE_") || strings.HasPrefix(name, "AGENT_BROWSER_") || strings.HasSuffix(lower, "_proxy") || name == "HOME" || name == "TMPDIR" {
			continue
		}
		t.env = append(t.env, kv)
	}
	t.env = append(t.env, t.mark, "HOME="+filepath.Join(t.dir, "home"), "TMPDIR="+t.tmp())
	t.env = append(t.env, extra...)
	return t, nil
}

func (t *tool) tmp() string { return filepath.Join(t.dir, "tmp") }

func (t *tool) command(args ...string) proc.Command {
	return proc.Command{Argv: append(t.prefix[:len(t.prefix):len(t.prefix)], t.translate(args)...), Env: t.env, Dir: filepath.Join(t.dir, "work")}
}

// run runs one command to its end. The result's error says what went wrong.
func (t *tool) run(ctx context.Context, args ...string) (proc.Result, error) {
	return t.runStdin(ctx, "", args...)
}

func (t *tool) runStdin(ctx context.Context, stdin string, args ...string) (proc.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	c := t.command(args...)
	c.Stdin = stdin
	t.calls++
	r := t.runner.Run(ctx, c)
	return r, r.Error()
}

// holds fails unless each text is in an answer.
func holds(out string, texts ...string) error {
	for _, text := range texts {
		if !strings.Contains(out, text) {
			return fmt.Errorf("%q is not in the answer %.300q", text, out)
		}
	}
	return nil
}

// js evaluates an expression and returns its value without quotes.
func (t *tool) js(ctx context.Context, expression string) (string, error) {
	r, err := t.run(ctx, "js", expression)
	return unquoted(r.Out), err
}

func unquoted(out string) string { return strings.Trim(strings.TrimSpace(out), `"`) }

// refID finds a ref in a line of a snapshot: @e3, [ref=e3], [ref=f1e3].
var refID = regexp.MustCompile(`(?:@|ref=)((?:f\d+)?[ec]\d+)\b`)

// ref finds the ref of the first line with this role and name.
func (t *tool) ref(snapshot, role, name string) (string, error) {
	for line := range strings.Lines(snapshot) {
		if !strings.Contains(line, role) || !strings.Contains(line, `"`+name+`"`) {
			continue
		}
		if m := refID.FindStringSubmatch(line); m != nil {
			return t.refPrefix + m[1], nil
		}
	}
	return "", fmt.Errorf("no ref for %s %q in the snapshot %.300q", role, name, snapshot)
}

// refs counts the different refs in a snapshot.
func refs(snapshot string) int {
	seen := map[string]bool{}
	for _, m := range refID.FindAllStringSubmatch(snapshot, -1) {
		seen[m[1]] = true
	}
	return len(seen)
}

// payload is a snapshot without the lines that fence page content.
func payload(snapshot string) string {
	var b strings.Builder
	for line := range strings.Lines(snapshot) {
		if !strings.HasPrefix(line, "--- BEGIN UNTRUSTED") && !strings.HasPrefix(line, "--- END UNTRUSTED") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// processes returns the tool's browser processes and its others.
func (t *tool) processes() (browsers, daemons []int) { return proc.Browsers(proc.Tree(t.mark)) }

// stop runs the tool's stop command and waits until all that it had started is
// gone. It returns the time until the command exited and until all was gone.
func (t *tool) stop(ctx context.Context) (exit, gone time.Duration, err error) {
	vigil := proc.Watch(proc.Tree(t.mark))
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	start := time.Now()
	r, err := t.run(ctx, "stop")
	if e := vigil.Gone(ctx); err == nil {
		err = e
	}
	gone = time.Since(start)
	if left := proc.Tree(t.mark); len(left) > 0 {
		proc.Kill(left)
		if err == nil {
			err = fmt.Errorf("stop leaves %d processes", len(left))
		}
	}
	return r.Took, gone, err
}

// left names what the tool left in its temp folder.
func (t *tool) left() []string {
	entries, err := os.ReadDir(t.tmp())
	if err != nil {
		return []string{err.Error()}
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func ours(run *runEnv, browse string) (*tool, error) {
	t, err := newTool(run, "browse", "browse", "GSTACK_CHROMIUM_PATH="+run.chromium, "BROWSE_MAX_BYTES=0")
	if err != nil {
		return nil, err
	}
	t.hasBatch = true
	t.prefix = []string{browse}
	daemon := filepath.Join(filepath.Dir(browse), "browsed")
	t.sizes = []sized{{"client", []string{browse}}, {"daemon", []string{daemon}}}
	r, err := t.run(context.Background(), "--version")
	t.version = strings.TrimSpace(r.Out)
	return t, err
}
