package verbs

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/session"
	"gstack/internal/snapshot"
)

var snapshotVerb = define(command.Spec{
	Name: "snapshot", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary: "List what is on the page, with refs",
	Doc: `One line per node: @ref [role] "name" [states]: "value". Frames and shadow roots are included.
A ref names that element of that document: it stays valid while the document lives, whatever
else changes, and a command that uses it fails when the element is gone or is no longer
what was shown. Flags choose what is shown, never a ref's number. -i shows controls, dialogs
and messages (alert, status, log), no other text. Values of password, card and one-time-code
fields are never shown.
--diff compares with the last snapshot that this client took of the tab with the same flags,
and prints the lines that changed, with three around them; the first time it prints all.
A long answer is cut at the end of a line; it says how much is left and how to see it.
-a also takes a picture of the page with a box and the ref on each element that the answer
shows; -H takes one with the elements of given refs in colours: green, yellow, red, blue, orange
or gray. Together they make one picture. Nothing is put into the page for it.`,
	Examples: []string{
		"snapshot -i", "snapshot -i --urls", "snapshot -s '#main' -d 3", "snapshot -i -D",
		"snapshot --grep 'save|cancel'", "snapshot -i --frame '#pay'", "snapshot --fold",
		"snapshot -i -a -o page.png", `snapshot -i -H '{"@e1":"green"}'`,
	},
}, snapshotRun)

