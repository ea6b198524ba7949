package docgen_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gstack/internal/docgen"
	"gstack/internal/knob"
	"gstack/internal/verbs"
)

var update = flag.Bool("update", false, "write the generated files instead of comparing them")

const root = "../.."

func TestGenerated(t *testing.T) {
	for _, f := range docgen.Files(verbs.Specs(), knob.All()) {
		path := filepath.Join(root, filepath.FromSlash(f.Path))
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(f.Content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != f.Content {
			t.Errorf("%s is stale, run: go generate ./... (%v)", f.Path, err)
		}
	}
}

// TestEveryVerbHasAScript fails when a verb is added without a test script.
func TestEveryVerbHasAScript(t *testing.T) {
	for _, s := range verbs.Specs() {
		file := filepath.Join(root, "test/testdata/script", s.Name+".txtar")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		script := string(data)
		if !strings.Contains(script, "browse "+s.Name) {
			t.Errorf("%s does not run browse %s", file, s.Name)
		}
	}
}

// TestRegistry holds what every entry must carry.
func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range verbs.Specs() {
		for _, n := range append([]string{s.Name}, s.Aliases...) {
			if seen[n] {
				t.Errorf("%s is registered twice", n)
			}
			seen[n] = true
		}
		if s.Summary == "" || s.Group == "" || strings.HasSuffix(s.Summary, ".") {
			t.Errorf("%s: summary %q, group %q", s.Name, s.Summary, s.Group)
		}
		for _, e := range s.Examples {
			if !strings.HasPrefix(e, s.Name) {
				t.Errorf("%s: example %q does not begin with the verb", s.Name, e)
			}
		}
	}
}
