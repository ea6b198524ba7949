package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gstack/tools/internal/proc"
)

// What a time is held against.
type against int

const (
	fastestPeer  against = iota // the fastest peer that did the work in this run
	fastMode                    // agent-browser's start has two modes, 0.6–1.6 s and 3.6–4.1 s: the fast one
	earlier                     // the earlier gstack browse, reckoned, see record
	floor                       // the floor named in the budget
	milliseconds                // nothing but the clock
	largerPage                  // our own time for 10,000 nodes, times five
)

// A budget is one promise: our median is at most factor times what it is held
// against. A budget that is met is tightened, not celebrated.
type budget struct {
	workload string
	against  against
	factor   float64
	floor    string
}

var budgets = []budget{
	{wURL, fastestPeer, 0.6, ""},
	{wParallel, fastestPeer, 0.6, ""},
	{wCold, earlier, 0.7, ""},
	{wCold, fastMode, 1.0, ""},
	{wCold, floor, 1.15, floorStart},
	{wGoto, fastestPeer, 0.6, ""},
	{wGoto, floor, 1.2, floorNavigate},
	{wSnap, fastestPeer, 0.6, ""},
	{wSnapBig, fastestPeer, 0.15, ""},
	{wSnapHuge, fastestPeer, 0.15, ""},
	{wSnapHuge, largerPage, 1.25, ""}, // linear in nodes
	{wClick, fastestPeer, 0.7, ""},
	{wFill, fastestPeer, 0.7, ""},
	{wJS, fastestPeer, 0.7, ""},
	{wMissing, fastestPeer, 0.7, ""},
	{wShot, fastestPeer, 1.0, ""},
	{wShotFull, fastestPeer, 0.6, ""},
	{wText, fastestPeer, 0.8, ""},
	{wSession, fastestPeer, 0.6, ""},
	{wChain, fastestPeer, 0.5, ""},
	{wTabs, floor, 1.5, floorSingle},
	{wStop, milliseconds, 300, ""},
}

// record holds medians in milliseconds of one earlier run with three tools on
// one machine. The earlier gstack browse (a Bun program) cannot be installed
// from a registry, so its time here is reckoned: its time then, scaled by how
// much faster or slower the peers of both runs are now.
var record = map[string]map[string]float64{
	wCold:     {"gstack": 1392, "playwright-cli": 2466},
	wSnapBig:  {"gstack": 298, "agent-browser": 1049, "playwright-cli": 815},
	wSnapHuge: {"gstack": 2308, "agent-browser": 6983, "playwright-cli": 3336},
	wShotFull: {"gstack": 813, "agent-browser": 714, "playwright-cli": 1209},
}

// leanest holds the bytes of snapshot -i of the leanest peer of that run that
// showed the same elements; bytes do not depend on the machine.
var leanest = map[string]float64{"small": 223, "big": 67800}

// Sizes that are promised whatever the peers do.
const (
	maxIdleMemory  = 25 << 20 // bytes of the daemon without the browser, PSS
	maxAfterMemory = 40 << 20 // the same after the run; soak holds it after 10,000 commands
	maxDiskSize    = 30e6     // bytes of client and daemon
)

// A verdict says how a budget ended.
type verdict string

const (
	ok       verdict = "OK"
	exceeded verdict = "over"
	unjudged verdict = "—"
)

// A line is one budget with its result.
type line struct {
	what, measured, limit, got string
	verdict                    verdict
	floor                      string // for a budget that is exceeded: what cannot be gone below
}

// judge holds what was measured against the budgets.
func (b *bench) judge() []line {
	var lines []line
	for _, g := range budgets {
		if b.wants(g.workload) && (!b.quick || g.workload != wSnapHuge) {
			lines = append(lines, b.judgeTime(g))
		}
	}
	for _, page := range []string{"small", "big"} {
		if b.wants("bytes") {
			lines = append(lines, b.judgeBytes(page), b.judgeSame(page))
		}
	}
	if proc.Measures {
		lines = append(lines,
			b.judgeMost("memory of the daemon, idle", b.facts["daemon memory, idle"][b.ours.key], maxIdleMemory, mib),
			b.judgeMost("memory of the daemon, after the run", b.facts["daemon memory, after the run"][b.ours.key], maxAfterMemory, mib))
	}
	var size float64
	for _, s := range b.ours.sizes {
		size += diskSize(s.paths)
	}
	return append(lines, b.judgeMost("size of client and daemon", size, maxDiskSize, megabytes))
}

