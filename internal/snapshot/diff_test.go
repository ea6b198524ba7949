package snapshot

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	same := "\n[list]\n[separator]\n[list]\n[separator]"
	for _, c := range []struct {
		name, before, after string
		otherPage           bool
		want                string
	}{
		{"nothing", "@e1 [link] \"A\"", "@e1 [link] \"A\"", false, ""},
		{"nothing but refs", "@e1 [link] \"A\"\n  @c2 [button]", "@e7 [link] \"A\"\n  @c9 [button]", true, ""},
		{"from nothing", "", "@e1 [link] \"A\"", false, "--- previous snapshot\n+++ current snapshot\n@@ -0,0 +1,1 @@\n+@e1 [link] \"A\""},
		{"to nothing", "@e1 [link] \"A\"", "", false, "--- previous snapshot\n+++ current snapshot\n@@ -1,1 +0,0 @@\n-@e1 [link] \"A\""},
		{"refs of another page", "@e1 [link] \"A\"\n@e2 [link] \"B\"", "@e5 [link] \"A\"\n@e6 [link] \"C\"", true,
			"--- previous snapshot\n+++ current snapshot\n@@ -1,2 +1,2 @@\n @e5 [link] \"A\"\n-@e2 [link] \"B\"\n+@e6 [link] \"C\""},
		{"lines that occur often", "@e1 [a]" + same + "\n@e2 [b] [x]", "@e1 [a] [y]" + same + "\n@e2 [b]", false,
			"--- previous snapshot\n+++ current snapshot\n@@ -1,6 +1,6 @@\n-@e1 [a]\n+@e1 [a] [y]" + strings.ReplaceAll(same, "\n", "\n ") + "\n-@e2 [b] [x]\n+@e2 [b]"},
	} {
		if got := Compare(c.before, c.after, c.otherPage).Text; got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestCompareRandom applies each diff to the text before, which must give the
// text after.
func TestCompareRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for round := range 2000 {
		var before, after []string
		for i := range rnd.IntN(40) {
			line := fmt.Sprintf("@e%d [row]", i)
			if rnd.IntN(3) == 0 {
				line = "[list]"
			}
			if rnd.IntN(6) > 0 {
				before = append(before, line)
			}
			if rnd.IntN(8) == 0 {
				line += " [focused]"
			}
			if rnd.IntN(6) > 0 {
				after = append(after, line)
			}
		}
		d := Compare(strings.Join(before, "\n"), strings.Join(after, "\n"), false)
		if got := apply(t, before, d.Text); strings.Join(got, "\n") != strings.Join(after, "\n") {
			t.Fatalf("round %d: the diff\n%s\nmade\n%s\nfrom\n%s\nwant\n%s", round, d.Text,
				strings.Join(got, "\n"), strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
		if d.Added != strings.Count("\n"+d.Text, "\n+")-min(len(d.Text), 1) || d.Removed != strings.Count("\n"+d.Text, "\n-")-min(len(d.Text), 1) {
			t.Fatalf("round %d: %d added, %d removed in\n%s", round, d.Added, d.Removed, d.Text)
		}
	}
}

// apply patches lines with a unified diff.
func apply(t *testing.T, lines []string, text string) []string {
	if text == "" {
		return lines
	}
	var out []string
	at := 0
	for _, line := range strings.Split(text, "\n")[2:] {
		switch line[0] {
		case '@':
			var start, n int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d", &start, &n); err != nil {
				t.Fatal(err)
			}
			if n > 0 {
				start--
			}
			out = append(out, lines[at:start]...)
			at = start
		case '+':
			out = append(out, line[1:])
		default:
			if lines[at] != line[1:] {
				t.Fatalf("%q is not %q in\n%s", lines[at], line, text)
			}
			if line[0] == ' ' {
				out = append(out, line[1:])
			}
			at++
		}
	}
	return append(out, lines[at:]...)
}
