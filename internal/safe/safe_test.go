package safe

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gstack/internal/api"
)

func code(err error) api.Code {
	var e *api.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestPaths(t *testing.T) {
	root := t.TempDir()
	cwd, outside, state := filepath.Join(root, "proj"), filepath.Join(root, "projevil"), filepath.Join(root, "proj/.gstack")
	for _, d := range []string{cwd, outside, state} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{filepath.Join(cwd, "in.html"), filepath.Join(outside, "out.html"), filepath.Join(state, "browse.json")} {
		if err := os.WriteFile(f, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(cwd, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(outside, "dir")
	link(filepath.Join(outside, "out.html"), "file.html")
	link(filepath.Join(outside, "nowhere"), "dangling")
	link(filepath.Join(cwd, "in.html"), "fine.html")
	// The test's own temp folder must not be what allows everything.
	p := NewPaths(cwd, state)
	p.allowed = p.allowed[:1]
	for path, want := range map[string]api.Code{
		"in.html": "", "./in.html": "", "fine.html": "", filepath.Join(cwd, "in.html"): "",
		"../projevil/out.html": api.PathDenied, "dir/out.html": api.PathDenied, "file.html": api.PathDenied,
		".gstack/browse.json": api.PathDenied, "missing": api.FileError, "dangling": api.FileError, "/etc/passwd": api.PathDenied,
	} {
		if _, err := p.Read(path); code(err) != want {
			t.Errorf("Read(%s): %v, want %q", path, err, want)
		}
	}
	for path, want := range map[string]api.Code{
		"new.png": "", "in.html": "", "dir/new.png": api.PathDenied, "file.html": api.PathDenied, "dangling": api.PathDenied,
		".gstack/x": api.PathDenied, "nodir/x": api.FileError, "../x.png": api.PathDenied, ".": api.FileError,
	} {
		if _, err := p.Write(path); code(err) != want {
			t.Errorf("Write(%s): %v, want %q", path, err, want)
		}
	}
}

// TestAttackedPaths: what gets at a file that may not be read, and what each gets.
func TestAttackedPaths(t *testing.T) {
	root := real(t.TempDir())
	cwd, state := filepath.Join(root, "proj"), filepath.Join(root, "proj/.gstack")
	other := filepath.Join(root, "proj/sub/.gstack")
	profile := filepath.Join(root, "proj/gstack-browse-profile-12/data")
	for _, d := range []string{cwd, state, other, profile, filepath.Join(root, "secret/deep"), filepath.Join(cwd, "a/b")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"proj/.gstack/browse.json", "proj/sub/.gstack/browse.json", "proj/gstack-browse-profile-12/data/Cookies", "secret/deep/key", "proj/a/b/ok"} {
		if err := os.WriteFile(filepath.Join(root, f), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"first": filepath.Join(root, "secret"), "a/middle": filepath.Join(root, "secret/deep"), "a/b/last": filepath.Join(root, "secret/deep/key"),
		"chain1": "chain2", "chain2": "first/deep/key", "loop": "loop", "tostate": state, "state.json": ".gstack/browse.json", "up": "..",
		"inside": "a/b/ok", "dev": "/dev/zero", "proc": "/proc/self/environ", "root": "/",
	} {
		if err := os.Symlink(to, filepath.Join(cwd, name)); err != nil {
			t.Fatal(err)
		}
	}
	pipe := filepath.Join(cwd, "pipe")
	if err := mkfifo(pipe); err != nil {
		t.Fatal(err)
	}
	p := NewPaths(cwd, state)
	p.allowed = p.allowed[:1] // the test's own temp folder must not be what allows everything
	for path, want := range map[string]api.Code{
		"a/b/ok": "", "inside": "", "a/./b/../b/ok": "", "./a//b/ok": "", "up/proj/a/b/ok": "", "root" + cwd + "/a/b/ok": "",
		"first/deep/key": api.PathDenied, "a/middle/key": api.PathDenied, "a/b/last": api.PathDenied, "chain1": api.PathDenied, "loop": api.FileError,
		"../secret/deep/key": api.PathDenied, "a/../../secret/deep/key": api.PathDenied, "up/secret/deep/key": api.PathDenied, "root/etc/passwd": api.PathDenied,
		".gstack/browse.json": api.PathDenied, "tostate/browse.json": api.PathDenied, "state.json": api.PathDenied, "a/../.gstack/browse.json": api.PathDenied,
		"sub/.gstack/browse.json": api.PathDenied, "gstack-browse-profile-12/data/Cookies": api.PathDenied, "up/proj/.gstack/browse.json": api.PathDenied,
		"dev": api.PathDenied, "proc": api.PathDenied, "/dev/zero": api.PathDenied, "/dev/stdin": api.PathDenied, "/proc/self/environ": api.PathDenied, "pipe": api.FileError,
		"a/b/ok\x00.html": api.BadUsage, "a\x00/b/ok": api.BadUsage, "": "", "/": api.PathDenied, "..": api.PathDenied,
	} {
		if _, err := p.Read(path); code(err) != want {
			t.Errorf("Read(%q): %v, want %q", path, err, want)
		}
	}
	for path, want := range map[string]api.Code{
		"new": "", "a/new": "", "a/b/ok": "", "inside": "",
		"first/new": api.PathDenied, "a/middle/new": api.PathDenied, "a/b/last": api.PathDenied, "chain1": api.PathDenied, "loop": api.PathDenied, "up/new": api.PathDenied,
		".gstack/new": api.PathDenied, "tostate/new": api.PathDenied, "state.json": api.PathDenied, "sub/.gstack/new": api.PathDenied, ".gstack": api.PathDenied,
		"sub/.GSTACK": api.PathDenied, "gstack-browse-profile-12/x": api.PathDenied, "dev": api.PathDenied, "pipe": api.FileError, "/dev/null": api.PathDenied,
		"new\x00.png": api.BadUsage, "a/b/../../../secret/new": api.PathDenied, "a": api.FileError, "": api.FileError,
	} {
		if _, err := p.Write(path); code(err) != want {
			t.Errorf("Write(%q): %v, want %q", path, err, want)
		}
	}
}

func TestURL(t *testing.T) {
	cwd := t.TempDir()
	if err := os.MkdirAll(filepath.Join(cwd, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"a b.html", "docs/x.html"} {
		if err := os.WriteFile(filepath.Join(cwd, f), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := NewPaths(cwd, "").On(Network{Ports: []int{4321}})
	real := real(cwd)
	for in, want := range map[string]string{
		"https://example.com/a?b#c": "https://example.com/a?b#c", "HTTP://Example.com": "http://Example.com",
		"example.com": "https://example.com", "example.com:8443/x": "https://example.com:8443/x",
		"localhost:3000/cart": "http://localhost:3000/cart", "app.localhost": "http://app.localhost",
		"127.0.0.1:80": "http://127.0.0.1:80", "[::1]:8080/": "http://[::1]:8080/", "10.1.2.3": "http://10.1.2.3",
		"ABOUT:blank": "about:blank",
		"file://" + filepath.ToSlash(filepath.Join(cwd, "a%20b.html")) + "?q=1#f": "file://" + real + "/a%20b.html?q=1#f",
		"file://./docs/x.html": "file://" + real + "/docs/x.html", "file://docs/x.html": "file://" + real + "/docs/x.html",
		"file://localhost" + filepath.ToSlash(filepath.Join(cwd, "docs/x.html")): "file://" + real + "/docs/x.html",
	} {
		if got, err := p.URL(in); err != nil || got != want {
			t.Errorf("URL(%s) = %q, %v; want %q", in, got, err, want)
		}
	}
	for in, want := range map[string]api.Code{
		"": api.BadUsage, "http://": api.BadUsage, "javascript:alert(1)": api.URLDenied, "data:text/html,x": api.URLDenied,
		"about:config": api.URLDenied, "chrome://settings": api.URLDenied, "view-source:https://a.test": api.URLDenied, "ftp://a.test": api.URLDenied,
		"file://": api.URLDenied, "file:///": api.URLDenied, "file://./": api.URLDenied, "file://~/": api.URLDenied,
		"file://host.name/x": api.URLDenied, "file:///etc/passwd": api.PathDenied, "file:///nope.html": api.FileError,
		"blob:https://a.test/x": api.URLDenied, "filesystem:https://a.test/x": api.URLDenied, "VIEW-SOURCE:https://a.test": api.URLDenied, "JavaScript:1": api.URLDenied,
		"mailto:a@b.test": api.URLDenied, "devtools://x": api.URLDenied, "http://168.63.129.16/": api.URLDenied, "http://metadata/": api.URLDenied,
		"http://a@169.254.169.254/": api.URLDenied, "http://127.0.0.1:4321/": api.URLDenied, "localhost:4321": api.URLDenied, "http://[::1]:4321": api.URLDenied,
		"http://[64:ff9b::a9fe:a9fe]/": api.URLDenied, "http://[2002:a9fe:a9fe::1]/": api.URLDenied,
		"http://169.254.169.254/latest": api.URLDenied, "http://0xa9fea9fe/": api.URLDenied, "http://2852039166": api.URLDenied,
		"http://0251.0376.0251.0376": api.URLDenied, "http://169.254.43518": api.URLDenied, "http://[::ffff:169.254.169.254]": api.URLDenied,
		"http://169.254.169.254.": api.URLDenied, "http://metadata.google.internal/": api.URLDenied, "169.254.1.1": api.URLDenied,
		"http://[fd00:ec2::254]/": api.URLDenied, "http://[fe80::1]/": api.URLDenied,
	} {
		if got, err := p.URL(in); code(err) != want {
			t.Errorf("URL(%s) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for _, want := range []string{"one", "two"} {
		if err := WriteFile(path, []byte(want)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	fi, err := os.Stat(path)
	if err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
	left, _ := os.ReadDir(filepath.Dir(path))
	if len(left) != 1 {
		t.Errorf("temporary files left: %v", left)
	}
}
