package verbs

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/picture"
	"gstack/internal/session"

	"github.com/rogpeppe/go-internal/diff"
)

var diffVerb = define(command.Spec{
	Name: "diff", Group: "Visual", Scope: command.Meta, Effect: command.Reads, Nestable: true, Timeout: 60 * time.Second,
	Summary: "Compare two pages, their texts or their pictures",
	Doc: `Both are opened at once, with the cookies, window and settings of the tab, where nobody sees them:
the tab itself stays as it is. Lines begin with "- " for the first page, "+ " for the second and two
spaces for both; --context N shows N lines around each change instead of all.
--screenshot writes a picture of the second page, faded, with the pixels in red that differ; it
fails when more of them do than --threshold percent. Without a path, that is a new file in the temp folder.`,
	Examples: []string{"diff https://example.com https://staging.example.com", "diff localhost:3000 localhost:3001 --context 2", "diff localhost:3000 localhost:3001 --screenshot changes.png"},
}, diffRun)

type diffIn struct {
	One        string  `arg:"url1" help:"an address"`
	Two        string  `arg:"url2" help:"another one"`
	Path       string  `arg:"path" optional:"true" help:"the picture to write, with --screenshot"`
	Context    int     `flag:"context" value:"N" default:"-1" help:"lines around each change; all of them without it"`
	Screenshot bool    `flag:"screenshot" help:"compare pictures of the whole pages"`
	Threshold  float64 `flag:"threshold" value:"PERCENT" default:"-1" help:"with --screenshot: fail when more pixels differ"`
}

