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
	p := NewPaths(cwd, "")
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
