package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gstack/tools/internal/proc"
)

// bytes notes how long the snapshots are, without the fence around page content.
// Each page is the first of a fresh start: some tools number their refs on, so a
// long life before makes longer numbers.
func (b *bench) bytes(ctx context.Context) {
	for _, page := range []string{"small", "form", "spa", "frames", "shadow", "big", "huge"} {
		if b.quick && page == "huge" {
			continue
		}
		seen := map[string]view{}
		nodes := 0
		for _, t := range b.tools {
			if ctx.Err() != nil {
				return
			}
			v, n, err := b.look(ctx, t, page)
			if err != nil {
				b.fail("bytes", t.key, err)
				continue
			}
			seen[t.key] = v
			if t == b.ours {
				nodes = n
			}
		}
		if nodes > 0 {
			b.sameElements(page, nodes, seen)
		}
	}
}

// look takes a snapshot of a page, and for ours counts the elements of the page.
func (b *bench) look(ctx context.Context, t *tool, page string) (view, int, error) {
	if len(proc.Tree(t.mark)) > 0 {
		if _, _, err := t.stop(ctx); err != nil {
			return nil, 0, err
		}
	}
	if err := b.at(ctx, t, page); err != nil {
		return nil, 0, err
	}
	r, err := t.run(ctx, "snapshot", "-i")
	if err != nil {
		return nil, 0, err
	}
	b.fact("bytes of snapshot -i, "+page, t.key, float64(len(payload(r.Out))))
	b.fact("refs in snapshot -i, "+page, t.key, float64(refs(r.Out)))
	v := elements(payload(r.Out))
	if t != b.ours {
		return v, 0, nil
	}
	text, err := t.js(ctx, "document.querySelectorAll('*').length")
	if err != nil {
		return v, 0, err
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return v, 0, fmt.Errorf("the number of elements of %s: %w", page, err)
	}
	return v, n, nil
}

// A view holds the lines of a snapshot that carry a ref: by role and name of the
// element, the bytes of each such line.
type view map[string][]int

var (
	rolePattern = regexp.MustCompile(`\[([a-zA-Z]+)\]|^\s*- ([a-zA-Z]+)`)
	namePattern = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
)

func elements(snapshot string) view {
	v := view{}
	for line := range strings.Lines(snapshot) {
		role, name := rolePattern.FindStringSubmatch(line), namePattern.FindStringSubmatch(line)
		if !refID.MatchString(line) || role == nil || name == nil {
			continue
		}
		key := role[1] + role[2] + " " + name[1]
		v[key] = append(v[key], len(line))
	}
	return v
}

// sameElements notes what each tool spends on the elements that every tool of
// this run shows by the same role and name, per 1,000 elements of the page.
func (b *bench) sameElements(page string, nodes int, seen map[string]view) {
	sums := map[string]int{}
	common := 0
	for key, mine := range seen[b.ours.key] {
		n := len(mine)
		for _, v := range seen {
			n = min(n, len(v[key]))
		}
		common += n
		for tool, v := range seen {
			for _, size := range v[key][:n] {
				sums[tool] += size
			}
		}
	}
	if common == 0 {
		return
	}
	for tool, sum := range sums {
		b.fact(sameBytes+page, tool, float64(sum)*1000/float64(nodes))
		b.fact("elements that all show, "+page, tool, float64(common))
	}
}

// sameBytes begins the name of the fact that sameElements notes.
const sameBytes = "bytes per 1,000 nodes for the same elements, "
