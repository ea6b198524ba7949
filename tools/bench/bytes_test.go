package main

import "testing"

// TestSameElements: lines of different forms count for the same element when role
// and name are the same, as often as every tool shows it.
func TestSameElements(t *testing.T) {
	ours, peer := &tool{key: "browse"}, &tool{key: "peer"}
	b := &bench{ours: ours, tools: []*tool{ours, peer}, facts: map[string]map[string]float64{}}
	mine := "@e1 [button] \"Save\"\n@e2 [link] \"A \\\"quoted\\\" one\"\n@e3 [button] \"Edit\"\n@e4 [button] \"Edit\"\n[status] \"no ref\"\n@c5 [generic] \"Card\"\n"
	theirs := "- button \"Save\" [ref=e1]\n  - link \"A \\\"quoted\\\" one\" [ref=e2]\n- button \"Edit\" [ref=e3]\n- heading \"Title\" [level=1]\n"
	b.sameElements("x", 100, map[string]view{"browse": elements(mine), "peer": elements(theirs)})
	if n := b.facts["elements that all show, x"]["peer"]; n != 3 {
		t.Errorf("%v elements in common, want 3", n)
	}
	for tool, want := range map[string]float64{"browse": 10 * (20 + 30 + 20), "peer": 10 * (25 + 37 + 25)} {
		if got := b.facts[sameBytes+"x"][tool]; got != want {
			t.Errorf("%s: %v bytes per 1,000, want %v", tool, got, want)
		}
	}
	if l := b.judgeSame("x"); l.verdict != ok {
		t.Errorf("%+v", l)
	}
	if l := b.judgeSame("none"); l.verdict != unjudged {
		t.Errorf("%+v", l)
	}
}
