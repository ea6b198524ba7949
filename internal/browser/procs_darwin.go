package browser

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// statZombie is SZOMB of sys/proc.h.
const statZombie = 5

// startTime returns when a process was started, in an opaque form; it is false
// if there is no such process or only a zombie is left of it.
func startTime(pid int) (string, bool) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid || k.Proc.P_stat == statZombie {
		return "", false
	}
	return fmt.Sprintf("%d.%06d", k.Proc.P_starttime.Sec, k.Proc.P_starttime.Usec), true
}

// processes lists the numbers of all processes.
func processes() []int {
	ks, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	var pids []int
	for _, k := range ks {
		if k.Proc.P_stat != statZombie {
			pids = append(pids, int(k.Proc.P_pid))
		}
	}
	return pids
}

// commandLine returns the arguments of a process of this user, nil if it has
// ended. The form of kern.procargs2: the number of arguments, the path of the
// program, zeros, and the arguments, each with a zero.
func commandLine(pid int) []string {
	data, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(data) < 4 {
		return nil
	}
	n := int(binary.LittleEndian.Uint32(data))
	data = data[4:]
	i := bytes.IndexByte(data, 0)
	if i < 0 {
		return nil
	}
	data = bytes.TrimLeft(data[i:], "\x00")
	var args []string
	for len(args) < n {
		i := bytes.IndexByte(data, 0)
		if i < 0 {
			break
		}
		args = append(args, string(data[:i]))
		data = data[i+1:]
	}
	return args
}
