package browser

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gstack/internal/api"
)

// machine makes a file system below a folder. A value that begins with "->" is
// a symbolic link, one with "#!" a script, "plain" is not executable; all others
// are programs.
func machine(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, content := range files {
		full := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o755)
		if content == "plain" {
			mode = 0o644
		}
		if target, ok := strings.CutPrefix(content, "->"); ok {
			if err := os.Symlink(filepath.Join(root, target), full); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(full, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func environment(pairs ...string) func(string) string {
	return lookup(pairs)
}

const elf = "\x7fELF"

func TestFind(t *testing.T) {
	path := "PATH=/usr/local/bin:/usr/bin:relative"
	mac := "Contents/MacOS"
	for name, c := range map[string]struct {
		goos   string
		files  map[string]string
		env    []string
		headed bool
		want   Binary
	}{
		"Debian's wrapper": {
			files: map[string]string{"/usr/bin/chromium": "#!/bin/sh\nexec /usr/lib/chromium/chromium", "/usr/lib/chromium/chromium": elf},
			env:   []string{path},
			want:  Binary{Path: "/usr/lib/chromium/chromium", Kind: Chromium},
		},
		"headless shell first": {
			files: map[string]string{
				"/usr/bin/chromium": elf, "/usr/bin/chromium-headless-shell": "#!/bin/sh -e\n",
				"/usr/lib/chromium/chromium-headless-shell": elf,
			},
			env:  []string{path},
			want: Binary{Path: "/usr/lib/chromium/chromium-headless-shell", Kind: HeadlessShell},
		},
		"no headless shell for a window": {
			files:  map[string]string{"/usr/bin/chrome-headless-shell": elf, "/usr/bin/chromium": elf},
			env:    []string{path},
			headed: true,
			want:   Binary{Path: "/usr/bin/chromium", Kind: Chromium},
		},
		"a script of the user's own is respected": {
			files: map[string]string{"/usr/local/bin/chromium": "#!/bin/sh\n", "/usr/bin/chromium": elf, "/usr/lib/chromium/chromium": elf},
			env:   []string{path},
			want:  Binary{Path: "/usr/local/bin/chromium", Kind: Chromium},
		},
		"a wrapper whose binary is elsewhere": {
			files: map[string]string{"/usr/bin/chromium": "#!/bin/sh\n"},
			env:   []string{path},
			want:  Binary{Path: "/usr/bin/chromium", Kind: Chromium},
		},
		"Chrome behind links": {
			files: map[string]string{
				"/usr/bin/google-chrome":           "->/etc/alternatives/google-chrome",
				"/etc/alternatives/google-chrome":  "->/opt/google/chrome/google-chrome",
				"/opt/google/chrome/google-chrome": "#!/bin/bash\n",
				"/opt/google/chrome/chrome":        elf,
			},
			env:  []string{path},
			want: Binary{Path: "/opt/google/chrome/chrome", Kind: Chrome},
		},
		"not in PATH": {
			files: map[string]string{"/opt/microsoft/msedge/msedge": elf},
			env:   []string{"PATH=/nowhere"},
			want:  Binary{Path: "/opt/microsoft/msedge/msedge", Kind: Edge},
		},
		"a file that is not executable is passed over": {
			files: map[string]string{"/usr/lib/chromium/chromium": "plain", "/opt/brave.com/brave/brave": elf},
			env:   []string{path},
			want:  Binary{Path: "/opt/brave.com/brave/brave", Kind: Brave},
		},
		"Ubuntu's stub is passed over": {
			files: map[string]string{
				"/usr/bin/chromium-browser": "#!/bin/sh\necho requires the chromium snap; sudo snap install chromium",
				"/opt/google/chrome/chrome": elf,
			},
			env:  []string{path},
			want: Binary{Path: "/opt/google/chrome/chrome", Kind: Chrome},
		},
		"snap": {
			files: map[string]string{"/snap/bin/chromium": elf},
			env:   []string{path, "HOME=/home/u"},
			want:  Binary{Path: "/snap/bin/chromium", Kind: Chromium, Private: "/home/u/snap/chromium/common"},
		},
		"flatpak": {
			files: map[string]string{"/home/u/.local/share/flatpak/exports/bin/com.google.Chrome": "#!/bin/sh\n"},
			env:   []string{path, "HOME=/home/u"},
			want: Binary{Path: "/home/u/.local/share/flatpak/exports/bin/com.google.Chrome", Kind: Chrome,
				Private: "/home/u/.var/app/com.google.Chrome/cache"},
		},
		"newest of Playwright's": {
			files: map[string]string{
				"/home/u/.cache/ms-playwright/chromium-987/chrome-linux/chrome":    elf,
				"/home/u/.cache/ms-playwright/chromium-1187/chrome-linux64/chrome": elf,
				"/home/u/.cache/ms-playwright/chromium-1200/README":                "plain",
			},
			env:  []string{path, "HOME=/home/u"},
			want: Binary{Path: "/home/u/.cache/ms-playwright/chromium-1187/chrome-linux64/chrome", Kind: Chrome, Version: "1187"},
		},
		"Playwright's folder by its variable, the shell before the browser": {
			files: map[string]string{
				"/pw [x]/chromium-1187/chrome-linux/chrome":                        elf,
				"/pw [x]/chromium_headless_shell-1180/chrome-linux/headless_shell": elf,
				"/home/u/.cache/ms-playwright/chromium-1300/chrome-linux/chrome":   elf,
			},
			env:  []string{path, "HOME=/home/u", "PLAYWRIGHT_BROWSERS_PATH=/pw [x]"},
			want: Binary{Path: "/pw [x]/chromium_headless_shell-1180/chrome-linux/headless_shell", Kind: HeadlessShell, Version: "1180"},
		},
		"Puppeteer, by number and not by letter": {
			files: map[string]string{
				"/home/u/.cache/puppeteer/chrome/linux-99.0.1/chrome-linux64/chrome":     elf,
				"/home/u/.cache/puppeteer/chrome/linux-131.0.6778/chrome-linux64/chrome": elf,
			},
			env:  []string{path, "HOME=/home/u"},
			want: Binary{Path: "/home/u/.cache/puppeteer/chrome/linux-131.0.6778/chrome-linux64/chrome", Kind: Chrome, Version: "131.0.6778"},
		},
		"Selenium": {
			files: map[string]string{"/home/u/.cache/selenium/chrome/linux64/131.0.1/chrome": elf},
			env:   []string{path, "HOME=/home/u"},
			want:  Binary{Path: "/home/u/.cache/selenium/chrome/linux64/131.0.1/chrome", Kind: Chrome, Version: "131.0.1"},
		},
		"agent-browser": {
			files: map[string]string{"/home/u/.agent-browser/browsers/chrome-148.0.1/chrome": elf},
			env:   []string{path, "HOME=/home/u"},
			want:  Binary{Path: "/home/u/.agent-browser/browsers/chrome-148.0.1/chrome", Kind: Chrome, Version: "148.0.1"},
		},
		"the user's choice": {
			files: map[string]string{"/usr/bin/chromium": elf, "/home/u/my browser": "#!/bin/sh\n"},
			env:   []string{path, "HOME=/home/u", "GSTACK_CHROMIUM_PATH=~/my browser"},
			want:  Binary{Path: "/home/u/my browser", Kind: Unknown},
		},
		"macOS": {
			goos: "darwin",
			files: map[string]string{
				"/Applications/Google Chrome.app/" + mac + "/Google Chrome":     elf,
				"/Users/u/Applications/Chromium.app/" + mac + "/Chromium":       elf,
				"/Applications/Microsoft Edge.app/" + mac + "/Microsoft Edge":   elf,
				"/Users/u/Library/Caches/ms-playwright/chromium-1/chrome-mac/x": elf,
			},
			env:  []string{"PATH=/usr/bin", "HOME=/Users/u"},
			want: Binary{Path: "/Users/u/Applications/Chromium.app/" + mac + "/Chromium", Kind: Chromium},
		},
		"macOS, Playwright": {
			goos: "darwin",
			files: map[string]string{
				"/Users/u/Library/Caches/ms-playwright/chromium-1187/chrome-mac-arm64/Google Chrome for Testing.app/" + mac + "/Google Chrome for Testing": elf,
			},
			env: []string{"PATH=/usr/bin", "HOME=/Users/u"},
			want: Binary{Path: "/Users/u/Library/Caches/ms-playwright/chromium-1187/chrome-mac-arm64/Google Chrome for Testing.app/" + mac + "/Google Chrome for Testing",
				Kind: Chrome, Version: "1187"},
		},
		"Windows": {
			goos:  "windows",
			files: map[string]string{"/pf86/Microsoft/Edge/Application/msedge.exe": elf, "/local/Google/Chrome/Application/chrome.exe": elf},
			env:   []string{"PATH=/usr/bin", "ProgramFiles=/pf", "ProgramFiles(x86)=/pf86", "LOCALAPPDATA=/local"},
			want:  Binary{Path: "/local/Google/Chrome/Application/chrome.exe", Kind: Chrome},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.goos == "" {
				c.goos = "linux"
			}
			f := finder{env: environment(c.env...), goos: c.goos, root: machine(t, c.files)}
			got, attempts, err := f.find(c.headed)
			if err != nil {
				t.Fatal(err, attempts)
			}
			if got != c.want {
				t.Errorf("found %+v\nwant  %+v", got, c.want)
			}
			if last := attempts[len(attempts)-1]; last.Path != got.Path || last.Result != "found" {
				t.Errorf("last attempt %+v", last)
			}
		})
	}
}

func TestFindNothing(t *testing.T) {
	root := machine(t, map[string]string{
		"/etc/os-release":            "NAME=x\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n",
		"/usr/lib/chromium/chromium": "plain",
	})
	f := finder{env: environment("PATH=/usr/bin", "HOME=/home/u"), goos: "linux", root: root}
	_, attempts, err := f.find(false)
	e, ok := errors.AsType[*api.Error](err)
	if !ok || e.Code != api.BrowserMissing {
		t.Fatalf("error %v", err)
	}
	if !strings.Contains(e.Hint, "snap install chromium") {
		t.Errorf("hint %q", e.Hint)
	}
	if len(e.Tried) > 10 {
		t.Errorf("%d lines of attempts, want one for each place", len(e.Tried))
	}
	all := strings.Join(e.Tried, "\n")
	for _, want := range []string{
		"PATH: chrome-headless-shell, ", "/usr/lib/chromium/chromium (is not executable)",
		"Playwright's cache: /home/u/.cache/ms-playwright/chromium_headless_shell-*", "snap: /snap/bin/chromium",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the attempts lack %q:\n%s", want, all)
		}
	}
	for _, a := range attempts {
		if a.Result == "found" || a.Result == "" || a.Path == "" {
			t.Errorf("attempt %+v", a)
		}
	}
}

func TestFindNamedWrong(t *testing.T) {
	f := finder{env: environment("PATH=/usr/bin", PathVariable+"=/nowhere/chrome"), goos: "linux",
		root: machine(t, map[string]string{"/usr/bin/chromium": elf})}
	bin, attempts, err := f.find(false)
	if e, ok := errors.AsType[*api.Error](err); !ok || e.Code != api.BrowserMissing || bin != (Binary{}) || len(attempts) != 1 {
		t.Errorf("found %+v, attempts %+v, error %v; want no other browser", bin, attempts, err)
	}
}

func TestInstallHint(t *testing.T) {
	for osRelease, want := range map[string]string{
		"ID=debian\n":                           "apt-get install chromium",
		"ID=fedora\n":                           "dnf install chromium",
		"ID=\"rocky\"\nID_LIKE=\"rhel centos\"": "dnf install chromium",
		"ID=nixos\n":                            "install Chromium, or set " + PathVariable,
		"":                                      "install Chromium, or set " + PathVariable,
	} {
		if got := installHint("linux", osRelease); !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", osRelease, got, want)
		}
	}
	if got := installHint("darwin", ""); got != "brew install --cask chromium" {
		t.Errorf("macOS: %q", got)
	}
}

func TestCompareVersions(t *testing.T) {
	got := []string{"9", "131.0.6778.85", "131.0.6778.204", "99.0.1", "131"}
	slices.SortFunc(got, compareVersions)
	if want := []string{"9", "99.0.1", "131", "131.0.6778.85", "131.0.6778.204"}; !slices.Equal(got, want) {
		t.Errorf("sorted %v, want %v", got, want)
	}
}
