package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A bench is one run: its tools, and what was measured so far.
type bench struct {
	env      *runEnv
	site     *site
	quick    bool
	filter   *regexp.Regexp
	progress bool
	ours     *tool
	tools    []*tool
	least    *least // started by the first workload that has a floor

	order    []string                              // workloads as they were run
	times    map[string]map[string][]time.Duration // workload → contender → repetitions
	facts    map[string]map[string]float64         // fact → tool → value: bytes, refs
	failures []string
	started  time.Time
	load     string
}

func newBench(env *runEnv, s *site, quick bool, filter *regexp.Regexp) *bench {
	return &bench{env: env, site: s, quick: quick, filter: filter, started: time.Now(), load: loadAverage(),
		times: map[string]map[string][]time.Duration{}, facts: map[string]map[string]float64{}}
}

// A contender takes its turn in a workload: a tool, or a floor.
type contender struct {
	name  string
	setup func(context.Context) error                             // before the first repetition, may be nil
	once  func(ctx context.Context, k int) (time.Duration, error) // one repetition, proven
	check func(context.Context) error                             // after the last one; a failure drops the times; may be nil
}

// pace says how often a workload is repeated.
type pace struct {
	reps, warm int           // counted repetitions, and those before them
	least      int           // this many even when the time is used up
	spend      time.Duration // per contender
}

var (
	usual = pace{reps: 25, warm: 2, least: 5, spend: 6 * time.Second}
	heavy = pace{reps: 15, warm: 1, least: 3, spend: 8 * time.Second}
	cold  = pace{reps: 7, least: 5, spend: 30 * time.Second}
)

func (b *bench) fail(workload, who string, err error) {
	b.failures = append(b.failures, fmt.Sprintf("%s, %s: %v", workload, who, err))
	b.note("  failed: %s: %v", who, err)
}

// note writes progress, to a terminal only.
func (b *bench) note(format string, args ...any) {
	if b.progress {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
	}
}

// rounds lets the contenders take turns, in rotating order, so that whatever
// else the machine does is spread over all of them. Three failures end a
// contender's part.
func (b *bench) rounds(ctx context.Context, workload string, p pace, contenders []contender) {
	if b.quick {
		p = pace{reps: min(p.reps, 5), warm: min(p.warm, 1), least: 2, spend: 2 * time.Second}
	}
	b.order = append(b.order, workload)
	b.times[workload] = map[string][]time.Duration{}
	contenders = append(contenders, b.leastOf(ctx, workload)...)
	var live []contender
	for _, c := range contenders {
		if c.setup != nil {
			if err := c.setup(ctx); err != nil {
				b.fail(workload, c.name, err)
				continue
			}
		}
		live = append(live, c)
	}
	used, strikes := map[string]time.Duration{}, map[string]int{}
	for k := range p.warm + p.reps {
		for i := range live {
			c := live[(i+k)%len(live)]
			if ctx.Err() != nil || strikes[c.name] == 3 || used[c.name] > p.spend && len(b.times[workload][c.name]) >= p.least {
				continue
			}
			took, err := c.once(ctx, k)
			if err != nil {
				strikes[c.name]++
				b.fail(workload, c.name, err)
				continue
			}
			used[c.name] += took
			if k >= p.warm {
				b.times[workload][c.name] = append(b.times[workload][c.name], took)
			}
		}
	}
	for _, c := range live {
		if c.check == nil || len(b.times[workload][c.name]) == 0 {
			continue
		}
		if err := c.check(ctx); err != nil {
			b.fail(workload, c.name, fmt.Errorf("proof after the repetitions: %w", err))
			delete(b.times[workload], c.name)
		}
	}
	b.tell(workload, contenders)
}

func (b *bench) tell(workload string, contenders []contender) {
	var parts []string
	for _, c := range contenders {
		if ts := b.times[workload][c.name]; len(ts) > 0 {
			parts = append(parts, c.name+" "+ms(median(ts)))
		}
	}
	b.note("%-28s %s", workload, strings.Join(parts, "  "))
}

func (b *bench) wants(workload string) bool { return b.filter.MatchString(workload) }

func (b *bench) fact(name, tool string, v float64) {
	if b.facts[name] == nil {
		b.facts[name] = map[string]float64{}
	}
	b.facts[name][tool] = v
}

func median(ts []time.Duration) time.Duration {
	s := slices.Sorted(slices.Values(ts))
	n := len(s)
	if n == 0 {
		return 0
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}

// p95 is the smallest repetition that at least 95 in 100 do not exceed.
func p95(ts []time.Duration) time.Duration {
	s := slices.Sorted(slices.Values(ts))
	return s[(len(s)*95+99)/100-1]
}

// ms writes a time in milliseconds.
func ms(d time.Duration) string {
	v := float64(d) / float64(time.Millisecond)
	switch {
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// loadAverage is how busy the machine was, "" where it does not say.
func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	f := strings.Fields(string(b))
	return strings.Join(f[:3], " ")
}

func machine() string {
	s := fmt.Sprintf("%d cores, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	if b, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		s += ", kernel " + strings.TrimSpace(string(b))
	}
	return s
}
