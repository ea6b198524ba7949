package snapshot

import (
	"hash/maphash"
	"regexp"
	"strings"
)

// grep keeps the nodes whose line matches, and the nodes around them, so that
// what is found can be placed.
func grep(nodes []Node, pattern *regexp.Regexp) []Node {
	keep := make([]bool, len(nodes))
	var around []int // the nodes around the current one, outermost first
	var line strings.Builder
	any := false
	for i := range nodes {
		for len(around) > 0 && nodes[around[len(around)-1]].Depth >= nodes[i].Depth {
			around = around[:len(around)-1]
		}
		line.Reset()
		nodes[i].write(&line)
		if pattern.MatchString(line.String()) {
			keep[i], any = true, true
			for _, a := range around {
				keep[a] = true
			}
		}
		around = append(around, i)
	}
	if !any {
		return nil
	}
	var out []Node
	for i := range nodes {
		if keep[i] {
			out = append(out, nodes[i])
		}
	}
	return out
}

// Fold says which runs of like nodes are shortened.
type Fold int

// The kinds of folding.
const (
	FoldNone  Fold = iota
	FoldPlain      // only nodes without refs, in themselves and below
	FoldRefs       // all
)

const (
	// foldRun is how many like nodes in a row are a long run.
	foldRun = 8
	// foldShown is how many of them are shown at its beginning; the last one is
	// shown too.
	foldShown = 3
)

// fold replaces the middle of long runs of like siblings by a node that counts
// them. Nodes are alike when they have the same roles, in themselves and below.
func fold(nodes []Node, how Fold) []Node {
	if how == FoldNone || len(nodes) <= foldRun {
		return nodes
	}
	f := folder{nodes: nodes, how: how, seed: maphash.MakeSeed(), drop: make([]int, len(nodes)+1)}
	f.children(0, -1)
	out := make([]Node, 0, len(nodes))
	for i := 0; i < len(nodes); i++ {
		if n := f.drop[i]; n > 0 {
			out = append(out, Node{Depth: nodes[i].Depth, Role: nodes[i].Role, Folded: f.count[i]})
			i += n - 1
			continue
		}
		out = append(out, nodes[i])
	}
	return out
}

type folder struct {
	nodes []Node
	how   Fold
	seed  maphash.Seed
	drop  []int       // at the first node of what is left out, how many nodes that is
	count map[int]int // and how many siblings
}

// sibling is a node with all below it.
type sibling struct {
	at, end int
	shape   uint64
	refs    bool
}

// children folds the nodes from at on that are deeper than depth, and returns
// where they end and what shape they have together.
func (f *folder) children(at, depth int) (end int, shape uint64, refs bool) {
	var h maphash.Hash
	h.SetSeed(f.seed)
	var run []sibling
	for at < len(f.nodes) && f.nodes[at].Depth > depth {
		n := &f.nodes[at]
		s := sibling{at: at, refs: n.Ref != ""}
		var below uint64
		var inner bool
		s.end, below, inner = f.children(at+1, n.Depth)
		s.refs = s.refs || inner
		var own maphash.Hash
		own.SetSeed(f.seed)
		_, _ = own.WriteString(n.Role)
		maphash.WriteComparable(&own, [2]uint64{uint64(n.Depth - depth), below})
		s.shape = own.Sum64()
		maphash.WriteComparable(&h, s.shape)
		refs = refs || s.refs
		if len(run) > 0 && run[0].shape != s.shape {
			f.close(run)
			run = run[:0]
		}
		run = append(run, s)
		at = s.end
	}
	f.close(run)
	return at, h.Sum64(), refs
}

// close marks the middle of a run, if it is long and may be left out.
func (f *folder) close(run []sibling) {
	if len(run) < foldRun {
		return
	}
	middle := run[foldShown : len(run)-1]
	for _, s := range middle {
		if s.refs && f.how != FoldRefs {
			return
		}
	}
	first, last := middle[0].at, middle[len(middle)-1].end
	f.drop[first] = last - first
	if f.count == nil {
		f.count = map[int]int{}
	}
	f.count[first] = len(middle)
}
