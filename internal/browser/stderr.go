package browser

import (
	"regexp"
	"strings"
	"sync"
)

// tailBytes is how much of Chromium's standard error is kept, in bytes.
const tailBytes = 16 << 10

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if n > tailBytes {
		p = p[n-tailBytes:]
	}
	if drop := len(t.buf) + len(p) - tailBytes; drop > 0 {
		t.buf = append(t.buf[:0], t.buf[drop:]...)
	}
	t.buf = append(t.buf, p...)
	return n, nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}

// cause is a reason for which Chromium does not start, as its standard error
// tells it.
type cause struct {
	sign    *regexp.Regexp
	message string // with the first group of sign for $1
	hint    string
	sandbox bool // it would start without the sandbox
}

var causes = []cause{
	{
		sign:    regexp.MustCompile(`error while loading shared libraries: ([^:\s]+): cannot open shared object`),
		message: "the library $1 is missing",
		hint:    "browse doctor lists all that are missing and the packages that have them",
	},
	{
		sign:    regexp.MustCompile(`([^\s:/]+\.so[^\s:]*): version [^\n]* not found`),
		message: "the library $1 is too old for it",
		hint:    "install a browser that was built for this system, and set " + PathVariable + " to it",
	},
	{
		sign:    regexp.MustCompile(`Running as root without --no-sandbox`),
		message: "it does not run as root with its sandbox",
		hint:    "set GSTACK_CHROMIUM_NO_SANDBOX=1, or run as another user", sandbox: true,
	},
	{
		sign:    regexp.MustCompile(`No usable sandbox|SUID sandbox helper binary was found, but is not configured|Failed to move to new namespace`),
		message: "this system does not let it make its sandbox",
		hint:    "allow user namespaces, or set GSTACK_CHROMIUM_NO_SANDBOX=1", sandbox: true,
	},
	{
		sign:    regexp.MustCompile(`Failed to create .*ProcessSingleton|profile appears to be in use|Opening in existing browser session`),
		message: "the profile is in use by another browser",
		hint:    "close that browser",
	},
	{
		sign:    regexp.MustCompile(`Missing X server or \$DISPLAY|[Cc]annot open (?:X )?display|Failed to connect to Wayland|The platform failed to initialize`),
		message: "there is no display for its window",
		hint:    "leave out --headed, or start it in a desktop session or under xvfb-run",
	},
	{
		sign:    regexp.MustCompile(`requires the chromium snap|snap install chromium`),
		message: "it is a stub that asks to install a snap",
		hint:    "snap install chromium, or set " + PathVariable + " to another browser",
	},
	{
		sign:    regexp.MustCompile(`[Cc]reating shared memory in ([^\s]+) failed`),
		message: "it cannot make shared memory in $1",
		hint:    "give /dev/shm more space or the mode 1777",
	},
	{
		sign:    regexp.MustCompile(`No space left on device`),
		message: "the disk is full",
		hint:    "make room in the temporary folder, or set TMPDIR to another one",
	},
}

// diagnose finds the cause in what Chromium wrote.
func diagnose(stderr string) (message, hint string, sandbox bool) {
	for _, c := range causes {
		if m := c.sign.FindStringSubmatchIndex(stderr); m != nil {
			text := c.sign.ExpandString(nil, c.message, stderr, m)
			return string(text), c.hint, c.sandbox
		}
	}
	return "", "", false
}

// Lines that every start writes, or that tell nothing to a user.
var noise = regexp.MustCompile(`dbus/|DevTools listening|/gpu/|viz_main_impl|gcm/|Fontconfig|^#\d+ 0x|^\[end of stack|ui/base/idle|^\s*$`)

// prefix is what Chromium writes before a message: process, time, file and line.
var prefix = regexp.MustCompile(`^\[[^\]]*?(?:(FATAL|ERROR|WARNING|INFO|VERBOSE\d*)[^\]]*)\]\s*`)

// tellingLines returns at most two lines of stderr that are not noise: fatal ones
// if there are any, otherwise the last.
func tellingLines(stderr string) []string {
	var fatal, other []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if noise.MatchString(line) {
			continue
		}
		isFatal := strings.Contains(line, "FATAL") || strings.HasPrefix(line, "Crashing due to")
		line = prefix.ReplaceAllString(line, "")
		if len(line) > 300 {
			line = line[:300] + "…"
		}
		line = strings.ToValidUTF8(line, "�")
		if isFatal {
			fatal = append(fatal, line)
		} else {
			other = append(other, line)
		}
	}
	if len(fatal) == 0 {
		fatal = other
	}
	return fatal[max(0, len(fatal)-2):]
}
