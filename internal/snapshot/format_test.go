package snapshot

import "testing"

func TestFormat(t *testing.T) {
	got := Format([]Node{
		{Ref: "@e1", Role: "link", Name: `A "b" \c`, URL: "https://a.test/\x1b"},
		{Depth: 1, Role: "heading", Name: "T", States: "level=2,expanded=false"},
		{Depth: 40, Ref: "@c2", Role: "textbox", Name: "N", Value: "v\nw \u202e\\n"},
	})
	want := `@e1 [link] "A \"b\" \\c" → https://a.test/\x1b
  [heading] "T" [level=2, expanded=false]
` + spaces + `                @c2 [textbox] "N": "v\nw \u202e\\n"`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
