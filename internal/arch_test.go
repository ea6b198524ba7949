// Package internal checks the architecture of the packages below it.
package internal

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport is the architecture: a package may import only what its row names.
// A row for "cmd/x" is a program.
var mayImport = map[string]string{
	"api":            "",
	"progress":       "",
	"knob":           "",
	"command":        "api",
	"safe":           "api",
	"shield":         "api",
	"markdown":       "",
	"workspace/flat": "",
	"workspace":      "api knob workspace/flat",
	"cdp":            "",
	"cookie":         "",
	"state":          "api cookie safe",
	"browser":        "api cdp cookie knob safe",
	"capture":        "api shield",
	"resolver":       "safe",
	"page/inject":    "",
	"page":           "api capture cdp page/inject safe",
	"picture":        "",
	"snapshot":       "api page",
	"action":         "api cdp page",
	"session":        "api browser capture cdp cookie page state",
	"verbs":          "action api browser capture command cookie markdown page picture progress safe session shield snapshot state",
	"dispatch":       "api command safe session shield verbs",
	"server":         "api progress",
	"daemon":         "api knob server workspace",
	"engine":         "api browser capture cdp daemon dispatch knob resolver safe session state verbs",
	"cli":            "api knob workspace workspace/flat", // the thin client sees neither browser nor registry
	"docgen":         "command knob",
	"cmd/browse":     "cli",
	"cmd/browsed":    "engine",
	"cmd/gstack":     "docgen knob verbs",
}

// goFiles returns the non-test Go files of the module by package.
func goFiles(t *testing.T) map[string][]string {
	t.Helper()
	pkgs := map[string][]string{}
	for _, root := range []string{".", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../")
				pkgs[pkg] = append(pkgs[pkg], path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(pkgs) < 10 {
		t.Fatalf("found only %d packages, the walk is wrong", len(pkgs))
	}
	return pkgs
}

func TestImports(t *testing.T) {
	used := map[string]bool{}
	for pkg, files := range goFiles(t) {
		row, ok := mayImport[pkg]
		if !ok {
			t.Errorf("%s has no row in mayImport", pkg)
		}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range f.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				imp, ok := strings.CutPrefix(path, "gstack/internal/")
				if !ok {
					continue
				}
				used[pkg+" "+imp] = true
				if !slices.Contains(strings.Fields(row), imp) {
					t.Errorf("%s: %s may not import %s", file, pkg, imp)
				}
			}
		}
	}
	for pkg, row := range mayImport {
		for _, imp := range strings.Fields(row) {
			if !used[pkg+" "+imp] {
				t.Errorf("%s does not import %s, drop it from its row", pkg, imp)
			}
		}
	}
}

// TestPackageComments wants one package comment per package, in one file.
func TestPackageComments(t *testing.T) {
	for pkg, files := range goFiles(t) {
		var with []string
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if f.Doc != nil {
				with = append(with, file)
			}
		}
		if len(with) != 1 {
			t.Errorf("%s has a package comment in %d files, want one: %v", pkg, len(with), with)
		}
	}
}

// TestKnobsAreRead keeps variables that nothing reads out of the documentation:
// each is used by its Go name or by its own, or says that it is not used.
func TestKnobsAreRead(t *testing.T) {
	var code strings.Builder
	for pkg, files := range goFiles(t) {
		if pkg == "knob" {
			continue
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			code.Write(data)
		}
	}
	list, err := os.ReadFile("knob/list.go")
	if err != nil {
		t.Fatal(err)
	}
	entries := regexp.MustCompile(`(?m)^\t(\w+)\s+= &\w+\{Info\{"(\w+)", "[^"]*", "[^"]*", "([^"]*)"`).FindAllStringSubmatch(string(list), -1)
	if len(entries) < 20 {
		t.Fatalf("found only %d variables", len(entries))
	}
	for _, e := range entries {
		if !strings.Contains(code.String(), "knob."+e[1]) && !strings.Contains(code.String(), `"`+e[2]+`"`) && !strings.HasPrefix(e[3], "accepted and not used") {
			t.Errorf("nothing reads %s", e[2])
		}
	}
}

// maxLines is the size at which a file is split by noun.
const maxLines = 600

func TestFileSizes(t *testing.T) {
	check := func(file string) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(data), "\n"); n > maxLines {
			t.Errorf("%s has %d lines, more than %d: split it by noun", file, n, maxLines)
		}
	}
	for _, files := range goFiles(t) {
		for _, f := range files {
			check(f)
		}
	}
	js, err := filepath.Glob("*/inject/*.js")
	if err != nil || len(js) == 0 {
		t.Fatalf("no page scripts found: %v", err)
	}
	for _, f := range js {
		check(f)
	}
}

// TestNoSleep keeps waiting by the clock out of the code: a wait has a
// condition and a deadline.
func TestNoSleep(t *testing.T) {
	needle := "time." + "Sleep("
	for _, root := range []string{".", "../cmd", "../test", "../tools"} {
		if _, err := os.Stat(root); err != nil {
			continue
		}
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			data, err := os.ReadFile(path)
			if err == nil && strings.Contains(string(data), needle) {
				t.Errorf("%s sleeps", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
