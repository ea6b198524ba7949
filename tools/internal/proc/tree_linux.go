package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Measures tells whether this system lets us find and weigh processes.
const Measures = true

// Tree returns the processes whose environment holds mark ("NAME=value") and
// all their descendants, except this process. A zombie is not counted.
func Tree(mark string) []int {
	parents, marked := map[int]int{}, map[int]bool{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		state, parent, ok := stat(pid)
		if !ok || state == 'Z' || state == 'X' {
			continue
		}
		parents[pid] = parent
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00"+mark+"\x00")) {
			marked[pid] = true
		}
	}
	for grew := true; grew; {
		grew = false
		for pid, parent := range parents {
			if marked[parent] && !marked[pid] {
				marked[pid] = true
				grew = true
			}
		}
	}
	delete(marked, os.Getpid())
	pids := make([]int, 0, len(marked))
	for pid := range marked {
		pids = append(pids, pid)
	}
	return pids
}

// stat reads a process's state letter and parent from /proc/PID/stat, whose
// second field may hold anything, parentheses included.
func stat(pid int) (state byte, parent int, ok bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, false
	}
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(f) < 2 {
		return 0, 0, false
	}
	parent, err = strconv.Atoi(f[1])
	return f[0][0], parent, err == nil
}

// Browsers splits pids into those that run a browser and the rest, by the name
// of their program.
func Browsers(pids []int) (browsers, others []int) {
	for _, pid := range pids {
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		if err != nil {
			continue
		}
		name := exe[strings.LastIndexByte(exe, '/')+1:]
		if strings.Contains(name, "chrom") || strings.Contains(name, "headless_shell") {
			browsers = append(browsers, pid)
		} else {
			others = append(others, pid)
		}
	}
	return browsers, others
}

// PSS is the memory of the processes in bytes, shared pages divided among those
// that share them. A process that has gone counts as nothing.
func PSS(pids []int) int64 {
	var sum int64
	for _, pid := range pids {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(b)) {
			if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
				kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				if err == nil {
					sum += kb << 10
				}
			}
		}
	}
	return sum
}

// A Vigil watches processes from before something is done to them.
type Vigil struct{ fds []unix.PollFd }

// Watch opens a handle on each process; a handle outlives its process and never
// means another one, as a recycled pid would.
func Watch(pids []int) *Vigil {
	v := &Vigil{}
	for _, pid := range pids {
		if fd, err := unix.PidfdOpen(pid, 0); err == nil {
			v.fds = append(v.fds, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
		}
	}
	return v
}

// Gone waits until every watched process has exited, and releases the handles.
func (v *Vigil) Gone(ctx context.Context) error {
	defer func() {
		for _, fd := range v.fds {
			unix.Close(int(fd.Fd))
		}
	}()
	for i := range v.fds {
		for {
			wait := time.Second
			if end, ok := ctx.Deadline(); ok {
				wait = min(wait, time.Until(end))
			}
			n, err := unix.Poll(v.fds[i:i+1], int(max(wait, 0)/time.Millisecond))
			if err != nil && !errors.Is(err, unix.EINTR) {
				return err
			}
			if n > 0 {
				break
			}
			if ctx.Err() != nil {
				return fmt.Errorf("%d of %d processes are still there: %w", len(v.fds)-i, len(v.fds), ctx.Err())
			}
		}
	}
	return nil
}

// Kill ends processes, at once.
func Kill(pids []int) {
	for _, pid := range pids {
		unix.Kill(pid, unix.SIGKILL) //nolint:errcheck // it may have gone already
	}
}
