package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
)

// Check is one fact about the machine.
type Check struct {
	Name   string
	OK     bool
	Detail string // what was found
	Fix    string // the command or setting that mends or improves it
}

const (
	// minDisk is the free space of the temporary folder, in bytes, below which a
	// browser cannot be expected to work. A profile takes some 10 MB, a cache more.
	minDisk = 200 << 20
	// toolLimit bounds each helper program that is asked.
	toolLimit = 10 * time.Second
)

// Diagnose collects what decides whether a browser can be used here. It starts
// one and ends it. env reads the environment.
func Diagnose(ctx context.Context, env func(string) string) []Check {
	checks := []Check{}
	if address := env(RemoteVariable); address != "" {
		return append(checks, remoteCheck(ctx, address))
	}
	bin, attempts, err := Find(env)
	checks = append(checks, binaryCheck(bin, attempts, err))
	if err == nil {
		libs := libraryCheck(ctx, bin)
		checks = append(checks, libs, sandboxCheck(env, bin), launchCheck(ctx, bin))
	}
	checks = append(checks, tempCheck())
	if c, ok := sharedMemoryCheck(sharedMemory()); ok {
		checks = append(checks, c)
	}
	checks = append(checks, fontCheck(ctx))
	if c, ok := proxyCheck(env); ok {
		checks = append(checks, c)
	}
	if c, ok := certificateCheck(env); ok {
		checks = append(checks, c)
	}
	return append(checks, leftoverCheck(ctx))
}

func remoteCheck(ctx context.Context, address string) Check {
	begin := time.Now()
	p, err := Connect(ctx, address, cdp.Options{})
	if err != nil {
		return Check{Name: "remote browser", Detail: err.Error(), Fix: hintOf(err)}
	}
	took := time.Since(begin)
	p.Close(ctx)
	return Check{Name: "remote browser", OK: true, Detail: fmt.Sprintf("%s, answers in %d ms", p.version.Product, took.Milliseconds())}
}

func binaryCheck(bin Binary, attempts []Attempt, err error) Check {
	c := Check{Name: "browser"}
	if err != nil {
		c.Detail, c.Fix = err.Error(), hintOf(err)
		if e, ok := errors.AsType[*api.Error](err); ok && len(e.Tried) > 0 {
			c.Detail += "; looked in " + strings.Join(e.Tried, "; ")
		}
		return c
	}
	c.OK = true
	c.Detail = fmt.Sprintf("%s, %s", bin.Path, bin.Kind)
	if bin.Version != "" {
		c.Detail += " " + bin.Version
	}
	if last := attempts[len(attempts)-1]; last.Place != "installed" {
		c.Detail += " (" + last.Place + ")"
	}
	if bin.Kind != HeadlessShell && runtime.GOOS == "linux" && strings.Contains((finder{}).osRelease(), "ID=debian") {
		c.Fix = "to start twice as fast: " + asRoot("apt-get install chromium-headless-shell")
	}
	return c
}

// launchCheck starts the browser and tells its version and its time.
func launchCheck(ctx context.Context, bin Binary) Check {
	c := Check{Name: "start"}
	begin := time.Now()
	p, err := Launch(ctx, Options{Binary: bin})
	if err != nil {
		c.Detail, c.Fix = err.Error(), hintOf(err)
		if e, ok := errors.AsType[*api.Error](err); ok && len(e.Tried) > 0 {
			c.Detail += "; " + strings.Join(e.Tried, "; ")
		}
		return c
	}
	started := time.Since(begin)
	begin = time.Now()
	err = p.Close(ctx)
	c.OK = err == nil
	c.Detail = fmt.Sprintf("%s, answers in %d ms, ends in %d ms", p.version.Product,
		started.Milliseconds(), time.Since(begin).Milliseconds())
	if err != nil {
		c.Detail += ", but leaves something behind: " + err.Error()
	}
	return c
}

