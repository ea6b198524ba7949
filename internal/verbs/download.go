package verbs

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	neturl "net/url"
	"os"
	"path/filepath"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/progress"
	"gstack/internal/safe"
	"gstack/internal/session"
)

var downloadVerb = define(command.Spec{
	Name: "download", Group: "Extraction", Scope: command.Write, Output: command.Ack, Nestable: true, Timeout: downloadTimeout,
	Summary: "Save what is at an address, or what an element shows",
	Doc: `With the cookies of the browser, through redirects, streamed to the disk: the tab does not move
and nothing is held in memory. A ref or selector means what it shows, plays or links to; data: and blob:
addresses work, blobs while their page is open. Without a path, a folder of its own is made in the
temp folder, and the file has the name that the server proposes; a path may be a folder.
--navigate opens the address in the tab itself, for servers that want to be asked by the page.
--base64 prints a data: URL of at most 10 MB. BROWSE_MAX_DOWNLOAD_BYTES bounds what is saved.
Streams (.m3u8, .mpd) are no files: yt-dlp and ffmpeg take them.`,
	Examples: []string{"download https://example.com/report.pdf", "download @e4 picture.png", "download /export.csv data/", "download '#logo' --base64"},
}, downloadRun)

type downloadIn struct {
	What     string `arg:"url or target" help:"address, or ref or selector of an element"`
	Path     string `arg:"path" optional:"true" help:"the file to write, or a folder"`
	Base64   bool   `flag:"base64" help:"print a data: URL instead of writing a file"`
	Navigate bool   `flag:"navigate" help:"let the tab open the address"`
}

// got is a file that was fetched and has no place yet.
type got struct {
	name, mime string
	size       int64
	path       string // where it is, in the browser's folder or a temporary file
	d          *page.Download
}

// remove deletes a file that nobody wants.
func (g *got) remove() {
	if g != nil && g.path != "" {
		_ = os.Remove(g.path)
	}
}

// maxBlob bounds what is read out of a page or an address, in bytes.
const maxBlob = 100 << 20

func downloadRun(ctx context.Context, env *Env, in downloadIn) (Result, error) {
	if in.Base64 && in.Path != "" {
		return Result{}, api.Errorf(api.BadUsage, "leave one out", "download: --base64 writes no file")
	}
	if in.Path != "" {
		if _, err := savePath(env, in.Path, "download"); err != nil { // before the work
			return Result{}, err
		}
	}
	url, err := in.address(ctx, env)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	if in.Navigate {
		return downloadNavigate(ctx, env, in, url)
	}
	g, err := fetch(ctx, env, nil, url, func(line string) { progress.Tell(ctx, line) })
	if err != nil {
		return Result{}, err
	}
	return in.place(env, g)
}

// address resolves what is to be downloaded, and judges it.
func (in downloadIn) address(ctx context.Context, env *Env) (string, error) {
	what := in.What
	if isTarget(what) {
		el, err := find(ctx, env, what)
		if err != nil {
			return "", err
		}
		tag, url, err := el.SourceOf(ctx)
		if err != nil {
			return "", err
		}
		if url == "" {
			return "", api.Errorf(api.NotFound, "browse media lists what the page shows", "%s, a <%s>, shows and links to nothing that could be downloaded", el, api.Clean(tag))
		}
		what = url
	}
	return downloadable(env, env.Tab.URL(), what)
}

// isTarget reports whether a word is an element and no address.
func isTarget(w string) bool {
	return page.IsRef(w) || strings.HasPrefix(w, "#") || strings.HasPrefix(w, ".") && !strings.HasPrefix(w, "./") && !strings.HasPrefix(w, "../") ||
		strings.Contains(w, "[") && !strings.Contains(w, "/") || strings.HasPrefix(w, "text=") || strings.HasPrefix(w, "role=") || strings.HasPrefix(w, "label=")
}

// downloadable returns the address of a file that may be fetched; relative ones
// are those of the page at base.
func downloadable(env *Env, base, what string) (string, error) {
	lower := strings.ToLower(what)
	if strings.HasPrefix(lower, "data:") || strings.HasPrefix(lower, "blob:") {
		return what, nil
	}
	if strings.HasPrefix(what, "/") || strings.HasPrefix(what, "./") || strings.HasPrefix(what, "../") || strings.HasPrefix(what, "?") {
		b, err := neturl.Parse(base)
		ref, rerr := neturl.Parse(what)
		if err != nil || rerr != nil || b.Host == "" {
			return "", api.Errorf(api.BadUsage, "name a whole address", "download: %s is relative, and the tab shows no page of a site", quote(what))
		}
		what = b.ResolveReference(ref).String()
	}
	url, err := env.Paths.URL(what)
	if err != nil {
		return "", err
	}
	if u, err := neturl.Parse(url); err == nil {
		switch strings.ToLower(filepath.Ext(u.Path)) {
		case ".m3u8", ".mpd":
			return "", api.Errorf(api.BadUsage, "yt-dlp "+source(page.Shown(url))+", or ffmpeg -i", "%s is a stream in parts, not a file", source(page.Shown(url)))
		}
		if u.Scheme != "http" && u.Scheme != "https" {
			return "", api.Errorf(api.BadUsage, "cp copies files of this machine", "download: %s is not an address of the network", quote(url))
		}
	}
	return url, nil
}

