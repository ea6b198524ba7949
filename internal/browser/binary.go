// Package browser owns the Chromium process: it finds the binary, makes a
// private profile, starts the process with the protocol on a pipe, and ends it
// with everything that it started. It also connects to a browser that somebody
// else runs, and tells what is wrong with the machine ([Diagnose]).
//
// The package knows no page. It attaches to targets ([Hub]) and hands them on.
package browser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"gstack/internal/api"
)

// Kind is the make of a Chromium-based browser.
type Kind string

// The kinds, in the order in which [Find] prefers them. The headless shell is
// first because it has no windows to build: it needs half the time and a third
// of the processor time of the full browser until its first page is loaded.
const (
	HeadlessShell Kind = "headless shell"
	Chromium      Kind = "Chromium"
	Chrome        Kind = "Chrome"
	Edge          Kind = "Edge"
	Brave         Kind = "Brave"
	// Unknown is a binary that was named by GSTACK_CHROMIUM_PATH and whose
	// name tells nothing. It is treated as a full browser.
	Unknown Kind = "browser"
)

// PathVariable names the environment variable that decides for a binary. When
// it is set, no other place is looked at.
const PathVariable = "GSTACK_CHROMIUM_PATH"

// Binary is a browser on this machine.
type Binary struct {
	Path string
	Kind Kind
	// Version is what the name of its folder tells, empty if nothing. The
	// running process knows better ([Process.Version]).
	Version string
	// Private is the folder below which a profile must lie, because the
	// package format hides the temporary folder from the browser (snap,
	// flatpak); empty for all others.
	Private string
}

// Attempt is one place where [Find] looked.
type Attempt struct {
	Place  string // the group, such as "PATH" or "Playwright's cache"
	Path   string // the file, or the name that was looked up in PATH
	Result string // "found", or why not
}

// Find returns the browser to start and the places that were looked at, in
// order. GSTACK_CHROMIUM_PATH decides alone when it is set; otherwise the order
// is headless shell, Chromium, Chrome, Edge, Brave, each by its names in PATH
// and then in the folders where packages put it; then snap and flatpak; then
// the caches of Playwright, Puppeteer, Selenium and agent-browser, newest
// version first. The error is of code BrowserMissing and lists the places.
func Find(env func(string) string) (Binary, []Attempt, error) {
	return finder{env: env, goos: runtime.GOOS}.find(false)
}

// FindHeaded is [Find] without the headless shells, which cannot show a window
// and do not keep a profile as the full browser does.
func FindHeaded(env func(string) string) (Binary, []Attempt, error) {
	return finder{env: env, goos: runtime.GOOS}.find(true)
}

// finder looks for browsers below root, as on the operating system goos.
type finder struct {
	env  func(string) string
	goos string
	root string // prefix of every absolute path; tests set it
}

func (f finder) find(headed bool) (Binary, []Attempt, error) {
	if named := f.env(PathVariable); named != "" {
		return f.named(named)
	}
	var tried []Attempt
	for _, c := range f.candidates() {
		if headed && c.kind == HeadlessShell {
			continue
		}
		path, why := f.look(c)
		if why != "" {
			tried = append(tried, Attempt{c.place, c.path, why})
			continue
		}
		tried = append(tried, Attempt{c.place, path, "found"})
		return Binary{Path: path, Kind: c.kind, Version: c.version, Private: c.private}, tried, nil
	}
	err := api.Errorf(api.BrowserMissing, installHint(f.goos, f.osRelease()),
		"no Chromium, Chrome, Edge or Brave found")
	err.Tried = summarise(tried)
	return Binary{}, tried, err
}

// named takes the user's word: the file is used as it is, a wrapper included.
func (f finder) named(path string) (Binary, []Attempt, error) {
	path = f.home(path)
	if why := f.check(path); why != "" {
		err := api.Errorf(api.BrowserMissing, "unset "+PathVariable+" or set it to the binary of a Chromium",
			"%s is %q, which %s", PathVariable, path, why)
		return Binary{}, []Attempt{{PathVariable, path, why}}, err
	}
	return Binary{Path: path, Kind: kindOf(path)}, []Attempt{{PathVariable, path, "found"}}, nil
}

// look returns the file of a candidate, or why there is none.
func (f finder) look(c candidate) (path, why string) {
	if !c.inPath {
		return c.path, f.check(c.path)
	}
	path = f.lookPath(c.path)
	if path == "" {
		return "", "not there"
	}
	if why := f.check(path); why != "" {
		return "", why
	}
	if real := f.behind(path, c.behind); real != "" {
		return real, ""
	}
	return path, ""
}

// lookPath is exec.LookPath below root and for f's PATH.
func (f finder) lookPath(name string) string {
	for _, dir := range filepath.SplitList(f.env("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // never what happens to lie in the working directory
		}
		path := filepath.Join(dir, name)
		if f.goos == "windows" {
			path += ".exe"
		}
		if st, err := os.Stat(f.root + path); err == nil && !st.IsDir() {
			return path
		}
	}
	return ""
}

