package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/safe"

	"github.com/gofrs/flock"
)

const (
	// profilePrefix begins the name of every temporary profile, and of nothing
	// else: what bears it may be removed by [SweepProfiles].
	profilePrefix = safe.ProfilePrefix
	// goneSuffix ends the name of a profile that is being removed. The name is
	// changed in one step, so that one whose remover died half way, without a lock
	// or an owner's record, can be told from one that is being made.
	goneSuffix = ".gone"
	// unfinishedAge is how old a folder without an owner's record must be until
	// it is swept: its maker died between two system calls, or is between them.
	unfinishedAge = 10 * time.Minute
	// maxSocketPath is the length of a socket's path that every system allows,
	// in bytes (sun_path of macOS, 104, less the final zero).
	maxSocketPath = 103
	// shortTemp is the temporary folder when the user's has too long a path.
	shortTemp = "/tmp"
)

// profile is the private folder of one browser, mode 0700:
//
//	lock    flock held as long as the daemon lives
//	owner   who made it, and the browser's process; see ownerRecord
//	data    Chromium's user data, unless the user named a folder of his own
//	tmp     Chromium's temporary files
//	crash   what the crash handler would write
type profile struct {
	dir  string
	lock *flock.Flock
	data string
	// short is a second folder of this kind, in /tmp, whose tmp is used because
	// the path of the own one is too long for a socket; mostly nil.
	short *profile
}

// newProfile makes a profile in parent, or in the temporary folder if that is
// empty. A kept folder replaces data.
func newProfile(parent, kept string) (*profile, error) {
	if parent == "" {
		parent = os.TempDir()
	} else if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, profileError(parent, err)
	}
	dir, err := os.MkdirTemp(parent, profilePrefix)
	if err != nil {
		return nil, profileError(parent, err)
	}
	p := &profile{dir: dir, lock: flock.New(filepath.Join(dir, "lock")), data: filepath.Join(dir, "data")}
	if kept != "" {
		p.data = kept
	}
	err = p.fill()
	if err == nil && len(p.tmp())+len("/org.chromium.Chromium.XXXXXX/SingletonSocket") > maxSocketPath && parent != shortTemp {
		p.short, err = newProfile(shortTemp, "")
	}
	if err != nil {
		p.lock.Close()
		os.RemoveAll(dir)
		return nil, profileError(dir, err)
	}
	return p, nil
}

