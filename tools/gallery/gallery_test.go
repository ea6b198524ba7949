package main

import (
	"image"
	_ "image/png" // to look at pictures
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestShots: each shot has a name of its own and a page that is there.
func TestShots(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range shots {
		if seen[s.name] || s.name == "" || s.title == "" || s.look == "" || len(s.take) == 0 {
			t.Errorf("%+v", s)
		}
		seen[s.name] = true
		if _, err := siteFiles.Open("site/" + s.page); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

// TestGallery takes a few of the pictures as make gallery does.
func TestGallery(t *testing.T) {
	switch mode := os.Getenv("BROWSE_TEST_CHROMIUM"); mode {
	case "required":
	case "off":
		t.Skip("tests with a browser are off")
	default:
		if err := exec.CommandContext(t.Context(), "../install-deps.sh", "found").Run(); err != nil {
			t.Skip("no Chromium on this machine")
		}
	}
	bin, out := t.TempDir(), t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "gstack/cmd/browse", "gstack/cmd/browsed").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	site, err := serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := hang(t.Context(), filepath.Join(bin, "browse"), out, site.base, "element"); err != nil {
		t.Error(err)
	}
	if err := site.close(); err != nil {
		t.Error(err)
	}
	f, err := os.Open(filepath.Join(out, "element-tall.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, _, err := image.DecodeConfig(f)
	if err != nil || c.Width != 552 || c.Height < 1700 {
		t.Errorf("the element has a picture of %d by %d, %v", c.Width, c.Height, err)
	}
	page, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil || strings.Count(string(page), "<img ") != 2 || strings.Contains(string(page), `class="error"`) {
		t.Errorf("%v\n%s", err, page)
	}
}
