package test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestLargeAnswers: an answer that is too large is an error, one that is not
// comes whole, and the daemon is small again soon after either.
func TestLargeAnswers(t *testing.T) {
	b := newBox(t)
	b.must("js", "1")
	pid, _ := b.state()
	const most = 120 << 20
	if out := b.must("js", "--timeout", "120000", "--max-bytes", "0", "--raw", `"x".repeat(40<<20)`); len(out) < 40<<20 {
		t.Errorf("an answer of 40 MB came with %d bytes", len(out))
	}
	awaitResident(t, pid, most)
	for _, script := range []string{`"x".repeat(70<<20)`, `"x".repeat(140<<20)`, `({a: Array(140).fill("x".repeat(1<<20))})`} {
		r := b.run("js", "--timeout", "120000", script)
		if r.code != 2 || !strings.Contains(r.err, "result") || !strings.Contains(r.err, "hint: let the script return less") {
			t.Errorf("%s: %.300s", script, r)
		}
	}
	awaitResident(t, pid, most)
	if out := b.must("js", "1+1"); out != "2" {
		t.Errorf("afterwards: %s", out)
	}
}

// awaitResident waits until a process has at most so many bytes in memory.
func awaitResident(t *testing.T, pid, most int) {
	t.Helper()
	end := time.After(20 * time.Second)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			t.Fatal(err)
		}
		kb, _ := strconv.Atoi(string(regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(data)[1]))
		if kb<<10 <= most {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("the daemon still has %d MB in memory", kb>>10)
		}
	}
}
