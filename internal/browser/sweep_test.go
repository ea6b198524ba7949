//go:build unix

package browser

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// deadProcess returns the identity of a process that has ended.
func deadProcess(t *testing.T) processID {
	t.Helper()
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	id := identify(cmd.Process.Pid)
	if !id.alive() {
		t.Fatal("a living process is taken for dead")
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if id.alive() {
		t.Fatal("an ended process is taken for alive")
	}
	return id
}

// abandoned makes a profile as a dead daemon leaves it.
func abandoned(t *testing.T, owner processID) string {
	t.Helper()
	p, err := newProfile("", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "owner"), []byte(ownerRecord{owner: owner}.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if p.short != nil {
		if err := p.short.remove(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	p.lock.Close()
	return p.dir
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestSweepProfiles(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	dead := deadProcess(t)
	reused := identify(os.Getpid())
	reused.start = "another time"

	gone := abandoned(t, dead)
	reborn := abandoned(t, reused) // the number belongs to another process now
	unlocked := abandoned(t, identify(os.Getpid()))
	held, err := newProfile("", "")
	if err != nil {
		t.Fatal(err)
	}
	defer held.remove(context.Background())
	young, old := filepath.Join(tmp, profilePrefix+"young"), filepath.Join(tmp, profilePrefix+"old")
	other := filepath.Join(tmp, "another-profile-1")
	file := filepath.Join(tmp, profilePrefix+"file")
	link := filepath.Join(tmp, profilePrefix+"link")
	for _, dir := range []string{young, old, other} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, link); err != nil {
		t.Fatal(err)
	}
	hourAgo := time.Now().Add(-time.Hour)
	if err := os.Chtimes(old, hourAgo, hourAgo); err != nil {
		t.Fatal(err)
	}

	removed, err := SweepProfiles(limit(t))
	if err != nil {
		t.Error(err)
	}
	for path, want := range map[string]bool{
		gone: false, reborn: false, old: false,
		unlocked: true, held.dir: true, young: true, other: true, file: true, link: true,
	} {
		if exists(path) != want {
			t.Errorf("%s: exists %v, want %v", filepath.Base(path), !want, want)
		}
		if slices.Contains(removed, path) == want {
			t.Errorf("%s: reported as removed %v", filepath.Base(path), want)
		}
	}
}

// TestSweepHalfRemoved: a profile whose remover died is removed at once, whatever
// was left of it; one whose remover lives is left to it.
func TestSweepHalfRemoved(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	dead := deadProcess(t)
	without := func(dir string, names ...string) string {
		for _, name := range names {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	gone := func(dir string) string {
		if err := os.Rename(dir, dir+goneSuffix); err != nil {
			t.Fatal(err)
		}
		return dir + goneSuffix
	}
	want := map[string]bool{
		without(abandoned(t, dead), "lock"):                                 false,
		without(abandoned(t, identify(os.Getpid())), "lock"):                true,
		gone(abandoned(t, dead)):                                            false,
		gone(without(abandoned(t, dead), "lock", "owner", "data")):          false,
		gone(without(abandoned(t, dead), "owner")):                          false,
		gone(without(abandoned(t, dead), "owner", "data", "tmp", "crash")):  false,
		gone(without(abandoned(t, identify(os.Getpid())), "lock", "owner")): false,
	}
	p, err := newProfile("", "")
	if err != nil {
		t.Fatal(err)
	}
	defer p.lock.Close()
	want[gone(p.dir)] = true
	if _, err := SweepProfiles(limit(t)); err != nil {
		t.Error(err)
	}
	for path, stays := range want {
		if exists(path) != stays {
			left, _ := os.ReadDir(path)
			t.Errorf("%s: exists %v, want %v: %v", filepath.Base(path), !stays, stays, left)
		}
	}
}

// TestDoctorTellsUnfinished: a profile that is kept for its age is not passed over
// in silence, one that is in use is not counted.
func TestDoctorTellsUnfinished(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p, err := newProfile("", "")
	if err != nil {
		t.Fatal(err)
	}
	defer p.remove(context.Background())
	if n := unowned([]string{os.TempDir()}); n != 0 {
		t.Errorf("%d are unfinished, want none", n)
	}
	if err := os.Mkdir(filepath.Join(os.TempDir(), profilePrefix+"young"), 0o700); err != nil {
		t.Fatal(err)
	}
	if n := unowned([]string{os.TempDir()}); n != 1 {
		t.Errorf("%d are unfinished, want 1", n)
	}
	if c := leftoverCheck(limit(t)); !strings.Contains(c.Detail, "unfinished ones are removed when they are 10m0s old") {
		t.Errorf("the doctor says %q", c.Detail)
	}
}

// TestRemoveAgain: a process that makes the folder again while it is removed does
// not keep it.
func TestRemoveAgain(t *testing.T) {
	tmp := t.TempDir()
	p, err := newProfile(tmp, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(p.dir+goneSuffix, "data"), 0o700); err != nil { // in the way of the new name
		t.Fatal(err)
	}
	if err := p.remove(limit(t)); err != nil || exists(p.dir) {
		t.Errorf("%v, exists %v", err, exists(p.dir))
	}
}

// TestSweepEndsBrowser: what still runs on a dead daemon's profile is ended, and
// only that.
func TestSweepEndsBrowser(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := abandoned(t, deadProcess(t))
	run := func(arg string) *exec.Cmd {
		cmd := exec.CommandContext(limit(t), "sh", "-c", "read line", "chromium", "--x", arg)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { in.Close(); cmd.Process.Kill() })
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	browser := run("--user-data-dir=" + dir + "/data")
	handler := run("--database=" + dir + "/crash")
	similar := run("--user-data-dir=" + dir + "/data2")
	ended := make(chan error, 2)
	for _, cmd := range []*exec.Cmd{browser, handler} {
		go func() { ended <- cmd.Wait() }()
	}
	if removed, err := SweepProfiles(limit(t)); err != nil || !slices.Contains(removed, dir) {
		t.Errorf("removed %v, %v", removed, err)
	}
	for range 2 {
		select {
		case err := <-ended:
			if err == nil {
				t.Error("the process ended by itself")
			}
		case <-limit(t).Done():
			t.Fatal("the process still runs")
		}
	}
	if _, runs := startTime(similar.Process.Pid); !runs {
		t.Error("a process on another profile was ended")
	}
	similar.Process.Kill()
	similar.Wait()
}

func TestSweepsAtOnce(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	dead := deadProcess(t)
	for range 20 {
		abandoned(t, dead)
	}
	living, err := newProfile("", "")
	if err != nil {
		t.Fatal(err)
	}
	defer living.remove(context.Background())
	var mu sync.Mutex
	count := map[string]int{}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			removed, err := SweepProfiles(limit(t))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, dir := range removed {
				count[dir]++
			}
		})
	}
	wg.Wait()
	for dir, n := range count {
		if n != 1 {
			t.Errorf("%s was removed %d times", dir, n)
		}
	}
	entries, err := os.ReadDir(tmp)
	if err != nil || len(entries) != 1 || filepath.Join(tmp, entries[0].Name()) != living.dir {
		t.Errorf("left %v, %v; want the living one", entries, err)
	}
}

// TestSocketDir: the folder that a killed Chromium leaves behind elsewhere is
// removed with its profile, anything else that a link names is not.
func TestSocketDir(t *testing.T) {
	data, tmp := t.TempDir(), t.TempDir()
	socket := filepath.Join(tmp, "org.chromium.Chromium.AbCdEf")
	mine := filepath.Join(tmp, "documents")
	for _, dir := range []string{socket, mine} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "SingletonSocket"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{mine, socket} {
		link := filepath.Join(data, "SingletonSocket")
		os.Remove(link)
		if err := os.Symlink(filepath.Join(dir, "SingletonSocket"), link); err != nil {
			t.Fatal(err)
		}
		removeSocketDir(data)
	}
	if exists(socket) || !exists(filepath.Join(mine, "SingletonSocket")) {
		t.Errorf("socket folder there: %v, other folder there: %v", exists(socket), exists(mine))
	}
}

func TestOwnerRecord(t *testing.T) {
	want := ownerRecord{owner: processID{12, "boot/34"}, browser: processID{56, "boot/78"}}
	if got, ok := parseOwner(want.String()); !ok || got != want {
		t.Errorf("read %+v %v, want %+v", got, ok, want)
	}
	for _, text := range []string{"", "owner", "owner x y", "browser 1 2"} {
		if r, ok := parseOwner(text); ok {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
	if r, ok := parseOwner("owner 1"); !ok || r.owner.alive() {
		t.Errorf("a record without a time: %+v, alive %v", r, r.owner.alive())
	}
}
