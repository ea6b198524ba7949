package workspace

import (
	"encoding/binary"
	"syscall"
	"unsafe"
)

// Process returns the start time of a process, in microseconds since 1970, and
// whether it runs (sysctl kern.proc.pid: kinfo_proc begins with p_starttime, a
// timeval; p_stat, at offset 36, is 5 for a zombie).
func Process(pid int) (start uint64, running bool) {
	if pid <= 1 {
		return 0, false
	}
	if err := syscall.Kill(pid, 0); err != nil && err != syscall.EPERM {
		return 0, false
	}
	const ctlKern, kernProc, kernProcPID, zombie = 1, 14, 1, 5
	mib := [4]int32{ctlKern, kernProc, kernProcPID, int32(pid)}
	var buf [648]byte // sizeof(struct kinfo_proc), 64-bit
	size := uintptr(len(buf))
	_, _, errno := syscall.Syscall6(syscall.SYS___SYSCTL, uintptr(unsafe.Pointer(&mib[0])), uintptr(len(mib)),
		uintptr(unsafe.Pointer(&buf[0])), uintptr(unsafe.Pointer(&size)), 0, 0)
	if errno != 0 {
		return 0, true
	}
	if size < 40 || buf[36] == zombie {
		return 0, false
	}
	sec, usec := binary.LittleEndian.Uint64(buf[:8]), binary.LittleEndian.Uint32(buf[8:12])
	return sec*1e6 + uint64(usec), true
}
