package inject

import (
	"io/fs"
	"regexp"
	"testing"
)

// declared finds the names that a file declares for all.
var declared = regexp.MustCompile(`(?m)^(?:const|let|class|(?:async )?function\*?) ([\w$]+)`)

// TestNamesOnce: all files share one scope, in which a second const is a syntax
// error and a second function silently takes the place of the first.
func TestNamesOnce(t *testing.T) {
	files, err := fs.Glob(scripts, "*.js")
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]string{}
	for _, file := range files {
		text, err := scripts.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			if was := in[m[1]]; was != "" {
				t.Errorf("%s declares %s, and so does %s", file, m[1], was)
			}
			in[m[1]] = file
		}
	}
	if len(in) < 100 {
		t.Errorf("found only %d names", len(in))
	}
}
