package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/progress"
	"gstack/internal/safe"
	"gstack/internal/session"
)

var scrapeVerb = define(command.Spec{
	Name: "scrape", Group: "Extraction", Scope: command.Write, Output: command.Ack, Nestable: true, Timeout: downloadTimeout,
	Summary: "Save all pictures or films of the page into a folder",
	Doc: `Pictures with CSS backgrounds and lazy ones, films that are files, or both (media), each address
once; those of frames and shadow roots too. At most --limit (50, up to 200) files, four at a time, each
within 30 s and BROWSE_MAX_DOWNLOAD_BYTES. The folder is a new one in the temp folder unless --dir names
one; manifest.json in it lists address, file, size and type, or the error, of each. It fails when
none could be saved.`,
	Examples: []string{"scrape images", "scrape media --selector '#gallery' --dir pictures --limit 100"},
}, scrapeRun)

type scrapeIn struct {
	Kind     string `arg:"kind" enum:"images,videos,media" help:"what to save"`
	Selector string `flag:"selector" value:"TARGET" help:"only what is in this element"`
	Dir      string `flag:"dir" value:"FOLDER" help:"where to"`
	Limit    int    `flag:"limit" value:"N" default:"50" help:"how many at most"`
}

// Bounds of scraping.
const (
	maxScrape    = 200
	scrapeAtOnce = 4
	scrapeOne    = 30 * time.Second
)

// scraped is one file of a manifest.
type scraped struct {
	Path  string `json:"path,omitempty"`
	Src   string `json:"src"`
	Size  int64  `json:"size"`
	Type  string `json:"type,omitempty"`
	Error string `json:"error,omitempty"`
	kind  string // image or video
}

func scrapeRun(ctx context.Context, env *Env, in scrapeIn) (Result, error) {
	if in.Limit < 1 || in.Limit > maxScrape {
		return Result{}, api.Errorf(api.BadUsage, "browse scrape images --limit 50", "scrape: --limit is %d, want 1 to %d", in.Limit, maxScrape)
	}
	dir, err := in.folder(env)
	if err != nil {
		return Result{}, err
	}
	m, _, err := readFrom(ctx, env, targetIn{Target: in.Selector}, func(ctx context.Context, el *page.Element) (page.Media, error) {
		m, _, err := env.Tab.Media(ctx, el, nil)
		return m, err
	})
	if err != nil {
		return Result{}, err
	}
	files, left := in.choose(m, env.Tab.URL())
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	if dir == "" {
		if dir, err = os.MkdirTemp("", "browse-scrape-*"); err != nil {
			return Result{}, fileFailed(os.TempDir(), err)
		}
	}
	if err := scrapeAll(ctx, env, dir, files); err != nil {
		return Result{}, err
	}
	return in.report(env, dir, files, left)
}

// folder returns the folder that the user names, "" for none. It is made here.
func (in scrapeIn) folder(env *Env) (string, error) {
	if in.Dir == "" {
		return "", nil
	}
	path, err := env.Paths.WriteBelow(filepath.Join(in.Dir, "manifest.json"))
	return filepath.Dir(path), err
}

// choose lists the addresses that are wanted, each once, and says how many the
// limit leaves out.
func (in scrapeIn) choose(m page.Media, base string) (files []*scraped, left int) {
	seen := map[string]bool{}
	add := func(kind, url string) {
		scheme, _, _ := strings.Cut(strings.ToLower(url), ":")
		if seen[url] || scheme != "http" && scheme != "https" {
			return
		}
		seen[url] = true
		if len(files) == in.Limit {
			left++
			return
		}
		files = append(files, &scraped{Src: url, kind: kind})
	}
	first := func(urls ...string) string {
		for _, u := range urls {
			if strings.HasPrefix(strings.ToLower(u), "http") {
				return u
			}
		}
		return ""
	}
	src := func(i page.MediaItem) string {
		if i.Src == nil {
			return ""
		}
		return *i.Src
	}
	if in.Kind != "videos" {
		for _, i := range m.Images {
			late := absolute(base, i.Frame, i.DataSrc)
			add("image", first(i.CurrentSrc, src(i), late))
			add("image", late) // what a small one stands in for
		}
		for _, i := range m.Backgrounds {
			add("image", i.URL)
		}
	}
	if in.Kind != "images" {
		for _, i := range m.Videos {
			urls := []string{i.CurrentSrc, src(i)}
			for _, s := range i.Sources {
				urls = append(urls, s.Src)
			}
			if i.HLS != nil && *i.HLS || i.DASH != nil && *i.DASH {
				continue
			}
			add("video", first(urls...))
		}
	}
	return files, left
}

