package cli

import (
	"go/build"
	"slices"
	"strings"
	"testing"
)

// forbidden are packages that would cost every call start time, and prefixes of
// them that end in a slash.
var forbidden = []string{"net", "net/", "crypto", "crypto/", "encoding/json", "os/exec", "os/signal", "log", "log/", "regexp", "text/", "html/", "context", "go/", "testing"}

// ours are the packages of this module that the client may link.
var ours = []string{"gstack/internal/api", "gstack/internal/knob", "gstack/internal/workspace", "gstack/internal/workspace/flat", "gstack/internal/cli"}

// TestClientIsThin walks the import graph of the client for each system that it
// is built for. It parses files rather than ask the go command, which Go's test
// cache would not see.
func TestClientIsThin(t *testing.T) {
	for _, goos := range []string{"linux", "darwin"} {
		ctx := build.Default
		ctx.GOOS, ctx.CgoEnabled = goos, false
		seen := map[string]bool{}
		var walk func(path, srcDir, via string)
		walk = func(path, srcDir, via string) {
			if seen[path] || path == "unsafe" || path == "C" {
				return
			}
			seen[path] = true
			first, _, _ := strings.Cut(path, "/")
			switch {
			case first == "gstack":
				if !slices.Contains(ours, path) {
					t.Errorf("%s: the client links %s, through %s", goos, path, via)
					return
				}
				pkg, err := ctx.ImportDir("../../"+strings.TrimPrefix(path, "gstack/"), 0)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range pkg.Imports {
					walk(p, "", via+" "+path)
				}
				return
			case strings.Contains(first, "."):
				t.Errorf("%s: the client links %s, through %s", goos, path, via)
				return
			}
			for _, f := range forbidden {
				if path == f || strings.HasSuffix(f, "/") && strings.HasPrefix(path, f) {
					t.Errorf("%s: the client links %s, through %s", goos, path, via)
				}
			}
			pkg, err := ctx.Import(path, srcDir, 0)
			if err != nil {
				t.Fatalf("%s: %s: %v", goos, path, err)
			}
			for _, p := range pkg.Imports {
				walk(p, pkg.Dir, via+" "+path)
			}
		}
		walk("gstack/internal/cli", "", "browse")
		if len(seen) < 30 {
			t.Fatalf("%s: only %d packages seen, the walk is wrong", goos, len(seen))
		}
	}
}
