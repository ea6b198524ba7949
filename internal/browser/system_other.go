//go:build !unix

package browser

import (
	"io/fs"
	"os"
)

// isOurs reports whether a file belongs to this user, which the permissions of
// the folder guarantee here.
func isOurs(fs.FileInfo) bool { return true }

// startTime has no source here; profiles are told apart by their locks.
func startTime(int) (string, bool) { return "", false }

func processes() []int { return nil }

func commandLine(int) []string { return nil }

// freeSpace is not known here.
func freeSpace(string) int64 { return -1 }

func sharedMemory() int64 { return -1 }

// canWrite tries it, for want of a better test.
func canWrite(dir string) bool {
	f, err := os.CreateTemp(dir, ".browse-*")
	if err != nil {
		return false
	}
	f.Close()
	os.Remove(f.Name())
	return true
}