// fetch takes a file from wherever url is, in a tab that no client sees; behind is
// one that is there already, nil to open one.
func fetch(ctx context.Context, env *Env, behind *session.Tab, url string, tell func(string)) (*got, error) {
	switch scheme, _, _ := strings.Cut(strings.ToLower(url), ":"); scheme {
	case "data":
		return fromData(url)
	case "blob":
		return fromBlob(ctx, env, url)
	}
	if behind == nil {
		t, done, err := openBehind(ctx, env)
		if err != nil {
			return nil, err
		}
		defer done()
		behind = t
	}
	d, h, err := behind.Fetch(ctx, url, env.Tab.URL())
	if err != nil {
		return nil, err
	}
	err = behind.AwaitDownloads(ctx, []*page.Download{d}, func() { tell("downloading " + quote(d.Name) + ": " + far(d.State())) })
	d.Tell()
	if err != nil {
		return nil, api.Errorf(api.Timeout, "--timeout MS gives it longer", "timed out: the download of %s has not ended, %s so far", source(d.URL), far(d.State()))
	}
	s := d.State()
	if s.Failure != "" {
		return nil, api.Errorf(api.Failed, "try it again", "the download of %s failed: %s", source(d.URL), s.Failure)
	}
	return &got{name: d.Name, mime: h.Type, size: s.Received, d: d}, nil
}

// openBehind opens a tab that no client sees and that downloads what it opens, in
// the way that the command's tab would.
func openBehind(ctx context.Context, env *Env) (*session.Tab, func(), error) {
	s := env.Tab.Settings()
	s.Attach = true
	return env.Tabs.Behind(ctx, s, false)
}

// fromData decodes a data: address (RFC 2397).
func fromData(url string) (*got, error) {
	bad := func(why string) error {
		return api.Errorf(api.BadUsage, "check the address", "the data: address does not decode: %s", why)
	}
	head, body, ok := strings.Cut(url[len("data:"):], ",")
	if !ok {
		return nil, bad("it has no comma")
	}
	kind, coded := strings.CutSuffix(strings.TrimSpace(head), ";base64")
	text, err := neturl.PathUnescape(body)
	if err != nil {
		text = body // a % that stands for itself
	}
	data := []byte(text)
	if coded {
		text = strings.TrimRight(strings.Join(strings.Fields(text), ""), "=")
		if data, err = base64.RawStdEncoding.DecodeString(text); err != nil {
			return nil, bad("its base64 is malformed")
		}
	}
	kind, _, _ = strings.Cut(kind, ";")
	if kind = strings.ToLower(strings.TrimSpace(kind)); kind == "" {
		kind = "text/plain"
	}
	return temporary(kind, func(w io.Writer) (int64, error) {
		n, err := w.Write(data)
		return int64(n), err
	})
}

func fromBlob(ctx context.Context, env *Env, url string) (*got, error) {
	var kind string
	g, err := temporary("", func(w io.Writer) (n int64, err error) {
		n, kind, err = env.Tab.Blob(ctx, url, maxBlob, w)
		return n, err
	})
	if err == nil {
		g.mime = kind
	}
	return g, err
}

// temporary has fill write a file that has no place yet.
func temporary(kind string, fill func(io.Writer) (int64, error)) (*got, error) {
	f, err := safe.Create("browse-fetched", ".part")
	if err != nil {
		return nil, fileFailed(os.TempDir(), err)
	}
	g := &got{mime: kind, path: f.Name()}
	g.size, err = fill(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		g.remove()
		return nil, fileFailed(f.Name(), err)
	}
	return g, nil
}

// endings are the file name endings of media types for which the machine may know
// none, or several.
var endings = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg", "image/avif": ".avif",
	"video/mp4": ".mp4", "video/webm": ".webm", "video/quicktime": ".mov", "audio/mpeg": ".mp3", "audio/wav": ".wav", "audio/ogg": ".ogg",
	"application/pdf": ".pdf", "application/json": ".json", "text/html": ".html", "text/plain": ".txt", "text/csv": ".csv",
}

