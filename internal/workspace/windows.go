//go:build !unix

package workspace

import (
	"errors"
	"os"
	"time"

	"gstack/internal/api"
)

// supported says what is missing here, before anything is tried.
func supported() *api.Error {
	return api.Errorf(api.DaemonGone, "run browse inside WSL",
		"browse does not run on this system: its daemon needs file locks that a child shares, inherited pipes and signals")
}

func getwd() (string, error) { return os.Getwd() }

type fileKind int

const (
	isAbsent fileKind = iota
	isDir
	isFile
)

func statKind(path string) fileKind {
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return isAbsent
	case fi.IsDir():
		return isDir
	}
	return isFile
}

const noFollow = 0

func readOwn(path string, _ int64) ([]byte, error) { return os.ReadFile(path) }

// The rest is never reached: Locate fails first.

// ErrNone is returned by [Open]: there is no state file.
var ErrNone = errors.New("no usable state file")

// ErrLocked is never returned here.
var ErrLocked = errors.New("another process starts the daemon")

// Handle is an open state file.
type Handle struct {
	Place Place
	State State
}

// Open returns [ErrNone].
func Open(Place) (*Handle, error) { return nil, ErrNone }

// Close does nothing.
func (h *Handle) Close() {}

// Held returns false.
func (h *Handle) Held() bool { return false }

// Alive returns false.
func (h *Handle) Alive() bool { return false }

// Running returns false.
func (h *Handle) Running() bool { return false }

// WaitGone returns true.
func (h *Handle) WaitGone(time.Duration) bool { return true }

// Kill returns false.
func (h *Handle) Kill(time.Duration) bool { return false }

// Lock is the start lock.
type Lock struct{}

// TryLock fails.
func (p Place) TryLock() (*Lock, error) { return nil, supported() }

// WaitUnlocked returns true.
func (p Place) WaitUnlocked(time.Duration) bool { return true }

// File returns nil.
func (l *Lock) File() *os.File { return nil }

// InheritLock returns an empty lock.
func (p Place) InheritLock(uintptr) *Lock { return &Lock{} }

// Release does nothing.
func (l *Lock) Release() {}

// Published is a state file that this process wrote.
type Published struct{}

// Publish fails.
func (p Place) Publish(State) (*Published, error) { return nil, supported() }

// Mine returns false.
func (p *Published) Mine() bool { return false }

// Lost returns false.
func (p *Published) Lost() bool { return false }

// Remove does nothing.
func (p *Published) Remove() {}

// Close does nothing.
func (p *Published) Close() {}

// Prepare fails.
func (p Place) Prepare(func(string) string) (Place, []string, *api.Error) {
	return p, nil, supported()
}

// Process returns false.
func Process(int) (start uint64, running bool) { return 0, false }
