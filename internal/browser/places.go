package browser

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// candidate is one file that may be a browser.
type candidate struct {
	kind    Kind
	place   string
	path    string // absolute, or with inPath a name
	inPath  bool
	behind  []string // with inPath: what the distributions' wrappers of this name start
	version string
	private string
}

// brand is what one kind of browser is called.
type brand struct {
	kind  Kind
	names []string // in PATH
	linux []string // binaries where packages put them
	mac   []string // bundles in /Applications
	win   []string // below Program Files or LocalAppData
}

var brands = []brand{
	{
		kind:  HeadlessShell,
		names: []string{"chrome-headless-shell", "chromium-headless-shell", "headless_shell", "headless-shell"},
		linux: []string{
			"/usr/lib/chromium/chromium-headless-shell",  // Debian
			"/usr/lib64/chromium-browser/headless_shell", // Fedora
			"/opt/chrome-headless-shell/chrome-headless-shell",
			"/headless-shell/headless-shell", // the container image of chromedp
		},
	},
	{
		kind:  Chromium,
		names: []string{"chromium", "chromium-browser"},
		linux: []string{
			"/usr/lib/chromium/chromium",                   // Debian, Arch, Alpine
			"/usr/lib64/chromium-browser/chromium-browser", // Fedora
			"/usr/lib64/chromium/chromium",                 // openSUSE
			"/usr/lib/chromium-browser/chromium-browser",   // Raspberry Pi OS
			"/opt/chromium/chrome",
		},
		mac: []string{"Chromium"},
		win: []string{`Chromium\Application\chrome.exe`},
	},
	{
		kind:  Chrome,
		names: []string{"google-chrome-stable", "google-chrome", "google-chrome-beta", "google-chrome-unstable", "chrome"},
		linux: []string{"/opt/google/chrome/chrome", "/opt/google/chrome-beta/chrome", "/opt/google/chrome-unstable/chrome"},
		mac:   []string{"Google Chrome", "Google Chrome for Testing", "Google Chrome Canary"},
		win:   []string{`Google\Chrome\Application\chrome.exe`, `Google\Chrome SxS\Application\chrome.exe`},
	},
	{
		kind:  Edge,
		names: []string{"microsoft-edge-stable", "microsoft-edge"},
		linux: []string{"/opt/microsoft/msedge/msedge"},
		mac:   []string{"Microsoft Edge"},
		win:   []string{`Microsoft\Edge\Application\msedge.exe`},
	},
	{
		kind:  Brave,
		names: []string{"brave-browser-stable", "brave-browser", "brave"},
		linux: []string{"/opt/brave.com/brave/brave"},
		mac:   []string{"Brave Browser"},
		win:   []string{`BraveSoftware\Brave-Browser\Application\brave.exe`},
	},
}

// candidates lists all places in the order of [Find].
func (f finder) candidates() []candidate {
	var cs []candidate
	for _, b := range brands {
		for _, name := range b.names {
			cs = append(cs, candidate{kind: b.kind, place: "PATH", path: name, inPath: true, behind: b.linux})
		}
		for _, path := range f.installed(b) {
			cs = append(cs, candidate{kind: b.kind, place: "installed", path: path})
		}
	}
	if f.goos == "linux" {
		cs = append(cs, f.confined()...)
	}
	for _, c := range f.caches() {
		cs = append(cs, f.cached(c, HeadlessShell)...)
	}
	for _, c := range f.caches() {
		cs = append(cs, f.cached(c, Chrome)...)
	}
	return cs
}

