package workspace

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// Process returns the start time of a process, in clock ticks since boot, and
// whether it runs. A zombie does not run. The time is 0 when it cannot be read
// (proc(5), field 22 of /proc/<pid>/stat).
func Process(pid int) (start uint64, running bool) {
	if pid <= 1 {
		return 0, false
	}
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		err := syscall.Kill(pid, 0)
		return 0, err == nil || err == syscall.EPERM
	}
	// The name of the program may hold spaces and brackets; the last one ends it.
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	if len(fields) < 20 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return 0, false
	}
	start, _ = strconv.ParseUint(string(fields[19]), 10, 64)
	return start, true
}
