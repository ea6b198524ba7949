// Soak runs browse for long and for many: commands by the ten thousand, tabs by
// the thousand, and the manuals that Debian ships as real pages. It measures
// what the daemon weighs before and after, and fails when an answer is wrong,
// when the daemon grows, or when something is left behind.
//
//	make soak                                 all parts at their usual sizes
//	make soak TABS=200 COMMANDS=1000          smaller
//	make soak ARGS='-only tabs'               one part: commands, tabs or manuals
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"gstack/tools/internal/entry"
	"gstack/tools/internal/proc"
)

func main() { entry.Main("soak", run) }

func run(ctx context.Context) error {
	browse := flag.String("browse", "bin/browse", "the program to run; the daemon is beside it")
	commands := flag.Int("commands", 10000, "how many commands")
	tabs := flag.Int("tabs", 2000, "how many tabs")
	atOnce := flag.Int("open", 300, "how many tabs at once; each takes about 22 MB of browser")
	manuals := flag.String("manuals", "/usr/share", "folder that holds doc/python3-doc and doc/debian-handbook")
	only := flag.String("only", "", "run only the parts that match this regular expression")
	flag.Parse()
	filter, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	program, err := filepath.Abs(*browse)
	if err != nil {
		return err
	}
	var failed error
	for _, part := range []struct {
		name string
		run  func(context.Context, *workspace) error
	}{
		{"commands", func(ctx context.Context, w *workspace) error { return manyCommands(ctx, w, *commands) }},
		{"tabs", func(ctx context.Context, w *workspace) error { return manyTabs(ctx, w, *tabs, max(*atOnce, 1)) }},
		{"manuals", func(ctx context.Context, w *workspace) error { return readManuals(ctx, w, *manuals) }},
	} {
		if !filter.MatchString(part.name) || ctx.Err() != nil {
			continue
		}
		fmt.Printf("== %s\n", part.name)
		if err := inWorkspace(ctx, program, part.run); err != nil {
			fmt.Printf("FAILED: %v\n", err)
			failed = errors.Join(failed, fmt.Errorf("%s: %w", part.name, err))
		}
	}
	return errors.Join(failed, ctx.Err())
}

// A workspace is a scratch one, with a daemon of its own.
type workspace struct {
	program, dir, mark string
	env                []string
	runner             *proc.Runner
	calls              int
}

// inWorkspace runs one part in a fresh workspace, and proves afterwards that
// nothing of it is left: no process, no file in its temp folder.
func inWorkspace(ctx context.Context, program string, part func(context.Context, *workspace) error) error {
	dir, err := os.MkdirTemp("", "soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w := &workspace{program: program, dir: dir, mark: "SOAK_MARK=" + dir}
	for _, d := range []string{"work", "tmp", "home"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			return err
		}
	}
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); !strings.HasPrefix(name, "BROWSE_") && name != "HOME" && name != "TMPDIR" {
			w.env = append(w.env, kv)
		}
	}
	w.env = append(w.env, w.mark, "HOME="+filepath.Join(dir, "home"), "TMPDIR="+filepath.Join(dir, "tmp"))
	if w.runner, err = proc.NewRunner(); err != nil {
		return err
	}
	defer w.runner.Close()
	start := time.Now()
	err = part(ctx, w)
	fmt.Printf("%d commands in %s\n", w.calls, time.Since(start).Round(time.Second))
	return errors.Join(err, w.end(context.WithoutCancel(ctx)))
}

// end stops the daemon and looks for what is left.
func (w *workspace) end(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	vigil := proc.Watch(proc.Tree(w.mark))
	start := time.Now()
	_, err := w.run(ctx, "stop")
	err = errors.Join(err, vigil.Gone(ctx))
	fmt.Printf("stop until all is gone: %d ms\n", time.Since(start).Milliseconds())
	if left := proc.Tree(w.mark); len(left) > 0 {
		proc.Kill(left)
		err = errors.Join(err, fmt.Errorf("%d processes left after stop", len(left)))
	}
	files, readErr := os.ReadDir(filepath.Join(w.dir, "tmp"))
	for _, f := range files {
		err = errors.Join(err, fmt.Errorf("%s left in the temp folder", f.Name()))
	}
	return errors.Join(err, readErr)
}

// run runs one command; a failure is an error that quotes it.
func (w *workspace) run(ctx context.Context, args ...string) (proc.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	w.calls++
	r := w.runner.Run(ctx, proc.Command{Argv: append([]string{w.program}, args...), Env: w.env, Dir: filepath.Join(w.dir, "work")})
	return r, r.Error()
}

// has runs a command whose answer must hold each text.
func (w *workspace) has(ctx context.Context, args []string, texts ...string) (proc.Result, error) {
	r, err := w.run(ctx, args...)
	if err != nil {
		return r, err
	}
	for _, text := range texts {
		if !strings.Contains(r.Out, text) {
			return r, fmt.Errorf("browse %s: %q is not in the answer %.400q", strings.Join(args, " "), text, r.Out)
		}
	}
	return r, nil
}

// memory is the PSS of the daemon and of its browser, in bytes.
func (w *workspace) memory() (daemon, browser int64) {
	b, d := proc.Browsers(proc.Tree(w.mark))
	return proc.PSS(d), proc.PSS(b)
}

func mib(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
