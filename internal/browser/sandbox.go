package browser

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// sandbox is the decision whether Chromium's renderers are confined.
type sandbox struct {
	off bool
	why string // why it is off, to be put after "because"
	fix string // how to have it on, empty if that is the user's own wish
}

// note is what the user is told, once, about a browser without a sandbox.
func (s sandbox) note() string {
	return "the browser runs without its sandbox, because " + s.why
}

// sandboxFor decides by the environment and by what the system offers. What
// cannot be seen from here, such as a container's system call filter, makes
// Chromium refuse to start; Launch then tries again without the sandbox.
func sandboxFor(env func(string) string, binary string) sandbox {
	for _, v := range []string{"GSTACK_CHROMIUM_NO_SANDBOX", "CI", "CONTAINER"} {
		if isSet(env(v)) {
			return sandbox{off: true, why: v + " is set"}
		}
	}
	if runtime.GOOS != "linux" {
		return sandbox{}
	}
	if os.Geteuid() == 0 {
		// Chromium: "Running as root without --no-sandbox is not supported."
		return sandbox{off: true, why: "it runs as root", fix: "run browse as another user"}
	}
	if hasSetuidHelper(env, binary) {
		return sandbox{}
	}
	return namespaceSandbox("/proc/sys")
}

// namespaceSandbox tells whether an ordinary user may make namespaces, by the
// settings below root (/proc/sys).
func namespaceSandbox(root string) sandbox {
	for _, s := range []struct{ file, off, set string }{
		{"user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=10000"},
		{"kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"},
	} {
		text, err := os.ReadFile(filepath.Join(root, s.file))
		if err == nil && strings.TrimSpace(string(text)) == s.off {
			return sandbox{off: true, fix: s.set,
				why: strings.ReplaceAll(s.file, "/", ".") + " is " + s.off + " on this system"}
		}
	}
	return sandbox{}
}

// hasSetuidHelper reports whether the older sandbox is installed, which needs no
// user namespaces: a program beside the binary that belongs to root.
func hasSetuidHelper(env func(string) string, binary string) bool {
	dir := filepath.Dir(binary)
	for _, path := range []string{env("CHROME_DEVEL_SANDBOX"), filepath.Join(dir, "chrome-sandbox"), filepath.Join(dir, "chrome_sandbox")} {
		if st, err := os.Stat(path); err == nil && st.Mode()&os.ModeSetuid != 0 {
			return true
		}
	}
	return false
}

// isSet reads a yes-or-no variable: "", "0", "false" and "no" are no.
func isSet(value string) bool {
	switch strings.ToLower(value) {
	case "", "0", "false", "no":
		return false
	}
	return true
}
