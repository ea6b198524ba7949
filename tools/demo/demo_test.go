package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// programs builds browse and its daemon for this test.
func programs(t *testing.T) string {
	t.Helper()
	switch mode := os.Getenv("BROWSE_TEST_CHROMIUM"); mode {
	case "required":
	case "off":
		t.Skip("tests with a browser are off")
	default:
		if err := exec.CommandContext(t.Context(), "../install-deps.sh", "found").Run(); err != nil {
			t.Skip("no Chromium on this machine")
		}
	}
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", dir, "gstack/cmd/browse", "gstack/cmd/browsed").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// TestStory runs what make demo runs.
func TestStory(t *testing.T) {
	bin := programs(t)
	shop, err := newShop()
	if err != nil {
		t.Fatal(err)
	}
	base, closeShop, err := open(t.Context(), shop, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if err := tell(t.Context(), shop, base, filepath.Join(bin, "browse"), out); err != nil {
		t.Error(err)
	}
	if err := isPicture(filepath.Join(out, picture)); err != nil {
		t.Error(err)
	}
	if err := closeShop(); err != nil {
		t.Error(err)
	}
}

// firstCommands is the block of the README that a newcomer types.
var firstCommands = regexp.MustCompile("(?s)<!-- first commands: [^\n]*-->\n```sh\n(.*?)```")

// TestReadme runs the README's first commands in a shell, against the shop that
// they are written for, and expects the last one to show what they did.
func TestReadme(t *testing.T) {
	bin := programs(t)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := firstCommands.FindSubmatch(readme)
	if block == nil {
		t.Fatal("README.md has no block of first commands")
	}
	shop, err := newShop()
	if err != nil {
		t.Fatal(err)
	}
	base, closeShop, err := open(t.Context(), shop, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	script := string(block[1])
	if !strings.Contains(script, "localhost:8000") {
		t.Fatalf("the first commands do not open the shop:\n%s", script)
	}
	host := strings.TrimSuffix(strings.TrimPrefix(base, "http://"), "/")
	script = strings.ReplaceAll(script, "localhost:8000", host)
	cmd := exec.CommandContext(t.Context(), "sh", "-exc", script+"\nbrowse stop")
	cmd.Dir = t.TempDir()
	cmd.Env = newAgent("", "").env
	cmd.Env = append(cmd.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Reading lamp") {
		t.Errorf("%v\n%s", err, out)
	}
	if n := strings.Count(string(out), "found for “lamp”"); n != 1 {
		t.Errorf("the search shows %d times in the answers, want once:\n%s", n, out)
	}
	if err := closeShop(); err != nil {
		t.Error(err)
	}
}