type snapshotIn struct {
	Interactive bool   `flag:"interactive" short:"i" help:"only what can be acted on"`
	Compact     bool   `flag:"compact" short:"c" help:"leave out structure without a name"`
	Cursor      bool   `flag:"cursor-interactive" short:"C" help:"add elements that are clickable by cursor or handler, as @c refs"`
	Depth       int    `flag:"depth" short:"d" default:"-1" help:"leave out what is deeper than N, 0 is the top"`
	Selector    string `flag:"selector" short:"s" value:"TARGET" help:"start at this ref or selector"`
	Diff        bool   `flag:"diff" short:"D" help:"what has changed since the last snapshot with the same flags"`
	Grep        string `flag:"grep" value:"PATTERN" help:"only lines that match this regular expression, in upper or lower case, and what they are in"`
	Frame       string `flag:"frame" value:"FRAME" help:"only this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
	URLs        bool   `flag:"urls" help:"add the address of links"`
	Boxes       bool   `flag:"boxes" help:"add where elements stand, (x,y WxH) in CSS pixels of the window, and which are off screen"`
	All         bool   `flag:"all" help:"include hidden elements, marked"`
	MaxName     int    `flag:"max-name" default:"200" help:"cut names and values after N characters"`
	Fold        bool   `flag:"fold" help:"shorten long runs of like lines without refs"`
	FoldRefs    bool   `flag:"fold-refs" help:"shorten long runs of like lines, even if they carry refs"`
	Annotate    bool   `flag:"annotate" short:"a" help:"also take a picture of the whole page, with a box and the ref on each element shown"`
	Heatmap     string `flag:"heatmap" short:"H" value:"JSON" help:"also take a picture with elements in colours: {\"@e1\":\"green\"}"`
	Output      string `flag:"output" short:"o" value:"FILE" help:"the file for the picture, .png or .jpg; otherwise a new one in the temp folder"`
	Viewport    bool   `flag:"viewport" help:"the picture shows only what the window shows"`
}

// taken is a snapshot that was taken, on its way to an answer.
type taken struct {
	nodes []snapshot.Node
	// text is the list as it is printed, without nodes too.
	text string
	// refs are the refs in it, in the order of their lines.
	refs []string
	// frame is the frame that it is narrowed to, nil for the whole page.
	frame *page.Frame
	doc   page.DocID // the document that it begins with
}

// snapshotData is the machine form of a snapshot.
type snapshotData struct {
	Nodes []snapshot.Node `json:"nodes"`
	Refs  []string        `json:"refs"`
	Diff  *diffData       `json:"diff,omitempty"`
	// Picture is the one that was taken.
	Picture *markedData `json:"picture,omitempty"`
}

// diffData is the machine form of a comparison.
type diffData struct {
	// Baseline is false when there was nothing to compare with.
	Baseline bool `json:"baseline"`
	Added    int  `json:"added"`   // lines
	Removed  int  `json:"removed"` // lines
}

func snapshotRun(ctx context.Context, env *Env, in snapshotIn) (Result, error) {
	o, err := in.options()
	if err != nil {
		return Result{}, err
	}
	shoot, err := in.shooting(env)
	if err != nil {
		return Result{}, err
	}
	own := read(ctx, env)
	p, err := where(ctx, env, in.Selector, in.Frame)
	if err != nil {
		return Result{}, err
	}
	view := in.view(p.frame)
	last, had := env.Tabs.Baseline(env.Session, env.Tab, view)
	if in.Diff && env.Page > 0 && last.Answer != "" {
		return Result{Text: last.Answer, Own: own, Lines: true, Whole: wholeDiff}, nil
	}
	s, err := take(ctx, env, p, o)
	if err != nil {
		return Result{}, err
	}
	r := Result{Text: s.answer(in), Own: own, Lines: true}
	data, now := snapshotData{Nodes: s.nodes, Refs: s.refs}, session.Baseline{Text: s.text, Doc: s.doc}
	if in.Diff {
		r.Whole = wholeDiff
		data.Diff = &diffData{Baseline: had}
		if had {
			r.Text = data.Diff.compare(last, now)
			if last.Doc != s.doc {
				r.Own += "\n(the page has navigated since, so all refs are new; lines that differ in nothing else count as the same)"
			}
		}
		now.Answer = r.Text
	}
	if shoot != nil {
		picture, lines, err := shoot.take(ctx, env, s.refs)
		if err != nil {
			return Result{}, err
		}
		data.Picture, r.Own = &picture, r.Own+"\n"+strings.Join(lines, "\n")
	}
	r.Data = data
	kept := env.Tabs.KeepBaseline(env.Session, env.Tab, view, now)
	if in.Diff && !had {
		r.Own += "\n" + firstDiff(kept, env.Tabs.Views(env.Session, env.Tab), view)
	}
	r.Own = strings.TrimSpace(r.Own + "\n" + in.idle())
	return r, nil
}

// wholeDiff shows all of a comparison that was cut. Without --page the page would
// be compared anew, with what has just been shown.
const wholeDiff = "--page 1 --max-bytes 0"

// compare compares two snapshots and returns what is printed.
func (d *diffData) compare(last, now session.Baseline) string {
	c := snapshot.Compare(last.Text, now.Text, last.Doc != now.Doc)
	d.Added, d.Removed = c.Added, c.Removed
	if c.Text == "" {
		return "(nothing has changed)"
	}
	return c.Text
}

// options reads the flags.
func (in snapshotIn) options() (snapshot.Options, error) {
	o := snapshot.Options{
		Interactive: in.Interactive, Compact: in.Compact, Cursor: in.Cursor, Depth: in.Depth,
		URLs: in.URLs, Boxes: in.Boxes, All: in.All, MaxName: in.MaxName,
	}
	if in.MaxName < 2 || in.MaxName > maxNames {
		return o, api.Errorf(api.BadUsage, "browse snapshot --max-name 80", "snapshot: --max-name is %d, want 2 to %d", in.MaxName, maxNames)
	}
	if in.Depth < -1 {
		return o, api.Errorf(api.BadUsage, "browse snapshot -d 3", "snapshot: --depth is %d, want 0 or more", in.Depth)
	}
	switch {
	case in.FoldRefs:
		o.Fold = snapshot.FoldRefs
	case in.Fold:
		o.Fold = snapshot.FoldPlain
	}
	if in.Grep != "" {
		re, err := regexp.Compile("(?i)" + in.Grep)
		if err != nil {
			return o, api.Errorf(api.BadUsage, `a backslash takes the meaning from a character, as in \( and \.`,
				"snapshot: --grep is %q, which is no regular expression: %s", in.Grep, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		o.Grep = re
	}
	return o, nil
}

// maxNames is the longest that a name can be asked for, in characters.
const maxNames = 10000

// take takes a snapshot of a place.
func take(ctx context.Context, env *Env, p place, o snapshot.Options) (taken, error) {
	o.Root, o.Frame = p.el, p.frame
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	s := taken{frame: p.frame}
	var err error
	if s.nodes, err = snapshot.Take(ctx, env.Tab.Tab, o); err != nil {
		return taken{}, err
	}
	switch {
	case p.el != nil:
		s.doc = p.el.Doc
		if s.frame != nil { // a ref may be of another one
			s.frame = p.el.Frame
		}
	case p.frame != nil:
		s.doc = p.frame.Doc()
	default:
		s.doc = env.Tab.Main().Doc()
	}
	if s.nodes == nil {
		s.nodes = []snapshot.Node{}
	}
	s.text, s.refs = snapshot.Format(s.nodes), snapshot.Refs(s.nodes)
	return s, nil
}

// answer is the text of a snapshot that is not a comparison.
func (s taken) answer(in snapshotIn) string {
	text := s.text
	switch {
	case text != "":
	case in.Grep != "":
		text = "(nothing matches " + quote(in.Grep) + ")"
	case in.Interactive:
		text = "(no interactive elements found)"
	default:
		text = "(no accessible elements found)"
	}
	if s.frame != nil && s.frame.Parent() != nil {
		return contextLine(s.frame) + "\n" + text
	}
	return text
}

// view names the flags that decide what is shown, as they are typed, and the frame
// that it is narrowed to. Snapshots are compared only with those of the same view.
func (in snapshotIn) view(frame *page.Frame) session.View {
	var v session.View
	var words []string
	add := func(set bool, format string, args ...any) {
		if set {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	if frame != nil && frame.Parent() != nil {
		v.Frame = frame.ID
	}
	add(in.Interactive, "-i")
	add(in.Compact, "-c")
	add(in.Cursor && !in.Interactive, "-C")
	add(in.Depth >= 0, "-d %d", in.Depth)
	add(in.Selector != "", "-s %s", strconv.Quote(in.Selector))
	add(in.URLs, "--urls")
	add(in.Boxes, "--boxes")
	add(in.All, "--all")
	add(in.MaxName != snapshot.DefaultMaxName, "--max-name %d", in.MaxName)
	add(in.Grep != "", "--grep %s", strconv.Quote(in.Grep))
	add(in.FoldRefs, "--fold-refs")
	add(in.Fold && !in.FoldRefs, "--fold")
	v.Flags = strings.Join(words, " ")
	return v
}

// firstDiff says that there was nothing to compare with.
func firstDiff(kept bool, views []session.View, view session.View) string {
	s := "(no earlier snapshot of this tab with these flags: this one is stored, and the next --diff compares with it"
	if !kept {
		return "(no earlier snapshot of this tab with these flags, and this one is too large to be stored: narrow it with -i, -s or -d)"
	}
	for _, v := range views {
		if v == view {
			continue
		}
		other := "with " + v.Flags
		if v.Flags == "" {
			other = "without flags"
		}
		if v.Frame != view.Frame {
			other += " of another frame"
		}
		return s + "; there is one " + other + ")"
	}
	return s + ")"
}
