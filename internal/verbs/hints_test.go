package verbs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gstack/internal/command"
)

// named finds what a text tells the reader to run: "browse click", "browse --json".
var named = regexp.MustCompile(`(?:^|[^\w./@-])browse (--?[\w-]+|[a-z]\w*(?:-\w+)*)`)

// prose are words that follow the program's name in sentences about it.
var prose = map[string]bool{"as": true, "by": true, "cannot": true, "does": true, "inside": true, "is": true, "starts": true}

// TestHintsNameCommands: whatever a message, hint or help text tells the reader
// to run must exist. It looks at all string literals of the program.
func TestHintsNameCommands(t *testing.T) {
	known := map[string]bool{"completion": true, "disconnect": true}
	for _, v := range All {
		for _, n := range append([]string{v.Name}, v.Aliases...) {
			known[n] = true
		}
	}
	for _, f := range command.GlobalFields {
		known["--"+f.Name] = true
	}
	for _, f := range []string{"--force-restart", "--headed", "--proxy", "--help", "--version"} {
		known[f] = true
	}
	files, texts := 0, 0
	for _, dir := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			var lits []string
			switch filepath.Ext(path) {
			case ".go":
				lits, err = literals(path)
			case ".js":
				var text []byte
				text, err = os.ReadFile(path)
				for line := range strings.Lines(string(text)) {
					if !strings.HasPrefix(strings.TrimSpace(line), "//") {
						lits = append(lits, line)
					}
				}
			default:
				return nil
			}
			files++
			for _, s := range lits {
				s = strings.ReplaceAll(s, "complete -c browse", "") // the language of fish
				for _, m := range named.FindAllStringSubmatch(s, -1) {
					texts++
					if !known[m[1]] && !prose[m[1]] {
						t.Errorf("%s: %q names browse %s, which does not exist", path, s, m[1])
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 50 || texts < 50 {
		t.Errorf("looked at %d files with %d commands: the scan does not see them", files, texts)
	}
}

// literals returns the values of the string literals of a Go file.
func literals(path string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return nil, err
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if s, err := strconv.Unquote(l.Value); err == nil {
				out = append(out, s)
			}
		}
		return true
	})
	return out, nil
}