func (b *bench) judgeTime(g budget) line {
	l := line{what: g.workload, measured: "—", verdict: unjudged}
	other, name := b.opponent(g)
	l.limit = fmt.Sprintf("%.2f × %s", g.factor, name)
	if g.against == milliseconds {
		l.limit = fmt.Sprintf("%.0f ms", g.factor)
	}
	mine := b.times[g.workload][b.ours.key]
	if len(mine) == 0 {
		return l
	}
	l.measured = ms(median(mine)) + " ms"
	if other == 0 {
		return l
	}
	ratio := float64(median(mine)) / float64(other)
	l.got = fmt.Sprintf("%.2f × %s ms", ratio, ms(other))
	if g.against == milliseconds {
		l.got = l.measured
	}
	l.verdict = ok
	if ratio > g.factor {
		l.verdict = exceeded
		if f := median(b.times[g.workload][floorLeast]); f > 0 {
			l.floor = fmt.Sprintf("%.2f × (%s ms)", float64(f)/float64(other), ms(f))
		}
	}
	return l
}

// opponent is what the budget is held against in this run, 0 when it was not
// measured, and its name.
func (b *bench) opponent(g budget) (time.Duration, string) {
	switch g.against {
	case fastestPeer:
		return b.fastest(g.workload)
	case fastMode:
		ts := b.times[g.workload]["agent-browser"]
		if len(ts) == 0 {
			return 0, "agent-browser's fast mode"
		}
		limit := 2 * slices.Min(ts)
		return median(slices.DeleteFunc(slices.Clone(ts), func(t time.Duration) bool { return t > limit })), "agent-browser's fast mode"
	case earlier:
		return b.reckoned(g.workload), "the earlier gstack, reckoned"
	case floor:
		return median(b.times[g.workload][g.floor]), g.floor
	case largerPage:
		return 5 * median(b.times[wSnapBig][b.ours.key]), "five times 10,000 nodes"
	}
	return time.Millisecond, "ms"
}

// fastest is the fastest peer of this run, or the earlier gstack where that was
// faster than any of them.
func (b *bench) fastest(workload string) (time.Duration, string) {
	var best time.Duration
	name := "the fastest peer"
	for _, t := range b.tools {
		m := median(b.times[workload][t.key])
		if t != b.ours && m > 0 && (best == 0 || m < best) {
			best, name = m, t.label
		}
	}
	if m := b.reckoned(workload); m > 0 && m < best {
		return m, "the earlier gstack, reckoned"
	}
	return best, name
}

// reckoned is the time that the earlier gstack browse would take now, by the
// peer that makes it shortest.
func (b *bench) reckoned(workload string) time.Duration {
	then := record[workload]
	var least time.Duration
	for peer, msThen := range then {
		now := median(b.times[workload][peer])
		if peer == "gstack" || now == 0 {
			continue
		}
		m := time.Duration(float64(now) * then["gstack"] / msThen)
		if least == 0 || m < least {
			least = m
		}
	}
	return least
}

// judgeBytes wants a snapshot no longer than the leanest that shows as much.
func (b *bench) judgeBytes(page string) line {
	limit := leanest[page]
	mine := b.facts["refs in snapshot -i, "+page][b.ours.key]
	for _, t := range b.tools {
		n := b.facts["bytes of snapshot -i, "+page][t.key]
		if t != b.ours && n > 0 && b.facts["refs in snapshot -i, "+page][t.key] >= mine {
			limit = min(limit, n)
		}
	}
	return b.judgeMost("bytes of snapshot -i, "+page, b.facts["bytes of snapshot -i, "+page][b.ours.key], limit, plain)
}

// judgeSame wants no more bytes for the elements that all tools show than the
// leanest of the peers of this run needs for them.
func (b *bench) judgeSame(page string) line {
	facts, limit, name := b.facts[sameBytes+page], 0.0, ""
	for _, t := range b.tools {
		if n := facts[t.key]; t != b.ours && n > 0 && (limit == 0 || n < limit) {
			limit, name = n, t.label
		}
	}
	if limit == 0 {
		return line{what: sameBytes + page, measured: "—", limit: "the leanest peer", verdict: unjudged}
	}
	l := b.judgeMost(sameBytes+page, facts[b.ours.key], limit, plain)
	l.limit += " (" + name + ")"
	return l
}

func (b *bench) judgeMost(what string, v, limit float64, format func(float64) string) line {
	l := line{what: what, limit: format(limit), measured: "—", verdict: unjudged}
	if v > 0 {
		l.measured, l.got, l.verdict = format(v), format(v), ok
		if v > limit {
			l.verdict = exceeded
		}
	}
	return l
}

func plain(v float64) string     { return fmt.Sprintf("%.0f", v) }
func mib(v float64) string       { return fmt.Sprintf("%.1f MiB", v/(1<<20)) }
func megabytes(v float64) string { return fmt.Sprintf("%.1f MB", v/1e6) }

// diskSize sums the files under the paths; a path that is not there counts 0.
func diskSize(paths []string) float64 {
	var sum float64
	for _, p := range paths {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			p = real
		}
		filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error { //nolint:errcheck // the walk goes on after each error
			if err != nil || d.IsDir() {
				return nil
			}
			if st, err := os.Lstat(path); err == nil {
				sum += float64(st.Size())
			}
			return nil
		})
	}
	return sum
}
