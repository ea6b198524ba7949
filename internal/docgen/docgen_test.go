package docgen_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gstack/internal/command"
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

// TestEveryFlagIsDocumented: the overview and the reference name every flag that
// the client or the daemon takes, and tell defaults and exceptions.
func TestEveryFlagIsDocumented(t *testing.T) {
	docs := map[string]string{"commands.md": docgen.Commands(verbs.Specs()), "the overview": command.Overview(verbs.Specs())}
	src, err := os.ReadFile(filepath.Join(root, "internal/cli/args.go"))
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^var flagNames = .*$`).FindString(string(src))
	flags := regexp.MustCompile(`--[a-z-]+`).FindAllString(list, -1)
	if len(flags) < 12 {
		t.Fatalf("the client's flags were not found: %v", flags)
	}
	for _, f := range flags {
		for name, text := range docs {
			if !strings.Contains(text, f) {
				t.Errorf("%s does not name %s", name, f)
			}
		}
	}
	for name, text := range docs {
		if !strings.Contains(text, strconv.Itoa(command.DefaultMaxBytes)) {
			t.Errorf("%s does not tell the default of --max-bytes", name)
		}
	}
	for _, s := range verbs.Specs() {
		if !s.FreeText {
			continue
		}
		head, _, _ := strings.Cut(docs["commands.md"], "\n| ")
		if !strings.Contains(head, "`"+s.Name+"`") || !strings.Contains(s.Help(), "every word is text") || !strings.Contains(s.Markdown(), "every word is text") {
			t.Errorf("that the text of %s ends the flags is not said", s.Name)
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
