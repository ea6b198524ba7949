package cli

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gstack/internal/api"
)

func noEnv(string) string { return "" }

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		line, verb, args string
		check            func(invocation) bool
	}{
		{"url", "url", "", nil},
		{"--json url", "url", "", func(v invocation) bool { return v.json }},
		{"--json=false url", "url", "", func(v invocation) bool { return !v.json }},
		{"--tab-id 3 --session=a --timeout 1.5s url x", "url", "x", func(v invocation) bool {
			return v.tab == 3 && v.session == "a" && v.timeout == 1500*time.Millisecond
		}},
		{"--timeout 250 url", "url", "", func(v invocation) bool { return v.timeout == 250*time.Millisecond }},
		{"--session --json url", "url", "", func(v invocation) bool { return v.session == "--json" && !v.json }},
		{"-- --json", "--json", "", func(v invocation) bool { return !v.json }},
		{"url --json --tab-id 3 --nope", "url", "--json --tab-id 3 --nope", func(v invocation) bool { return v.tab == 0 && v.wantsJSON() }},
		{"fill @e1 --headed --force-restart -h", "fill", "@e1 --headed --force-restart -h", func(v invocation) bool { return !v.headed && !v.force && !v.help }},
		{"goto --headed --proxy http://h:1 --force-restart URL --headed", "goto", "URL --headed", func(v invocation) bool {
			return v.headed && v.force && v.proxy.Origin == "http://h:1"
		}},
		{"goto --proxy=http://h:1 URL", "goto", "URL", func(v invocation) bool { return v.proxy.Origin == "http://h:1" }},
		{"type -- --headed", "type", "-- --headed", func(v invocation) bool { return !v.headed }},
		{"type -- --json", "type", "-- --json", func(v invocation) bool { return !v.wantsJSON() }},
		{"click --help", "click", "", func(v invocation) bool { return v.help }},
		{"click -h @e1", "click", "@e1", func(v invocation) bool { return v.help }},
		{"scroll -200", "scroll", "-200", nil},
		{"press -", "press", "-", nil},
		{"--help", "", "", func(v invocation) bool { return v.help }},
		{"--version", "", "", func(v invocation) bool { return v.version }},
		{"", "", "", nil},
	} {
		v, err := parse(strings.Fields(tt.line), noEnv)
		if err != nil {
			t.Errorf("%q: %v", tt.line, err)
			continue
		}
		if v.verb != tt.verb || !slices.Equal(v.args, strings.Fields(tt.args)) || tt.check != nil && !tt.check(v) {
			t.Errorf("%q gives %+v", tt.line, v)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, line := range []string{
		"--nope url", "-i url", "--json=x url", "--tab-id", "--tab-id 0 url", "--tab-id -1 url", "--tab-id x url", "--timeout 0 url", "--timeout -5 url",
		"--timeout x url", "--timeout NaN url", "--timeout 1e300 url", "--session", "--proxy", "goto --proxy", "--proxy nope url", "--headed=2 url",
	} {
		if v, err := parse(strings.Fields(line), noEnv); err == nil || err.Code != api.BadUsage || err.Exit() != api.ExitUsage {
			t.Errorf("%q gives %+v, %v", line, v, err)
		}
	}
}

func TestUnknownFlagSuggests(t *testing.T) {
	for typo, want := range map[string]string{
		"--jsn": "--json", "--heded": "--headed", "--tabid": "--tab-id", "--sesion": "--session", "--force_restart": "--force-restart", "--xyzzy": "",
	} {
		err := unknownFlag(typo)
		if has := strings.Contains(err.Message, "did you mean"); has != (want != "") || !strings.HasSuffix(err.Message, want) && want != "" {
			t.Errorf("%s: %s", typo, err.Message)
		}
	}
}

func TestSections(t *testing.T) {
	old := verbs
	defer func() { verbs = old }()
	verbs = "=== \nusage === url\n=== url\nstdin: never\nhelp of url\n=== load-html setcontent\nstdin: dash\nhelp\n=== chain\nstdin: no-args\nlast"
	for name, want := range map[string]string{
		"": "usage === url\n", "url": "stdin: never\nhelp of url\n", "load-html": "stdin: dash\nhelp\n", "setcontent": "stdin: dash\nhelp\n", "chain": "stdin: no-args\nlast",
	} {
		if got, ok := section(name); !ok || got != want {
			t.Errorf("section %q is %q, %v", name, got, ok)
		}
	}
	for _, name := range []string{"ur", "load", "html", "load-html setcontent", "help", "===", "\n"} {
		if got, ok := section(name); ok {
			t.Errorf("section %q is %q", name, got)
		}
	}
	for _, tt := range []struct {
		verb, args string
		read       bool
	}{
		{"url", "", false}, {"url", "-", false}, {"chain", "", true}, {"chain", "-", false}, {"chain", "x", false}, {"load-html", "", false},
		{"load-html", "-", true}, {"setcontent", "x -", true}, {"load-html", "x", false}, {"nosuch", "", false}, {"nosuch", "-", false},
	} {
		v := invocation{verb: tt.verb, args: strings.Fields(tt.args)}
		if got := v.readsStdin(); got != tt.read {
			t.Errorf("%s %s reads standard input: %v", tt.verb, tt.args, got)
		}
	}
}

// The table that is built in must be one that the client can read.
func TestEmbeddedTable(t *testing.T) {
	for _, name := range []string{"", "completion.bash", "completion.zsh", "completion.fish", "stop", "restart", "status", "chain"} {
		if s, ok := section(name); !ok || strings.TrimSpace(s) == "" {
			t.Errorf("no section %q", name)
		}
	}
	for rest := verbs; ; {
		_, after, ok := strings.Cut(rest, "\n=== ")
		if !ok {
			return
		}
		rest = after
		head, body, _ := strings.Cut(rest, "\n")
		if strings.HasPrefix(head, "completion.") {
			continue
		}
		first, _, _ := strings.Cut(body, "\n")
		if first != "stdin: never" && first != "stdin: no-args" && first != "stdin: dash" {
			t.Errorf("section %q begins with %q", head, first)
		}
	}
}

func TestErrorsTravel(t *testing.T) {
	for _, e := range []*api.Error{
		{Code: api.StaleRef, Message: "a \"quoted\"\nline\x1b", Tried: []string{"x", "y"}, Hint: "try"},
		{Code: api.Failed, Message: "m"},
		{Code: api.Failed, Message: "m", Steps: `[{"command":"js","ok":true},["x",{"y":[1]}]]`},
	} {
		got := decodeError(encodeError(e), 422)
		if got.Code != e.Code || got.Message != e.Message || !slices.Equal(got.Tried, e.Tried) || got.Hint != e.Hint || got.Steps != e.Steps {
			t.Errorf("%+v became %+v", e, got)
		}
	}
	if e := decodeError([]byte("<html>"), 502); e.Code != api.Internal || !strings.Contains(e.Message, "502: <html>") {
		t.Errorf("%+v", e)
	}
}
