// Package proc runs whole processes for the measuring tools and looks at what
// belongs to them: their time from spawn to exit, what they printed, and, on
// Linux, the processes that carry a mark in their environment, with the memory
// that is theirs. It knows nothing of what it runs.
package proc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Command is a program to run.
type Command struct {
	Argv  []string
	Env   []string
	Dir   string
	Stdin string // path of a file, "" for none
}

// Result is what a finished process did.
type Result struct {
	Argv     []string
	Exit     int // -1 when a signal ended it
	Out, Err string
	Took     time.Duration // from just before the spawn until its exit was reported
	TimedOut bool          // the context ended it
}

// Error returns nil for exit code 0, and otherwise what is needed to see why.
func (r Result) Error() error {
	if r.Exit == 0 && !r.TimedOut {
		return nil
	}
	return fmt.Errorf("%s: exit %d after %d ms; stdout %.400q; stderr %.600q",
		strings.Join(r.Argv[1:], " "), r.Exit, r.Took.Milliseconds(), r.Out, r.Err)
}

// A Runner runs commands. Their output goes to files in a folder of its own,
// in memory where the system has such a place, so that no reader of ours shares
// the processor with what is measured.
type Runner struct {
	dir string
	n   int
}

// NewRunner makes a Runner; Close removes its folder.
func NewRunner() (*Runner, error) {
	base := "/dev/shm"
	if st, err := os.Stat(base); err != nil || !st.IsDir() {
		base = os.TempDir()
	}
	dir, err := os.MkdirTemp(base, "proc-")
	if err != nil {
		return nil, err
	}
	return &Runner{dir: dir}, nil
}

// Close removes the folder of the outputs.
func (r *Runner) Close() error { return os.RemoveAll(r.dir) }

// Running is a started process.
type Running struct {
	process  *os.Process
	argv     []string
	out, err *os.File
	start    time.Time
}

// Start spawns a process; its Wait must be called.
func (r *Runner) Start(c Command) (*Running, error) {
	r.n++
	if c.Stdin == "" {
		c.Stdin = os.DevNull
	}
	in, err := os.Open(c.Stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	out, err := os.Create(filepath.Join(r.dir, fmt.Sprintf("out%d", r.n)))
	if err != nil {
		return nil, err
	}
	errs, err := os.Create(filepath.Join(r.dir, fmt.Sprintf("err%d", r.n)))
	if err != nil {
		out.Close()
		return nil, err
	}
	p := &Running{argv: c.Argv, out: out, err: errs, start: time.Now()}
	p.process, err = os.StartProcess(c.Argv[0], c.Argv, &os.ProcAttr{Dir: c.Dir, Env: c.Env, Files: []*os.File{in, out, errs}})
	if err != nil {
		p.drop()
		return nil, err
	}
	return p, nil
}

func (p *Running) drop() {
	for _, f := range []*os.File{p.out, p.err} {
		f.Close()
		os.Remove(f.Name())
	}
}

// Wait waits for the exit, and kills the process when ctx ends first.
func (p *Running) Wait(ctx context.Context) Result {
	stop := context.AfterFunc(ctx, func() { p.process.Kill() }) //nolint:errcheck // it may just have exited
	state, err := p.process.Wait()
	r := Result{Argv: p.argv, Exit: -1, Took: time.Since(p.start), TimedOut: !stop()}
	if err == nil {
		r.Exit = state.ExitCode()
	}
	r.Out, r.Err = content(p.out), content(p.err)
	p.drop()
	return r
}

func content(f *os.File) string {
	b, err := os.ReadFile(f.Name())
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return string(b)
}

// Run is Start and Wait.
func (r *Runner) Run(ctx context.Context, c Command) Result {
	p, err := r.Start(c)
	if err != nil {
		return Result{Argv: c.Argv, Exit: -1, Err: err.Error()}
	}
	return p.Wait(ctx)
}
