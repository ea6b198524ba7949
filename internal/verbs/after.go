package verbs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/page"
	"gstack/internal/session"
	"gstack/internal/snapshot"
)

// afterIn is what every action takes: what it must lead to, and whether to show
// what it has changed.
type afterIn struct {
	Expect   []string `flag:"expect" value:"CONDITION" help:"fail unless this comes to hold by the deadline: url=…, text=…, gone=…, or another condition of expect; may be repeated"`
	Snapshot bool     `flag:"snapshot" help:"answer with what it changed on the page, as snapshot --diff shows it"`
}

// valid refuses conditions that cannot be read, before anything is done.
func (in afterIn) valid() error {
	_, err := parseConditions(in.Expect)
	return err
}

// conclude runs an action and then does what in says. The error of a condition
// that does not hold says that the action itself was done.
func (in afterIn) conclude(ctx context.Context, env *Env, do func() (Result, error)) (Result, error) {
	if len(in.Expect) == 0 && !in.Snapshot {
		return do()
	}
	conds, err := parseConditions(in.Expect)
	if err != nil {
		return Result{}, err
	}
	before := heldBefore(ctx, env, conds)
	var was *pageChanges
	if in.Snapshot {
		if was, err = beginChanges(ctx, env); err != nil {
			return Result{}, err
		}
	}
	r, err := do()
	if err != nil {
		return r, err
	}
	if err := awaitAll(ctx, env, conds); err != nil {
		return Result{}, withNote(err, "the action itself was done: "+strings.ReplaceAll(r.Text, "\n", "; "))
	}
	data, _ := r.Data.(map[string]any)
	for _, c := range before {
		r.Text += "\nnote: " + quote(c) + " held before it, too"
	}
	if data != nil && len(conds) > 0 {
		data["expected"] = in.Expect
	}
	if was != nil {
		d := was.end(ctx, env, &r)
		if data != nil {
			data["changes"] = d
		}
	}
	return r, nil
}

// heldBefore returns the conditions that hold already, so that an answer does not
// pass for the work of an action what was there before. What runs code of the
// user, or needs time, is not asked.
func heldBefore(ctx context.Context, env *Env, conds []condition) []string {
	now := *env
	now.Limit = time.Now()
	var held []string
	for _, c := range conds {
		switch {
		case c.kind == "fn" || c.kind == "load" || c.kind == "networkidle":
		case c.await(ctx, &now) == nil:
			held = append(held, c.said)
		}
	}
	return held
}

// awaitAll waits until conditions hold, one after the other, until the deadline.
func awaitAll(ctx context.Context, env *Env, conds []condition) error {
	for _, c := range conds {
		if err := c.await(ctx, env); err != nil {
			var e *api.Error
			if errors.As(err, &e) && e.Code == api.Timeout && ctx.Err() == nil {
				f := *e
				f.Code, f.Message = api.Failed, "expected "+page.Quote(c.said)+": "+strings.TrimPrefix(e.Message, "timed out: ")
				return &f
			}
			return err
		}
	}
	return nil
}

// restLimit bounds how long a page may go on changing after an action before it is
// looked at.
const restLimit = 2 * time.Second

// pageChanges is a page as it was before an action.
type pageChanges struct {
	tab      *session.Tab
	was      taken
	view     session.View
	requests int // the number of the last one
}

// changesData is the machine form of what an action has changed.
type changesData struct {
	diffData
	Text string `json:"text"`
}

// wholePage is the snapshot that actions compare: all that can be read.
func wholePage() snapshotIn { return snapshotIn{Depth: -1, MaxName: snapshot.DefaultMaxName} }

// takeWhole takes that snapshot of the tab, or of the frame that the client has
// entered.
func takeWhole(ctx context.Context, env *Env) (taken, session.View, error) {
	in := wholePage()
	o, err := in.options()
	if err != nil {
		return taken{}, session.View{}, err
	}
	frame, err := env.Scope()
	if err != nil {
		return taken{}, session.View{}, err
	}
	s, err := take(ctx, env, place{frame: frame}, o)
	return s, in.view(frame), err
}

func beginChanges(ctx context.Context, env *Env) (*pageChanges, error) {
	c := &pageChanges{tab: env.Tab, requests: env.Tab.LastRequest(ctx)}
	var err error
	c.was, c.view, err = takeWhole(ctx, env)
	return c, err
}

// end waits until the page has come to rest, compares, and adds what has changed
// to r. The action has been done, so nothing that goes wrong here fails it.
func (c *pageChanges) end(ctx context.Context, env *Env, r *Result) changesData {
	d := changesData{diffData: diffData{Baseline: env.Tab == c.tab}}
	bounded, cancel := env.Bound(ctx)
	defer cancel()
	after := c.requests
	if env.Tab != c.tab {
		after = 0
	}
	env.Tab.Rest(bounded, after, restLimit)
	now, _, err := takeWhole(ctx, env)
	if err != nil {
		r.Text += "\nchanged: the page could not be read, " + err.Error()
		return d
	}
	if env.Tab != c.tab {
		r.Text += fmt.Sprintf("\nshown: tab %d", env.Tab.ID)
		r.Shown, d.Text = now.text, now.text
		return d
	}
	old, new := session.Baseline{Text: c.was.text, Doc: c.was.doc}, session.Baseline{Text: now.text, Doc: now.doc}
	d.Text = d.compare(old, new)
	// What the client has not been shown yet stays new to it.
	if last, had := env.Tabs.Baseline(env.Session, env.Tab, c.view); had && last.Doc == old.Doc && last.Text == old.Text {
		env.Tabs.KeepBaseline(env.Session, env.Tab, c.view, new)
	}
	if d.Added+d.Removed == 0 {
		r.Text += "\nchanged: nothing that a snapshot shows"
		return d
	}
	r.Text += fmt.Sprintf("\nchanged: %d lines came, %d went", d.Added, d.Removed)
	if old.Doc != new.Doc {
		r.Text += ", and all refs are new"
	}
	r.Shown = d.Text
	return d
}
