package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gstack/tools/internal/proc"
)

// The workloads, by the names under which the budgets know them.
const (
	wCold     = "cold start"
	wStop     = "stop until all is gone"
	wURL      = "url"
	wGoto     = "goto small"
	wSnap     = "snapshot -i, 5 controls"
	wSnapBig  = "snapshot -i, 10,000 nodes"
	wSnapHuge = "snapshot -i, 50,000 nodes"
	wClick    = "click @ref"
	wFill     = "fill @ref"
	wJS       = "js 1+1"
	wMissing  = "click on a missing ref"
	wShot     = "screenshot, viewport"
	wShotFull = "screenshot, full page, 10,000 nodes"
	wText     = "text, 10,000 nodes"
	wSession  = "20-command session"
	wChain    = "20 commands in one chain"
	wParallel = "10 url at once"
	wTabs     = "text of 20 tabs in one chain"

	floorTrue     = "/bin/true"
	floorStart    = "bare Chromium to a loaded page"
	floorNavigate = "bare Page.navigate to load"
	floorSingle   = "the slowest single one"
)

// measure runs every workload that the filter lets through.
func (b *bench) measure(ctx context.Context) {
	if b.wants(wCold) || b.wants(wStop) {
		b.coldStart(ctx)
	}
	for _, t := range b.tools {
		b.weigh(ctx, t, "idle")
	}
	for _, w := range []struct {
		name string
		run  func(context.Context)
	}{
		{wURL, b.url}, {wGoto, b.goTo},
		{wSnap, b.snapshot(wSnap, "small", usual, "Increment")},
		{wSnapBig, b.snapshot(wSnapBig, "big", usual, "Button number 1999")},
		{wSnapHuge, b.snapshot(wSnapHuge, "huge", heavy, "Edit record 2499")},
		{wClick, b.click}, {wFill, b.fill}, {wJS, b.js}, {wMissing, b.missing},
		{wShot, b.screenshot(wShot, "small", []string{"--viewport"}, usual, 400)},
		{wText, b.text},
		{wShotFull, b.screenshot(wShotFull, "big", nil, heavy, 1500)},
		{wSession, b.session}, {wChain, b.chain}, {wParallel, b.parallel}, {wTabs, b.tabs},
	} {
		if ctx.Err() == nil && b.wants(w.name) && (w.name != wSnapHuge || !b.quick) {
			w.run(ctx)
		}
	}
	for _, t := range b.tools {
		b.weigh(ctx, t, "after the run")
		b.fact("commands", t.key, float64(t.calls))
	}
	if b.wants("bytes") {
		b.bytes(ctx)
	}
}

// each makes one contender per tool.
func (b *bench) each(f func(*tool) contender) []contender {
	var cs []contender
	for _, t := range b.tools {
		c := f(t)
		c.name = t.key
		cs = append(cs, c)
	}
	return cs
}

// at opens a fixture page.
func (b *bench) at(ctx context.Context, t *tool, page string) error {
	_, err := t.run(ctx, "goto", b.site.base+"/"+page+".html")
	return err
}

func (b *bench) coldStart(ctx context.Context) {
	b.times[wStop] = map[string][]time.Duration{}
	cs := b.each(func(t *tool) contender {
		return contender{once: func(ctx context.Context, k int) (time.Duration, error) {
			if err := b.stopped(ctx, t); err != nil {
				return 0, err
			}
			uri := fmt.Sprintf("/small.html?cold=%s-%d", t.key, k)
			r, err := t.run(ctx, "goto", b.site.base+uri)
			if err != nil {
				return 0, err
			}
			return r.Took, b.arrived(ctx, t, uri)
		}}
	})
	cs = append(cs, contender{name: floorStart, once: func(ctx context.Context, k int) (time.Duration, error) {
		start := time.Now()
		bare, err := startBare(ctx, b.env)
		if err != nil {
			return 0, err
		}
		uri := fmt.Sprintf("/small.html?cold=bare-%d", k)
		err = bare.navigate(b.site.base + uri)
		took := time.Since(start)
		if e := bare.close(); err == nil {
			err = e
		}
		if err == nil && !b.site.asked(uri) {
			err = fmt.Errorf("the page was never fetched")
		}
		return took, err
	}})
	b.rounds(ctx, wCold, cold, cs)
	for _, t := range b.tools {
		if err := b.stopped(ctx, t); err != nil {
			b.fail(wStop, t.key, err)
		}
	}
	b.order = append(b.order, wStop)
	b.tell(wStop, cs)
}

