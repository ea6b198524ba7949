package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gstack/tools/internal/proc"
)

// floorLeast is what a client in Go cannot be faster than: the start of a Go
// program that prints a line, and the protocol steps that the work takes at the
// least, one after the other, in a Chromium that does nothing else.
const floorLeast = "Go start and least protocol"

const helloSource = "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello\\n\") }\n"

// A least runs the floor of every workload: the empty program and a bare browser.
type least struct {
	env   *runEnv
	hello string // the program
	bare  *bare
}

// newLeast builds the program, as small and static as the client is, and starts
// the browser.
func newLeast(ctx context.Context, env *runEnv) (*least, error) {
	dir, err := os.MkdirTemp(env.dir, "hello-")
	if err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"main.go": helloSource, "go.mod": "module hello\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	l := &least{env: env, hello: filepath.Join(dir, "hello")}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", l.hello, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the empty program: %w: %s", err, out)
	}
	if l.bare, err = startBare(ctx, env); err != nil {
		return nil, err
	}
	return l, l.bare.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
}

// step is a part of a workload that talks to the browser, and returns when that
// has answered.
type step func(b *bare) error

// contender runs the program once for each of its starts, and then the steps.
func (l *least) contender(setup, steps []step, starts int) contender {
	do := func(steps []step) error {
		for _, s := range steps {
			if err := s(l.bare); err != nil {
				return err
			}
		}
		return nil
	}
	return contender{
		name:  floorLeast,
		setup: func(context.Context) error { return do(setup) },
		once: func(ctx context.Context, _ int) (time.Duration, error) {
			var sum time.Duration
			for range starts {
				r := l.env.runner.Run(ctx, proc.Command{Argv: []string{l.hello}})
				if err := r.Error(); err != nil {
					return 0, err
				}
				sum += r.Took
			}
			start := time.Now()
			err := do(steps)
			return sum + time.Since(start), err
		},
	}
}

// together runs n of the programs at once.
func (l *least) together(n int) contender {
	return contender{name: floorLeast, once: func(ctx context.Context, _ int) (time.Duration, error) {
		start := time.Now()
		var running []*proc.Running
		var failed error
		for range n {
			p, err := l.env.runner.Start(proc.Command{Argv: []string{l.hello}})
			if err != nil {
				failed = err
				break
			}
			running = append(running, p)
		}
		for _, p := range running {
			if err := p.Wait(ctx).Error(); failed == nil {
				failed = err
			}
		}
		return time.Since(start), failed
	}}
}

func open(url string) step { return func(b *bare) error { return b.navigate(url) } }

