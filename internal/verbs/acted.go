package verbs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/page"
)

// act runs an action while no other one uses the tab's pointer and keyboard.
func act(ctx context.Context, env *Env, f func() (action.Result, error)) (action.Result, error) {
	w := env.Tab.Watch()
	defer w.Close()
	r, err := actOnly(ctx, env, f)
	if err == nil {
		r.Effects = aftermath(ctx, env, w, r.Effects)
	}
	return r, err
}

// perform finds the element that target names, acts on it, acknowledges that with
// did and the element, and does what after says.
func perform(ctx context.Context, env *Env, after afterIn, target, did string, do func(el *page.Element) (action.Result, error)) (Result, error) {
	el, err := find(ctx, env, target)
	if err != nil {
		return Result{}, err
	}
	return after.conclude(ctx, env, func() (Result, error) {
		r, err := act(ctx, env, func() (action.Result, error) { return do(el) })
		if err != nil {
			return Result{}, err
		}
		return acted(env, did+" "+el.String(), r), nil
	})
}

// aftermath gives the windows that a command has opened, and the downloads that it
// has begun, a little time, so that its answer can say what became of them.
func aftermath(ctx context.Context, env *Env, w *page.Watch, e page.Effects) page.Effects {
	for done := 0; done < len(e.Popups); {
		settlePopups(ctx, env, e.Popups[done:])
		done = len(e.Popups)
		now := w.Seen(ctx)
		e.Downloads = now.Downloads // a window that opened for one has closed
		for _, more := range now.Popups {
			known := slices.ContainsFunc(e.Popups, func(p page.Popup) bool { return p.TabID == more.TabID })
			if !known && done < maxEffects {
				e.Popups = append(e.Popups, more) // by one that has just opened
			}
		}
	}
	if len(e.Downloads) > 0 {
		awaitSaved(ctx, env, e.Downloads)
	}
	return e
}

const (
	// popupLimit bounds the wait for what all windows of one command show.
	popupLimit = 700 * time.Millisecond
	// parsedPopup bounds the wait for those that show something, which may open more.
	parsedPopup = 2 * time.Second
)

// settlePopups waits for what each window shows.
func settlePopups(ctx context.Context, env *Env, popups []page.Popup) {
	parsed, end := context.WithTimeout(ctx, parsedPopup)
	defer end()
	ctx, cancel := context.WithTimeout(ctx, popupLimit)
	defer cancel()
	for i := range popups {
		p := &popups[i]
		t := env.Tabs.Lookup(p.TabID)
		if t == nil || t.Settled(ctx, popupLimit) {
			p.Closed = true
		} else {
			if p.URL = t.URL(); p.URL != "" && p.URL != "about:blank" {
				t.SettleDocument(parsed, parsedPopup)
			}
		}
	}
}

// actOnly is act without a word about windows and downloads.
func actOnly(ctx context.Context, env *Env, f func() (action.Result, error)) (action.Result, error) {
	release, err := env.Tab.LockInput(ctx)
	if err != nil {
		return action.Result{}, err
	}
	defer release()
	r, err := f()
	if err == nil && r.Effects.Failed != nil {
		e := *r.Effects.Failed
		e.Tried = append([]string{"the action itself was done; the navigation that it began failed"}, e.Tried...)
		return r, &e
	}
	return r, err
}

// acted acknowledges an action with what it caused.
func acted(env *Env, what string, r action.Result) Result {
	var b strings.Builder
	b.WriteString(what)
	e := r.Effects
	switch {
	case e.Closed:
		b.WriteString("\nwindow: the tab closed itself")
	case e.Pending:
		fmt.Fprintf(&b, "\nnavigation: begun, not committed yet; browse wait --load waits for it")
	case e.Navigated:
		b.WriteString(" → now at " + address(e.URL))
	}
	if e.Aborted {
		b.WriteString("\nnavigation: begun, but no page came of it (an empty answer, an abort, or an address of another program)")
	}
	for _, u := range e.Frames {
		b.WriteString("\nframe: now at " + address(u))
	}
	if r.Altered && !r.Secret {
		b.WriteString("\nnote: the page changed the value, it is now " + quote(r.Value))
	} else if r.Altered {
		b.WriteString("\nnote: the page changed the value")
	}
	if len(r.Picked) > 0 {
		var names []string
		for _, p := range r.Picked {
			names = append(names, quote(p))
		}
		b.WriteString("\nselected: " + strings.Join(names, ", "))
	}
	if r.State != "" {
		b.WriteString("\nchecked: " + r.State)
	}
	for _, m := range r.Moved {
		b.WriteString("\n" + api.Clean(m))
	}
	if r.Focus != nil {
		r.Focus.Label = env.Tab.Show(r.Focus)
		b.WriteString("\nfocus: " + r.Focus.String())
	}
	if r.Note != "" {
		b.WriteString("\nnote: " + api.Clean(r.Note))
	}
	for _, line := range sideEffects(env, e) {
		b.WriteString("\n" + line)
	}
	return Result{Text: b.String(), Data: actionData(r), Told: true}
}

