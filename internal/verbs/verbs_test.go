package verbs

import (
	"reflect"
	"testing"
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
