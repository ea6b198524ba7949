// Package workspace finds the place that a daemon belongs to, and keeps its
// state file and locks.
//
// A workspace is the top folder of a git work tree, else the current folder.
// Its state lives in .gstack there; where that cannot be written, in a folder
// per user and workspace elsewhere. The state file says where the daemon
// listens and holds its token, so it is 0600 and read only when it is ours.
//
// Two flocks, both released by the kernel when their holder dies:
//
//   - The daemon holds one on the state file itself, for its life. Whoever has
//     the file open can tell in one system call whether its writer still lives:
//     a .gstack that was copied along with a repository, or one left by a
//     killed daemon whose pid was given out again, is not locked. Whoever waits
//     for the lock waits for the end of the process.
//   - <state file>.lock is held while a daemon is being started, by the starter
//     and by the daemon until it is ready. It is removed while it is held.
//
// Lock order: .lock, then the state file. The thin client links this package:
// it imports no third-party code, no net, no encoding/json.
package workspace

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gstack/internal/api"
	"gstack/internal/knob"
)

// FileName is the name of the state file.
const FileName = "browse.json"

// Place is where the state of a workspace may live.
type Place struct {
	Project string // top folder of the workspace, absolute
	Dir     string // state folder
	File    string // state file
	Cwd     string // current folder of the process, physical; "" from [At]
	kind    kind
}

type kind int

const (
	own    kind = iota // .gstack in the project
	given              // BROWSE_STATE_FILE
	backup             // elsewhere, because the project cannot be written
)

// Locate returns the place of the workspace that the process runs in. It reads
// the file system and changes nothing.
func Locate(env func(string) string) (Place, *api.Error) {
	if err := supported(); err != nil {
		return Place{}, err
	}
	cwd, err := getwd()
	if err != nil {
		return Place{}, api.Errorf(api.FileError, "cd to a folder that exists", "the current folder cannot be read: %v", err)
	}
	if f := knob.StateFile.From(env); f != "" {
		if !filepath.IsAbs(f) {
			f = cwd + "/" + f
		}
		f = filepath.Clean(f)
		dir := filepath.Dir(f)
		return Place{Project: filepath.Dir(dir), Dir: dir, File: f, Cwd: cwd, kind: given}, nil
	}
	p := At(Top(cwd))
	p.Cwd = cwd
	return p, nil
}

// At returns the place of the workspace whose top folder is project.
func At(project string) Place {
	dir := filepath.Join(project, ".gstack")
	return Place{Project: project, Dir: dir, File: dir + "/" + FileName}
}

// Top returns the nearest folder at or above dir that is a git work tree: it has
// a .git folder with a HEAD, or a .git file that names one (a linked work tree
// or a submodule). Without one it returns dir itself.
func Top(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if isWorkTree(d) {
			return d
		}
		if d == "/" || d == "." || d == filepath.Dir(d) {
			return dir
		}
	}
}

func isWorkTree(dir string) bool {
	git := strings.TrimSuffix(dir, "/") + "/.git"
	switch statKind(git) {
	case isDir:
		return statKind(git+"/HEAD") == isFile
	case isFile:
		f, err := os.Open(git)
		if err != nil {
			return false
		}
		defer f.Close()
		var head [8]byte
		n, _ := f.Read(head[:])
		return string(head[:n]) == "gitdir: "
	}
	return false
}

// Backups returns where the state goes when the place in the project cannot be
// used: a folder of this workspace in the user's gstack folder, else in the
// temporary one. There are none for a state file that was named.
func (p Place) Backups(env func(string) string) []Place {
	if p.kind != own {
		return nil
	}
	name := p.name(p.Project)
	home := homeDir(env)
	var bases []string
	if home != "" {
		bases = append(bases, filepath.Join(home, "workspaces"))
	}
	bases = append(bases, filepath.Join(os.TempDir(), "browse-"+strconv.Itoa(os.Geteuid())))
	var out []Place
	for _, b := range bases {
		dir := b + "/" + name
		out = append(out, Place{Project: p.Project, Dir: dir, File: dir + "/" + FileName, Cwd: p.Cwd, kind: backup})
	}
	return out
}

// name returns a folder's name for this workspace, told apart by key.
func (p Place) name(key string) string {
	base := filepath.Base(p.Project)
	if base == "/" {
		base = "root"
	}
	return base + "-" + hash(key)
}

// homeDir returns the user's gstack folder, "" when there is none.
func homeDir(env func(string) string) string {
	if h := knob.Home.From(env); filepath.IsAbs(h) {
		return filepath.Clean(h)
	}
	if h := knob.UserHome.From(env); filepath.IsAbs(h) {
		return filepath.Join(h, ".gstack")
	}
	return ""
}

// hash is 64-bit FNV-1a in hex. It only keeps names apart: the lock on the
// state file, not its name, says whose it is.
func hash(s string) string {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return strconv.FormatUint(h, 16)
}
