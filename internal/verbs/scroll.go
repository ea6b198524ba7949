package verbs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var scrollVerb = define(command.Spec{
	Name: "scroll", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Timeout: time.Minute,
	Summary: "Scroll the page, an element into view, or a list to its end",
	Doc: `Without an argument to the bottom of the page, with a target until that is in view. With a
direction (up, down, left, right) by pixels, by pages, or to the end; "top" and "bottom" go all the
way. A target before the direction, or --in, means the nearest scroller of that element. A page that
does not scroll itself scrolls by what fills it. The answer says where it stands then, and whether
that is the end; nothing is scrolled that did not move.

--until scrolls on until a text or selector appears, as in lists that load while one scrolls, and
fails when the end is reached or after --times steps. --times without it scrolls so many times, with
--wait between.`,
	Examples: []string{"scroll", "scroll @e12", "scroll down 500", "scroll down 2 pages", "scroll top", "scroll right end --in '#table'",
		"scroll @e4 down 300", "scroll --by 0,-250", "scroll --until 'text=Order 4711' --in '#orders'", "scroll --times 5 --wait 500"},
}, scrollRun)

type scrollIn struct {
	Words []string      `arg:"where" rest:"true" optional:"true" help:"ref or selector, and/or up, down, left, right with N, \"N pages\" or \"end\"; top, bottom"`
	By    string        `flag:"by" value:"X,Y" help:"distance in CSS pixels, to the right and down"`
	In    string        `flag:"in" value:"TARGET" help:"scroll the nearest scroller of this ref or selector"`
	Until string        `flag:"until" value:"WHAT" help:"scroll until this selector or text appears"`
	Times int           `flag:"times" value:"N" help:"scroll N times; the limit of --until (default 100 there)"`
	Wait  time.Duration `flag:"wait" default:"1000" help:"pause between the times; with --until, how long the end of a list may take to grow"`
	afterIn
}

const (
	maxScrolls   = 1000
	untilDefault = 100
)

// scrollPlan is what the words of a scroll command say.
type scrollPlan struct {
	target   string // what to scroll into view, or whose scroller to move
	moves    bool   // a direction or distance is given
	o        action.ScrollOptions
	sentence string // "down 500 pixels"
}

func (in scrollIn) bad(format string, a ...any) error {
	return api.Errorf(api.BadUsage, "browse scroll down 500; browse scroll @e3; browse help scroll", "scroll: "+format, a...)
}

// plan reads the words.
func (in scrollIn) plan() (scrollPlan, error) {
	p := scrollPlan{}
	words := in.Words
	if len(words) > 0 && !isDirection(words[0]) {
		p.target, words = words[0], words[1:]
	}
	if in.In != "" {
		if p.target != "" {
			return p, in.bad("two targets, %q and --in %q", p.target, in.In)
		}
		p.target = in.In
	}
	if in.By != "" {
		if len(words) > 0 {
			return p, in.bad("--by and %q are two distances", strings.Join(words, " "))
		}
		by, err := parsePoint("--by", in.By)
		if err != nil {
			return p, err
		}
		p.o.DX, p.o.DY, p.moves = by.X, by.Y, true
		p.sentence = fmt.Sprintf("by %v,%v pixels", by.X, by.Y)
		return p, nil
	}
	if len(words) == 0 {
		if p.target == "" || in.In != "" {
			p.o.To, p.sentence = "bottom", "to bottom"
			p.moves = true
		}
		return p, nil
	}
	p.moves = true
	return p, p.direction(in, words[0], words[1:])
}

func isDirection(w string) bool {
	switch w {
	case "up", "down", "left", "right", "top", "bottom":
		return true
	}
	return false
}

// direction reads "down", "down 500", "down 2 pages", "right end", "top".
func (p *scrollPlan) direction(in scrollIn, dir string, amount []string) error {
	if !isDirection(dir) {
		return in.bad("%q is no direction, want up, down, left, right, top or bottom", dir)
	}
	text := strings.ToLower(strings.Join(amount, " "))
	if dir == "top" || dir == "bottom" {
		if text != "" {
			return in.bad("%s goes all the way, it takes no %q", dir, text)
		}
		p.o.To, p.sentence = dir, "to "+dir
		return nil
	}
	if text == "end" {
		p.o.To = map[string]string{"up": "top", "down": "bottom", "left": "left", "right": "right"}[dir]
		p.sentence = "to the " + dir + " end"
		return nil
	}
	n, pages, ok := distance(text)
	if !ok {
		return in.bad("%q is no distance, want a number of pixels, \"2 pages\" or \"end\"", text)
	}
	p.o.Pages = pages
	unit := "pixel"
	if pages {
		unit = "page"
	}
	if n != 1 {
		unit += "s"
	}
	p.sentence = fmt.Sprintf("%s %v %s", dir, n, unit)
	switch dir {
	case "up":
		p.o.DY = -n
	case "down":
		p.o.DY = n
	case "left":
		p.o.DX = -n
	case "right":
		p.o.DX = n
	}
	return nil
}

