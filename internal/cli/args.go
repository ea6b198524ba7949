package cli

import (
	"strconv"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/knob"
	"gstack/internal/workspace"
)

// invocation is a command line.
type invocation struct {
	verb string
	args []string

	json, raw bool
	tab       int
	session   string
	timeout   time.Duration

	headed, force bool
	proxy         workspace.Proxy // zero when none is asked for
	help, version bool
}

// wantsJSON reports whether errors are printed as JSON: --json before the verb,
// or after it, up to "--".
func (v *invocation) wantsJSON() bool {
	if v.json {
		return true
	}
	for _, a := range v.args {
		switch a {
		case "--":
			return false
		case "--json":
			return true
		}
	}
	return false
}

// flag is a global flag of the client.
type flag struct {
	name  string
	value bool // takes one
	set   func(v *invocation, val string) *api.Error
}

// own are the flags that only the client can act on. They are taken before the
// verb and directly after it.
var own = []flag{
	{"--help", false, on(func(v *invocation) *bool { return &v.help })},
	{"-h", false, on(func(v *invocation) *bool { return &v.help })},
	{"--force-restart", false, on(func(v *invocation) *bool { return &v.force })},
	{"--headed", false, on(func(v *invocation) *bool { return &v.headed })},
	{"--proxy", true, setProxy},
}

// sent are the flags that travel with the request. The client takes them before
// the verb only.
var sent = []flag{
	{"--json", false, on(func(v *invocation) *bool { return &v.json })},
	{"--raw", false, on(func(v *invocation) *bool { return &v.raw })},
	{"--version", false, on(func(v *invocation) *bool { return &v.version })},
	{"--tab-id", true, setTab},
	{"--session", true, func(v *invocation, val string) *api.Error { v.session = val; return nil }},
	{"--timeout", true, setTimeout},
}

func on(field func(*invocation) *bool) func(*invocation, string) *api.Error {
	return func(v *invocation, val string) *api.Error {
		b, err := strconv.ParseBool(val)
		if err != nil {
			return usage("%q is not true or false", val)
		}
		*field(v) = b
		return nil
	}
}

func usage(format string, a ...any) *api.Error {
	return api.Errorf(api.BadUsage, "browse help", format, a...)
}

func setTab(v *invocation, val string) *api.Error {
	n, err := strconv.Atoi(val)
	if err != nil || n < 1 {
		return api.Errorf(api.BadUsage, "browse tabs", "tab id %q is not a number of a tab", val)
	}
	v.tab = n
	return nil
}

func setTimeout(v *invocation, val string) *api.Error {
	d, err := time.ParseDuration(val)
	if n, nerr := strconv.ParseFloat(val, 64); nerr == nil {
		d, err = time.Duration(n*float64(time.Millisecond)), nil
	}
	if err != nil || d < time.Millisecond || d > 1000*time.Hour {
		return usage("timeout %q is not a number of milliseconds, nor a duration such as 5s", val)
	}
	v.timeout = d
	return nil
}

func setProxy(v *invocation, val string) *api.Error {
	p, err := workspace.ParseProxy(val, knob.ProxyUser.Get(), knob.ProxyPass.Get())
	v.proxy = p
	return err
}

// parse reads a command line. The environment gives defaults for what flags say.
func parse(argv []string, env func(string) string) (invocation, *api.Error) {
	v := invocation{session: env(knob.Session.Name), raw: knob.Raw.From(env), headed: knob.Headed.From(env)}
	if raw := env(knob.Tab.Name); raw != "" && raw != "0" {
		if err := setTab(&v, raw); err != nil {
			err.Message = "BROWSE_TAB: " + err.Message
			return v, err
		}
	}
	if raw := knob.ProxyURL.From(env); raw != "" {
		if err := setProxy(&v, raw); err != nil {
			err.Message = "BROWSE_PROXY_URL: " + err.Message
			return v, err
		}
	}
	rest, err := v.flags(argv, true)
	if err != nil {
		return v, err
	}
	if len(rest) == 0 {
		return v, nil
	}
	v.verb = rest[0]
	v.args, err = v.flags(rest[1:], false)
	return v, err
}

// flags takes leading flags off the words: before the verb all, after it only
// the client's own, and there the first other word ends them.
func (v *invocation) flags(words []string, before bool) ([]string, *api.Error) {
	for len(words) > 0 {
		w := words[0]
		if len(w) < 2 || w[0] != '-' {
			return words, nil
		}
		if w == "--" {
			if before {
				words = words[1:]
			}
			return words, nil
		}
		name, val, has := strings.Cut(w, "=")
		f := lookup(name, before)
		if f == nil {
			if before {
				return nil, unknownFlag(name)
			}
			return words, nil
		}
		words = words[1:]
		switch {
		case f.value && !has:
			if len(words) == 0 {
				return nil, usage("%s wants a value", f.name)
			}
			val, words = words[0], words[1:]
		case !f.value && !has:
			val = "true"
		}
		if err := f.set(v, val); err != nil {
			return nil, err
		}
	}
	return words, nil
}

func lookup(name string, before bool) *flag {
	for i := range own {
		if own[i].name == name {
			return &own[i]
		}
	}
	if before {
		for i := range sent {
			if sent[i].name == name {
				return &sent[i]
			}
		}
	}
	return nil
}

func unknownFlag(name string) *api.Error {
	best, bestD := "", 3
	for _, list := range [][]flag{own, sent} {
		for _, f := range list {
			if d := distance(name, f.name); d < bestD {
				best, bestD = f.name, d
			}
		}
	}
	if best != "" {
		return usage("unknown flag %s before the command, did you mean %s", api.Clean(name), best)
	}
	return usage("unknown flag %s before the command; a command's own flags stand after it", api.Clean(name))
}

// distance is the number of bytes to insert, delete or change that turns a into
// b (Levenshtein).
func distance(a, b string) int {
	prev, cur := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			d := prev[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			cur[j] = min(d, prev[j]+1, cur[j-1]+1)
		}
		prev, cur = cur, prev
	}
	return prev[len(b)]
}
