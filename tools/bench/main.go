// Bench measures browse as its users meet it, as whole processes from spawn to
// exit, and holds the results against the budgets of this project.
//
//	make bench                         the budgets that need no peer
//	make bench PEERS=/tmp/peers        side by side with the peers installed there:
//	                                   npm install agent-browser@0.41.2 @playwright/cli@0.1.22
//	make bench ARGS='-quick -only url' a short look at a part
//
// The tools take turns, one repetition each, in rotating order, all with the
// same Chromium and the same pages, next to the floors: /bin/true, the start of a
// Go program that prints a line, and Chromium driven over a pipe by the least code
// that can. A repetition counts only when its effect is proven: the server saw the
// request, the page counted the click.
// Ratios within one run can be compared, milliseconds of two machines cannot.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/term"

	"gstack/tools/internal/entry"
	"gstack/tools/internal/proc"
)

// runEnv is what all tools share.
type runEnv struct {
	dir      string
	runner   *proc.Runner
	chromium string
}

func main() { entry.Main("bench", run) }

func run(ctx context.Context) error {
	browse := flag.String("browse", "bin/browse", "the program to measure; the daemon is beside it")
	peerDir := flag.String("peers", os.Getenv("PEERS"), "folder with node_modules of the peers")
	out := flag.String("out", "bench-out", "folder for RESULTS.md and results.json")
	only := flag.String("only", "", "measure only what matches this regular expression")
	quick := flag.Bool("quick", false, "few repetitions, no 50,000-node page")
	strict := flag.Bool("strict", false, "exit with an error when a budget is exceeded")
	flag.Parse()
	filter, err := regexp.Compile(*only)
	if err != nil {
		return err
	}

	env := &runEnv{}
	if env.chromium, err = findChromium(); err != nil {
		return err
	}
	if env.dir, err = os.MkdirTemp("", "bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(env.dir)
	if env.runner, err = proc.NewRunner(); err != nil {
		return err
	}
	defer env.runner.Close()
	site, err := newSite(ctx)
	if err != nil {
		return err
	}
	defer site.close()

	b := newBench(env, site, *quick, filter)
	b.progress = term.IsTerminal(int(os.Stderr.Fd()))
	program, err := filepath.Abs(*browse)
	if err != nil {
		return err
	}
	if b.ours, err = ours(env, program); err != nil {
		return err
	}
	b.tools = []*tool{b.ours}
	if *peerDir != "" {
		dir, err := filepath.Abs(*peerDir)
		if err != nil {
			return err
		}
		found, err := peers(ctx, env, dir)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("no peer under %s/node_modules", dir)
		}
		b.tools = append(b.tools, found...)
	}
	defer b.end()
	b.measure(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return b.write(*out, *strict)
}

// findChromium names the one browser that every tool and the floor start.
func findChromium() (string, error) {
	if p := os.Getenv("GSTACK_CHROMIUM_PATH"); p != "" {
		return p, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	for _, p := range []string{"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"} {
		if _, err := os.Stat(p); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("no Chromium found; set GSTACK_CHROMIUM_PATH")
}

// end stops every tool, whatever state the run left it in.
func (b *bench) end() {
	ctx := context.Background()
	if b.least != nil {
		if err := b.least.bare.close(); err != nil {
			fmt.Fprintf(os.Stderr, "bench: stopping the browser of the floor: %v\n", err)
		}
	}
	for _, t := range b.tools {
		if len(proc.Tree(t.mark)) > 0 {
			if _, _, err := t.stop(ctx); err != nil {
				fmt.Fprintf(os.Stderr, "bench: stopping %s: %v\n", t.label, err)
			}
		}
	}
}

// write prints the report and keeps it, with the raw numbers beside it.
func (b *bench) write(dir string, strict bool) error {
	lines := b.judge()
	text := b.report(lines)
	fmt.Print(text)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "RESULTS.md"), []byte(text), 0o644); err != nil {
		return err
	}
	raw, err := json.MarshalIndent(map[string]any{"nanoseconds": b.times, "facts": b.facts, "failures": b.failures}, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "results.json"), append(raw, '\n'), 0o644); err != nil {
		return err
	}
	var over []string
	for _, l := range lines {
		if l.verdict == exceeded {
			over = append(over, l.what)
		}
	}
	// A workload that failed has no figures, which no budget may pass for.
	if len(b.failures) > 0 {
		return fmt.Errorf("%d measurements failed, see the report", len(b.failures))
	}
	if strict && len(over) > 0 {
		return fmt.Errorf("over budget: %s", strings.Join(over, "; "))
	}
	return nil
}