// absolute resolves an address that stands in an attribute of a frame's document,
// of the page's for the frame "".
func absolute(base, frame, address string) string {
	if frame != "" {
		base = frame
	}
	b, err := url.Parse(base)
	if err != nil || address == "" {
		return ""
	}
	u, err := b.Parse(address)
	if err != nil {
		return ""
	}
	return u.String()
}

// scrapeAll fetches the files, some at once, each worker in a tab of its own.
func scrapeAll(ctx context.Context, env *Env, dir string, files []*scraped) error {
	queue := make(chan int, len(files))
	for i := range files {
		queue <- i
	}
	close(queue)
	var mu sync.Mutex
	var failed error
	done := 0
	var wg sync.WaitGroup
	for range min(scrapeAtOnce, len(files)) {
		wg.Go(func() {
			t, closeTab, err := openBehind(ctx, env)
			if err != nil {
				mu.Lock()
				failed = err
				mu.Unlock()
				return
			}
			defer closeTab()
			for i := range queue {
				scrapeFile(ctx, env, t, dir, files[i], i+1)
				mu.Lock()
				done++
				progress.Tell(ctx, fmt.Sprintf("scraping: %d of %d done", done, len(files)))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if done < len(files) && failed != nil {
		return failed
	}
	return nil
}

func scrapeFile(ctx context.Context, env *Env, t *session.Tab, dir string, f *scraped, n int) {
	fail := func(err error) {
		f.Error = err.Error()
		var e *api.Error
		if errors.As(err, &e) && e.Code == api.HTTPError {
			f.Error = "HTTP" + e.Message[strings.LastIndexByte(e.Message, ' '):]
		}
		f.Error = api.Clean(f.Error)
	}
	if ctx.Err() != nil {
		fail(errors.New("the deadline had passed"))
		return
	}
	address, err := downloadable(env, env.Tab.URL(), f.Src)
	if err != nil {
		fail(err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, scrapeOne)
	defer cancel()
	g, err := fetch(ctx, env, t, address, func(string) {})
	if err != nil {
		fail(err)
		return
	}
	to, err := env.Paths.Write(filepath.Join(dir, fmt.Sprintf("%s-%03d%s", f.kind, n, ending(g.mime))))
	if err == nil {
		f.Path, err = g.move(to)
	}
	if err != nil {
		fail(err)
		return
	}
	f.Size, f.Type = g.size, g.mime
}

func (in scrapeIn) report(env *Env, dir string, files []*scraped, left int) (Result, error) {
	m := struct {
		URL       string     `json:"url"`
		At        time.Time  `json:"scraped_at"`
		Files     []*scraped `json:"files"`
		Total     int64      `json:"total_size"`
		Succeeded int        `json:"succeeded"`
		Failed    int        `json:"failed"`
	}{URL: env.Tab.URL(), At: time.Now().UTC(), Files: files}
	if m.Files == nil {
		m.Files = []*scraped{}
	}
	lines := []string{fmt.Sprintf("Scraped %d items to %s%c", len(files), dir, filepath.Separator)}
	for i, f := range files {
		if f.Error != "" {
			m.Failed++
			lines = append(lines, fmt.Sprintf("  [%d/%d] FAILED: %s (%s)", i+1, len(files), f.Error, source(f.Src)))
			continue
		}
		m.Succeeded++
		m.Total += f.Size
		lines = append(lines, fmt.Sprintf("  [%d/%d] %s (%s)", i+1, len(files), filepath.Base(f.Path), kilobytes(f.Size)))
	}
	lines = append(lines, "", fmt.Sprintf("Summary: %d succeeded, %d failed, %s total", m.Succeeded, m.Failed, kilobytes(m.Total)))
	if left > 0 {
		lines = append(lines, fmt.Sprintf("%d more were left out, --limit takes up to %d", left, maxScrape))
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = safe.WriteFile(filepath.Join(dir, "manifest.json"), data)
	}
	if err != nil {
		return Result{}, fileFailed(dir, err)
	}
	r := Result{Text: strings.Join(lines, "\n"), Data: map[string]any{"dir": dir, "manifest": m, "leftOut": left}}
	if len(files) > 0 && m.Succeeded == 0 {
		r.Code, r.Why = api.Failed, "scrape: none of the files could be saved, see above"
	}
	return r, nil
}
