package page

import (
	"context"
	"strings"
)

// GuardFiles lets the tab load only the files that allow accepts: documents,
// frames, pictures and scripts alike. The guard is off while the tab shows an
// address that is no file, and on again when its history leads back.
func (t *Tab) GuardFiles(ctx context.Context, allow func(url string) bool) error {
	t.mu.Lock()
	t.files, t.guarded = allow, true
	t.mu.Unlock()
	return t.Broken(ctx, "guarding the files of the tab", t.intercept(t.sess).Wait(ctx, nil))
}

// Files returns what GuardFiles was given, and whether the guard is on.
func (t *Tab) Files() (allow func(url string) bool, guarded bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.files, t.guarded
}

// guardFor turns the guard on before a file is opened that nobody has allowed,
// and off after the tab has left the files: judging costs every request a way
// through the browser's process.
func (t *Tab) guardFor(url string) {
	file := strings.HasPrefix(url, "file:")
	t.mu.Lock()
	was := t.guarded
	t.guarded = file
	t.mu.Unlock()
	if file != was {
		t.intercept(t.sess)
	}
}

// Failed reports whether f shows the browser's error page.
func (f *Frame) Failed() bool {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.failed
}