func (p *profile) fill() error {
	// A sweep that looks at the new lock holds it for a moment.
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if ok, err := p.lock.TryLockContext(ctx, 2*time.Millisecond); err != nil || !ok {
		return errors.Join(err, errors.New("cannot be locked"))
	}
	for _, dir := range []string{p.data, p.tmp(), p.crash()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if err := p.standIn(); err != nil {
		return err
	}
	return p.record(0)
}

func (p *profile) crash() string { return filepath.Join(p.dir, "crash") }

func (p *profile) tmp() string {
	if p.short != nil {
		return p.short.tmp()
	}
	return filepath.Join(p.dir, "tmp")
}

// record writes the owner's record; browser is 0 as long as there is none.
func (p *profile) record(browser int) error {
	r := ownerRecord{owner: identify(os.Getpid())}
	if browser != 0 {
		r.browser = identify(browser)
	}
	tmp := filepath.Join(p.dir, "owner.new")
	if err := os.WriteFile(tmp, []byte(r.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, filepath.Join(p.dir, "owner"))
}

// remove deletes the profile. The browser must have ended; a file that a dying
// process still writes is met by trying again, until ctx ends.
func (p *profile) remove(ctx context.Context) error {
	_, err := removeProfile(ctx, p.dir, p.data)
	p.lock.Close()
	if p.short != nil {
		err = errors.Join(err, p.short.remove(ctx))
	}
	return err
}

// removeProfile deletes a profile and reports whether it was this call that did,
// rather than another one at the same time.
func removeProfile(ctx context.Context, dir, data string) (bool, error) {
	removeSocketDir(data)
	gone := dir + goneSuffix
	switch err := os.Rename(dir, gone); {
	case errors.Is(err, os.ErrNotExist):
		return false, nil
	case err != nil: // such as one of that name being there
		return empty(ctx, dir)
	}
	done, err := empty(ctx, gone)
	// A dying process can have made it again under its old name.
	return done, errors.Join(err, persist(ctx, func() error { return os.RemoveAll(dir) }))
}

// empty deletes a folder, its lock last: as long as that is held, nobody else
// does so.
func empty(ctx context.Context, dir string) (done bool, err error) {
	err = persist(ctx, func() error {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		var errs []error
		for _, e := range entries {
			if e.Name() != "lock" {
				errs = append(errs, os.RemoveAll(filepath.Join(dir, e.Name())))
			}
		}
		if err := errors.Join(errs...); err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(dir, "lock")); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return os.Remove(dir)
	})
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// persist tries something again and again until it works, there is nothing to do
// it with, or ctx ends.
func persist(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil || errors.Is(err, os.ErrNotExist) || !pause(ctx, 10*time.Millisecond) {
			return err
		}
	}
}

// removeSocketDir deletes the folder of the socket by which a second Chromium
// would find the first. It normally lies in the profile's tmp; snaps have a
// temporary folder of their own, and a killed Chromium leaves it there.
func removeSocketDir(data string) {
	link := filepath.Join(data, "SingletonSocket")
	socket, err := os.Readlink(link)
	if err != nil {
		return
	}
	dir := filepath.Dir(socket)
	name := strings.TrimPrefix(filepath.Base(dir), ".")
	if filepath.Base(socket) != "SingletonSocket" || !strings.HasPrefix(name, "org.chromium.") &&
		!strings.HasPrefix(name, "com.google.Chrome") && !strings.HasPrefix(name, "com.microsoft.Edge") && !strings.HasPrefix(name, "com.brave.") {
		return
	}
	// Only what belongs there; a folder with anything else in it stays.
	for _, file := range []string{"SingletonSocket", "SingletonCookie"} {
		os.Remove(filepath.Join(dir, file))
	}
	os.Remove(dir)
	os.Remove(link)
}

// processID names one process, also after its number was given to another.
type processID struct {
	pid   int
	start string // opaque: the time of its start and, where known, of the machine's
}

// identify returns the identity of a running process; its start is empty when
// there is no such process.
func identify(pid int) processID {
	start, _ := startTime(pid)
	return processID{pid, start}
}

// alive reports whether the process still runs.
func (id processID) alive() bool {
	if id.pid <= 0 || id.start == "" {
		return false
	}
	start, ok := startTime(id.pid)
	return ok && start == id.start
}

// ownerRecord says whose a profile is.
type ownerRecord struct {
	owner   processID // the daemon
	browser processID // zero until it has been started
}

func (r ownerRecord) String() string {
	return fmt.Sprintf("owner %d %s\nbrowser %d %s\n", r.owner.pid, r.owner.start, r.browser.pid, r.browser.start)
}

func parseOwner(text string) (r ownerRecord, ok bool) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		pid, err := strconv.Atoi(f[1])
		if err != nil {
			return r, false
		}
		id := processID{pid: pid, start: strings.Join(f[2:], " ")}
		switch f[0] {
		case "owner":
			r.owner, ok = id, true
		case "browser":
			r.browser = id
		}
	}
	return r, ok
}

// SweepProfiles removes the profiles that dead daemons left in the temporary
// folder, and ends a Chromium that still runs on one of them. It returns the
// folders that it removed. A profile is touched only if it belongs to this user,
// its lock is free and its owner is dead; several sweeps may run at once.
func SweepProfiles(ctx context.Context) ([]string, error) {
	var removed []string
	var errs []error
	for _, parent := range profileParents() {
		dirs, err := leftovers(parent)
		if err != nil {
			errs = append(errs, err)
		}
		for _, dir := range dirs {
			ok, err := sweep(ctx, dir)
			if err != nil {
				errs = append(errs, err)
			}
			if ok {
				removed = append(removed, dir)
			}
		}
	}
	return removed, errors.Join(errs...)
}

// profileParents are the folders where profiles can lie.
func profileParents() []string {
	parents := []string{os.TempDir()}
	if parents[0] != shortTemp {
		parents = append(parents, shortTemp)
	}
	for _, c := range (finder{env: os.Getenv}).confined() {
		parents = append(parents, c.private)
	}
	return parents
}