// stopped stops a running tool, and measures how long that takes.
func (b *bench) stopped(ctx context.Context, t *tool) error {
	if len(proc.Tree(t.mark)) == 0 {
		return nil
	}
	_, gone, err := t.stop(ctx)
	if err != nil {
		return err
	}
	if left := t.left(); len(left) > 0 && t == b.ours {
		return fmt.Errorf("stop leaves %s in the temp folder", strings.Join(left, ", "))
	}
	b.times[wStop][t.key] = append(b.times[wStop][t.key], gone)
	return nil
}

// arrived proves that the page of uri was fetched and is the one in the tab.
func (b *bench) arrived(ctx context.Context, t *tool, uri string) error {
	if !b.site.asked(uri) {
		return fmt.Errorf("%s was never fetched", uri)
	}
	title, err := t.js(ctx, "document.title")
	if err == nil && title != "Small" {
		err = fmt.Errorf("the title after %s is %q", uri, title)
	}
	return err
}

// weigh notes the memory of a tool's daemon, without its browser, after a page.
func (b *bench) weigh(ctx context.Context, t *tool, when string) {
	if !proc.Measures {
		return
	}
	if err := b.at(ctx, t, "small"); err != nil {
		b.fail("memory", t.key, err)
		return
	}
	if _, err := t.run(ctx, "snapshot", "-i"); err != nil {
		b.fail("memory", t.key, err)
		return
	}
	browsers, daemons := t.processes()
	b.fact("daemon memory, "+when, t.key, float64(proc.PSS(daemons)))
	b.fact("browser memory, "+when, t.key, float64(proc.PSS(browsers)))
}

// simple is a contender that runs the same command again and again.
func (b *bench) simple(t *tool, page string, args []string, proof func(proc.Result) error) contender {
	return contender{
		setup: func(ctx context.Context) error { return b.at(ctx, t, page) },
		once: func(ctx context.Context, k int) (time.Duration, error) {
			r, err := t.run(ctx, args...)
			if err == nil {
				err = proof(r)
			}
			return r.Took, err
		},
	}
}

func (b *bench) url(ctx context.Context) {
	cs := b.each(func(t *tool) contender {
		return b.simple(t, "small", []string{"url"}, func(r proc.Result) error { return holds(r.Out, "/small.html") })
	})
	cs = append(cs, contender{name: floorTrue, once: func(ctx context.Context, k int) (time.Duration, error) {
		r := b.env.runner.Run(ctx, proc.Command{Argv: []string{truePath()}})
		return r.Took, r.Error()
	}})
	b.rounds(ctx, wURL, usual, cs)
}

func truePath() string {
	if _, err := os.Stat("/bin/true"); err == nil {
		return "/bin/true"
	}
	return "/usr/bin/true" // macOS
}

func (b *bench) goTo(ctx context.Context) {
	cs := b.each(func(t *tool) contender {
		return contender{once: func(ctx context.Context, k int) (time.Duration, error) {
			uri := fmt.Sprintf("/small.html?goto=%s-%d", t.key, k)
			r, err := t.run(ctx, "goto", b.site.base+uri)
			if err != nil {
				return 0, err
			}
			return r.Took, b.arrived(ctx, t, uri)
		}}
	})
	floor, err := startBare(ctx, b.env)
	if err != nil {
		b.fail(wGoto, floorNavigate, err)
	} else {
		cs = append(cs, contender{name: floorNavigate, once: func(ctx context.Context, k int) (time.Duration, error) {
			start := time.Now()
			err := floor.navigate(b.site.base + fmt.Sprintf("/small.html?goto=bare-%d", k))
			return time.Since(start), err
		}})
		defer floor.close() //nolint:errcheck // measured already
	}
	b.rounds(ctx, wGoto, usual, cs)
}

func (b *bench) snapshot(workload, page string, p pace, last string) func(context.Context) {
	return func(ctx context.Context) {
		b.rounds(ctx, workload, p, b.each(func(t *tool) contender {
			return b.simple(t, page, []string{"snapshot", "-i"}, func(r proc.Result) error { return holds(r.Out, last) })
		}))
	}
}

// acting is a contender that acts on one ref of the small page; want is what
// the page must have counted after n repetitions, the last being k.
func (b *bench) acting(t *tool, role, name string, args func(ref string, k int) []string, count string, want func(n, k int) string) contender {
	var ref string
	n, last := 0, 0
	return contender{
		setup: func(ctx context.Context) error {
			if err := b.at(ctx, t, "small"); err != nil {
				return err
			}
			r, err := t.run(ctx, "snapshot", "-i")
			if err != nil {
				return err
			}
			ref, err = t.ref(r.Out, role, name)
			return err
		},
		once: func(ctx context.Context, k int) (time.Duration, error) {
			r, err := t.run(ctx, args(ref, k)...)
			if err == nil {
				n, last = n+1, k
			}
			return r.Took, err
		},
		check: func(ctx context.Context) error {
			got, err := t.js(ctx, count)
			if err == nil && got != want(n, last) {
				err = fmt.Errorf("the page counted %s, want %s", got, want(n, last))
			}
			return err
		},
	}
}

