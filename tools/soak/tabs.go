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

// manyTabs opens n tabs with pages, looks into some of them in between and at
// the end, and closes them all.
func manyTabs(ctx context.Context, w *workspace, n int) error {
	server := httptest.NewServer(pages())
	defer server.Close()
	if _, err := w.run(ctx, "url"); err != nil {
		return err
	}
	before, _ := w.memory()
	var ids []int
	var took []time.Duration
	for i := range n {
		if free := available(); free > 0 && free < leastFree {
			return fmt.Errorf("this machine has memory for %d tabs, not for %d", i, n)
		}
		r, err := w.has(ctx, []string{"newtab", fmt.Sprintf("%s/tab/%d", server.URL, i), "--json"}, "tabId")
		if err != nil {
			return fmt.Errorf("tab %d: %w", i, err)
		}
		id, err := tabID(r.Out)
		if err != nil {
			return err
		}
		ids, took = append(ids, id), append(took, r.Took)
		if i%100 == 99 {
			if err := w.look(ctx, ids, i/2); err != nil {
				return err
			}
		}
	}
	for _, i := range []int{0, n / 2, n - 1} {
		if err := w.look(ctx, ids, i); err != nil {
			return err
		}
	}
	list, err := w.run(ctx, "tabs")
	if err != nil {
		return err
	}
	for i := range n {
		if !strings.Contains(list.Out, fmt.Sprintf("/tab/%d\n", i)) && !strings.HasSuffix(strings.TrimSpace(list.Out), fmt.Sprintf("/tab/%d", i)) {
			return fmt.Errorf("tabs does not list tab %d", i)
		}
	}
	probe, err := w.run(ctx, "url")
	if err != nil {
		return err
	}
	daemon, browser := w.memory()
	window := min(100, n)
	fmt.Printf("%d tabs: newtab %d ms at first, %d ms at last; url %d ms, tabs %d ms; daemon %s before, %s with them; browser %s\n",
		n, middle(took[:window]).Milliseconds(), middle(took[n-window:]).Milliseconds(), probe.Took.Milliseconds(), list.Took.Milliseconds(),
		mib(before), mib(daemon), mib(browser))
	return w.closeAll(ctx, ids)
}

// look proves that the i-th tab opened still shows the i-th page.
func (w *workspace) look(ctx context.Context, ids []int, i int) error {
	tab := strconv.Itoa(ids[i])
	if _, err := w.has(ctx, []string{"text", "--tab-id", tab}, fmt.Sprintf("This is tab %d", i)); err != nil {
		return err
	}
	_, err := w.has(ctx, []string{"snapshot", "-i", "--tab-id", tab}, fmt.Sprintf("Go on from %d\"", i))
	return err
}

func (w *workspace) closeAll(ctx context.Context, ids []int) error {
	start := time.Now()
	for _, id := range ids {
		if _, err := w.run(ctx, "closetab", strconv.Itoa(id)); err != nil {
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
