package verbs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gstack/internal/api"
	"gstack/internal/page"
	"gstack/internal/progress"
	"gstack/internal/safe"
	"gstack/internal/session"
)

// How long a command waits for a download that it has caused: for its end, when
// the command is for something else, and for its beginning, when it is not.
const (
	savedLimit = 2 * time.Second
	beginLimit = 10 * time.Second
)

// awaitSaved gives downloads that a command has caused some time to end.
func awaitSaved(ctx context.Context, env *Env, ds []*page.Download) {
	ctx, cancel := context.WithTimeout(ctx, savedLimit)
	defer cancel()
	_ = env.Tab.AwaitDownloads(ctx, ds, nil)
}

// downloadLine reports a download; one that is complete gets its place.
func downloadLine(env *Env, d *page.Download) string {
	s := d.State()
	switch {
	case s.Failure != "":
		d.Tell()
		return fmt.Sprintf("download: %s was not saved: %s", quote(d.Name), s.Failure)
	case s.Done:
		path, err := keep(env, d, "")
		if err != nil {
			return fmt.Sprintf("download: %s was not saved: %v", quote(d.Name), err)
		}
		return fmt.Sprintf("download: %s (%d bytes) saved to %s", quote(d.Name), d.State().Received, api.Clean(path))
	}
	return fmt.Sprintf("download: %s begun, %s so far; browse wait --download waits for it", quote(d.Name), far(s))
}

// far says how far a download has come.
func far(s page.DownloadState) string {
	if s.Total > 0 {
		return fmt.Sprintf("%d of %d bytes", s.Received, s.Total)
	}
	return fmt.Sprintf("%d bytes", s.Received)
}

// keep gives a complete download its place: path, which the file policy has
// accepted, or a folder of its own in the temp folder, under the name that was
// proposed.
func keep(env *Env, d *page.Download, path string) (string, error) {
	at, err := d.Keep(path != "", func(from string) (string, error) {
		if path == "" {
			return safe.Deposit(from, "browse-download", d.Name)
		}
		to, err := savePath(env, path, d.Name)
		if err != nil {
			return "", err
		}
		return to, safe.Move(from, to)
	})
	if err != nil {
		var known *api.Error
		if errors.As(err, &known) {
			return "", err
		}
		if errors.Is(err, os.ErrNotExist) {
			return "", api.Errorf(api.FileError, "is the browser on another machine?", "the browser did not write it where it was told to")
		}
		return "", api.Errorf(api.FileError, "check the folder and the space on its disk", "it could not be written: %v", err)
	}
	d.Tell()
	return at, nil
}

// savePath is where the user wants a download, as the file policy sees it: a file,
// or a folder that gets it under the name that was proposed.
func savePath(env *Env, path, name string) (string, error) {
	if fi, err := os.Stat(env.Paths.Abs(path)); err == nil && fi.IsDir() {
		path = filepath.Join(env.Paths.Abs(path), safe.FileName(name))
	}
	return env.Paths.Write(path)
}

func downloadsData(ds []*page.Download) []map[string]any {
	out := make([]map[string]any, 0, len(ds))
	for _, d := range ds {
		out = append(out, downloadData(d))
	}
	return out
}

// downloadData is the machine form of a download.
func downloadData(d *page.Download) map[string]any {
	s := d.State()
	v := map[string]any{"name": d.Name, "url": d.URL, "bytes": s.Received, "done": s.Done}
	if s.Total > 0 {
		v["total"] = s.Total
	}
	if s.Failure != "" {
		v["failure"] = s.Failure
	}
	if s.Path != "" {
		v["path"] = s.Path
	}
	return v
}

// await waits for the end of a download of t and gives it its place. The error
// says how far it has come.
func await(ctx context.Context, env *Env, t *session.Tab, d *page.Download, path string) (string, error) {
	err := t.AwaitDownloads(ctx, []*page.Download{d}, func() { progress.Tell(ctx, "downloading "+quote(d.Name)+": "+far(d.State())) })
	if err != nil {
		return "", api.Errorf(api.Timeout, "browse wait --download waits for it; --timeout MS gives it longer",
			"timed out: the download of %s has not ended, %s so far; it goes on", quote(d.Name), far(d.State()))
	}
	if f := d.State().Failure; f != "" {
		d.Tell()
		return "", api.Errorf(api.Failed, "try it again", "the download of %s failed: %s", quote(d.Name), f)
	}
	return keep(env, d, path)
}

// downloaded turns the error of a navigation that became a download into one that
// says where the file is.
func downloaded(ctx context.Context, env *Env, t *session.Tab, w *page.Watch, err error) error {
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.IsDownload {
		return err
	}
	d, _ := w.AwaitBegin(ctx, savedLimit)
	if d == nil {
		return err
	}
	path, failed := await(ctx, env, t, d, "")
	if errors.As(failed, &e) {
		return api.Errorf(api.IsDownload, e.Hint, "%s is a download, not a page: %s", source(d.URL), e.Message)
	}
	return api.Errorf(api.IsDownload, "the tab still shows what it showed",
		"%s is a download, not a page; it was saved to %s (%d bytes)", source(d.URL), path, d.State().Received)
}
