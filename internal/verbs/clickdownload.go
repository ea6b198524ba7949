package verbs

import (
	"context"
	"fmt"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/page"
)

// downloadTimeout is the deadline of commands that wait for a download.
const downloadTimeout = 5 * time.Minute

// Deadline gives a download more time than a click.
func (in clickIn) Deadline() time.Duration {
	if in.Download {
		return downloadTimeout
	}
	return 0
}

// clickDownload clicks and waits for the end of the download that this begins.
func clickDownload(ctx context.Context, env *Env, in clickIn, o action.ClickOptions) (Result, error) {
	if in.Path != "" {
		if _, err := savePath(env, in.Path, "download"); err != nil { // before the click
			return Result{}, err
		}
	}
	w := env.Tab.Watch()
	defer w.Close()
	el, err := find(ctx, env, in.Target)
	if err != nil {
		return Result{}, err
	}
	r, err := actOnly(ctx, env, func() (action.Result, error) { return action.Click(ctx, env.Tab.Tab, el, o) })
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	d, err := w.AwaitBegin(ctx, beginLimit)
	if err != nil {
		return Result{}, withNote(err, "clicked "+el.String())
	}
	if d == nil {
		e := api.Errorf(api.NotVerified, "browse snapshot -i", "%s was clicked, but no download began", el)
		for _, line := range sideEffects(env, r.Effects) {
			e.Tried = append(e.Tried, line)
		}
		return Result{}, e
	}
	path, err := await(ctx, env, env.Tab, d, in.Path)
	if err != nil {
		return Result{}, withNote(err, "clicked "+el.String())
	}
	r.Effects.Downloads = nil
	r.Effects.Aborted = false
	res := acted(env, fmt.Sprintf("Clicked %s\ndownload: %s (%d bytes) saved to %s", el, quote(d.Name), d.State().Received, api.Clean(path)), r)
	data := downloadData(d)
	res.Data.(map[string]any)["download"] = data
	return res, nil
}

// waitDownload waits for the end of a download of the tab: one that runs or has
// ended and that no command has reported, or else the next one to begin.
func waitDownload(ctx context.Context, env *Env, path string) (Result, error) {
	if path != "" {
		if _, err := savePath(env, path, "download"); err != nil {
			return Result{}, err
		}
	}
	w := env.Tab.Watch()
	defer w.Close()
	var d *page.Download
	if ds := env.Tab.Untold(); len(ds) > 0 {
		d = ds[0]
	} else {
		var err error
		if d, err = w.AwaitBegin(ctx, time.Until(env.Limit)); err != nil {
			return Result{}, err
		}
	}
	if d == nil {
		return Result{}, api.Errorf(api.Timeout, "browse click … --download begins one and waits for it; --timeout MS gives it longer",
			"timed out: no download began in tab %d", env.Tab.ID)
	}
	at, err := await(ctx, env, env.Tab, d, path)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: fmt.Sprintf("Download %s (%d bytes) saved to %s", quote(d.Name), d.State().Received, api.Clean(at)), Data: downloadData(d), Told: true}, nil
}
