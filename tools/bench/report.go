package main

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// report is the run as Markdown: the budgets first, then everything measured.
func (b *bench) report(lines []line) string {
	var w strings.Builder
	b.heading(&w)
	table(&w, []string{"budget", "measured", "at most", "got", "", "floor"}, func(row func(...string)) {
		for _, l := range lines {
			row(l.what, l.measured, l.limit, l.got, string(l.verdict), l.floor)
		}
	})
	fmt.Fprintf(&w, "\nThe floor of what is over: %s, against the same opponent.\n", floorLeast)
	if len(b.tools) == 1 {
		w.WriteString("\nNo peer was measured, so the budgets against peers are open (PEERS=folder).\n")
	}
	b.reportTimes(&w)
	b.reportFacts(&w)
	w.WriteString("\n## Size on disk\n\n")
	table(&w, []string{"tool", "part", "MB"}, func(row func(...string)) {
		for _, t := range b.tools {
			for _, s := range t.sizes {
				row(t.label, s.what, fmt.Sprintf("%.1f", diskSize(s.paths)/1e6))
			}
		}
	})
	if len(b.failures) > 0 {
		w.WriteString("\n## Failed measurements\n\n")
		for _, f := range b.failures {
			fmt.Fprintf(&w, "- %s\n", strings.ReplaceAll(f, "\n", " / "))
		}
	}
	return w.String()
}

func (b *bench) heading(w *strings.Builder) {
	kind := "full run"
	if b.quick {
		kind = "quick run"
	}
	if f := b.filter.String(); f != "" {
		kind += ", only " + f
	}
	version := b.env.chromium
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if out, err := exec.CommandContext(ctx, b.env.chromium, "--version").Output(); err == nil {
		version = strings.TrimSpace(string(out))
	}
	fmt.Fprintf(w, "# Bench\n\n%s, %s; %s; %s; took %d s; load average %s at the start, %s at the end.\n",
		b.started.Format("2006-01-02 15:04"), kind, machine(), version, int(time.Since(b.started).Seconds()), b.load, loadAverage())
	for _, t := range b.tools {
		fmt.Fprintf(w, "- %s: %s\n", t.label, t.version)
	}
	w.WriteString("\n")
}

func (b *bench) reportTimes(w *strings.Builder) {
	head := []string{"median / p95 in ms"}
	for _, t := range b.tools {
		head = append(head, t.label)
	}
	w.WriteString("\n## Times\n\n")
	table(w, append(head, "floor"), func(row func(...string)) {
		for _, workload := range b.order {
			cells := []string{workload}
			mine := median(b.times[workload][b.ours.key])
			for _, t := range b.tools {
				cells = append(cells, b.cell(workload, t.key, mine))
			}
			var floors []string
			for _, f := range []string{floorTrue, floorStart, floorNavigate, floorSingle, floorLeast} {
				if len(b.times[workload][f]) > 0 {
					floors = append(floors, b.cell(workload, f, mine)+" "+f)
				}
			}
			row(append(cells, strings.Join(floors, ", "))...)
		}
	})
	w.WriteString("\nIn brackets how many times our median it is, and the number of repetitions that counted.\n")
}

func (b *bench) cell(workload, key string, mine time.Duration) string {
	ts := b.times[workload][key]
	if len(ts) == 0 {
		return "—"
	}
	ratio := ""
	if key != b.ours.key && mine > 0 {
		ratio = fmt.Sprintf("%.2f ×, ", float64(median(ts))/float64(mine))
	}
	return fmt.Sprintf("%s / %s (%sn=%d)", ms(median(ts)), ms(p95(ts)), ratio, len(ts))
}

func (b *bench) reportFacts(w *strings.Builder) {
	head := []string{"memory and bytes"}
	for _, t := range b.tools {
		head = append(head, t.label)
	}
	w.WriteString("\n## Memory and output\n\n")
	table(w, head, func(row func(...string)) {
		for _, fact := range slices.Sorted(maps.Keys(b.facts)) {
			format := plain
			if strings.Contains(fact, "memory") {
				format = mib
			}
			cells := []string{fact}
			for _, t := range b.tools {
				v, known := b.facts[fact][t.key]
				if !known {
					cells = append(cells, "—")
					continue
				}
				cells = append(cells, format(v))
			}
			row(cells...)
		}
	})
}

// table writes a Markdown table whose columns are padded, so that it reads well
// in a terminal too.
func table(w *strings.Builder, head []string, fill func(row func(...string))) {
	rows := [][]string{head}
	fill(func(cells ...string) { rows = append(rows, cells) })
	width := make([]int, len(head))
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	for n, r := range rows {
		for i, c := range r {
			fmt.Fprintf(w, "| %s%s ", c, strings.Repeat(" ", width[i]-len([]rune(c))))
		}
		w.WriteString("|\n")
		if n == 0 {
			for _, k := range width {
				fmt.Fprintf(w, "|%s", strings.Repeat("-", k+2))
			}
			w.WriteString("|\n")
		}
	}
}
