package command

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"gstack/internal/api"
)

// Globals are the flags that every verb takes.
type Globals struct {
	JSON     bool          `flag:"json" help:"machine form of the answer"`
	Raw      bool          `flag:"raw" help:"page content without the envelope (local user only)"`
	TabID    int           `flag:"tab-id" value:"N" help:"act on tab N, for this call only"`
	Session  string        `flag:"session" value:"NAME" help:"the client session, which has its own current tab"`
	Timeout  time.Duration `flag:"timeout" help:"deadline of the command, in milliseconds or as 5s"`
	MaxBytes int           `flag:"max-bytes" value:"N" default:"262144" help:"cut page content after N bytes, 0 means never"`
	Page     int           `flag:"page" value:"N" help:"show part N of content that was cut"`
}

// DefaultMaxBytes is where page content is cut when nobody says how long it may
// be, in bytes.
const DefaultMaxBytes = 256 << 10

// GlobalFields are the fields of [Globals].
var GlobalFields = FieldsOf(reflect.TypeFor[Globals]())

// Parse decodes argv into in, a pointer to the verb's input struct, and the
// global flags into g. Flags may stand anywhere before "--"; in a verb that
// takes free text they end at its first word. A value is never taken for a flag:
// the word after a flag that wants one is its value, whatever it looks like.
func (s Spec) Parse(argv []string, in any, g *Globals) error {
	p := parser{s: s, in: reflect.ValueOf(in).Elem(), globals: reflect.ValueOf(g).Elem()}
	for _, f := range s.Fields {
		if !f.Flag {
			p.args = append(p.args, f)
		}
		if f.Default != "" {
			if err := p.set(p.in, f, f.Default); err != nil {
				return err
			}
		}
	}
	return p.run(argv)
}

type parser struct {
	s           Spec
	in, globals reflect.Value
	args        []Field // positional ones not yet filled
	rest        []string
}

func (p *parser) bad(format string, a ...any) error {
	return api.Errorf(api.BadUsage, "usage: browse "+p.s.Usage(), p.s.Name+": "+format, a...)
}

func (p *parser) run(argv []string) error {
	flags := true
	for i := 0; i < len(argv); i++ {
		w := argv[i]
		if flags && p.s.FreeText && len(p.rest) > 0 {
			flags = false
		}
		switch {
		case flags && w == "--":
			flags = false
		case flags && strings.HasPrefix(w, "--"):
			used, err := p.long(w[2:], argv[i+1:])
			if err != nil {
				return err
			}
			i += used
		case flags && len(w) > 1 && w[0] == '-' && !isNumber(w):
			used, err := p.short(w, argv[i+1:])
			if err != nil {
				return err
			}
			i += used
		default:
			if err := p.positional(w); err != nil {
				return err
			}
		}
	}
	return p.finish()
}

func isNumber(w string) bool {
	_, err := strconv.ParseFloat(w, 64)
	return err == nil
}

func (p *parser) finish() error {
	for _, f := range p.args {
		if f.Rest && len(p.rest) > 0 {
			v := p.in.FieldByIndex(f.index)
			if v.Kind() == reflect.Slice {
				v.Set(reflect.ValueOf(p.rest))
			} else {
				v.SetString(strings.Join(p.rest, " "))
			}
			continue
		}
		if !f.Optional {
			return p.bad("missing <%s>, %s", f.Name, f.Help)
		}
	}
	return nil
}

func (p *parser) positional(w string) error {
	if len(p.args) == 0 {
		return p.bad("unexpected argument %q", w)
	}
	f := p.args[0]
	if f.Rest {
		p.rest = append(p.rest, w)
		return nil
	}
	p.args = p.args[1:]
	return p.set(p.in, f, w)
}

// lookup returns the flag with a name, the verb's own first.
func (p *parser) lookup(match func(Field) bool) (Field, reflect.Value, bool) {
	for _, f := range p.s.Fields {
		if f.Flag && match(f) {
			return f, p.in, true
		}
	}
	for _, f := range GlobalFields {
		if match(f) {
			return f, p.globals, true
		}
	}
	return Field{}, reflect.Value{}, false
}

