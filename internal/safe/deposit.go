package safe

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// maxName bounds a file name, in bytes; file systems take 255.
const maxName = 180

// FileName makes a name that was proposed by others one that a file may have: one
// part of a path, without control characters and characters that change the
// direction of text, not hidden, not reserved anywhere, and of bounded length.
func FileName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			return -1
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '_'
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, name)
	name = strings.Trim(strings.TrimLeft(name, ". "), ". ")
	stem, _, _ := strings.Cut(name, ".")
	if reserved[strings.ToUpper(strings.TrimSpace(stem))] {
		name = "_" + name
	}
	ext := filepath.Ext(name)
	if len(ext) > 20 {
		ext = ""
	}
	if len(name) > maxName {
		keep := name[:maxName-len(ext)]
		for !utf8.ValidString(keep) {
			keep = keep[:len(keep)-1]
		}
		name = keep + ext
	}
	if name == "" {
		return "download"
	}
	return name
}

// reserved are the names of devices on Windows.
var reserved = map[string]bool{"CON": true, "PRN": true, "AUX": true, "NUL": true}

func init() {
	for i := range 10 {
		reserved[fmt.Sprint("COM", i)], reserved[fmt.Sprint("LPT", i)] = true, true
	}
}

// Deposit moves a file into a folder of its own in the temp folder, such as
// browse-download-1234567, under [FileName] of name, and returns its path. The
// folder has mode 0700, the file 0600.
func Deposit(from, stem, name string) (string, error) {
	if _, err := os.Lstat(from); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", stem+"-*")
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, FileName(name))
	if err := Move(from, to); err != nil {
		_ = os.Remove(dir)
		return "", err
	}
	return to, nil
}

// Move puts a file in the place of another, or of none: whoever looks at to sees
// the old content or all of the new. Between file systems it is copied. The file
// gets mode 0600.
func Move(from, to string) error {
	if err := os.Chmod(from, 0o600); err != nil {
		return err
	}
	err := os.Rename(from, to)
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := WriteFrom(to, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	}); err != nil {
		return err
	}
	return os.Remove(from)
}