func (b *bench) click(ctx context.Context) {
	b.rounds(ctx, wClick, usual, b.each(func(t *tool) contender {
		return b.acting(t, "button", "Increment", func(ref string, k int) []string { return []string{"click", ref} },
			"String(window.clicks)", func(n, k int) string { return strconv.Itoa(n) })
	}))
}

func (b *bench) fill(ctx context.Context) {
	// A tool may fire more than one input event per fill; the complete values
	// must have come in order, and the last must stand.
	count := `window.fills.filter((v, i, a) => /^value \d+$/.test(v) && v !== a[i-1]).length + ' ' + document.getElementById('name').value`
	b.rounds(ctx, wFill, usual, b.each(func(t *tool) contender {
		return b.acting(t, "textbox", "Name", func(ref string, k int) []string { return []string{"fill", ref, fmt.Sprintf("value %d", k)} },
			count, func(n, k int) string { return fmt.Sprintf("%d value %d", n, k) })
	}))
}

func (b *bench) js(ctx context.Context) {
	b.rounds(ctx, wJS, usual, b.each(func(t *tool) contender {
		return b.simple(t, "small", []string{"js", "1+1"}, func(r proc.Result) error {
			if unquoted(r.Out) != "2" {
				return fmt.Errorf("1+1 is %q", r.Out)
			}
			return nil
		})
	}))
}

func (b *bench) missing(ctx context.Context) {
	b.rounds(ctx, wMissing, usual, b.each(func(t *tool) contender {
		return contender{
			setup: func(ctx context.Context) error { return b.at(ctx, t, "small") },
			once: func(ctx context.Context, k int) (time.Duration, error) {
				r, err := t.run(ctx, "click", t.refPrefix+"e99999")
				if err == nil || r.TimedOut {
					return 0, fmt.Errorf("click on a ref that nobody showed: exit %d", r.Exit)
				}
				return r.Took, nil
			},
		}
	}))
}

func (b *bench) text(ctx context.Context) {
	b.rounds(ctx, wText, usual, b.each(func(t *tool) contender {
		return b.simple(t, "big", []string{"text"}, func(r proc.Result) error {
			return holds(r.Out, "Some words about row 0", "Some words about row 1999", "The very end of big")
		})
	}))
}

func (b *bench) screenshot(workload, page string, flags []string, p pace, height uint32) func(context.Context) {
	return func(ctx context.Context) {
		b.rounds(ctx, workload, p, b.each(func(t *tool) contender {
			file := filepath.Join(t.dir, "work", "shot.png")
			name := file
			if t.key == "playwright-cli" {
				name = "shot.png" // it refuses absolute paths
			}
			c := b.simple(t, page, append(append([]string{"screenshot"}, flags...), name), func(proc.Result) error {
				defer os.Remove(file)
				return isPNG(file, height)
			})
			open := c.setup
			c.setup = func(ctx context.Context) error {
				if t.key == "agent-browser" { // its window is 1280x633 by default, the others' 1280x720
					if _, err := t.run(ctx, "set", "viewport", "1280", "720"); err != nil {
						return err
					}
				}
				return open(ctx)
			}
			return c
		}))
	}
}

// isPNG proves that file is a picture at least that high.
func isPNG(file string, height uint32) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if len(b) < 24 || !bytes.HasPrefix(b, []byte("\x89PNG")) {
		return fmt.Errorf("%s is no PNG", file)
	}
	if h := binary.BigEndian.Uint32(b[20:24]); h < height {
		return fmt.Errorf("the picture is %d pixels high, want at least %d", h, height)
	}
	return nil
}

func (b *bench) parallel(ctx context.Context) {
	b.rounds(ctx, wParallel, usual, b.each(func(t *tool) contender {
		return contender{
			setup: func(ctx context.Context) error { return b.at(ctx, t, "small") },
			once: func(ctx context.Context, k int) (time.Duration, error) {
				start := time.Now()
				var running []*proc.Running
				var failed error
				for range 10 {
					p, err := b.env.runner.Start(t.command("url"))
					if err != nil {
						failed = err
						break
					}
					running = append(running, p)
				}
				for _, p := range running {
					r := p.Wait(ctx)
					if failed == nil {
						failed = r.Error()
					}
					if failed == nil {
						failed = holds(r.Out, "/small.html")
					}
				}
				return time.Since(start), failed
			},
		}
	}))
}