// installed lists where the packages of a brand put the binary.
func (f finder) installed(b brand) []string {
	var paths []string
	switch f.goos {
	case "darwin":
		for _, dir := range []string{"/Applications", filepath.Join(f.homeDir(), "Applications")} {
			for _, app := range b.mac {
				paths = append(paths, filepath.Join(dir, app+".app", "Contents", "MacOS", app))
			}
		}
	case "windows":
		for _, v := range []string{"ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"} {
			for _, rel := range b.win {
				if dir := f.env(v); dir != "" {
					paths = append(paths, filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(rel, `\`, "/"))))
				}
			}
		}
	default:
		paths = b.linux
	}
	return paths
}

// confined lists browsers of package formats that have a temporary folder of
// their own. They come late, because they start slowly.
func (f finder) confined() []candidate {
	home := f.homeDir()
	var cs []candidate
	for _, snap := range []struct {
		name string
		kind Kind
	}{{"chromium", Chromium}, {"brave", Brave}} {
		cs = append(cs, candidate{kind: snap.kind, place: "snap", path: "/snap/bin/" + snap.name,
			private: filepath.Join(home, "snap", snap.name, "common")})
	}
	for _, dir := range []string{"/var/lib/flatpak/exports/bin", filepath.Join(home, ".local/share/flatpak/exports/bin")} {
		for _, app := range []struct {
			id   string
			kind Kind
		}{
			{"org.chromium.Chromium", Chromium}, {"com.google.Chrome", Chrome},
			{"com.microsoft.Edge", Edge}, {"com.brave.Browser", Brave},
		} {
			cs = append(cs, candidate{kind: app.kind, place: "flatpak", path: filepath.Join(dir, app.id),
				private: filepath.Join(home, ".var/app", app.id, "cache")})
		}
	}
	return cs
}

// cache is a folder where another tool keeps the browsers that it downloads.
type cache struct {
	tool string
	dir  string
	// shell and full match the folders of single versions below dir; the
	// version is what follows the last '-' or, without one, the name itself.
	shell, full string
}

func (f finder) caches() []cache {
	home := f.homeDir()
	user := f.env("XDG_CACHE_HOME")
	if user == "" {
		user = filepath.Join(home, ".cache")
	}
	playwright := filepath.Join(user, "ms-playwright")
	switch f.goos {
	case "darwin":
		playwright = filepath.Join(home, "Library/Caches/ms-playwright")
	case "windows":
		playwright = filepath.Join(f.env("LOCALAPPDATA"), "ms-playwright")
	}
	// "0" means the node_modules of some project, which we do not know.
	if dir := f.env("PLAYWRIGHT_BROWSERS_PATH"); dir != "" && dir != "0" {
		playwright = dir
	}
	or := func(variable, dir string) string {
		if v := f.env(variable); v != "" {
			return v
		}
		return dir
	}
	return []cache{
		{"Playwright", playwright, "chromium_headless_shell-*", "chromium-*"},
		{"Puppeteer", or("PUPPETEER_CACHE_DIR", filepath.Join(home, ".cache/puppeteer")), "chrome-headless-shell/*-*", "chrome/*-*"},
		{"Selenium", or("SE_CACHE_PATH", filepath.Join(home, ".cache/selenium")), "chrome-headless-shell/*/*", "chrome/*/*"},
		{"agent-browser", filepath.Join(or("AGENT_BROWSER_HOME", filepath.Join(home, ".agent-browser")), "browsers"), "chrome-headless-shell-*", "chrome-[0-9]*"},
	}
}

// cached lists the browsers of one kind in a cache, newest version first. An
// empty cache yields its pattern, so that the list of attempts names it.
func (f finder) cached(c cache, kind Kind) []candidate {
	pattern := c.full
	if kind == HeadlessShell {
		pattern = c.shell
	}
	place := c.tool + "'s cache"
	dirs, _ := filepath.Glob(escapeGlob(f.root+c.dir) + "/" + pattern)
	var cs []candidate
	for _, dir := range dirs {
		name := filepath.Base(dir)
		version := name[strings.LastIndexByte(name, '-')+1:]
		if version == "" || version[0] < '0' || version[0] > '9' {
			continue
		}
		if path := f.downloaded(dir, kind); path != "" {
			cs = append(cs, candidate{kind: kind, place: place, path: strings.TrimPrefix(path, f.root), version: version})
		}
	}
	slices.SortStableFunc(cs, func(a, b candidate) int { return compareVersions(b.version, a.version) })
	if len(cs) == 0 {
		cs = append(cs, candidate{kind: kind, place: place, path: filepath.Join(c.dir, pattern)})
	}
	return cs
}

// downloaded returns the binary in the folder of one version. The tools keep
// the layout of the archives of Chrome for Testing, with or without their top
// folder.
func (f finder) downloaded(dir string, kind Kind) string {
	names := []string{"chrome", "chromium"}
	switch {
	case kind == HeadlessShell:
		names = []string{"chrome-headless-shell", "headless_shell"}
	case f.goos == "darwin":
		names = []string{
			"Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
			"Chromium.app/Contents/MacOS/Chromium",
		}
	}
	for _, name := range names {
		if f.goos == "windows" {
			name += ".exe"
		}
		for _, sub := range []string{"", "*"} {
			hits, _ := filepath.Glob(filepath.Join(escapeGlob(dir), sub, name))
			for _, hit := range hits {
				if st, err := os.Stat(hit); err == nil && st.Mode().IsRegular() {
					return hit
				}
			}
		}
	}
	return ""
}

// escapeGlob makes the special characters of a folder's name literal. Windows
// knows no escaping; a '[' in the path of a cache is not found there.
func escapeGlob(s string) string {
	if filepath.Separator == '\\' {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s)
}

// compareVersions compares dotted numbers; a missing part is 0.
func compareVersions(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(as), len(bs)) {
		var x, y int
		if i < len(as) {
			x, _ = strconv.Atoi(as[i])
		}
		if i < len(bs) {
			y, _ = strconv.Atoi(bs[i])
		}
		if x != y {
			return x - y
		}
	}
	return 0
}
