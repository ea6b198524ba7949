package inject

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// A declaration at the left margin is of the shared scope; that of several names
// in capitals is "const A = 1, B = 2;".
var (
	declared = regexp.MustCompile(`^(?:const|let|class|async function|function\*?) +([\w$]+)`)
	alsoIn   = regexp.MustCompile(`, ([A-Z][A-Z_]*) = `)
)

// TestNamesAreUnique: the files share one scope, where a name that two of them
// declare makes all of the code unreadable; two that are merged can do that
// without a conflict. (A test with a browser would say so too, of everything.)
func TestNamesAreUnique(t *testing.T) {
	names, err := fs.Glob(scripts, "*.js")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	in := map[string]string{}
	for _, name := range names {
		text, err := scripts.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			m := declared.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			found := [][]string{m}
			if strings.HasPrefix(line, "const ") {
				found = append(found, alsoIn.FindAllStringSubmatch(line, -1)...)
			}
			for _, m := range found {
				if before, has := in[m[1]]; has {
					t.Errorf("%s declares %s, and so does %s", name, m[1], before)
				}
				in[m[1]] = name
			}
		}
	}
	if len(in) < 200 {
		t.Errorf("only %d names were found", len(in))
	}
}
