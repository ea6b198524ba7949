package verbs

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/page"
)

// maxFolderFiles bounds how many files of a folder are looked at.
const maxFolderFiles = 20_000

// inputFiles resolves paths that are handed to a page by the file policy of the
// caller: symbolic links are followed in every part of a path, and in a folder.
func inputFiles(env *Env, paths []string) ([]action.File, error) {
	files := make([]action.File, 0, len(paths))
	for _, p := range paths {
		real, err := env.Paths.Read(p)
		if err != nil {
			return nil, err
		}
		fi, err := os.Stat(real)
		if err != nil {
			return nil, api.Errorf(api.FileError, "check the path", "%s cannot be read: %v", p, err)
		}
		f := action.File{Path: real, Name: filepath.Base(real), Size: fi.Size(), Folder: fi.IsDir()}
		switch {
		case f.Folder:
			if f.Size, err = folderSize(env, real); err != nil {
				return nil, err
			}
		case !fi.Mode().IsRegular():
			return nil, api.Errorf(api.FileError, "name a regular file", "%s is neither a file nor a folder", p)
		default:
			f.Type = mime.TypeByExtension(filepath.Ext(real))
			// Chromium answers for a file that it cannot open by an empty one.
			r, err := os.Open(real)
			if err != nil {
				return nil, api.Errorf(api.FileError, "check its permissions", "%s cannot be read", p)
			}
			_ = r.Close()
		}
		files = append(files, f)
	}
	return files, nil
}

// give hands files of the caller to an element, acknowledges it with did and the
// files, and does what after says.
func give(ctx context.Context, env *Env, after afterIn, target string, paths []string, did func(el *page.Element) string, do func(el *page.Element, files []action.File) (action.Result, error)) (Result, error) {
	files, err := inputFiles(env, paths)
	if err != nil {
		return Result{}, err
	}
	el, err := find(ctx, env, target)
	if err != nil {
		return Result{}, err
	}
	return after.conclude(ctx, env, func() (Result, error) {
		r, err := act(ctx, env, func() (action.Result, error) { return do(el, files) })
		if err != nil {
			return Result{}, err
		}
		res := acted(env, did(el)+": "+listFiles(files), r)
		res.Data.(map[string]any)["files"] = filesData(files)
		return res, nil
	})
}

// folderSize adds up a folder and makes sure that no link in it leads out of
// what the caller may read: the browser would follow it.
func folderSize(env *Env, dir string) (int64, error) {
	var size int64
	seen := 0
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return api.Errorf(api.FileError, "check its permissions", "%s cannot be read", p)
		}
		if seen++; seen > maxFolderFiles {
			return api.Errorf(api.TooLarge, "name a smaller folder", "%s holds more than %d files", dir, maxFolderFiles)
		}
		if d.Type()&fs.ModeSymlink != 0 {
			if _, err := env.Paths.Read(p); err != nil {
				return err
			}
		}
		if fi, err := d.Info(); err == nil && fi.Mode().IsRegular() {
			size += fi.Size()
		}
		return nil
	})
	return size, err
}

// listFiles is how an answer names files: "a.png (123B), b.txt (5B)".
func listFiles(files []action.File) string {
	var out []string
	for _, f := range files {
		name := f.Name
		if f.Folder {
			name += string(filepath.Separator)
		}
		out = append(out, fmt.Sprintf("%s (%dB)", api.Clean(name), f.Size))
	}
	return strings.Join(out, ", ")
}

// filesData is the machine form of [listFiles].
func filesData(files []action.File) []map[string]any {
	out := make([]map[string]any, 0, len(files))
	for _, f := range files {
		out = append(out, map[string]any{"path": f.Path, "name": f.Name, "bytes": f.Size})
	}
	return out
}

// typeOf returns the media type of a file's content, by its name, else by its
// first bytes.
func typeOf(name string, data []byte) string {
	if t := mime.TypeByExtension(filepath.Ext(name)); t != "" {
		return t
	}
	if json.Valid(data) {
		return "application/json"
	}
	return http.DetectContentType(data)
}
