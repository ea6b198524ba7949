package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// leastFree is the memory that the tabs must leave on the machine, in bytes:
// running out of it would end some other program.
const leastFree = 2 << 30

// An opened tab, and the number of the page that it shows.
type opened struct{ id, page int }

// manyTabs opens n tabs with pages, at most so many at once, looks into some of
// them in between, and closes them all.
func manyTabs(ctx context.Context, w *workspace, n, atOnce int) error {
	server := httptest.NewServer(pages())
	defer server.Close()
	if _, err := w.run(ctx, "url"); err != nil {
		return err
	}
	before, _ := w.memory()
	var tabs []opened
	var took []time.Duration
	for i := range n {
		if free := available(); free > 0 && free < leastFree {
			return fmt.Errorf("this machine has no memory for %d tabs at once; try a smaller OPEN", len(tabs))
		}
		if len(tabs) == atOnce {
			if _, err := w.run(ctx, "closetab", strconv.Itoa(tabs[0].id)); err != nil {
				return err
			}
			tabs = tabs[1:]
		}
		r, err := w.has(ctx, []string{"newtab", fmt.Sprintf("%s/tab/%d", server.URL, i), "--json"}, "tabId")
		if err != nil {
			return fmt.Errorf("tab %d: %w", i, err)
		}
		id, err := tabID(r.Out)
		if err != nil {
			return err
		}
		tabs, took = append(tabs, opened{id, i}), append(took, r.Took)
		if i%50 == 49 {
			if err := w.lookAll(ctx, tabs); err != nil {
				return err
			}
		}
	}
	if err := w.textOfAll(ctx, len(tabs)); err != nil {
		return err
	}
	probe, err := w.run(ctx, "url")
	if err != nil {
		return err
	}
	daemon, browser := w.memory()
	window := min(50, n)
	fmt.Printf("%d tabs, %d at once: newtab %d ms at first, %d ms at last; url %d ms; daemon %s before, %s with them; browser %s\n",
		n, len(tabs), middle(took[:window]).Milliseconds(), middle(took[n-window:]).Milliseconds(), probe.Took.Milliseconds(),
		mib(before), mib(daemon), mib(browser))
	return w.closeAll(ctx, tabs)
}

// lookAll proves that the list holds every open tab, and that the oldest, the
// middle and the latest of them show their own pages.
func (w *workspace) lookAll(ctx context.Context, tabs []opened) error {
	list, err := w.run(ctx, "tabs")
	if err != nil {
		return err
	}
	for _, t := range tabs {
		if !strings.Contains(list.Out, fmt.Sprintf("[%d] Tab %d ", t.id, t.page)) {
			return fmt.Errorf("tabs does not list tab %d with page %d: %.300q", t.id, t.page, list.Out)
		}
	}
	for _, i := range []int{0, len(tabs) / 2, len(tabs) - 1} {
		if err := w.look(ctx, tabs[i]); err != nil {
			return err
		}
	}
	return nil
}

// textOfAll reads n tabs, and the blank one that was there first, with one command.
func (w *workspace) textOfAll(ctx context.Context, n int) error {
	r, err := w.run(ctx, "tab-each", "text")
	if err != nil {
		return err
	}
	if got := strings.Count(r.Out, `"status": 200`); got < n || strings.Count(r.Out, "This is tab ") != n {
		return fmt.Errorf("tab-each read %d of %d tabs: %.300q", got, n, r.Out)
	}
	fmt.Printf("text of %d tabs in one command: %d ms\n", n, r.Took.Milliseconds())
	return nil
}

// look proves that a tab still shows its page.
func (w *workspace) look(ctx context.Context, t opened) error {
	tab := strconv.Itoa(t.id)
	if _, err := w.has(ctx, []string{"text", "--tab-id", tab}, fmt.Sprintf("This is tab %d\n", t.page)); err != nil {
		return err
	}
	_, err := w.has(ctx, []string{"snapshot", "-i", "--tab-id", tab}, fmt.Sprintf("\"Go on from %d\"", t.page))
	return err
}

func (w *workspace) closeAll(ctx context.Context, tabs []opened) error {
	start := time.Now()
	for _, t := range tabs {
		if _, err := w.run(ctx, "closetab", strconv.Itoa(t.id)); err != nil {
			return err
		}
	}
	daemon, browser := w.memory()
	fmt.Printf("closed in %s; daemon %s, browser %s after\n", time.Since(start).Round(time.Second), mib(daemon), mib(browser))
	r, err := w.run(ctx, "tabs")
	if err != nil {
		return err
	}
	if n := strings.Count(strings.TrimSpace(r.Out), "\n") + 1; n > 1 {
		return fmt.Errorf("%d tabs are listed after all were closed: %.300q", n, r.Out)
	}
	return nil
}

// tabID reads the number out of newtab's machine form.
func tabID(out string) (int, error) {
	_, rest, _ := strings.Cut(out, `"tabId":`)
	digits := strings.TrimLeft(rest, " ")
	end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	id, err := strconv.Atoi(digits[:max(end, 0)])
	if err != nil {
		return 0, fmt.Errorf("newtab --json answers %q", out)
	}
	return id, nil
}

func middle(ts []time.Duration) time.Duration {
	s := slices.Sorted(slices.Values(ts))
	return s[len(s)/2]
}

// available is the memory that can still be had, 0 where the system does not say.
func available() int64 {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err == nil {
				return kb << 10
			}
		}
	}
	return 0
}
