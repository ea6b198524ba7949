// Package knob lists every environment variable that the programs read.
//
// Each is a typed value with a name, a default and a sentence of documentation,
// so that docs/env.md is generated from here, the daemon logs at start which
// are set, and a malformed value is reported instead of guessed at. The thin
// client links this package: it imports nothing heavy.
package knob

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// Side says which program reads a variable.
type Side string

// The sides.
const (
	Client Side = "client" // browse
	Daemon Side = "daemon" // browsed; inherited from the call that starts it
	Both   Side = "both"
	Gstack Side = "gstack" // the gstack program and its skills
)

// Info describes one variable.
type Info struct {
	Name    string
	Type    string // as documentation shows it: "milliseconds", "0..65535", "off|warn|block"
	Default string // as documentation shows it, "" for none
	Doc     string // one sentence, no full stop
	Side    Side
	Secret  bool // the value is never logged
}

// Knob is a variable with a value of type T.
type Knob[T any] struct {
	Info
	def   T
	parse func(string) (T, bool)
}

type entry interface {
	info() Info
	wellFormed(raw string) bool
}

var all []entry

func (k *Knob[T]) info() Info { return k.Info }

func (k *Knob[T]) wellFormed(raw string) bool {
	_, ok := k.parse(raw)
	return ok
}

// Get returns the value in the process's environment.
func (k *Knob[T]) Get() T { return k.From(os.Getenv) }

// From returns the value in env: the default when the variable is unset, empty
// or malformed.
func (k *Knob[T]) From(env func(string) string) T {
	raw := env(k.Name)
	if raw == "" {
		return k.def
	}
	if v, ok := k.parse(raw); ok {
		return v
	}
	return k.def
}

// IsSet reports whether the variable is set to something that is not empty.
func (k *Knob[T]) IsSet() bool { return os.Getenv(k.Name) != "" }

// All returns the descriptions in the order of the list.
func All() []Info {
	out := make([]Info, 0, len(all))
	for _, e := range all {
		out = append(out, e.info())
	}
	return out
}

// Setting is one variable that is set. Value is "(set)" for a secret one.
type Setting struct{ Name, Value string }

// Set returns the variables of the list that env has.
func Set(env func(string) string) []Setting {
	var out []Setting
	for _, e := range all {
		i := e.info()
		v := env(i.Name)
		if v == "" {
			continue
		}
		if i.Secret {
			v = "(set)"
		}
		out = append(out, Setting{i.Name, v})
	}
	return out
}

// Problem names a variable whose value is malformed. Value is "(set)" for a
// secret one.
type Problem struct{ Name, Value, Want string }

// Problems returns the malformed variables that the side reads.
func Problems(env func(string) string, side Side) []Problem {
	var out []Problem
	for _, e := range all {
		i := e.info()
		v := env(i.Name)
		if v == "" || i.Side != side && i.Side != Both || e.wellFormed(v) {
			continue
		}
		if i.Secret {
			v = "(set)"
		}
		out = append(out, Problem{i.Name, v, i.Type})
	}
	return out
}

func add[T any](i Info, def T, parse func(string) (T, bool)) *Knob[T] {
	k := &Knob[T]{Info: i, def: def, parse: parse}
	all = append(all, k)
	return k
}

// text is any text.
func text(side Side, name, typ, def, doc string) *Knob[string] {
	return add(Info{Name: name, Type: typ, Default: def, Doc: doc, Side: side}, def, func(s string) (string, bool) { return s, true })
}

// secret is any text that is never logged.
func secret(side Side, name, typ, doc string) *Knob[string] {
	k := text(side, name, typ, "", doc)
	k.Secret = true
	return k
}

// flag is on when the variable is 1 or true.
func flag(side Side, name, doc string) *Knob[bool] {
	return add(Info{Name: name, Type: "1", Doc: doc, Side: side}, false, func(s string) (bool, bool) {
		switch s {
		case "1", "true":
			return true, true
		case "0", "false":
			return false, true
		}
		return false, false
	})
}

// number is a whole number from low to high.
func number(side Side, name string, low, high, def int, doc string) *Knob[int] {
	i := Info{Name: name, Type: strconv.Itoa(low) + ".." + strconv.Itoa(high), Default: strconv.Itoa(def), Doc: doc, Side: side}
	return add(i, def, func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && n >= low && n <= high
	})
}

// millis is a time in milliseconds, at least low.
func millis(side Side, name string, low, def time.Duration, doc string) *Knob[time.Duration] {
	i := Info{Name: name, Type: "milliseconds", Default: strconv.FormatInt(def.Milliseconds(), 10), Doc: doc, Side: side}
	return add(i, def, func(s string) (time.Duration, bool) {
		n, err := strconv.ParseInt(s, 10, 64)
		d := time.Duration(n) * time.Millisecond
		return d, err == nil && n <= 1<<40 && d >= low
	})
}

// enum is one of the words.
func enum(side Side, name, def, doc string, words ...string) *Knob[string] {
	i := Info{Name: name, Type: strings.Join(words, "|"), Default: def, Doc: doc, Side: side}
	return add(i, def, func(s string) (string, bool) {
		for _, w := range words {
			if s == w {
				return s, true
			}
		}
		return "", false
	})
}
