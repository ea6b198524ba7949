//go:build !linux

package proc

import "context"

// Measures tells whether this system lets us find and weigh processes.
const Measures = false

// Tree finds nothing here.
func Tree(string) []int { return nil }

// Browsers splits nothing here.
func Browsers([]int) (browsers, others []int) { return nil, nil }

// PSS weighs nothing here.
func PSS([]int) int64 { return 0 }

// A Vigil watches nothing here.
type Vigil struct{}

// Watch watches nothing here.
func Watch([]int) *Vigil { return &Vigil{} }

// Gone returns at once.
func (*Vigil) Gone(context.Context) error { return nil }

// Kill ends nothing here.
func Kill([]int) {}