func evaluate(script string) step {
	return func(b *bare) error {
		return b.call("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true}, nil)
	}
}

// press clicks the middle of an element: where it is, the input, and a question
// that is answered when the page has handled it.
func press(selector string) step {
	script := fmt.Sprintf(`(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector(%q).getBoundingClientRect())`, selector)
	return func(b *bare) error {
		var at struct{ Result struct{ Value []float64 } }
		if err := b.call("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true}, &at); err != nil {
			return err
		}
		if len(at.Result.Value) != 2 {
			return fmt.Errorf("%s is not in the page of the floor", selector)
		}
		for _, e := range []map[string]any{{"type": "mouseMoved"}, {"type": "mousePressed", "button": "left", "clickCount": 1}} {
			e["x"], e["y"] = at.Result.Value[0], at.Result.Value[1]
			if err := b.send("Input.dispatchMouseEvent", e); err != nil {
				return err
			}
		}
		release := map[string]any{"type": "mouseReleased", "x": at.Result.Value[0], "y": at.Result.Value[1], "button": "left", "clickCount": 1}
		if err := b.call("Input.dispatchMouseEvent", release, nil); err != nil {
			return err
		}
		return evaluate("1")(b)
	}
}

// enter replaces the value of a field by real input, which is what makes a page
// hear of it before it happens (beforeinput), and reads it back.
func enter(selector, value string) step {
	return func(b *bare) error {
		if err := evaluate(fmt.Sprintf(`(e => { e.focus(); e.select(); })(document.querySelector(%q))`, selector))(b); err != nil {
			return err
		}
		if err := b.call("Input.insertText", map[string]any{"text": value}, nil); err != nil {
			return err
		}
		return evaluate(fmt.Sprintf(`document.querySelector(%q).value`, selector))(b)
	}
}

// look is a snapshot of a small page: one question.
var look = evaluate("document.body.innerText")

// sessionSteps is what the session asks of the browser, chainSteps what the chain
// does.
func (b *bench) sessionSteps() []step {
	base := b.site.base
	return []step{
		open(base + "/form.html"), look, enter("#user", "ann"), enter("#pass", "secret"), enter("#city", "Lyon"), press("#remember"), press("#go"), look,
		evaluate("document.title"), open(base + "/spa.html"), look, press("#add"), look, press(".item"), evaluate("window.hits"),
		open(base + "/small.html"), look, press("#inc"), look,
	}
}

func (b *bench) chainSteps() []step {
	base := b.site.base
	return []step{
		open(base + "/form.html"), enter("#user", "ann"), enter("#pass", "secret"), enter("#city", "Lyon"), press("#remember"), press("#go"), look,
		evaluate("document.title"), open(base + "/spa.html"), press("#add"), look, look, evaluate("window.items"),
		open(base + "/small.html"), press("#inc"), evaluate("document.title"), look, evaluate("1+1"),
	}
}

// leastOf returns the floor of a workload, none where there is no such thing.
func (b *bench) leastOf(ctx context.Context, workload string) []contender {
	small, big := []step{open(b.site.base + "/small.html")}, []step{open(b.site.base + "/big.html")}
	var setup, steps []step
	starts := 1
	switch workload {
	case wURL, wMissing, wParallel:
	case wJS:
		setup, steps = small, []step{evaluate("1+1")}
	case wGoto:
		steps = small
	case wSnap:
		setup, steps = small, []step{look}
	case wClick:
		setup, steps = small, []step{press("#inc")}
	case wFill:
		setup, steps = small, []step{enter("#name", "value")}
	case wText:
		setup, steps = big, []step{look}
	case wSession:
		steps, starts = b.sessionSteps(), 20
	case wChain:
		steps = b.chainSteps()
	default:
		return nil
	}
	if b.least == nil {
		l, err := newLeast(ctx, b.env)
		if err != nil {
			b.fail(workload, floorLeast, err)
			return nil
		}
		b.least = l
	}
	if workload == wParallel {
		return []contender{b.least.together(10)}
	}
	return []contender{b.least.contender(setup, steps, starts)}
}

// tabs reads twenty tabs in one chain, next to reading them one by one, of which
// the slowest counts.
func (b *bench) tabs(ctx context.Context) {
	const n = 20
	t := b.ours
	var ids []string
	file := filepath.Join(t.dir, "tabs.json")
	setup := func(ctx context.Context) error {
		if ids != nil {
			return nil
		}
		if err := b.at(ctx, t, "small"); err != nil {
			return err
		}
		var chain [][]string
		for k := range n {
			r, err := t.run(ctx, "newtab", b.site.base+fmt.Sprintf("/form.html?tab=%d", k), "--json")
			if err != nil {
				return err
			}
			var made struct{ TabID int }
			if err := json.Unmarshal([]byte(r.Out), &made); err != nil {
				return fmt.Errorf("newtab --json says %.200q", r.Out)
			}
			id := fmt.Sprint(made.TabID)
			ids = append(ids, id)
			chain = append(chain, []string{"tab", id}, []string{"text"})
		}
		text, err := json.Marshal(chain)
		if err != nil {
			return err
		}
		return os.WriteFile(file, text, 0o600)
	}
	b.rounds(ctx, wTabs, heavy, []contender{
		{name: t.key, setup: setup, once: func(ctx context.Context, _ int) (time.Duration, error) {
			r, err := t.runStdin(ctx, file, "chain")
			if err == nil && strings.Count(r.Out, "Remember me") != n {
				err = fmt.Errorf("the chain read %d of %d tabs", strings.Count(r.Out, "Remember me"), n)
			}
			return r.Took, err
		}},
		{name: floorSingle, setup: setup, once: func(ctx context.Context, _ int) (time.Duration, error) {
			var slowest time.Duration
			for _, id := range ids {
				r, err := t.run(ctx, "text", "--tab-id", id)
				if err == nil {
					err = holds(r.Out, "Remember me")
				}
				if err != nil {
					return 0, err
				}
				slowest = max(slowest, r.Took)
			}
			return slowest, nil
		}},
	})
	for _, id := range ids {
		if _, err := t.run(ctx, "closetab", id); err != nil {
			b.fail(wTabs, t.key, err)
		}
	}
}
