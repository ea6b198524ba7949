// Package knob lists every environment variable that the programs read.
//
// Each is a value with a type, a name, a default and a sentence of documentation,
// so that docs/env.md is generated from here, the daemon logs at start which
// are set, and a malformed value is reported instead of guessed at. The thin
// client links this package: it imports nothing heavy.
package knob

import (
	"os"
	"strconv"
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

type entry interface {
	info() Info
	wellFormed(raw string) bool
}

func (i *Info) info() Info { return *i }

// IsSet reports whether the variable is set to something that is not empty.
func (i *Info) IsSet() bool { return os.Getenv(i.Name) != "" }

// All returns the descriptions in the order of the list.
func All() []Info {
	out := make([]Info, 0, len(all))
	for _, e := range all {
		out = append(out, e.info())
	}
	return out
}

// Secret reports whether a variable of this name is ours and holds a secret.
func Secret(name string) bool {
	for _, e := range all {
		if i := e.info(); i.Secret && i.Name == name {
			return true
		}
	}
	return false
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

// Text is any text.
type Text struct{ Info }

func (k *Text) wellFormed(string) bool { return true }

// Get returns the value in the process's environment.
func (k *Text) Get() string { return k.From(os.Getenv) }

// From returns the value in env, the default when it is unset or empty.
func (k *Text) From(env func(string) string) string {
	if v := env(k.Name); v != "" {
		return v
	}
	return k.Default
}

// Flag is on when the variable is 1 or true.
type Flag struct{ Info }

func (k *Flag) wellFormed(raw string) bool {
	return raw == "1" || raw == "true" || raw == "0" || raw == "false"
}

// Get returns the value in the process's environment.
func (k *Flag) Get() bool { return k.From(os.Getenv) }

// From returns the value in env; anything but 1 and true is off.
func (k *Flag) From(env func(string) string) bool {
	v := env(k.Name)
	return v == "1" || v == "true"
}

// Number is a whole number within limits.
type Number struct {
	Info
	low, high, def int
}

func (k *Number) parse(raw string) (int, bool) {
	n, err := strconv.Atoi(raw)
	return n, err == nil && n >= k.low && n <= k.high
}

func (k *Number) wellFormed(raw string) bool {
	_, ok := k.parse(raw)
	return ok
}

// Get returns the value in the process's environment.
func (k *Number) Get() int { return k.From(os.Getenv) }

// From returns the value in env, the default when it is unset or malformed.
func (k *Number) From(env func(string) string) int {
	if n, ok := k.parse(env(k.Name)); ok {
		return n
	}
	return k.def
}

// Millis is a time, given in milliseconds.
type Millis struct {
	Info
	low, def int64
}

// maxMillis is about 35 years: more would overflow a time.Duration in use.
const maxMillis = 1 << 40

func (k *Millis) parse(raw string) (int64, bool) {
	n, err := strconv.ParseInt(raw, 10, 64)
	return n, err == nil && n >= k.low && n <= maxMillis
}

func (k *Millis) wellFormed(raw string) bool {
	_, ok := k.parse(raw)
	return ok
}

// Get returns the value in the process's environment.
func (k *Millis) Get() time.Duration { return k.From(os.Getenv) }

// From returns the value in env, the default when it is unset or malformed.
func (k *Millis) From(env func(string) string) time.Duration {
	n, ok := k.parse(env(k.Name))
	if !ok {
		n = k.def
	}
	return time.Duration(n) * time.Millisecond
}
