//go:build unix

package workspace

import (
	"errors"
	"os"
	"syscall"
	"time"

	"gstack/internal/api"
)

func supported() *api.Error { return nil }

// getwd returns the physical folder, so that a folder reached through a symbolic
// link is the same workspace.
func getwd() (string, error) { return syscall.Getwd() }

type fileKind int

const (
	isAbsent fileKind = iota
	isDir
	isFile
	isOther
)

// statKind follows symbolic links, as git does for .git.
func statKind(path string) fileKind {
	var st syscall.Stat_t
	if syscall.Stat(path, &st) != nil {
		return isAbsent
	}
	switch st.Mode & syscall.S_IFMT {
	case syscall.S_IFDIR:
		return isDir
	case syscall.S_IFREG:
		return isFile
	}
	return isOther
}

// noFollow refuses to open through a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// ErrNone is returned by [Open] when the place has no state file that a client
// could use.
var ErrNone = errors.New("no usable state file")

// Handle is an open state file. It keeps naming the file that was read, even
// after another daemon has put a new one in its place.
type Handle struct {
	Place Place
	State State
	fd    int
}

// Open reads the state file of a place. The error is [ErrNone] when there is
// none, when another user owns it or could have written it, and when it is
// damaged: then a daemon may be started, which replaces it.
func Open(p Place) (*Handle, error) {
	fd, data, err := openOwn(p.File, maxState)
	if err != nil {
		return nil, ErrNone
	}
	h := &Handle{Place: p, fd: fd}
	var ok bool
	if h.State, ok = decodeState(data); !ok {
		h.Close()
		return nil, ErrNone
	}
	return h, nil
}

var errNotOwn = errors.New("not a file of ours")

// openOwn reads a file of at most limit bytes that we own and nobody else can
// write, and keeps it open. It does not block: something else by this name, such
// as a FIFO, must not hang the call.
func openOwn(path string, limit int64) (int, []byte, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return -1, nil, err
	}
	var st syscall.Stat_t
	err = syscall.Fstat(fd, &st)
	if err == nil && (st.Mode&syscall.S_IFMT != syscall.S_IFREG || int(st.Uid) != syscall.Geteuid() || st.Mode&0o022 != 0 || st.Size > limit) {
		err = errNotOwn
	}
	var n int
	buf := make([]byte, min(st.Size, limit)+1)
	if err == nil {
		n, err = retry(func() (int, error) { return syscall.Read(fd, buf) })
	}
	if err != nil {
		_ = syscall.Close(fd)
		return -1, nil, err
	}
	return fd, buf[:n], nil
}

func readOwn(path string, limit int64) ([]byte, error) {
	fd, data, err := openOwn(path, limit)
	if err == nil {
		_ = syscall.Close(fd)
	}
	return data, err
}

// Close lets go of the file.
func (h *Handle) Close() {
	if h.fd >= 0 {
		_ = syscall.Close(h.fd)
		h.fd = -1
	}
}

// Held reports whether the writer of the state file still runs, by its lock.
// It is one system call. False may also mean that the file system has no locks;
// [Handle.Alive] tells.
func (h *Handle) Held() bool {
	err := syscall.Flock(h.fd, syscall.LOCK_SH|syscall.LOCK_NB)
	if err == nil {
		_ = syscall.Flock(h.fd, syscall.LOCK_UN)
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}

// Alive reports whether the daemon lives: its lock is held, or its pid runs,
// began when the state says, and wrote the file at this path.
func (h *Handle) Alive() bool {
	return h.Held() || h.State.Workspace == h.Place.File && h.Running()
}

// Running reports whether the pid of the state runs and is the process that
// wrote it. False with the lock held means that the daemon is in another
// container.
func (h *Handle) Running() bool {
	start, running := Process(h.State.PID)
	return running && start == h.State.PIDStart && start != 0
}

// WaitGone waits until the daemon's process has ended, at most for limit, and
// reports whether it has. After a false the handle is of no further use.
func (h *Handle) WaitGone(limit time.Duration) bool {
	end := time.Now().Add(limit)
	if h.Held() && !waitLock(h.fd, syscall.LOCK_SH, limit) {
		return false
	}
	return !h.Running() || waitExit(h.State.PID, time.Until(end)) && !h.Running()
}

// waitLock takes a lock that is expected to come free within limit. A wait in
// flock cannot be given up: past the limit its goroutine stays until the lock
// comes or the process ends, and it keeps fd.
func waitLock(fd, how int, limit time.Duration) bool {
	got := make(chan error, 1)
	go func() { got <- flock(fd, how) }()
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case err := <-got:
		return err == nil
	case <-t.C:
		return false
	}
}

// Kill ends the daemon for good: asked first, then forced after grace. It
// refuses when the pid is not the process that wrote the state. It reports
// whether the process has gone within about grace plus two seconds.
func (h *Handle) Kill(grace time.Duration) bool {
	if !h.Running() {
		return !h.Held()
	}
	_ = syscall.Kill(h.State.PID, syscall.SIGTERM)
	again, err := Open(h.Place) // the wait below may keep its file
	if err == nil {
		gone := again.State.PID == h.State.PID && again.WaitGone(grace)
		if gone {
			again.Close()
			return true
		}
	}
	if h.Running() {
		_ = syscall.Kill(h.State.PID, syscall.SIGKILL)
	}
	return h.WaitGone(2 * time.Second)
}

func flock(fd, how int) error {
	for {
		if err := syscall.Flock(fd, how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func retry(f func() (int, error)) (int, error) {
	for {
		if n, err := f(); !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}

// sameFile reports whether path names the open file.
func sameFile(path string, f *os.File) bool {
	a, err := os.Lstat(path)
	if err != nil {
		return false
	}
	b, err := f.Stat()
	return err == nil && os.SameFile(a, b)
}
