//go:build unix

package browser

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// isOurs reports whether a file belongs to this user.
func isOurs(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}

// freeSpace returns the free bytes of the file system of path that this user
// may fill, negative if they are not known.
func freeSpace(path string) int64 {
	var st unix.Statfs_t
	if unix.Statfs(path, &st) != nil {
		return -1
	}
	return int64(st.Bavail) * int64(st.Bsize)
}

// canWrite reports whether files can be made in dir: its permissions and those
// of its file system.
func canWrite(dir string) bool {
	return dir != "" && unix.Access(dir, unix.W_OK|unix.X_OK) == nil
}
