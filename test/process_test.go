package test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// awaitRequest waits until the site has been asked for a path.
func awaitRequest(t *testing.T, s *httptest.Server, path string) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if wasAsked(s, path) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("nobody asked for %s", path)
		}
	}
}

// sessionOf returns the session id of a process (proc(5), field 6 of stat).
func sessionOf(t *testing.T, pid int) int {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	rest := string(data[strings.LastIndexByte(string(data), ')')+2:])
	sid, err := strconv.Atoi(strings.Fields(rest)[3])
	if err != nil {
		t.Fatal(err)
	}
	return sid
}
