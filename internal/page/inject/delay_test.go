package inject

import (
	"io/fs"
	"strings"
	"testing"
)

// TestWaitsWithoutTimers: a timer never fires in a document whose scripts are
// off, so that whatever waits for one alone hangs there. Only delay.js knows how
// to wait; later in field.js has a timer beside it, and nothing waits for the
// idle time in early.js.
func TestWaitsWithoutTimers(t *testing.T) {
	names, err := fs.Glob(scripts, "*.js")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := scripts.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			code, _, _ := strings.Cut(line, "//")
			for _, timer := range []string{"setTimeout", "setInterval", "requestIdleCallback"} {
				beside := name == "field.js" && strings.Contains(code, "setTimeout(resolve, 0)") || name == "early.js" && timer == "requestIdleCallback"
				if strings.Contains(code, timer) && !beside {
					t.Errorf("%s:%d: %s does not work where scripts are off, use delay", name, i+1, timer)
				}
			}
		}
	}
}