func sandboxCheck(env func(string) string, bin Binary) Check {
	box := sandboxFor(env, bin.Path)
	if !box.off {
		return Check{Name: "sandbox", OK: true, Detail: "on"}
	}
	// It was decided so, or cannot be otherwise: a fact, not a failure.
	return Check{Name: "sandbox", OK: true, Detail: "off, because " + box.why, Fix: box.fix}
}

func tempCheck() Check {
	dir := os.TempDir()
	c := Check{Name: "temporary folder", Detail: dir}
	if !canWrite(dir) {
		c.Detail += " cannot be written to"
		c.Fix = "set TMPDIR to a folder that can be written to"
		return c
	}
	free := freeSpace(dir)
	c.OK = free < 0 || free >= minDisk
	if free >= 0 {
		c.Detail += ", " + size(free) + " free"
	}
	if !c.OK {
		c.Fix = "make room there, or set TMPDIR to a folder on another disk"
	}
	return c
}

// sharedMemoryCheck is left out where shared memory is not a file system.
func sharedMemoryCheck(free int64) (Check, bool) {
	if free < 0 {
		return Check{}, false
	}
	c := Check{Name: "/dev/shm", OK: true, Detail: size(free) + " free"}
	if free < minSharedMemory {
		c.Detail += ", too little for large pages: the temporary folder is used instead"
	}
	return c, true
}

// fontCheck counts fonts; without any, pages have no text in pictures.
func fontCheck(ctx context.Context) Check {
	c := Check{Name: "fonts", OK: true, Detail: "those of the system"}
	if runtime.GOOS != "linux" {
		return c
	}
	out, err := tool(ctx, "fc-list", ":", "family")
	if err != nil {
		found, _ := filepath.Glob("/usr/share/fonts/*/*")
		c.OK = len(found) > 0
		c.Detail = "fc-list is not installed; " + fmt.Sprintf("%d folders in /usr/share/fonts", len(found))
		if !c.OK {
			c.Fix = asRoot("apt-get install fonts-liberation")
		}
		return c
	}
	families := map[string]bool{}
	for line := range strings.Lines(out) {
		if name := strings.TrimSpace(line); name != "" {
			families[name] = true
		}
	}
	c.OK = len(families) > 0
	c.Detail = fmt.Sprintf("%d families", len(families))
	var missing, packages []string
	for _, need := range []struct{ what, pattern, pkg string }{
		{"Latin", ":lang=en", "fonts-liberation"},
		{"Chinese, Japanese, Korean", ":lang=ja", "fonts-noto-cjk"},
		{"colour emoji", ":lang=und-zsye", "fonts-noto-color-emoji"},
	} {
		if out, err := tool(ctx, "fc-list", need.pattern, "family"); err == nil && strings.TrimSpace(out) == "" {
			missing = append(missing, need.what)
			packages = append(packages, need.pkg)
		}
	}
	if len(missing) > 0 {
		c.Detail += ", none for " + strings.Join(missing, ", none for ")
		c.Fix = asRoot("apt-get install " + strings.Join(packages, " "))
	}
	return c
}

func proxyCheck(env func(string) string) (Check, bool) {
	p, err := ProxyFromEnv(env)
	switch {
	case err != nil:
		return Check{Name: "proxy", Detail: err.Error(), Fix: hintOf(err)}, true
	case p.Server == "":
		return Check{}, false
	}
	c := Check{Name: "proxy", OK: true, Detail: p.Server}
	if p.HasLogin() {
		c.Detail += ", with a password"
	}
	if p.Bypass != "" {
		c.Detail += ", not for " + strings.ReplaceAll(p.Bypass, ";", ", ")
	}
	return c, true
}

// certificateCheck warns of a setting that other programs obey and Chromium does
// not: it has roots of its own, and beside them only those of the user's NSS
// database.
func certificateCheck(env func(string) string) (Check, bool) {
	if runtime.GOOS != "linux" {
		return Check{}, false
	}
	system := []string{"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem"}
	for _, v := range []string{"SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"} {
		if file := env(v); file != "" && !slices.Contains(system, file) {
			return Check{Name: "certificates", OK: true,
				Detail: v + " names " + file + ", which Chromium does not read",
				Fix:    "certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n local -i " + file}, true
		}
	}
	return Check{}, false
}