func diffRun(ctx context.Context, env *Env, in diffIn) (Result, error) {
	if in.Path != "" && (!in.Screenshot || format(in.Path) != "png" || !isPicture(in.Path)) {
		return Result{}, api.Errorf(api.BadUsage, "browse diff URL1 URL2 --screenshot changes.png", "diff: a path is for the picture of --screenshot, and ends in .png")
	}
	var urls [2]string
	for i, u := range []string{in.One, in.Two} {
		var err error
		if urls[i], err = env.Paths.URL(u); err != nil {
			return Result{}, err
		}
	}
	path := ""
	if in.Path != "" {
		var err error
		if path, err = env.Paths.Write(in.Path); err != nil {
			return Result{}, err
		}
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	var out [2]struct {
		text string
		pic  page.Picture
		err  error
	}
	var wg sync.WaitGroup
	for i, u := range urls {
		wg.Go(func() {
			o := &out[i]
			o.err = besides(ctx, env, u, in.Screenshot, func(t *session.Tab) (err error) {
				if in.Screenshot {
					o.pic, err = t.Screenshot(ctx, page.Shot{Format: "png"})
				} else {
					o.text, err = t.Text(ctx, nil)
				}
				return err
			})
		})
	}
	wg.Wait()
	for _, o := range out {
		if o.err != nil {
			return Result{}, o.err
		}
	}
	one, two := page.Shown(urls[0]), page.Shown(urls[1])
	if in.Screenshot {
		return in.pictures(path, one, two, out[0].pic, out[1].pic)
	}
	text, added, removed := lineDiff(out[0].text, out[1].text, in.Context)
	r := Result{Source: "diff: " + one + " vs " + two, Data: map[string]int{"added": added, "removed": removed}}
	r.Text = fmt.Sprintf("--- %s\n+++ %s\n\n%s", one, two, text)
	if added+removed == 0 {
		r.Own = "[no differences]"
	}
	return r, nil
}

// besides opens a page in a tab that no client sees, as the command's tab would,
// and has use look at it.
func besides(ctx context.Context, env *Env, url string, picture bool, use func(*session.Tab) error) error {
	t, done, err := env.Tabs.Behind(ctx, env.Tab.Settings(), picture)
	if err != nil {
		return err
	}
	defer done()
	if _, err := open(ctx, env, t, url); err != nil {
		return err
	}
	lctx, cancel := context.WithTimeout(ctx, parsedLimit)
	defer cancel()
	_ = t.LoadState(lctx, "load") // pictures and styles, if they come
	return use(t)
}

var diffHunk = regexp.MustCompile(`^@@ -(\d+),(\d+) \+(\d+),(\d+) @@`)

// lineDiff compares two texts line by line, with so many equal lines around each
// change; all of them for less than 0.
func lineDiff(a, b string, around int) (text string, added, removed int) {
	ended := func(s string) []byte {
		if s == "" {
			return nil
		}
		return []byte(strings.TrimSuffix(s, "\n") + "\n")
	}
	hunks := strings.Split(string(diff.Diff("a", ended(a), "b", ended(b))), "\n")
	var lines []string // marked, all of them
	all := strings.Split(strings.TrimSuffix(a, "\n"), "\n")
	at := 0
	keep := func(to int) {
		for ; at < to && at < len(all); at++ {
			lines = append(lines, "  "+all[at])
		}
	}
	started := false
	for _, h := range hunks {
		if m := diffHunk.FindStringSubmatch(h); m != nil {
			start, _ := strconv.Atoi(m[1])
			if m[2] != "0" {
				start--
			}
			keep(start)
			started = true
			continue
		}
		if !started || h == "" {
			continue
		}
		switch h[0] {
		case '-':
			removed++
			at++
			lines = append(lines, "- "+h[1:])
		case '+':
			added++
			lines = append(lines, "+ "+h[1:])
		case ' ':
			at++
			lines = append(lines, "  "+h[1:])
		}
	}
	if a != "" {
		keep(len(all))
	}
	return strings.Join(near(lines, around), "\n"), added, removed
}

// near keeps the lines that are changes, and so many around each.
func near(lines []string, around int) []string {
	if around < 0 {
		return lines
	}
	keep := make([]bool, len(lines))
	for i, l := range lines {
		if l[0] == ' ' {
			continue
		}
		for j := max(0, i-around); j <= min(len(lines)-1, i+around); j++ {
			keep[j] = true
		}
	}
	var out []string
	for i, l := range lines {
		if keep[i] {
			out = append(out, l)
		} else if i == 0 || keep[i-1] {
			out = append(out, "…")
		}
	}
	return out
}

// pictures writes what differs between two pictures.
func (in diffIn) pictures(path, one, two string, a, b page.Picture) (Result, error) {
	first, err := picture.Decode(a.Data)
	if err != nil {
		return Result{}, err
	}
	second, err := picture.Decode(b.Data)
	if err != nil {
		return Result{}, err
	}
	c := picture.Compare(first, second)
	data, err := picture.Encode(c.Image, "png")
	if err != nil {
		return Result{}, err
	}
	if path, err = save(path, "browse-diff", "png", data); err != nil {
		return Result{}, err
	}
	percent := 100 * float64(c.Differ) / float64(max(c.All, 1))
	text := fmt.Sprintf("Diff saved: %s\n%d of %d pixels differ (%.2f%%)", path, c.Differ, c.All, percent)
	if c.Differ > 0 {
		text += fmt.Sprintf(", within %d,%d,%d,%d", c.Bounds.Min.X, c.Bounds.Min.Y, c.Bounds.Dx(), c.Bounds.Dy())
	}
	if first.Rect.Size() != second.Rect.Size() {
		text += fmt.Sprintf("\nsizes: %v and %v", first.Rect.Size(), second.Rect.Size())
	}
	r := Result{Text: text, Ours: true, Data: map[string]any{"path": path, "differ": c.Differ, "all": c.All, "percent": percent, "urls": []string{one, two}}}
	if in.Threshold >= 0 && percent > in.Threshold {
		r.Code, r.Why = api.Failed, fmt.Sprintf("diff: %.2f%% of the pixels differ, more than %g%%", percent, in.Threshold)
	}
	return r, nil
}
