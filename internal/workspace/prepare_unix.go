//go:build unix

package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"gstack/internal/api"
)

// Prepare makes the state folder ready for a daemon and returns the place to
// use: p, or one of its backups when the project cannot be written or its
// .gstack belongs to somebody else. Notes are for the user: what was done
// elsewhere than asked, what could not be done.
func (p Place) Prepare(env func(string) string) (use Place, notes []string, fail *api.Error) {
	reason := p.makeDir()
	if reason == nil {
		if p.kind == own {
			if note := p.ignore(env); note != "" {
				notes = append(notes, note)
			}
		}
		return p, notes, nil
	}
	var inTheWay *api.Error
	if errors.As(reason, &inTheWay) {
		return p, nil, inTheWay
	}
	for _, b := range p.Backups(env) {
		if err := b.makeDir(); err == nil {
			return b, append(notes, "state is kept in "+b.Dir+", because "+p.Dir+" cannot be used: "+reason.Error()), nil
		}
	}
	return p, nil, api.Errorf(api.PathDenied, "make it writable, or set BROWSE_STATE_FILE to a path that is",
		"the state folder %s cannot be used: %v", p.Dir, reason)
}

var (
	errOwner = errors.New("it belongs to another user")
	errLink  = errors.New("it is a symbolic link")
)

// makeDir makes sure that the state folder exists, is a folder, ours, and not
// writable by others. A file in its place is an [*api.Error].
func (p Place) makeDir() error {
	if p.kind != own {
		if err := os.MkdirAll(filepath.Dir(p.Dir), 0o700); err != nil {
			return p.dirError(err)
		}
		if p.kind == backup { // the shared parent, in /tmp perhaps: made by us or not at all
			if err := checkDir(filepath.Dir(p.Dir)); err != nil {
				return err
			}
		}
	}
	err := os.Mkdir(p.Dir, 0o700)
	switch {
	case err == nil:
		if p.kind != backup && (p.kind == own || filepath.Base(p.Dir) == ".gstack") {
			return replaceFile(p.Dir+"/.gitignore", []byte("*\n"))
		}
		return nil
	case !errors.Is(err, os.ErrExist):
		return p.dirError(err)
	}
	if p.kind == given {
		// The user named this folder, perhaps a shared one such as /tmp: it is
		// taken as it is. The state file in it is checked by itself.
		if fi, err := os.Stat(p.Dir); err == nil && !fi.IsDir() {
			return p.dirError(syscall.ENOTDIR)
		}
		return writable(p.Dir)
	}
	if fi, err := os.Lstat(p.Dir); err == nil && fi.Mode().IsRegular() {
		return p.dirError(syscall.ENOTDIR)
	}
	if err := checkDir(p.Dir); err != nil {
		return err
	}
	if p.kind == own {
		if _, err := os.Lstat(p.Dir + "/.gitignore"); errors.Is(err, os.ErrNotExist) {
			_ = replaceFile(p.Dir+"/.gitignore", []byte("*\n"))
		}
	}
	return writable(p.Dir)
}

// dirError tells a file in the way, which is the user's to remove, from a
// folder that cannot be made.
func (p Place) dirError(err error) error {
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EEXIST) {
		return api.Errorf(api.FileError, "remove or rename the file, or set BROWSE_STATE_FILE to another path",
			"a file is in the way of the state folder %s", p.Dir)
	}
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// checkDir accepts a real folder that we own; others lose the right to write.
func checkDir(dir string) error {
	var st syscall.Stat_t
	if err := syscall.Lstat(dir, &st); err != nil {
		return err
	}
	switch {
	case st.Mode&syscall.S_IFMT == syscall.S_IFLNK:
		return errLink
	case st.Mode&syscall.S_IFMT != syscall.S_IFDIR:
		return syscall.ENOTDIR
	case int(st.Uid) != os.Geteuid():
		return errOwner
	case st.Mode&0o022 != 0:
		return os.Chmod(dir, os.FileMode(st.Mode&0o755))
	}
	return nil
}

// writable asks the kernel, which knows of read-only mounts too.
func writable(dir string) error {
	const w, x = 2, 1
	return syscall.Access(dir, w|x)
}

// ignore adds .gstack/ to the project's .gitignore when there is one and git
// does not ignore the folder yet. Trouble is a note, never an error.
func (p Place) ignore(env func(string) string) string {
	path := p.Project + "/.gitignore"
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	files := [][]byte{data}
	global := env("XDG_CONFIG_HOME")
	if global == "" {
		global = env("HOME") + "/.config"
	}
	for _, f := range []string{p.Project + "/.git/info/exclude", global + "/git/ignore"} {
		if d, err := os.ReadFile(f); err == nil {
			files = append(files, d)
		}
	}
	for _, d := range files {
		if mentions(string(d)) {
			return ""
		}
	}
	line, end := ".gstack/\n", "\n"
	if strings.Contains(string(data), "\r\n") {
		line, end = ".gstack/\r\n", "\r\n"
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		line = end + line
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|syscall.O_NOFOLLOW, 0)
	if err == nil {
		_, err = f.WriteString(line)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}
	if err != nil {
		return "cannot add .gstack/ to " + path + ": " + err.Error()
	}
	return ""
}

// mentions reports whether a gitignore text already decides about .gstack, for
// or against.
func mentions(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "!")
		switch strings.TrimPrefix(strings.TrimPrefix(line, "**/"), "/") {
		case ".gstack", ".gstack/", ".gstack/*", ".gstack/**", "*", "**", ".*", ".*/":
			return true
		}
	}
	return false
}
