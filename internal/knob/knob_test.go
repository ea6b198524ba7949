package knob

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"time"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestValues(t *testing.T) {
	if d := IdleTimeout.From(env()); d != 30*time.Minute {
		t.Errorf("default idle timeout is %v", d)
	}
	if d := IdleTimeout.From(env("BROWSE_IDLE_TIMEOUT", "250")); d != 250*time.Millisecond {
		t.Errorf("idle timeout is %v, want 250ms", d)
	}
	for _, bad := range []string{"-5", "0", "x", "99999999999999999999"} {
		if d := StartTimeout.From(env("BROWSE_START_TIMEOUT", bad)); d != 15*time.Second {
			t.Errorf("start timeout of %q is %v, want the default", bad, d)
		}
	}
	if !NoAutostart.From(env("BROWSE_NO_AUTOSTART", "1")) || NoAutostart.From(env("BROWSE_NO_AUTOSTART", "0")) {
		t.Error("1 and 0 are not told apart")
	}
	if n := Port.From(env("BROWSE_PORT", "65536")); n != 0 {
		t.Errorf("port 65536 gives %d", n)
	}
}

func TestProblemsNameTheValue(t *testing.T) {
	e := env("BROWSE_PORT", "http", "BROWSE_CDP_PORT", "x1", "BROWSE_TAB", "x", "BROWSE_IDLE_TIMEOUT", "100")
	got := Problems(e, Daemon)
	if len(got) != 2 || got[0] != (Problem{"BROWSE_PORT", "http", "0..65535"}) || got[1] != (Problem{"BROWSE_CDP_PORT", "x1", "0..65535"}) {
		t.Errorf("problems of the daemon: %+v", got)
	}
	if got := Problems(e, Client); len(got) != 1 || got[0].Name != "BROWSE_TAB" {
		t.Errorf("problems of the client: %+v", got)
	}
}

func TestSetHidesSecrets(t *testing.T) {
	for _, s := range Set(env("AUTH_TOKEN", "hush", "BROWSE_PROXY_URL", "http://u:hush@h:1", "BROWSE_PORT", "12345")) {
		if strings.Contains(s.Value, "hush") {
			t.Errorf("%s shows its value", s.Name)
		}
		if s.Name == "BROWSE_PORT" && s.Value != "12345" {
			t.Errorf("port is shown as %q", s.Value)
		}
	}
}

func TestEntriesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, i := range All() {
		if seen[i.Name] {
			t.Errorf("%s is listed twice", i.Name)
		}
		seen[i.Name] = true
		if i.Doc == "" || i.Type == "" || i.Side == "" || strings.HasSuffix(i.Doc, ".") {
			t.Errorf("%s: incomplete entry %+v", i.Name, i)
		}
		low := strings.ToLower(i.Name)
		for _, w := range []string{"token", "pass", "secret"} {
			if strings.Contains(low, w) && !i.Secret {
				t.Errorf("%s looks like a secret and is not one", i.Name)
			}
		}
	}
}

// Entries that are missing in the list would be missing in the documentation.
// That each agrees with its own documentation is easy to break by hand.
func TestListIsWhole(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "list.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared, listed []string
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			v, ok := s.(*ast.ValueSpec)
			if !ok {
				t.Fatalf("unexpected declaration %T", s)
			}
			if v.Names[0].Name != "all" {
				declared = append(declared, v.Names[0].Name)
				continue
			}
			for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
				listed = append(listed, e.(*ast.Ident).Name)
			}
		}
	}
	if !slices.Equal(declared, listed) {
		t.Errorf("declared: %q\nlisted:   %q", declared, listed)
	}
	for _, e := range all {
		i := e.info()
		switch k := e.(type) {
		case *Number:
			want := fmt.Sprintf("%d..%d", k.low, k.high)
			if i.Type == "bytes" { // no limit that a reader would want to know
				want = i.Type
			}
			if i.Type != want || i.Default != fmt.Sprint(k.def) || k.def < k.low || k.def > k.high {
				t.Errorf("%s is documented as %s, default %s; it is %s, default %d", i.Name, i.Type, i.Default, want, k.def)
			}
		case *Millis:
			if i.Default != fmt.Sprint(k.def) || k.def < k.low {
				t.Errorf("%s is documented with default %s, it is %d", i.Name, i.Default, k.def)
			}
		}
	}
}
