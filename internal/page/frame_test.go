package page

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// TestUnquote: strings come out as the JSON library has them.
func TestUnquote(t *testing.T) {
	for _, q := range []string{
		`""`, `"plain"`, `"a\nb\n\nc\t"`, `"\"\\\/\b\f\n\r\t"`, `"\u0041\u00e9"`, `"\ud83d\ude00 x"`, `"\ud83d alone"`, "\"caf\u00e9 \U0001f600\"",
		`"ends\\"`, "\"\xff\"", `"\x"`, `"no end`, `7`,
	} {
		var want string
		wantErr := jsonv2.Unmarshal([]byte(q), &want, jsontext.AllowInvalidUTF8(true))
		got, err := unquote([]byte(q))
		if got != want || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: %q %v, want %q %v", q, got, err, want, wantErr)
		}
	}
}

// TestUnquoteHalfPair: JavaScript strings may hold half of a surrogate pair; that
// must not cost the whole answer.
func TestUnquoteHalfPair(t *testing.T) {
	if got, err := unquote([]byte(`"\ud83d alone \udfffb"`)); got != "\ufffd alone \ufffdb" || err != nil {
		t.Errorf("%q %v", got, err)
	}
}

func BenchmarkUnquote(b *testing.B) {
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "Row %d Link number %d Some words about row %d note %d\n\n", i, i, i, i)
	}
	q, err := json.Marshal(text.String())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(q)))
	for b.Loop() {
		if _, err := unquote(q); err != nil {
			b.Fatal(err)
		}
	}
}
