package browser

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"gstack/internal/knob"
)

// lookup returns the function that reads a variable of environ; of several of
// one name the last counts, as for the operating system.
func lookup(environ []string) func(string) string {
	return func(name string) string {
		for _, kv := range slices.Backward(environ) {
			if value, ok := strings.CutPrefix(kv, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

// childEnviron is the environment of Chromium: the caller's, so that locale,
// fonts and the variables of certificates reach it, with these differences.
// Our own variables, which may be secrets, stay here, and so do those of proxies,
// which may carry passwords and have become flags. What Chromium writes outside
// its user data goes into the profile.
func childEnviron(environ []string, p *profile, headed bool) []string {
	env := lookup(environ)
	out := slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		lower := strings.ToLower(name)
		return strings.HasPrefix(name, "BROWSE_") || strings.HasPrefix(name, "GSTACK_") || knob.Secret(name) ||
			lower == "http_proxy" || lower == "https_proxy" || lower == "all_proxy" || lower == "no_proxy"
	})
	set := func(name, value string) { out = append(out, name+"="+value) }

	set("BREAKPAD_DUMP_LOCATION", p.crash())
	if runtime.GOOS == "linux" {
		set("PATH", p.searchPath(env("PATH")))
	}
	// A killed Chromium leaves the folder of a socket in its temporary folder.
	set("TMPDIR", p.tmp())
	if name, value := utf8Locale(env); name != "" {
		set(name, value)
	}
	if env("XDG_RUNTIME_DIR") == "" {
		set("XDG_RUNTIME_DIR", p.dir) // dconf writes into ~/.cache otherwise
	}
	for _, name := range []string{"GOOGLE_API_KEY", "GOOGLE_DEFAULT_CLIENT_ID", "GOOGLE_DEFAULT_CLIENT_SECRET"} {
		if env(name) == "" {
			set(name, "no") // no bar that says that they are missing
		}
	}
	if !headed {
		// A browser that nobody sees has no business on the desktop: no
		// notifications, portals or key rings, and no waiting for a bus that hangs.
		set("DBUS_SESSION_BUS_ADDRESS", "disabled:")
		set("DBUS_SYSTEM_BUS_ADDRESS", "disabled:")
	}
	home := env("HOME")
	if !canWrite(home) {
		// A home that can only be read keeps its certificates and fonts.
		if home == "" {
			set("HOME", p.dir)
		}
		set("XDG_CONFIG_HOME", filepath.Join(p.dir, "config"))
		set("XDG_CACHE_HOME", filepath.Join(p.dir, "cache"))
		set("XDG_DATA_HOME", filepath.Join(p.dir, "share"))
	}
	return out
}

// utf8Locale returns the variable to set so that names of files are UTF-8. In
// the locale C, where it is none, Chromium 156 cannot use a profile or a file whose
// path is not ASCII: its processes end each other for the wrong paths they send.
func utf8Locale(env func(string) string) (name, value string) {
	if runtime.GOOS != "linux" {
		return "", ""
	}
	const any = "C.UTF-8"
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(env(name)); v != "" {
			switch {
			case strings.Contains(v, "utf-8"), strings.Contains(v, "utf8"):
				return "", ""
			case name == "LC_ALL":
				return name, any
			}
			break
		}
	}
	return "LC_CTYPE", any
}