// long takes --name, --name=value or --name value; it returns how many further
// words it used.
func (p *parser) long(w string, next []string) (int, error) {
	name, val, has := strings.Cut(w, "=")
	f, into, ok := p.lookup(func(f Field) bool { return f.Name == name })
	if !ok {
		return 0, p.unknown("--" + name)
	}
	if f.Kind == reflect.Bool {
		if !has {
			val = "true"
		}
		return 0, p.set(into, f, val)
	}
	if has {
		return 0, p.set(into, f, val)
	}
	if len(next) == 0 {
		return 0, p.bad("--%s wants a value: %s", f.Name, f.Help)
	}
	return 1, p.set(into, f, next[0])
}

// short takes -i, a combination such as -ic, and -d 3 or -d3.
func (p *parser) short(w string, next []string) (int, error) {
	for i := 1; i < len(w); i++ {
		letter := w[i : i+1]
		f, into, ok := p.lookup(func(f Field) bool { return f.Short == letter && letter != "" })
		if !ok {
			return 0, p.unknown(w)
		}
		if f.Kind == reflect.Bool {
			if err := p.set(into, f, "true"); err != nil {
				return 0, err
			}
			continue
		}
		if val := w[i+1:]; val != "" {
			return 0, p.set(into, f, val)
		}
		if len(next) == 0 {
			return 0, p.bad("-%s wants a value: %s", f.Short, f.Help)
		}
		return 1, p.set(into, f, next[0])
	}
	return 0, nil
}

// clientFlags are taken by the client before the verb, or directly after it.
var clientFlags = []string{"--force-restart", "--headed", "--proxy", "--help", "--version"}

func (p *parser) unknown(flag string) error {
	if contains(clientFlags, flag) {
		return api.Errorf(api.BadUsage, "browse "+flag+" "+p.s.Name+" …", "%s: %s goes before the command", p.s.Name, flag)
	}
	var names []string
	for _, f := range p.s.Fields {
		if f.Flag {
			names = append(names, "--"+f.Name)
		}
	}
	if len(names) == 0 {
		for _, f := range GlobalFields {
			names = append(names, "--"+f.Name)
		}
	}
	msg := "unknown flag " + flag
	if near := Nearest(flag, names); near != "" {
		msg += ", did you mean " + near
	}
	if p.s.FreeText {
		return api.Errorf(api.BadUsage, "put -- before text that begins with a dash; usage: browse "+p.s.Usage(), "%s: %s", p.s.Name, msg)
	}
	return p.bad("%s", msg)
}

func (p *parser) set(into reflect.Value, f Field, val string) error {
	label := "<" + f.Name + ">"
	if f.Flag {
		label = "--" + f.Name
	}
	if f.Enum != nil && !contains(f.Enum, val) {
		return p.bad("%s is %q, want one of %s", label, val, strings.Join(f.Enum, ", "))
	}
	v := into.FieldByIndex(f.index)
	switch {
	case f.Duration:
		d, ok := ParseDuration(val)
		if !ok {
			return p.bad("%s is %q, want milliseconds or a duration such as 5s", label, val)
		}
		v.SetInt(int64(d))
	case f.Kind == reflect.Int:
		n, err := strconv.Atoi(val)
		if err != nil {
			return p.bad("%s is %q, want a whole number", label, val)
		}
		v.SetInt(int64(n))
	case f.Kind == reflect.Float64:
		n, err := strconv.ParseFloat(val, 64)
		if err != nil {
			return p.bad("%s is %q, want a number", label, val)
		}
		v.SetFloat(n)
	case f.Kind == reflect.Bool:
		b, err := strconv.ParseBool(val)
		if err != nil {
			return p.bad("%s is %q, want true or false", label, val)
		}
		v.SetBool(b)
	case f.Kind == reflect.Slice:
		v.Set(reflect.Append(v, reflect.ValueOf(val)))
	default:
		v.SetString(val)
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// ParseDuration reads a positive number of milliseconds or a Go duration.
func ParseDuration(s string) (time.Duration, bool) {
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		d := time.Duration(n * float64(time.Millisecond))
		return d, d > 0
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d > 0
}

// Nearest returns the candidate within edit distance 2 of word (1 for words
// shorter than four letters), the alphabetically first of the nearest, or "".
func Nearest(word string, candidates []string) string {
	limit := 2
	if len(word) < 4 {
		limit = 1
	}
	best, bestD := "", limit+1
	for _, c := range candidates {
		d := distance(word, c)
		if d < bestD || d == bestD && d <= limit && c < best {
			best, bestD = c, d
		}
	}
	return best
}

// distance is the optimal string alignment distance: insertions, deletions,
// substitutions and swaps of neighbours cost one each.
func distance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