// leftovers lists the profiles in parent that belong to this user.
func leftovers(parent string) ([]string, error) {
	d, err := os.Open(parent)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	var dirs []string
	for _, name := range names {
		path := filepath.Join(parent, name)
		if st, err := os.Lstat(path); strings.HasPrefix(name, profilePrefix) && err == nil && st.IsDir() && isOurs(st) {
			dirs = append(dirs, path)
		}
	}
	return dirs, err
}

// sweep removes one profile if its owner is dead.
func sweep(ctx context.Context, dir string) (bool, error) {
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetFlag(os.O_RDWR))
	locked, err := lock.TryLock()
	switch {
	case err == nil && !locked:
		return false, nil // its daemon lives, or another sweep is at it
	case err != nil && !os.IsNotExist(err):
		return false, err
	}
	defer lock.Close()
	if name, ok := strings.CutSuffix(dir, goneSuffix); ok { // its remover is dead
		endUsers(ctx, name)
		return empty(ctx, dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "owner"))
	if r, ok := parseOwner(string(text)); err == nil && ok {
		// Without a lock it was being removed by a version that took the lock first.
		if r.owner.alive() {
			return false, nil
		}
	} else if st, err := os.Stat(dir); err != nil || time.Since(st.ModTime()) < unfinishedAge {
		return false, nil // being made, being removed, or gone
	}
	data := filepath.Join(dir, "data")
	endUsers(ctx, dir)
	return removeProfile(ctx, dir, data)
}

// unowned counts the profiles that a sweep leaves although nobody holds them:
// their makers died before they had signed them.
func unowned(parents []string) int {
	n := 0
	for _, parent := range parents {
		dirs, _ := leftovers(parent) // the sweep has reported the error
		for _, dir := range dirs {
			lock := flock.New(filepath.Join(dir, "lock"), flock.SetFlag(os.O_RDWR))
			locked, err := lock.TryLock()
			lock.Close()
			if !locked && err == nil {
				continue
			}
			if _, err := os.Stat(filepath.Join(dir, "owner")); errors.Is(err, os.ErrNotExist) {
				n++
			}
		}
	}
	return n
}

// uses reports whether a command line is that of a browser's process on the
// profile in dir: the browser's own, a child's (Chromium joins their arguments
// with spaces) or a crash handler's.
func uses(commandLine []string, dir string) bool {
	line := strings.Join(commandLine, " ") + " "
	return strings.Contains(line, " --user-data-dir="+filepath.Join(dir, "data")+" ") ||
		strings.Contains(line, " --database="+filepath.Join(dir, "crash")+" ")
}

// endUsers kills the processes that use the profile in dir and waits until they
// have ended, or ctx has.
func endUsers(ctx context.Context, dir string) {
	for {
		left := 0
		for _, pid := range processes() {
			if pid != os.Getpid() && uses(commandLine(pid), dir) {
				left++
				killVerified(pid, dir)
			}
		}
		if left == 0 || !pause(ctx, 5*time.Millisecond) {
			return
		}
	}
}

// killVerified kills a process after having got hold of it: where the system
// has handles for processes (Linux), its number cannot change hands in between.
func killVerified(pid int, dir string) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer func() { _ = p.Release() }()
	if uses(commandLine(pid), dir) {
		_ = p.Kill() // it may have ended
	}
}

// lockedBy returns the process that uses a folder of user data, by Chromium's
// own lock: a symbolic link to "host-pid".
func lockedBy(data string) (int, bool) {
	target, err := os.Readlink(filepath.Join(data, "SingletonLock"))
	if err != nil {
		return 0, false
	}
	i := strings.LastIndexByte(target, '-')
	host, _ := os.Hostname()
	if i < 0 || target[:i] != host {
		return 0, false
	}
	pid, err := strconv.Atoi(target[i+1:])
	if err != nil {
		return 0, false
	}
	_, ok := startTime(pid)
	return pid, ok
}

// pause waits for d; it is false when ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func profileError(path string, err error) error {
	return api.Errorf(api.BrowserGone, "set TMPDIR to a folder that can be written to",
		"cannot make a browser profile in %s: %s", path, reason(err))
}