// leftoverCheck sweeps, so that what it reports is done.
func leftoverCheck(ctx context.Context) Check {
	c := Check{Name: "leftover profiles", OK: true, Detail: "none"}
	removed, err := SweepProfiles(ctx)
	if len(removed) > 0 {
		c.Detail = fmt.Sprintf("removed %d of dead daemons", len(removed))
	}
	if n := unowned(profileParents()); n > 0 {
		c.Detail += fmt.Sprintf("; %d unfinished ones are removed when they are %s old", n, unfinishedAge)
	}
	if err != nil {
		c.OK = false
		c.Detail = err.Error()
		c.Fix = "remove " + filepath.Join(os.TempDir(), profilePrefix+"*")
	}
	return c
}

// libraryPackages are Debian's packages of the libraries that minimal systems
// lack most often.
var libraryPackages = map[string]string{
	"libasound.so.2": "libasound2", "libatk-1.0.so.0": "libatk1.0-0", "libatk-bridge-2.0.so.0": "libatk-bridge2.0-0",
	"libatspi.so.0": "libatspi2.0-0", "libcairo.so.2": "libcairo2", "libcups.so.2": "libcups2", "libdbus-1.so.3": "libdbus-1-3",
	"libdrm.so.2": "libdrm2", "libexpat.so.1": "libexpat1", "libfontconfig.so.1": "libfontconfig1", "libgbm.so.1": "libgbm1",
	"libgio-2.0.so.0": "libglib2.0-0", "libglib-2.0.so.0": "libglib2.0-0", "libgobject-2.0.so.0": "libglib2.0-0",
	"libnspr4.so": "libnspr4", "libnss3.so": "libnss3", "libnssutil3.so": "libnss3", "libsmime3.so": "libnss3",
	"libpango-1.0.so.0": "libpango-1.0-0", "libudev.so.1": "libudev1", "libX11.so.6": "libx11-6", "libxcb.so.1": "libxcb1",
	"libXcomposite.so.1": "libxcomposite1", "libXdamage.so.1": "libxdamage1", "libXext.so.6": "libxext6",
	"libXfixes.so.3": "libxfixes3", "libxkbcommon.so.0": "libxkbcommon0", "libXrandr.so.2": "libxrandr2",
}

// libraryCheck lists the shared libraries that the dynamic linker misses.
func libraryCheck(ctx context.Context, bin Binary) Check {
	c := Check{Name: "libraries", OK: true, Detail: "all there"}
	if runtime.GOOS != "linux" {
		c.Detail = "part of the browser"
		return c
	}
	if (finder{}).isScript(bin.Path) {
		c.Detail = "not looked at, " + bin.Path + " is a script"
		return c
	}
	out, err := tool(ctx, "ldd", bin.Path)
	if err != nil && out == "" {
		c.Detail = "not looked at, ldd is not installed"
		return c
	}
	missing, packages := missingLibraries(out)
	if len(missing) > 0 {
		c.OK = false
		c.Detail = "missing: " + strings.Join(missing, ", ")
		if len(packages) > 0 {
			c.Fix = asRoot("apt-get install " + strings.Join(packages, " "))
		}
	}
	return c
}

// missingLibraries reads the output of ldd.
func missingLibraries(ldd string) (missing, packages []string) {
	for line := range strings.Lines(ldd) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok || rest != "not found" {
			continue
		}
		missing = append(missing, name)
		if pkg := libraryPackages[name]; pkg != "" && !slices.Contains(packages, pkg) {
			packages = append(packages, pkg)
		}
	}
	return missing, packages
}

// tool runs a helper program and returns what it printed.
func tool(ctx context.Context, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, toolLimit)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).Output()
	return string(out), err
}

func hintOf(err error) string {
	if e, ok := errors.AsType[*api.Error](err); ok {
		return e.Hint
	}
	return ""
}

func size(bytes int64) string {
	if bytes >= 10<<30 {
		return fmt.Sprintf("%d GB", bytes>>30)
	}
	return fmt.Sprintf("%d MB", bytes>>20)
}