// sideEffects reports, a line each, what a command caused beside what it is for.
func sideEffects(env *Env, e page.Effects) []string {
	lines := dialogLines(e.Dialogs)
	if e.Stayed {
		lines = append(lines, "navigation: begun, and prevented by that dialog")
	}
	for i, p := range e.Popups {
		if i == maxEffects {
			lines = append(lines, fmt.Sprintf("window: %d more opened; browse tabs lists them", len(e.Popups)-i))
			break
		}
		lines = append(lines, popupLine(p, env.Tab.ID))
	}
	told := 0
	for _, d := range e.Downloads {
		if d.Told() {
			continue // by this command
		}
		if told++; told > maxEffects {
			lines = append(lines, "download: more begun; browse wait --download waits for one of them at a time")
			break
		}
		lines = append(lines, downloadLine(env, d))
	}
	return lines
}

// maxEffects bounds the windows, and the downloads, that an answer names: a page may
// open hundreds.
const maxEffects = 10

func popupLine(p page.Popup, now int) string {
	s := fmt.Sprintf("window: opened as tab %d", p.TabID)
	if p.Opener != 0 {
		s += fmt.Sprintf(" by tab %d", p.Opener)
	}
	switch {
	case p.Closed:
		return s + ", and closed itself"
	case p.URL != "" && p.URL != "about:blank":
		s += ", " + address(p.URL)
	}
	if p.TabID == now {
		return s + "; it is the current tab now"
	}
	return s + fmt.Sprintf("; browse tab %d follows it", p.TabID)
}

// Aside is one line about what a command caused while w watched its tab, for an
// answer that does not report it; "" for nothing.
func Aside(ctx context.Context, env *Env, w *page.Watch) string {
	e := aftermath(ctx, env, w, w.Seen(ctx))
	return strings.Join(sideEffects(env, e), "; ")
}

// actionData is the machine form of an action's result.
func actionData(r action.Result) map[string]any {
	e := r.Effects
	d := map[string]any{"navigated": e.Navigated, "url": e.URL}
	if r.Element != nil {
		d["target"], d["role"], d["name"] = r.Element.Label, r.Element.Role, r.Element.Name
	}
	if r.Fields > 1 {
		var into []string
		for _, el := range r.Into {
			into = append(into, el.Label)
		}
		d["fields"], d["into"] = r.Fields, into
	}
	if r.Note != "" {
		d["note"] = r.Note
	}
	if r.Altered {
		d["altered"] = true
	}
	if r.Value != "" && !r.Secret {
		d["value"] = r.Value
	}
	if len(r.Picked) > 0 {
		d["picked"] = r.Picked
	}
	if r.State != "" {
		d["checked"] = r.State
	}
	if len(r.Moved) > 0 {
		d["moved"] = r.Moved
	}
	if e.Pending {
		d["pending"] = true
	}
	if e.Aborted {
		d["aborted"] = true
	}
	if len(e.Frames) > 0 {
		d["frames"] = e.Frames
	}
	if r.Focus != nil {
		d["focus"] = r.Focus.Label
	}
	if e.Closed {
		d["closed"] = true
	}
	if len(e.Dialogs) > 0 {
		d["dialogs"] = e.Dialogs
	}
	if len(e.Popups) > 0 {
		d["popups"] = e.Popups
	}
	if len(e.Downloads) > 0 {
		d["downloads"] = downloadsData(e.Downloads)
	}
	return d
}
