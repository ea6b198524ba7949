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
	maxBytes  int // -1 leaves the daemon's default
	page      int

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

// The flags are switches rather than tables, which a program would have to
// build at each start.

// ownFlag sets a flag that only the client can act on. These are taken before
// the verb and directly after it. known is false for any other name.
func (v *invocation) ownFlag(name, val string) (known bool, err *api.Error) {
	switch name {
	case "--help", "-h":
		err = setBool(&v.help, name, val)
	case "--force-restart":
		err = setBool(&v.force, name, val)
	case "--headed":
		err = setBool(&v.headed, name, val)
	case "--proxy":
		v.proxy, err = workspace.ParseProxy(val, knob.ProxyUser.Get(), knob.ProxyPass.Get())
	default:
		return false, nil
	}
	return true, err
}

// sentFlag sets a flag that travels with the request. The client takes these
// before the verb only.
func (v *invocation) sentFlag(name, val string) (known bool, err *api.Error) {
	switch name {
	case "--json":
		err = setBool(&v.json, name, val)
	case "--raw":
		err = setBool(&v.raw, name, val)
	case "--version":
		err = setBool(&v.version, name, val)
	case "--tab-id":
		err = v.setTab(val)
	case "--session":
		v.session = val
	case "--timeout":
		err = v.setTimeout(val)
	case "--max-bytes":
		err = setCount(&v.maxBytes, name, val)
	case "--page":
		err = setCount(&v.page, name, val)
	default:
		return false, nil
	}
	return true, err
}

// flagNames are all of them, for suggestions.
var flagNames = [...]string{"--help", "--force-restart", "--headed", "--proxy", "--json", "--raw", "--version", "--tab-id", "--session", "--timeout", "--max-bytes", "--page"}

// takesValue reports whether the next word is the flag's value.
func takesValue(name string) bool {
	switch name {
	case "--proxy", "--tab-id", "--session", "--timeout", "--max-bytes", "--page":
		return true
	}
	return false
}

func setBool(field *bool, name, val string) *api.Error {
	b, err := strconv.ParseBool(val)
	if err != nil {
		return usage("%s is %q, want true or false", name, val)
	}
	*field = b
	return nil
}

func usage(format string, a ...any) *api.Error {
	return api.Errorf(api.BadUsage, "browse help", format, a...)
}

func (v *invocation) setTab(val string) *api.Error {
	n, err := strconv.Atoi(val)
	if err != nil || n < 1 {
		return api.Errorf(api.BadUsage, "browse tabs", "tab id %q is not a number of a tab", val)
	}
	v.tab = n
	return nil
}

func setCount(into *int, name, val string) *api.Error {
	n, err := strconv.Atoi(val)
	if err != nil || n < 0 {
		return usage("%s %q is not a whole number", name, val)
	}
	*into = n
	return nil
}

func (v *invocation) setTimeout(val string) *api.Error {
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

// parse reads a command line. The environment gives defaults for what flags say.
func parse(argv []string, env func(string) string) (invocation, *api.Error) {
	v := invocation{maxBytes: -1, session: env(knob.Session.Name), raw: knob.Raw.From(env), headed: knob.Headed.From(env)}
	if raw := env(knob.Tab.Name); raw != "" && raw != "0" {
		if err := v.setTab(raw); err != nil {
			err.Message = "BROWSE_TAB: " + err.Message
			return v, err
		}
	}
	if raw := knob.ProxyURL.From(env); raw != "" {
		if _, err := v.ownFlag("--proxy", raw); err != nil {
			err.Message = "BROWSE_PROXY_URL: " + err.Message
			return v, err
		}
	}
	if raw := env(knob.MaxBytes.Name); raw != "" {
		if err := setCount(&v.maxBytes, knob.MaxBytes.Name, raw); err != nil {
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
		used := 1
		switch {
		case has:
		case !takesValue(name):
			val = "true"
		case len(words) > 1:
			val, used = words[1], 2
		default:
			used = 0 // nothing to set it to
		}
		known, err := v.flag(name, val, before, used > 0)
		switch {
		case err != nil:
			return nil, err
		case known:
			words = words[used:]
		case before:
			return nil, unknownFlag(name)
		default:
			return words, nil
		}
	}
	return words, nil
}

// flag sets one flag; has says that there is a value for it.
func (v *invocation) flag(name, val string, before, has bool) (known bool, err *api.Error) {
	if !has {
		if before || name == "--proxy" {
			return true, usage("%s wants a value", name)
		}
		return false, nil
	}
	if known, err = v.ownFlag(name, val); !known && before {
		known, err = v.sentFlag(name, val)
	}
	return known, err
}

func unknownFlag(name string) *api.Error {
	best, bestD := "", 3
	for _, f := range flagNames {
		if d := distance(name, f); d < bestD {
			best, bestD = f, d
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
