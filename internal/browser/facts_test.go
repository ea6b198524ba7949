package browser

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	var got tail
	for range 100 {
		got.Write([]byte(strings.Repeat("x", 1000)))
	}
	got.Write([]byte("the end"))
	if s := got.String(); len(s) != tailBytes || !strings.HasSuffix(s, "xthe end") {
		t.Errorf("%d bytes ending in %q", len(s), s[len(s)-10:])
	}
	got.Write([]byte(strings.Repeat("y", 3*tailBytes)))
	if s := got.String(); s != strings.Repeat("y", tailBytes) {
		t.Errorf("%d bytes, not the last of a long write", len(s))
	}
}

func TestDiagnoseStderr(t *testing.T) {
	for stderr, want := range map[string]string{
		"/x/chrome: error while loading shared libraries: libatk-1.0.so.0: cannot open shared object file: No such file":                                              "the library libatk-1.0.so.0 is missing",
		"/x/chrome: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /x/chrome)":                                                          "the library libc.so.6 is too old for it",
		"[1:1:0101/1.1:ERROR:zygote_host_impl_linux.cc(101)] Running as root without --no-sandbox is not supported. See https://":                                     "it does not run as root with its sandbox",
		"[1:1:0101/1.1:FATAL:zygote_host_impl_linux.cc(127)] No usable sandbox! If":                                                                                   "this system does not let it make its sandbox",
		"The SUID sandbox helper binary was found, but is not configured correctly.":                                                                                  "this system does not let it make its sandbox",
		"Opening in existing browser session.":                                                                                                                        "the profile is in use by another browser",
		"ERROR:process_singleton_posix.cc(340)] Failed to create /p/SingletonLock: File exists (17)\nFailed to create a ProcessSingleton for your profile directory.": "the profile is in use by another browser",
		"[1:1:ERROR:platform_shared_memory] Creating shared memory in /dev/shm/.org.chromium.x failed: No space left on device (28)":                                  "it cannot make shared memory in /dev/shm/.org.chromium.x",
		"all is well": "",
	} {
		if got, hint, _ := diagnose(stderr); got != want || (hint == "") != (want == "") {
			t.Errorf("%q\nis %q with hint %q, want %q", stderr, got, hint, want)
		}
	}
}

