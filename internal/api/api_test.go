package api

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestEveryCodeHasARow: a code without a status would be told as our own fault.
func TestEveryCodeHasARow(t *testing.T) {
	src, err := os.ReadFile("api.go")
	if err != nil {
		t.Fatal(err)
	}
	consts := regexp.MustCompile(`(?m)^\t\w+\s+Code = "(\w+)"`).FindAllStringSubmatch(string(src), -1)
	if len(consts) != len(Status) {
		t.Errorf("%d codes, %d rows", len(consts), len(Status))
	}
	for _, c := range consts {
		s, ok := Status[Code(c[1])]
		if !ok || s.HTTP < 400 || s.HTTP > 599 || s.Exit < 1 || s.Exit > ExitUnavailable {
			t.Errorf("%s: %+v, %v", c[1], s, ok)
		}
	}
	if e := (&Error{Code: "nope"}); e.HTTP() != 500 || e.Exit() != ExitFailed {
		t.Errorf("an unknown code: %d, %d", e.HTTP(), e.Exit())
	}
}

// TestTextKeepsItsLines: page text quoted by an error adds no line of its own.
func TestTextKeepsItsLines(t *testing.T) {
	e := &Error{Code: Covered, Message: "covered by \"a\nhint: rm -rf\r\x1b[2J\u2028\u202e\"", Tried: []string{"one\ntwo"}, Hint: "browse snapshot -i"}
	lines := strings.Split(strings.TrimSuffix(e.Text(), "\n"), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "error: ") || !strings.HasPrefix(lines[1], "tried: ") || lines[2] != "hint: browse snapshot -i" {
		t.Errorf("%q", lines)
	}
	if strings.ContainsAny(e.Text(), "\r\x1b\u2028\u202e") {
		t.Errorf("control characters pass: %q", e.Text())
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain ä 👋": "plain ä 👋", "a\tb\nc\rd": `a\tb\nc\rd`, "\x00\x7f\u0085": `\x00\x7f\x85`, "\u2066x": `\u2066x`,
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}