// ending returns the ending for a media type; .bin for one that is not known.
func ending(kind string) string {
	if e := endings[kind]; e != "" {
		return e
	}
	if list, _ := mime.ExtensionsByType(kind); len(list) > 0 {
		return list[0]
	}
	return ".bin"
}

// fileName is what the file is called: as the server proposes, with an ending.
func (g *got) fileName() string {
	name := g.name
	if name == "" {
		name = "download"
	}
	if filepath.Ext(name) == "" {
		name += ending(g.mime)
	}
	return name
}

// move gives the file its place: to, or a folder of its own for "".
func (g *got) move(to string) (string, error) {
	put := func(from string) (string, error) {
		if to == "" {
			return safe.Deposit(from, "browse-download", g.fileName())
		}
		return to, safe.Move(from, to)
	}
	var at string
	var err error
	if g.d != nil {
		at, err = g.d.Keep(true, put)
	} else {
		at, err = put(g.path)
	}
	if errors.Is(err, os.ErrNotExist) {
		return "", api.Errorf(api.FileError, "is the browser on another machine?", "the browser did not write the file where it was told to")
	}
	if err != nil {
		g.remove()
	}
	return at, fileFailed(to, err)
}

// place writes the file where the user wants it, or prints it.
func (in downloadIn) place(env *Env, g *got) (Result, error) {
	kind := g.mime
	if kind == "" {
		kind = "application/octet-stream"
	}
	if in.Base64 {
		if g.size > maxBase64 {
			g.remove()
			return Result{}, api.Errorf(api.TooLarge, "browse download without --base64", "the file has %d bytes, at most %d are printed", g.size, maxBase64)
		}
		at, err := g.move("")
		if err != nil {
			return Result{}, err
		}
		defer os.RemoveAll(filepath.Dir(at)) // the folder is its own
		data, err := os.ReadFile(at)
		if err != nil {
			return Result{}, fileFailed(at, err)
		}
		return Result{Text: "data:" + api.Clean(kind) + ";base64," + base64.StdEncoding.EncodeToString(data)}, nil
	}
	to := ""
	if in.Path != "" {
		var err error
		if to, err = savePath(env, in.Path, g.fileName()); err != nil {
			g.remove()
			return Result{}, err
		}
	}
	at, err := g.move(to)
	if err != nil {
		return Result{}, err
	}
	text := fmt.Sprintf("Downloaded: %s (%s, %s)", api.Clean(at), kilobytes(g.size), api.Clean(kind))
	if g.name != "" {
		text += " [" + api.Clean(g.name) + "]"
	}
	return Result{Text: text, Data: map[string]any{"path": at, "bytes": g.size, "type": kind, "name": g.name}}, nil
}

// kilobytes says how large a file is: "12KB", and less than one as bytes.
func kilobytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%dB", n)
	}
	return fmt.Sprintf("%dKB", (n+512)/1024)
}

// downloadNavigate lets the tab itself open an address that is a download.
func downloadNavigate(ctx context.Context, env *Env, in downloadIn, url string) (Result, error) {
	w := env.Tab.Watch()
	defer w.Close()
	_, err := env.Tab.Navigate(ctx, url)
	var e *api.Error
	if err == nil {
		return Result{}, api.Errorf(api.Failed, "browse download without --navigate saves it", "%s is a page, not a download; the tab shows it now", source(page.Shown(url)))
	}
	if !errors.As(err, &e) || e.Code != api.IsDownload {
		return Result{}, err
	}
	d, err := w.AwaitBegin(ctx, beginLimit)
	if err != nil {
		return Result{}, err
	}
	if d == nil {
		return Result{}, e
	}
	g := &got{name: d.Name, mime: mime.TypeByExtension(filepath.Ext(d.Name)), d: d}
	g.mime, _, _ = strings.Cut(g.mime, ";")
	err = env.Tab.AwaitDownloads(ctx, []*page.Download{d}, func() { progress.Tell(ctx, "downloading "+quote(d.Name)+": "+far(d.State())) })
	if err != nil {
		return Result{}, api.Errorf(api.Timeout, "browse wait --download waits for it", "timed out: the download of %s goes on, %s so far", quote(d.Name), far(d.State()))
	}
	d.Tell()
	s := d.State()
	if g.size = s.Received; s.Failure != "" {
		return Result{}, api.Errorf(api.Failed, "try it again", "the download of %s failed: %s", quote(d.Name), s.Failure)
	}
	r, err := in.place(env, g)
	r.Told = true
	return r, err
}