func TestTellingLines(t *testing.T) {
	stderr := "[1:2:1201/1.2:ERROR:dbus/bus.cc:405] no bus\n\nDevTools listening on ws://x\n" +
		"[1:2:1201/1.2:WARNING:a/b.cc:1] first\nsecond\n[1:2:1201/1.2:ERROR:a/b.cc:1] third\n#1 0x5595\n"
	if got, want := tellingLines(stderr), []string{"second", "third"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	stderr = "[1:1:1201/1.1:FATAL:a/b.cc:1] the reason\n" + stderr
	if got, want := tellingLines(stderr), []string{"the reason"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := tellingLines(strings.Repeat("z", 5000)); len(got) != 1 || len(got[0]) > 310 {
		t.Errorf("a long line has %d bytes", len(got[0]))
	}
}

func TestFlags(t *testing.T) {
	args, err := flags(setting{dataDir: "/p", sharedMemory: 64 << 20, extra: []string{"--disable-features=A", "--enable-features=B", "--enable-features=C"}})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		if seen[name] {
			t.Errorf("%s is there twice, the first one has no effect", name)
		}
		seen[name] = true
	}
	for _, want := range []string{"--enable-features=B,C", "--disable-dev-shm-usage", "--headless=new", "--disable-extensions"} {
		if !slices.Contains(args, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, not := range []string{"--no-sandbox", "--proxy-server", "--enable-automation"} {
		if hasFlag(args, not) {
			t.Errorf("%s is there", not)
		}
	}
	args, err = flags(setting{headed: true, noSandbox: true, sharedMemory: -1, extra: []string{"--load-extension=/e"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, not := range []string{"--headless", "--hide-scrollbars", "--disable-dev-shm-usage", "--disable-extensions"} {
		if hasFlag(args, not) {
			t.Errorf("%s is there", not)
		}
	}
	if !slices.Contains(args, "--no-sandbox") {
		t.Error("--no-sandbox is missing")
	}
}

func TestNamespaceSandbox(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		off   bool
	}{
		"nothing known": {nil, false},
		"allowed":       {map[string]string{"user/max_user_namespaces": "96365\n", "kernel/unprivileged_userns_clone": "1\n"}, false},
		"none":          {map[string]string{"user/max_user_namespaces": "0\n"}, true},
		"Debian's":      {map[string]string{"user/max_user_namespaces": "96365\n", "kernel/unprivileged_userns_clone": "0\n"}, true},
	} {
		root := t.TempDir()
		for file, text := range c.files {
			path := filepath.Join(root, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := namespaceSandbox(root); got.off != c.off || c.off && (got.why == "" || got.fix == "") {
			t.Errorf("%s: %+v, want off %v", name, got, c.off)
		}
	}
}

func TestSandboxByEnvironment(t *testing.T) {
	for _, v := range []string{"GSTACK_CHROMIUM_NO_SANDBOX=1", "CI=true", "CONTAINER=docker"} {
		name, _, _ := strings.Cut(v, "=")
		if got := sandboxFor(environment(v), "/nowhere"); !got.off || got.why != name+" is set" {
			t.Errorf("%s: %+v", v, got)
		}
		if got := sandboxFor(environment(name+"=0"), "/nowhere"); strings.Contains(got.why, name) {
			t.Errorf("%s=0: %+v", name, got)
		}
	}
}

func TestUTF8Locale(t *testing.T) {
	for env, want := range map[string]string{
		"": "LC_CTYPE=C.UTF-8", "LANG=C": "LC_CTYPE=C.UTF-8", "LC_ALL=POSIX": "LC_ALL=C.UTF-8",
		"LANG=de_DE.UTF-8": "=", "LC_ALL=en_US.utf8": "=", "LC_ALL=C LANG=de_DE.UTF-8": "LC_ALL=C.UTF-8",
		"LC_CTYPE=C LANG=de_DE.UTF-8": "LC_CTYPE=C.UTF-8",
	} {
		name, value := utf8Locale(environment(strings.Fields(env)...))
		if got := name + "=" + value; got != want {
			t.Errorf("%q: %s, want %s", env, got, want)
		}
	}
}

func TestMissingLibraries(t *testing.T) {
	missing, packages := missingLibraries("\tlinux-vdso.so.1 (0x7ffc)\n\tlibnss3.so => not found\n\tlibnssutil3.so => not found\n" +
		"\tlibc.so.6 => /lib/libc.so.6 (0x7f)\n\tlibstrange.so.1 => not found\n")
	if want := []string{"libnss3.so", "libnssutil3.so", "libstrange.so.1"}; !slices.Equal(missing, want) {
		t.Errorf("missing %v, want %v", missing, want)
	}
	if want := []string{"libnss3"}; !slices.Equal(packages, want) {
		t.Errorf("packages %v, want %v", packages, want)
	}
}

func TestSharedMemoryCheck(t *testing.T) {
	if _, ok := sharedMemoryCheck(-1); ok {
		t.Error("a check of what is not there")
	}
	if c, _ := sharedMemoryCheck(64 << 20); !strings.Contains(c.Detail, "64 MB free, too little") {
		t.Errorf("%+v", c)
	}
}

func TestCertificateCheck(t *testing.T) {
	if c, ok := certificateCheck(environment("SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt")); ok {
		t.Errorf("the system's own file is reported: %+v", c)
	}
	c, ok := certificateCheck(environment("NODE_EXTRA_CA_CERTS=/home/u/corp.pem"))
	if !ok || !strings.Contains(c.Fix, "/home/u/corp.pem") {
		t.Errorf("%+v %v", c, ok)
	}
}