// distance reads "500", "500px", "2 pages"; nothing is one page.
func distance(s string) (n float64, pages, ok bool) {
	if s == "" {
		return 1, true, true
	}
	for _, unit := range []string{"pages", "page"} {
		if rest, found := strings.CutSuffix(s, unit); found {
			s, pages = strings.TrimSpace(rest), true
			break
		}
	}
	if s == "" {
		return 1, true, true
	}
	if !pages {
		for _, unit := range []string{"pixels", "pixel", "px"} {
			s = strings.TrimSpace(strings.TrimSuffix(s, unit))
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, pages, err == nil && n > 0 && !math.IsInf(n, 0)
}

func scrollRun(ctx context.Context, env *Env, in scrollIn) (Result, error) {
	p, err := in.plan()
	if err != nil {
		return Result{}, err
	}
	if in.Times < 0 || in.Times > maxScrolls {
		return Result{}, in.bad("--times is %d, want 1 to %d", in.Times, maxScrolls)
	}
	return in.conclude(ctx, env, func() (Result, error) { return scroll(ctx, env, in, p) })
}

func scroll(ctx context.Context, env *Env, in scrollIn, p scrollPlan) (Result, error) {
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	release, err := env.Tab.LockInput(ctx)
	if err != nil {
		return Result{}, err
	}
	defer release()
	p.o.Options = env.options()
	if in.Until != "" {
		return scrollUntil(ctx, env, in, p)
	}
	return scrollTimes(ctx, env, in, p)
}

// scrollTimes does what a plan says, once or as often as asked.
func scrollTimes(ctx context.Context, env *Env, in scrollIn, p scrollPlan) (Result, error) {
	var last *action.Scrolled
	var el *page.Element
	for n := 0; n < max(in.Times, 1); n++ {
		if n > 0 && !sleepUntil(ctx, in.Wait) {
			return Result{}, api.Errorf(api.Timeout, "--timeout 2m gives it longer", "time was up after %d of %d times", n, in.Times)
		}
		// The target is looked up each time: the page may have made it anew.
		var err error
		if el, err = scrollPlace(ctx, env, p.target); err != nil {
			return Result{}, err
		}
		if !p.moves {
			if _, err := action.ScrollIntoView(ctx, env.Tab.Tab, el, p.o.Options); err != nil {
				return Result{}, err
			}
			continue
		}
		s, err := action.Scroll(ctx, env.Tab.Tab, el, p.o)
		if err != nil {
			return Result{}, err
		}
		last = &s
	}
	what := "Scrolled " + p.sentence
	switch {
	case p.moves && last.None:
		what = "Nothing to scroll, it fits"
	case in.Times > 0:
		what = fmt.Sprintf("Scrolled %d times", in.Times)
		if p.target != "" {
			what += " (" + el.String() + ")"
		}
		what += fmt.Sprintf(" with %dms delay", in.Wait.Milliseconds())
	case !p.moves:
		what = "Scrolled " + el.String() + " into view"
	case last.MovedX == 0 && last.MovedY == 0 && p.o.To == "":
		what = "Not scrolled, that end is reached already"
	}
	return scrolled(what, last, el), nil
}

// scrollPlace resolves whose scroller is meant: an element's, that of the frame
// that the client has entered, or, for nil, the page's.
func scrollPlace(ctx context.Context, env *Env, target string) (*page.Element, error) {
	p, err := where(ctx, env, target, "")
	return p.element(), err
}

// sleepUntil pauses for a time that the user asked for; false when ctx ended.
func sleepUntil(ctx context.Context, d time.Duration) bool {
	ctx, cancel := context.WithTimeoutCause(ctx, d, errPaused)
	defer cancel()
	<-ctx.Done()
	return context.Cause(ctx) == errPaused
}

// errPaused ends a pause that ran its course.
var errPaused = errors.New("paused")

func scrollUntil(ctx context.Context, env *Env, in scrollIn, p scrollPlan) (Result, error) {
	el, err := scrollPlace(ctx, env, p.target)
	if err != nil {
		return Result{}, err
	}
	if p.o.To == "bottom" || !p.moves {
		// Step by step, so that nothing is passed over.
		p.o.To, p.o.DY, p.o.Pages = "", 0.9, true
	}
	u := action.Until{ScrollOptions: p.o, What: in.Until, Steps: in.Times, Wait: in.Wait}
	if u.Steps == 0 {
		u.Steps = untilDefault
	}
	found, last, steps, err := action.ScrollUntil(ctx, env.Tab.Tab, el, u)
	if err != nil {
		return Result{}, err
	}
	var at *action.Scrolled
	if steps > 0 {
		at = &last
	}
	r := scrolled("", at, found)
	r.Text = fmt.Sprintf("Scrolled %s into view\nfound: %s\nsteps: %d", quote(in.Until), found, steps)
	r.Data.(map[string]any)["steps"] = steps
	return r, nil
}

// scrolled acknowledges a scroll with the place that it led to.
func scrolled(what string, s *action.Scrolled, el *page.Element) Result {
	d := map[string]any{}
	if el != nil {
		d["target"], d["role"], d["name"] = el.Label, el.Role, el.Name
	}
	if s == nil {
		return Result{Text: what, Data: d}
	}
	d["x"], d["y"], d["end"], d["moved"] = s.X, s.Y, s.End, []float64{s.MovedX, s.MovedY}
	d["maxX"], d["maxY"] = s.MaxX, s.MaxY
	if s.None {
		return Result{Text: what, Data: d}
	}
	at := func(v, min, max float64) string {
		if min < 0 {
			return fmt.Sprintf("%v of %v to %v", math.Round(v), math.Round(min), math.Round(max))
		}
		return fmt.Sprintf("%v of %v", math.Round(v), math.Round(max))
	}
	what += fmt.Sprintf("\nposition: x %s, y %s", at(s.X, s.MinX, s.MaxX), at(s.Y, s.MinY, s.MaxY))
	if s.By != "" {
		what += " in " + s.By
		d["in"] = s.By
	}
	if s.End {
		what += "\nend: reached"
	}
	return Result{Text: what, Data: d}
}