// behind returns the binary that a distribution's wrapper script starts. Going
// there directly saves a shell with some ten children (12 ms with Debian's) and
// leaves out the flags of /etc/chromium.d, all of which concern desktop use or
// are decided here (--disable-dev-shm-usage). A script of the user's own, one
// that is not in the distribution's folders, is respected.
func (f finder) behind(path string, binaries []string) string {
	target, err := filepath.EvalSymlinks(f.root + path)
	if err != nil {
		return ""
	}
	target = strings.TrimPrefix(target, f.root)
	ours := false
	for _, dir := range []string{"/usr/bin/", "/bin/", "/usr/lib/", "/usr/lib64/", "/opt/"} {
		ours = ours || strings.HasPrefix(target, dir)
	}
	if !ours || !f.isScript(target) {
		return ""
	}
	for _, b := range binaries {
		if f.check(b) == "" && !f.isScript(b) {
			return b
		}
	}
	return ""
}

// check returns why path cannot be started, or "".
func (f finder) check(path string) string {
	if !filepath.IsAbs(path) && f.goos == runtime.GOOS {
		return "is not an absolute path"
	}
	st, err := os.Stat(f.root + path)
	switch {
	case os.IsNotExist(err):
		return "does not exist"
	case err != nil:
		return "cannot be read: " + reason(err)
	case st.IsDir():
		return "is a folder"
	case f.goos != "windows" && st.Mode()&0o111 == 0:
		return "is not executable"
	case f.isSnapStub(path):
		return "is a stub that asks to install a snap"
	}
	return ""
}

func (f finder) isScript(path string) bool {
	return strings.HasPrefix(f.head(path, 2), "#!")
}

// isSnapStub recognises /usr/bin/chromium-browser of Ubuntu's transitional
// package, which prints an advice and exits.
func (f finder) isSnapStub(path string) bool {
	head := f.head(path, 2048)
	return strings.HasPrefix(head, "#!") && strings.Contains(head, "snap install chromium") &&
		f.check("/snap/bin/chromium") != ""
}

// head returns the first n bytes of a file, fewer when it is shorter.
func (f finder) head(path string, n int) string {
	file, err := os.Open(f.root + path)
	if err != nil {
		return ""
	}
	defer file.Close()
	buf := make([]byte, n)
	n, _ = file.Read(buf)
	return string(buf[:n])
}

// home expands a leading "~/".
func (f finder) home(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(f.homeDir(), rest)
	}
	return path
}

func (f finder) homeDir() string {
	if f.goos == "windows" {
		return f.env("USERPROFILE")
	}
	return f.env("HOME")
}

func (f finder) osRelease() string { return f.head("/etc/os-release", 4096) }

// kindOf guesses the kind by the name of the file.
func kindOf(path string) Kind {
	name := strings.ToLower(filepath.Base(path))
	switch {
	case strings.Contains(name, "headless"):
		return HeadlessShell
	case strings.Contains(name, "chromium"):
		return Chromium
	case strings.Contains(name, "brave"):
		return Brave
	case strings.Contains(name, "edge"):
		return Edge
	case strings.Contains(name, "chrome"):
		return Chrome
	}
	return Unknown
}

// summarise folds the attempts to one line for each place.
func summarise(tried []Attempt) []string {
	var lines []string
	at := map[string]int{}
	for _, a := range tried {
		entry := a.Path
		if a.Result != "does not exist" && a.Result != "not there" {
			entry += " (" + a.Result + ")"
		}
		i, ok := at[a.Place]
		if !ok {
			at[a.Place] = len(lines)
			lines = append(lines, a.Place+": "+entry)
			continue
		}
		lines[i] += ", " + entry
	}
	return lines
}

// installHint is the command that installs a browser.
func installHint(goos, osRelease string) string {
	switch goos {
	case "darwin":
		return "brew install --cask chromium"
	case "windows":
		return "winget install Google.Chrome"
	}
	for _, d := range []struct{ id, command string }{
		{"ubuntu", "snap install chromium"}, // its apt package is a stub for the snap
		{"debian", "apt-get install chromium"},
		{"fedora", "dnf install chromium"},
		{"rhel", "dnf install chromium"},
		{"arch", "pacman -S chromium"},
		{"alpine", "apk add chromium"},
		{"suse", "zypper install chromium"},
	} {
		for line := range strings.Lines(osRelease) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			if (key == "ID" || key == "ID_LIKE") && strings.Contains(value, d.id) {
				return fmt.Sprintf("%s, or set %s", asRoot(d.command), PathVariable)
			}
		}
	}
	return "install Chromium, or set " + PathVariable + "; browse doctor lists where it was looked for"
}

func asRoot(command string) string {
	if os.Geteuid() == 0 {
		return command
	}
	return "sudo " + command
}

// reason is the part of a file error that does not repeat the path.
func reason(err error) string {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}
