package test

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gstack/internal/command"
	"gstack/internal/verbs"
)

// missing are the commands, flags and aliases of testdata/surface.txt that the
// registry does not have yet, by what they will be part of.
var missing = map[string][]string{
	"state":           {"cookie-import-browser"},
	"watching":        {"watch"},
	"visible browser": {"connect", "disconnect", "handoff", "resume"},
	"tunnel":          {"pair-agent", "tunnel"},
	"skills":          {"domain-skill", "skill"},
}

var usageFlag = regexp.MustCompile(`(?:^|[\[|<(\s])(--?[a-zA-Z][a-z0-9-]*)`)

// TestSurface walks the commands of the documents that browse stays compatible
// with and says which names, flags and aliases are missing.
func TestSurface(t *testing.T) {
	f, err := os.Open("testdata/surface.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	known := 0
	var absent []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := lines.Text()
		name, usage, _ := strings.Cut(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case name == "alias":
			alias, canonical, _ := strings.Cut(usage, " ")
			known++
			if v, ok := verbs.Lookup(alias); !ok || v.Name != canonical {
				absent = append(absent, "alias "+alias)
			}
			continue
		}
		known++
		v, ok := verbs.Lookup(name)
		if !ok {
			absent = append(absent, name)
			continue
		}
		for _, m := range usageFlag.FindAllStringSubmatch(usage, -1) {
			known++
			if !hasFlag(v.Spec, m[1]) {
				absent = append(absent, name+" "+m[1])
			}
		}
	}
	if known < 100 {
		t.Fatalf("only %d names and flags read", known)
	}
	var listed []string
	for _, l := range missing {
		listed = append(listed, l...)
	}
	for _, a := range absent {
		if !slices.Contains(listed, a) {
			t.Errorf("%s is not in the registry", a)
		}
	}
	for _, l := range listed {
		if !slices.Contains(absent, l) {
			t.Errorf("%s is in the registry now, take it off the list of what is missing", l)
		}
	}
	t.Logf("%d of %d names, flags and aliases are missing: %s", len(absent), known, strings.Join(absent, ", "))
}

// hasFlag reports whether a verb takes a flag, as its own or as a global one.
func hasFlag(s command.Spec, flag string) bool {
	for _, f := range append(slices.Clone(s.Fields), command.GlobalFields...) {
		if f.Flag && (flag == "--"+f.Name || flag == fmt.Sprintf("-%s", f.Short)) {
			return true
		}
	}
	return false
}
