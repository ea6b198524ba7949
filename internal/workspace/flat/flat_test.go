package flat

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"
)

var samples = []string{
	`{}`, ` { } `, `{"a":1}`, `{"a":"x","a":"y"}`, `{"a":["x","y"],"b":[1],"c":[]}`, `{"a":{"b":[{"c":"d"}]},"e":true,"f":null}`,
	`{"s":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx\ude00"}`, `{"n":-0.5e+10,"m":01}`, `{"n":1.}`, `{"a":1,}`, `{"a"}`, `[1]`, `{"a":1}x`,
	`{"a":"` + "\n" + `"}`, "{\"a\":\"\xff\"}", `{"a":tru}`, `{"a":9223372036854775808}`, `{"é":"ü"}`, `{"a":"\u12"}`, `{"a":"\x"}`, ``, `{`, `{"a":[`,
	`{"a":-}`, `{"a":1e}`, `{"a":"\ud83d\u0041"}`, `{"a":1e1000}`,
}

// check compares Parse with encoding/json on one input.
func check(t *testing.T, data []byte) {
	t.Helper()
	o, err := Parse(data)
	var want map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // a float64 cannot hold every number that JSON can write
	wantErr := d.Decode(&want)
	if wantErr == nil && !json.Valid(data) {
		wantErr = errors.New("more behind the object")
	}
	if wantErr == nil && want == nil { // the literal null
		return
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("Parse(%q) = %v, encoding/json says %v", data, err, wantErr)
	}
	if err != nil {
		return
	}
	if len(o) != len(want) {
		t.Fatalf("Parse(%q) has %d members, want %d", data, len(o), len(want))
	}
	for name, w := range want {
		switch w := w.(type) {
		case string:
			if o.String(name) != w {
				t.Fatalf("Parse(%q)[%q] = %q, want %q", data, name, o.String(name), w)
			}
		case bool:
			if o.Bool(name) != w {
				t.Fatalf("Parse(%q)[%q] = %v, want %v", data, name, o.Bool(name), w)
			}
		case []any:
			list := []string{}
			for _, e := range w {
				s, ok := e.(string)
				if !ok {
					list = nil
					break
				}
				list = append(list, s)
			}
			if !slices.Equal(o.Strings(name), list) {
				t.Fatalf("Parse(%q)[%q] = %q, want %q", data, name, o.Strings(name), list)
			}
		}
	}
}

func TestParseAgreesWithEncodingJSON(t *testing.T) {
	for _, s := range samples {
		check(t, []byte(s))
	}
}

func TestRaw(t *testing.T) {
	o, err := Parse([]byte(`{"a": [ {"x":"]"}, 1 ] ,"b":{"c":[{}]},"s":["x"],"t":"u"}`))
	if err != nil || o.Raw("a") != `[ {"x":"]"}, 1 ]` || o.Raw("b") != `{"c":[{}]}` || o.Raw("s")+o.Raw("t")+o.Raw("none") != "" {
		t.Errorf("%+v, %v", o, err)
	}
	var w Writer
	w.Bool("ok", true)
	w.Raw("a", o.Raw("a"))
	if got := string(w.Bytes()); got != `{"ok":true,"a":[ {"x":"]"}, 1 ]}` {
		t.Error(got)
	}
}

func TestParseRefusesDeepNesting(t *testing.T) {
	deep := make([]byte, 0, 4000)
	deep = append(deep, `{"a":`...)
	for range 2000 {
		deep = append(deep, '[')
	}
	if _, err := Parse(deep); err == nil {
		t.Fatal("2000 open lists were accepted")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return // encoding/json allows deeper nesting than we do
		}
		depth := 0
		for _, c := range data {
			if c == '[' || c == '{' {
				depth++
			}
		}
		if depth < maxDepth {
			check(t, data)
		} else {
			_, _ = Parse(data)
		}
	})
}

func TestWriterAgreesWithEncodingJSON(t *testing.T) {
	var w Writer
	odd := "a\"\\\n\r\t\x01é\U0001f600\xff\u2028"
	w.String("s", odd)
	w.Int("n", -12)
	w.Bool("b", true)
	w.Strings("l", []string{"x", odd})
	var got struct {
		S string
		N int
		B bool
		L []string
	}
	if err := json.Unmarshal(w.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, w.Bytes())
	}
	want := "a\"\\\n\r\t\x01é\U0001f600\ufffd\u2028"
	if got.S != want || got.N != -12 || !got.B || !slices.Equal(got.L, []string{"x", want}) {
		t.Fatalf("got %+v", got)
	}
	if s := string(new(Writer).Bytes()); s != "{}" {
		t.Fatalf("empty writer gives %q", s)
	}
}
