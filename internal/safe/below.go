package safe

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"gstack/internal/api"
)

// WriteBelow is [Paths.Write] for a file whose folders need not exist: those that
// are missing are made, with mode 0700, once the folder that they are in has been
// judged.
func (p Paths) WriteBelow(path string) (string, error) {
	dir := filepath.Dir(p.Abs(path))
	there := dir
	for {
		_, err := os.Lstat(there)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || filepath.Dir(there) == there {
			break
		}
		there = filepath.Dir(there)
	}
	if there != dir {
		// Judged as a new file in the folder that is there; what is to be made below
		// it holds no link that could lead elsewhere.
		if _, err := p.Write(filepath.Join(there, ".browse")); err != nil {
			return "", err
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", api.Errorf(api.FileError, "name another folder", "the folder %s cannot be made: %v", dir, errors.Unwrap(err))
		}
	}
	return p.Write(path)
}
