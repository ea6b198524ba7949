//go:build unix

package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"gstack/internal/api"
)

// ErrLocked is returned by [Place.TryLock] while another process starts a daemon.
var ErrLocked = errors.New("another process starts the daemon")

// Lock is the start lock of a workspace.
type Lock struct {
	f    *os.File
	path string
}

func (p Place) lockPath() string { return p.File + ".lock" }

// TryLock takes the start lock. The error is [ErrLocked] or an [*api.Error] that
// names the path and the system's reason; contention is never reported as
// anything else, nor anything else as contention.
func (p Place) TryLock() (*Lock, error) {
	path := p.lockPath()
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
		if err != nil {
			return nil, lockError(path, err)
		}
		if err := flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			f.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, ErrLocked
			}
			return nil, lockError(path, err)
		}
		if sameFile(path, f) {
			return &Lock{f: f, path: path}, nil
		}
		f.Close() // its last holder removed it meanwhile
	}
}

func lockError(path string, err error) *api.Error {
	return api.Errorf(api.FileError, "set BROWSE_STATE_FILE to a path on a local disk that you can write",
		"cannot lock %s: %v", path, errors.Unwrap(err))
}

// WaitUnlocked waits until the present holder of the start lock lets go, at most
// for limit, and reports whether it has.
func (p Place) WaitUnlocked(limit time.Duration) bool {
	fd, err := retry(func() (int, error) {
		return syscall.Open(p.lockPath(), syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return true // removed: the holder is done
	}
	// Shared, so that all who wait go on at once.
	if !waitLock(fd, syscall.LOCK_SH, limit) {
		return false
	}
	_ = syscall.Close(fd)
	return true
}

// File returns the file of the lock, for a child that shares it.
func (l *Lock) File() *os.File { return l.f }

// InheritLock returns the lock that the starter passed down as fd.
func (p Place) InheritLock(fd uintptr) *Lock {
	return &Lock{f: os.NewFile(fd, p.lockPath()), path: p.lockPath()}
}

// Release removes the lock file and lets go of the lock. Only a holder may
// remove it, or two processes could each lock a file of that name.
func (l *Lock) Release() {
	if sameFile(l.path, l.f) {
		_ = os.Remove(l.path)
	}
	_ = l.f.Close()
}

// Published is a state file that this process wrote and keeps locked.
type Published struct {
	f    *os.File
	path string
}

// Publish writes the state file: a new file that nobody else can have open,
// locked before it gets its name. The caller holds the start lock, so what an
// interrupted call left is removed.
func (p Place) Publish(s State) (*Published, error) {
	old, _ := filepath.Glob(globQuote(p.File) + ".tmp.*")
	for _, name := range old {
		_ = os.Remove(name)
	}
	s.Workspace = p.File
	tmp := tempName(p.File)
	f, err := os.OpenFile(tmp, os.O_RDWR|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	err = flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		_, err = f.Write(s.encode())
	}
	if err == nil {
		err = os.Rename(tmp, p.File)
	}
	if err != nil {
		_ = os.Remove(tmp)
		_ = f.Close()
		return nil, err
	}
	return &Published{f: f, path: p.File}, nil
}

// globQuote escapes what filepath.Glob would expand.
func globQuote(s string) string {
	var b []byte
	for i := range len(s) {
		switch s[i] {
		case '*', '?', '[', '\\':
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return string(b)
}

// Mine reports whether the path still names this file.
func (p *Published) Mine() bool { return sameFile(p.path, p.f) }

// Lost reports whether the file was removed or replaced. One whose folder was
// moved is not lost.
func (p *Published) Lost() bool {
	var st syscall.Stat_t
	return syscall.Fstat(int(p.f.Fd()), &st) == nil && st.Nlink == 0
}

// Remove removes the state file when it is still this one. The lock stays until
// the process ends.
func (p *Published) Remove() {
	if p.Mine() {
		_ = os.Remove(p.path)
	}
}

// Close gives up the lock without removing the file; tests use it to play a
// daemon that died.
func (p *Published) Close() { _ = p.f.Close() }
