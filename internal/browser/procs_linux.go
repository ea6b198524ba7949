package browser

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
)

// procStat is what is used of /proc/<pid>/stat (proc_pid_stat(5)).
type procStat struct {
	name  string // at most 15 bytes
	state byte
	ppid  int
	pgid  int
	start string // clock ticks since the start of the machine
}

func readStat(pid int) (procStat, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return procStat{}, false
	}
	// The name may contain spaces and parentheses; the last one closes it.
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || end < open {
		return procStat{}, false
	}
	f := strings.Fields(string(data[end+1:]))
	if len(f) < 20 {
		return procStat{}, false
	}
	ppid, _ := strconv.Atoi(f[1])
	pgid, _ := strconv.Atoi(f[2])
	return procStat{name: string(data[open+1 : end]), state: f[0][0], ppid: ppid, pgid: pgid, start: f[19]}, true
}

// bootID tells one run of the machine from another, as the clock ticks of a
// process's start do not.
var bootID = sync.OnceValue(func() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "-"
	}
	return strings.TrimSpace(string(id))
})

// startTime returns when a process was started, in an opaque form; it is false
// if there is no such process or only a zombie is left of it.
func startTime(pid int) (string, bool) {
	st, ok := readStat(pid)
	if !ok || st.state == 'Z' || st.state == 'X' {
		return "", false
	}
	return bootID() + "/" + st.start, true
}

// processes lists the numbers of all processes that can be seen.
func processes() []int {
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// commandLine returns the arguments of a process, nil if it has none or has
// ended.
func commandLine(pid int) []string {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(data), "\x00"), "\x00")
}
