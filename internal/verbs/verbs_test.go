package verbs

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"gstack/internal/api"
	"gstack/internal/command"
)

func TestParseSteps(t *testing.T) {
	for in, want := range map[string][][]string{
		`[["goto","x"],["text"]]`:             {{"goto", "x"}, {"text"}},
		`goto x | text`:                       {{"goto", "x"}, {"text"}},
		`fill "#a" "x | y" | text`:            {{"fill", "#a", "x | y"}, {"text"}},
		`js 'a || b' | js a||b`:               {{"js", "a || b"}, {"js", "a||b"}},
		`fill '#a' ''`:                        {{"fill", "#a", ""}},
		`fill "#a" "say \"hi\""`:              {{"fill", "#a", `say "hi"`}},
		"js 1\n| js 2":                        {{"js", "1"}, {"js", "2"}},
		` [["js","[1,2]"]] `:                  {{"js", "[1,2]"}},
		`click text=Save`:                     {{"click", "text=Save"}},
		`click role=button[name="Save\ now"]`: {{"click", "role=button[name=Save now]"}},
	} {
		got, err := parseSteps(in)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, %v; want %q", in, got, err, want)
		}
	}
	for _, bad := range []string{"", "  ", "[", `[["a"]] x`, `[["a"],[]]`, `a | | b`, `a |`, `js "x`, `[]`, `[1]`} {
		if got, err := parseSteps(bad); err == nil {
			t.Errorf("%q: got %q, want an error", bad, got)
		}
	}
}

// TestChainTrouble: what is wrong with the steps is said in words of ours.
func TestChainTrouble(t *testing.T) {
	for in, want := range map[string]string{
		`[[1]]`: "word 1 of step 1 is a number, not a string", `[["a"],["b",null]]`: "word 2 of step 2 is null", `[["a",["b"]]]`: "word 2 of step 1 is an array",
		`[["a"],"b"]`: "step 2 is a string, not an array", `[{}]`: "step 1 is an object", `[true]`: "step 1 is true or false",
		`[["url"]`: "ends too early, after 8 bytes", `[["url`: "ends too early", `[["a"],]`: `byte 8 is unexpected, at "]"`, "[['a']]": `byte 3 is unexpected`,
		`[["a"]] x`: `byte 9 is unexpected, at "x"`,
	} {
		_, err := parseSteps(in)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "json:") || strings.Contains(err.Error(), "EOF") {
			t.Errorf("%s: %v, want %q in it", in, err, want)
		}
	}
}

// TestChainKeepsUntypedErrors: a step whose error is not one of ours has failed too.
func TestChainKeepsUntypedErrors(t *testing.T) {
	env := &Env{Step: func(context.Context, []string) (string, error) { return "", errors.New("broken") }}
	_, err := chainRun(t.Context(), env, chainIn{Steps: "js 1"})
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.Internal || e.Steps != `[{"command":"js","ok":false,"text":"","code":"internal","error":"broken","hint":"browse status"}]` {
		t.Errorf("%+v", err)
	}
}

func TestGlobMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, url string
		want         bool
	}{
		{"*/done", "http://a.test/done", true}, {"*/done", "http://a.test/done?x", false}, {"*/done*", "http://a.test/done?x", true},
		{"http://a.test/*/b", "http://a.test/x/y/b", true}, {"/done", "http://a.test/done?x", true}, {"/nope", "http://a.test/", false},
		{"*a?b", "http://x/a?b", true}, {"*a?b", "http://x/acb", false}, {"*", "anything", true}, {"ab*ba", "aba", false},
	} {
		if got := globMatch(c.pattern, c.url); got != c.want {
			t.Errorf("globMatch(%q, %q) = %v", c.pattern, c.url, got)
		}
	}
}

func TestScreenshotWords(t *testing.T) {
	for _, c := range []struct {
		in           screenshotIn
		target, file string
		bad          bool
	}{
		{in: screenshotIn{Words: []string{"shot.png"}}, file: "shot.png"},
		{in: screenshotIn{Words: []string{"./a/shot.JPG"}}, file: "./a/shot.JPG"},
		{in: screenshotIn{Words: []string{"@e3", "x.webp"}}, target: "@e3", file: "x.webp"},
		{in: screenshotIn{Words: []string{".card"}}, target: ".card"},
		{in: screenshotIn{Words: []string{"#a"}}, target: "#a"},
		{in: screenshotIn{Words: []string{"input[name=x]"}}, target: "input[name=x]"},
		{in: screenshotIn{Selector: "button", Words: []string{"b.png"}}, target: "button", file: "b.png"},
		{in: screenshotIn{Words: []string{"button"}}, bad: true},
		{in: screenshotIn{Words: []string{"x.gif"}}, bad: true},
		{in: screenshotIn{Selector: "a", Words: []string{"@e1"}}, bad: true},
		{in: screenshotIn{Viewport: true, Words: []string{"@e1"}}, bad: true},
		{in: screenshotIn{Viewport: true, Clip: "0,0,1,1"}, bad: true},
	} {
		target, file, err := c.in.words()
		if (err != nil) != c.bad || err == nil && (target != c.target || file != c.file) {
			t.Errorf("%+v: %q %q %v", c.in, target, file, err)
		}
	}
	for _, bad := range []string{"", "1,2,3", "1,2,3,x", "0,0,0,5", "-1,0,5,5", "1,2,3,4,5"} {
		if r, err := parseClip(bad); err == nil {
			t.Errorf("clip %q: %v", bad, r)
		}
	}
}

func TestLineDiff(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"a\nb\nc", "a\nx\nc", "  a\n- b\n+ x\n  c"}, {"", "x", "+ x"}, {"x", "", "- x"}, {"a", "a", "  a"}, {"", "", ""},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nx", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\ny", "  1\n  2\n  3\n  4\n  5\n  6\n  7\n  8\n  9\n  10\n- x\n+ y"},
		{"x\n1\n2\n3\n4\n5\n6\n7\n8\n9\ny", "1\n2\n3\n4\n5\n6\n7\n8\n9\nz", "- x\n  1\n  2\n  3\n  4\n  5\n  6\n  7\n  8\n  9\n- y\n+ z"},
		{"- a\n+ b\n@@ -1,2 +1,2 @@", "- a\n@@ -1,2 +1,2 @@", "  - a\n- + b\n  @@ -1,2 +1,2 @@"},
	} {
		if got, _, _ := lineDiff(c.a, c.b, -1); got != c.want {
			t.Errorf("%q, %q:\n%s\nwant\n%s", c.a, c.b, got, c.want)
		}
	}
	if got, added, removed := lineDiff("1\n2\n3\n4\n5", "1\n2\n3\n4\nx", 1); got != "…\n  4\n- 5\n+ x" || added != 1 || removed != 1 {
		t.Errorf("%q %d %d", got, added, removed)
	}
}

// TestActionsTakeConditions: every verb that acts on a page takes --expect and
// --snapshot, and nothing else does.
func TestActionsTakeConditions(t *testing.T) {
	var acting int
	for _, v := range All {
		has := map[string]bool{}
		for _, f := range v.Fields {
			has[f.Name] = f.Flag
		}
		acts := v.Group == "Interaction" && v.Effect == command.Writes && !strings.HasPrefix(v.Name, "dialog-")
		if acts {
			acting++
		}
		if want := acts; has["expect"] != want || v.Name != "snapshot" && has["snapshot"] != want {
			t.Errorf("%s: --expect %v, --snapshot %v, want %v", v.Name, has["expect"], has["snapshot"], want)
		}
	}
	if acting < 18 {
		t.Errorf("%d verbs act", acting)
	}
}
