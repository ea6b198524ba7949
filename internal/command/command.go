// Package command describes verbs as data.
//
// A [Spec] is the only place where a verb's name, arguments, scope, effect and
// trust class are written down. Argument parsing, token scopes, the tunnel
// allowlist, help, completion, docs/commands.md and the JSON schema are computed
// from it. The package knows no browser.
//
// Zero values fail closed: a forgotten field makes a verb root-only, local-only,
// writing, not nestable, and its output the least trusted.
package command

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Scope is the token scope that may call a verb.
type Scope string

// The scopes. The zero value is in no token's reach.
const (
	RootOnly Scope = ""
	Read     Scope = "read"
	Write    Scope = "write"
	Admin    Scope = "admin"
	Meta     Scope = "meta"
	Control  Scope = "control"
)

// Effect says what a verb changes.
type Effect string

// The effects. The zero value counts as writing.
const (
	Writes Effect = ""     // changes the page or the browser
	Reads  Effect = "read" // changes nothing a page could see
	Serves Effect = "meta" // about tabs, daemon and client
)

// Trust says who wrote a verb's output, and so whether it is enveloped.
type Trust int

// The trust classes. The zero value is the least trusted.
const (
	// Page is text that a web page controls: it is enveloped.
	Page Trust = iota
	// Value is a single value of a page, bare when it is a simple or short one.
	Value
	// Ack is our own sentence, which may quote page text escaped and cut.
	Ack
	// Ours is written by browse itself.
	Ours
)

// Needs says what must exist before a verb's handler runs.
type Needs int

// What verbs need. The zero value is the most.
const (
	Tab     Needs = iota // the tab that the command is bound to
	Browser              // a running browser
	Nothing              // only the daemon
)

// Stdin says when the client reads its standard input for a verb.
type Stdin string

// When stdin is read.
const (
	StdinNever  Stdin = ""
	StdinNoArgs Stdin = "no-args" // when the verb has no arguments
	StdinDash   Stdin = "dash"    // when an argument is "-"
)

// Spec describes one verb.
type Spec struct {
	Name     string
	Aliases  []string
	Group    string
	Scope    Scope
	Tunnel   bool // callable through the tunnel listener
	Effect   Effect
	Output   Trust
	Needs    Needs
	Nestable bool // may be a step of chain
	AnyPage  bool // works whatever the tab shows, a file that may not be read included
	FreeText bool // flags end at the first word of the rest argument
	Stdin    Stdin
	Timeout  time.Duration // default deadline; 0 means DefaultTimeout
	Summary  string        // one line, imperative, no full stop
	Doc      string        // paragraphs for help and the reference
	Examples []string      // command lines without "browse"
	Fields   []Field       // filled by [FieldsOf]
}

// DefaultTimeout is the deadline of a verb that names none.
const DefaultTimeout = 15 * time.Second

// Deadline returns the verb's default deadline.
func (s Spec) Deadline() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return DefaultTimeout
}

// Field is one positional argument or flag of a verb.
type Field struct {
	Name, Help, Default string
	Flag                bool
	Short               string // one letter, "" for none
	Value               string // placeholder of a flag's value in usage
	Enum                []string
	Optional            bool // a positional argument that may be missing
	Rest                bool // takes all remaining words
	Kind                reflect.Kind
	Duration            bool // milliseconds, or a Go duration
	index               []int
}

var durationType = reflect.TypeFor[time.Duration]()

// FieldsOf derives the fields of a verb from the tags of its input struct:
//
//	arg:"target"  flag:"button" short:"b"  help:"…"  default:"…"  enum:"a,b"
//	value:"N"  optional:"true"  rest:"true" (string: joined by one space; []string)
//
// The fields of an embedded struct are the verb's own.
//
// It panics on a field without help or name, so that a bad entry shows at the
// first start.
func FieldsOf(t reflect.Type) []Field {
	var fs []Field
	for i := range t.NumField() {
		sf := t.Field(i)
		if sf.Anonymous && sf.Type.Kind() == reflect.Struct {
			for _, f := range FieldsOf(sf.Type) {
				f.index = append([]int{i}, f.index...)
				fs = append(fs, f)
			}
			continue
		}
		f := Field{
			Help: sf.Tag.Get("help"), Default: sf.Tag.Get("default"), Short: sf.Tag.Get("short"), Value: sf.Tag.Get("value"),
			Optional: sf.Tag.Get("optional") == "true", Rest: sf.Tag.Get("rest") == "true",
			Kind: sf.Type.Kind(), Duration: sf.Type == durationType, index: []int{i},
		}
		if f.Help == "" {
			panic(fmt.Sprintf("%v.%s has no help", t, sf.Name))
		}
		if e := sf.Tag.Get("enum"); e != "" {
			f.Enum = strings.Split(e, ",")
		}
		if f.Name = sf.Tag.Get("flag"); f.Name != "" {
			f.Flag = true
		} else if f.Name = sf.Tag.Get("arg"); f.Name == "" {
			panic(fmt.Sprintf("%v.%s is neither arg nor flag", t, sf.Name))
		}
		switch {
		case f.Duration, f.Kind == reflect.String, f.Kind == reflect.Int, f.Kind == reflect.Float64:
		case f.Kind == reflect.Bool && f.Flag:
		case f.Kind == reflect.Slice && sf.Type.Elem().Kind() == reflect.String && (f.Rest || f.Flag):
		default:
			panic(fmt.Sprintf("%v.%s: no rule for type %v", t, sf.Name, sf.Type))
		}
		fs = append(fs, f)
	}
	return fs
}

// placeholder returns how a flag's value is written in usage.
func (f Field) placeholder() string {
	switch {
	case f.Value != "":
		return f.Value
	case f.Enum != nil:
		return strings.Join(f.Enum, "|")
	case f.Duration:
		return "MS"
	case f.Kind == reflect.Int || f.Kind == reflect.Float64:
		return "N"
	}
	return strings.ToUpper(f.Name)
}

// Synopsis returns the flag as help shows it: "-d, --depth N".
func (f Field) Synopsis() string {
	if !f.Flag {
		return f.positional()
	}
	s := "--" + f.Name
	if f.Short != "" {
		s = "-" + f.Short + ", " + s
	}
	if f.Kind != reflect.Bool {
		s += " " + f.placeholder()
	}
	return s
}

func (f Field) positional() string {
	s := "<" + f.Name + ">"
	if f.Rest {
		s = "<" + f.Name + "...>"
	}
	if f.Optional {
		s = "[" + s + "]"
	}
	return s
}

// Usage returns the one-line synopsis, such as "click <target> [--button left|right]".
func (s Spec) Usage() string {
	parts := []string{s.Name}
	for _, f := range s.Fields {
		if !f.Flag {
			parts = append(parts, f.positional())
			continue
		}
		flag := "--" + f.Name
		if f.Short != "" {
			flag = "-" + f.Short
		}
		if f.Kind != reflect.Bool {
			flag += " " + f.placeholder()
		}
		parts = append(parts, "["+flag+"]")
	}
	return strings.Join(parts, " ")
}

// String returns the scope as prose.
func (s Scope) String() string {
	if s == RootOnly {
		return "root only"
	}
	return string(s)
}

// Find returns the spec with the name or alias, and whether there is one.
func Find(specs []Spec, name string) (Spec, bool) {
	for _, s := range specs {
		if s.Name == name {
			return s, true
		}
		for _, a := range s.Aliases {
			if a == name {
				return s, true
			}
		}
	}
	return Spec{}, false
}
