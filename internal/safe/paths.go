// Package safe decides what browse agrees to open: which files may be read and
// written, and which addresses a page may be opened at. It also writes files
// that are never seen half-written or by other users.
package safe

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gstack/internal/api"
)

// Paths is the file policy of one caller: its working directory and the temp
// folder may be read and written, the state folder never.
type Paths struct {
	cwd     string // absolute; "" for callers without one
	allowed []string
	denied  string
	network Network // for the addresses
}

// On returns the policy with that for addresses; without it, that is the zero
// [Network].
func (p Paths) On(n Network) Paths {
	p.network = n
	return p
}

// NewPaths returns the policy of a caller. cwd is the caller's own directory,
// the base of relative paths; stateDir is refused even inside it.
func NewPaths(cwd, stateDir string) Paths {
	p := Paths{cwd: cwd, denied: real(stateDir)}
	for _, d := range append([]string{cwd}, tempDirs()...) {
		if d != "" && filepath.IsAbs(d) {
			p.allowed = append(p.allowed, real(d))
		}
	}
	return p
}

// tempDirs lists the temp folders: the system's, and the one that TMPDIR names.
func tempDirs() []string {
	dirs := []string{os.TempDir()}
	if filepath.Separator == '/' && dirs[0] != "/tmp" {
		dirs = append(dirs, "/tmp")
	}
	return dirs
}

// real resolves symlinks where the path exists, else cleans it.
func real(p string) string {
	if p == "" {
		return ""
	}
	if r, err := filepath.EvalSymlinks(p); err == nil {
		return r
	}
	return filepath.Clean(p)
}

// Abs returns path made absolute against the caller's directory.
func (p Paths) Abs(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) || p.cwd == "" {
		return filepath.Clean(path)
	}
	return filepath.Join(p.cwd, path)
}

// Read returns the real path of an existing regular file or directory that may
// be read. Errors: [api.FileError] when it does not exist, [api.PathDenied].
func (p Paths) Read(path string) (string, error) {
	abs := p.Abs(path)
	if strings.ContainsRune(path, 0) {
		return "", api.Errorf(api.BadUsage, "check the path", "the path has a zero byte in it")
	}
	r, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", api.Errorf(api.FileError, "check the path", "%s does not exist", abs)
	}
	if err != nil {
		return "", api.Errorf(api.FileError, "check the path", "%s cannot be read: %v", abs, errors.Unwrap(err))
	}
	if !p.inside(r) {
		return "", p.refuse(abs, r, "copy it there")
	}
	if fi, err := os.Stat(r); err == nil && !fi.Mode().IsRegular() && !fi.IsDir() {
		return "", api.Errorf(api.FileError, "name a file", "%s is %s, not a file", abs, special(fi.Mode()))
	}
	return r, nil
}

// special names a kind of file that is read and written for its effects.
func special(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// Write returns the real path at which a new file may be written: the symlink in
// its last part is judged by its target, its folder by where it really is.
func (p Paths) Write(path string) (string, error) {
	abs := p.Abs(path)
	if strings.ContainsRune(path, 0) {
		return "", api.Errorf(api.BadUsage, "check the path", "the path has a zero byte in it")
	}
	if r, err := filepath.EvalSymlinks(abs); err == nil {
		abs = r
	} else if fi, lerr := os.Lstat(abs); lerr == nil && fi.Mode()&fs.ModeSymlink != 0 {
		return "", api.Errorf(api.PathDenied, "name another file", "%s is a link that leads nowhere", abs)
	} else {
		dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
		if err != nil {
			return "", api.Errorf(api.FileError, "mkdir -p "+filepath.Dir(abs), "the folder %s does not exist", filepath.Dir(abs))
		}
		abs = filepath.Join(dir, filepath.Base(abs))
	}
	if !p.inside(abs) {
		return "", p.refuse(p.Abs(path), abs, "write there")
	}
	switch fi, err := os.Stat(abs); {
	case err != nil:
	case fi.IsDir():
		return "", api.Errorf(api.FileError, "name a file in it", "%s is a folder", abs)
	case !fi.Mode().IsRegular():
		return "", api.Errorf(api.FileError, "name another file", "%s is %s, not a file", abs, special(fi.Mode()))
	}
	return abs, nil
}

func (p Paths) inside(real string) bool {
	if p.ours(real) {
		return false
	}
	for _, d := range p.allowed {
		if under(real, d) {
			return true
		}
	}
	return false
}

// StateName is what the state folder of a workspace is called.
const StateName = ".gstack"

// ProfilePrefix begins the name of every temporary profile of a browser, which
// has the cookies of its pages.
const ProfilePrefix = "gstack-browse-profile-"

// ours reports whether a real path is in a state folder, of this workspace or of
// another, or in a browser's profile. Folders are compared as the file system
// knows them, so that on one that ignores case no other spelling gets in.
func (p Paths) ours(real string) bool {
	if p.denied != "" && under(real, p.denied) {
		return true
	}
	state, stateErr := os.Stat(p.denied)
	for dir := real; ; {
		name := filepath.Base(dir)
		if strings.EqualFold(name, StateName) || len(name) > len(ProfilePrefix) && strings.EqualFold(name[:len(ProfilePrefix)], ProfilePrefix) {
			return true
		}
		if stateErr == nil {
			if fi, err := os.Stat(dir); err == nil && os.SameFile(fi, state) {
				return true
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// under compares by path component: /tmpevil is not under /tmp.
func under(path, dir string) bool {
	if path == dir {
		return true
	}
	if !strings.HasSuffix(dir, string(filepath.Separator)) {
		dir += string(filepath.Separator)
	}
	return strings.HasPrefix(path, dir)
}

func (p Paths) refuse(abs, real, hint string) error {
	where := abs
	if abs != real {
		where = fmt.Sprintf("%s (really %s)", abs, real)
	}
	if p.ours(real) {
		return api.Errorf(api.PathDenied, "use another folder", "%s is in the daemon's state folder, or in a browser's profile", where)
	}
	return api.Errorf(api.PathDenied, hint+": "+strings.Join(p.allowed, " or "),
		"%s is outside the folders that may be used: %s", where, strings.Join(p.allowed, ", "))
}

// Create makes a new file in the temp folder whose name is unique to the call,
// with mode 0600, such as browse-screenshot-1234567.png.
func Create(stem, ext string) (*os.File, error) {
	return os.CreateTemp("", stem+"-*"+ext)
}

// WriteFile replaces path atomically: a reader sees the old content or the new,
// never a part. The file has mode 0600.
func WriteFile(path string, data []byte) error {
	return WriteFrom(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFrom is WriteFile for content that fill produces piece by piece. When
// fill fails, its error is returned and path is as it was.
func WriteFrom(path string, fill func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".tmp-*")
	if err != nil {
		return err
	}
	err = fill(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
