package capture

import (
	"fmt"
	"os"
	"path/filepath"
)

const (
	// maxFile is the size at which a log file is put aside, in bytes.
	maxFile = 10 << 20
	// oldFiles is how many files that were put aside are kept, as .1 (the newest)
	// to .3.
	oldFiles = 3
)

// rotated is a log file that is appended to. It is kept when the daemon ends or
// dies, and found again by the next. What cannot be written is left out: a full
// disk does not stop a command.
type rotated struct {
	path string
	f    *os.File
	size int64
}

func newRotated(dir, name string) *rotated { return &rotated{path: filepath.Join(dir, name)} }

func (r *rotated) append(text string) {
	if text == "" {
		return
	}
	if r.f == nil && !r.open() {
		return
	}
	if r.size > 0 && r.size+int64(len(text)) > maxFile {
		r.rotate()
		if !r.open() {
			return
		}
	}
	n, err := r.f.WriteString(text)
	r.size += int64(n)
	if err != nil {
		r.close()
	}
}

// open opens or makes the file, never through a link.
func (r *rotated) open() bool {
	f, err := os.OpenFile(r.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return false
	}
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() {
		_ = f.Close()
		return false
	}
	r.f, r.size = f, fi.Size()
	return true
}

func (r *rotated) rotate() {
	r.close()
	for i := oldFiles - 1; i >= 1; i-- {
		_ = os.Rename(fmt.Sprintf("%s.%d", r.path, i), fmt.Sprintf("%s.%d", r.path, i+1))
	}
	_ = os.Rename(r.path, r.path+".1")
}

func (r *rotated) close() {
	if r.f != nil {
		_ = r.f.Close()
		r.f = nil
	}
}
