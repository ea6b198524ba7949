package action

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/page"
)

// errNotNative says that the element is no <select>.
var errNotNative = errors.New("not a native list")

// How long the parts of choosing from a list of other elements may take.
const (
	// openedLimit is how long a list may take to come when its opener is pressed.
	openedLimit = time.Second
	// keyedLimit is the same for a field, many of which open only when one types.
	keyedLimit = 300 * time.Millisecond
	// searchedLimit is how long the options may take that typing asks for.
	searchedLimit = 3 * time.Second
	// foundLimit is how long options may take that come with the list.
	foundLimit = 200 * time.Millisecond
	// heldLimit is how long a choice may take to show.
	heldLimit = 1500 * time.Millisecond
	// scrollRound is how long one call scrolls.
	scrollRound = time.Second
)

// picker is the answer of browse.picker.
type picker struct {
	reply
	Kind   string   `json:"kind"`
	Opener *other   `json:"opener"`
	List   *other   `json:"list"`
	Multi  bool     `json:"multi"`
	Write  bool     `json:"writable"`
	Value  string   `json:"value"`
	Known  bool     `json:"known"`
	Held   string   `json:"held"`   // what the opener holds, if it is a field
	Secret bool     `json:"secret"` // then Held is empty
	Have   []string `json:"have"`
	Total  int      `json:"total"`
}

// choice is the answer of browse.pickerFind and browse.pickerScroll.
type choice struct {
	Option  *other   `json:"option"`
	Label   string   `json:"label"`
	Chosen  bool     `json:"chosen"`
	List    *other   `json:"list"`
	Have    []string `json:"have"`
	Total   int      `json:"total"`
	Search  *other   `json:"search"`
	Scrolls bool     `json:"scrolls"`
	End     bool     `json:"end"`
}

// held is the answer of browse.pickerHeld.
type held struct {
	Kept  bool   `json:"kept"`
	Shows string `json:"shows"`
	Open  bool   `json:"open"`
	Gone  bool   `json:"gone"`
}

// pick chooses from a list that is made of other elements (page/inject/picker.js).
type pick struct {
	*run
	picker
	end    time.Time // of the step that runs
	opener int       // element ids, 0 for none
	list   int
	typed  bool // something was typed into the opener
	menu   bool // its items say nothing of being chosen
	open   bool // as it was last seen
}

// choosePicked opens the list that el stands for, if it is not open, finds the
// options that values name, by typing where it can be searched and by scrolling
// where it shows only a part, clicks them, and reads back that they were taken.
func choosePicked(ctx context.Context, t *page.Tab, el *page.Element, values []string, o Options) (Result, error) {
	p := &pick{run: newRun(t, el, "select", o)}
	w := p.watch()
	defer w.Close()
	p.begin(ctx)
	err := p.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		p.picker = picker{}
		err := p.el.Frame.Call(bounded, p.el.Doc, "picker", &p.picker, p.el.ID, append([]string{}, values...), readyOptions{Shown: p.expect(), Need: "select"})
		if err != nil {
			return miss{}, err
		}
		return p.missed(&p.reply, p.el.Frame, p.el.Doc), nil
	})
	if err != nil {
		return Result{}, err
	}
	res := Result{Element: p.el}
	switch p.Kind {
	case "":
		return Result{}, api.Errorf(api.BadUsage, fmt.Sprintf("browse snapshot -i; if it opens a list: browse click %s, then click the option", p.el.Label),
			"%s is no list: neither a <select>, nor an ARIA listbox, nor something that says it opens one", what(p.el))
	case "datalist":
		if !p.Known {
			return Result{}, p.missing(values[0], p.Have, p.Total, "")
		}
		res, err := Fill(ctx, t, p.element(p.Opener), p.Value, o)
		res.Picked = values
		return res, err
	}
	if p.Opener != nil {
		p.opener = p.Opener.ID
	}
	p.setList(p.List)
	if err := p.all(ctx, values, &res); err != nil {
		return Result{}, p.undo(ctx, err)
	}
	return p.settle(ctx, w, res)
}

// begin gives a step its time: as long as one action may take.
func (p *pick) begin(ctx context.Context) {
	limit := p.o.Timeout
	if limit <= 0 {
		limit = DefaultTimeout
	}
	p.end = time.Now().Add(limit)
	if at := p.last(ctx); at.Before(p.end) {
		p.end = at
	}
}

// last is when the command must be over.
func (p *pick) last(ctx context.Context) time.Time {
	at := p.o.Until
	if end, ok := ctx.Deadline(); ok && (at.IsZero() || end.Before(at)) {
		at = end
	}
	if at.IsZero() {
		return p.end
	}
	return at.Add(-reserve)
}

func (p *pick) setList(o *other) {
	if o != nil {
		p.list, p.menu = o.ID, o.Role == "menu"
	}
}

// element is another element of the document, which gets a ref for the sake of
// errors.
func (p *pick) element(o *other) *page.Element {
	el := &page.Element{Frame: p.el.Frame, Doc: p.el.Doc, ID: o.ID, Role: o.Role, Name: o.Name}
	el.Label = p.t.Show(el)
	return el
}

// call asks the document of the list.
func (p *pick) call(ctx context.Context, name string, into any, args ...any) error {
	return p.el.Frame.Call(ctx, p.el.Doc, name, into, args...)
}

// left is how long something may take that would like d, in milliseconds.
func (p *pick) left(d time.Duration) int64 {
	return max(min(d, time.Until(p.end)), 0).Milliseconds()
}

// step are the options for one action of several.
func (p *pick) step() Options {
	o := p.o
	o.Timeout = max(time.Until(p.end), time.Millisecond)
	return o
}

// search types into a field that narrows the list.
func (p *pick) search(ctx context.Context, field *other, text string) error {
	p.typed = p.typed || field.ID == p.opener
	_, err := fill(ctx, p.t, p.element(field), text, true, p.step())
	return err
}

// undo puts back what the field of the list held, when nothing came of typing
// there.
func (p *pick) undo(ctx context.Context, err error) error {
	var e *api.Error
	if !p.typed || p.Secret || !errors.As(err, &e) {
		return err
	}
	p.begin(ctx)
	if _, failed := fill(ctx, p.t, p.element(p.Opener), p.Held, true, p.step()); failed != nil {
		return err
	}
	undone := *e
	undone.Tried = append(slices.Clone(e.Tried), "typed it into the field, and put back what that held")
	return &undone
}

// all chooses what values name, one after the other.
func (p *pick) all(ctx context.Context, values []string, res *Result) error {
	var picked []choice
	for _, want := range values {
		c, err := p.one(ctx, want, 0, res)
		if err != nil {
			return err
		}
		picked = append(picked, c)
		res.Picked = append(res.Picked, c.Label)
	}
	if len(values) > 1 && !p.Multi {
		var lost []string
		if err := p.call(ctx, "pickerKept", &lost, p.list, p.opener, res.Picked); err != nil {
			return err
		}
		if len(lost) > 0 {
			return api.Errorf(api.NotVerified, fmt.Sprintf("browse select %s %s", p.el.Label, page.Quote(values[0])),
				"%s takes one option: %s was chosen and is not any more", what(p.el), quoteAll(lost))
		}
	}
	if p.Multi && p.open {
		if err := p.exactly(ctx, picked, res); err != nil {
			return err
		}
	}
	if p.open && p.opener != 0 {
		res.Note = strings.TrimPrefix(res.Note+"; its list is still open", "; ")
	}
	return nil
}

// one chooses what want names.
func (p *pick) one(ctx context.Context, want string, mods Modifier, res *Result) (choice, error) {
	var had struct {
		Text []string `json:"text"`
	}
	if p.opener != 0 {
		if err := p.call(ctx, "pickerAround", &had, p.opener, p.list); err != nil {
			return choice{}, err
		}
	}
	c, err := p.find(ctx, want)
	if err != nil {
		return choice{}, err
	}
	if c.Chosen && (p.Multi || p.opener == 0) {
		p.open = true
		return c, nil
	}
	option := p.element(c.Option)
	if _, err := Click(ctx, p.t, option, ClickOptions{Options: p.step(), Modifiers: mods}); err != nil {
		return choice{}, err
	}
	var h held
	err = p.call(ctx, "pickerHeld", &h, p.opener, p.list, c.Option.ID, c.Label, append([]string{}, had.Text...), p.left(heldLimit))
	switch {
	case err != nil && isParted(p.t, err):
		res.Note = "the page navigated when it was chosen"
		p.open = false
		return c, nil
	case err != nil:
		return choice{}, err
	case h.Kept:
	case h.Gone:
		res.Note = "the page replaced the list when it was chosen; browse snapshot -i shows what it holds now"
	case p.menu:
		res.Note = "it is a menu, which does not show what was chosen"
	default:
		e := api.Errorf(api.NotVerified, "browse snapshot -i", "%s was clicked in %s, but nothing says that it was chosen", page.Quote(c.Label), what(p.el))
		if h.Shows != "" {
			e.Message += ", which shows " + page.Quote(h.Shows)
		}
		return choice{}, e
	}
	p.open = h.Open
	return c, nil
}

// ensure opens the list, unless it is open.
func (p *pick) ensure(ctx context.Context, want string) error {
	if p.opener == 0 {
		return nil
	}
	type opened struct {
		List  *other `json:"list"`
		Multi bool   `json:"multi"`
	}
	var now opened
	look := func(d time.Duration) (bool, error) {
		now = opened{}
		if err := p.call(ctx, "pickerOpened", &now, p.opener, p.left(d)); err != nil {
			return false, err
		}
		if now.List != nil {
			p.setList(now.List)
			p.Multi = p.Multi || now.Multi
		}
		return now.List != nil, nil
	}
	if ok, err := look(0); ok || err != nil {
		return err
	}
	opener := p.element(p.Opener)
	if _, err := Click(ctx, p.t, opener, ClickOptions{Options: p.step()}); err != nil {
		return err
	}
	limit := openedLimit
	if p.Write {
		limit = keyedLimit
	}
	if ok, err := look(limit); ok || err != nil {
		return err
	}
	none := api.Errorf(api.NotVerified, "browse snapshot -i shows what came of it; a list that shows there is chosen from by click",
		"%s was clicked, but no list of options came of it", what(opener))
	if time.Now().After(p.end) {
		return none
	}
	if _, err := Press(ctx, p.t, opener, "ArrowDown", p.step()); err != nil {
		var e *api.Error
		if errors.As(err, &e) && e.Code == api.Timeout && ctx.Err() == nil {
			return none
		}
		return err
	}
	if ok, err := look(limit); ok || err != nil {
		return err
	}
	if text := searchText(want); p.Write && text != "" {
		if err := p.search(ctx, p.Opener, text); err != nil {
			return err
		}
		if ok, err := look(searchedLimit); ok || err != nil {
			return err
		}
	}
	return none
}

// find finds what want names: among what shows, by typing, by scrolling, or by
// waiting for it.
func (p *pick) find(ctx context.Context, want string) (choice, error) {
	if err := p.ensure(ctx, want); err != nil {
		return choice{}, err
	}
	var c choice
	look := func(d time.Duration) error {
		c = choice{}
		err := p.call(ctx, "pickerFind", &c, p.list, p.opener, want, p.left(d))
		p.setList(c.List)
		return err
	}
	if err := look(foundLimit); err != nil || c.Option != nil {
		return c, err
	}
	tried, searched := "", false
	if text := searchText(want); c.Search != nil && text != "" {
		if err := p.search(ctx, c.Search, text); err != nil {
			return c, err
		}
		if c.Search.ID != p.opener {
			tried = "typed it into the field of the list"
		}
		searched = true
		if err := look(searchedLimit); err != nil || c.Option != nil {
			return c, err
		}
	}
	for first := true; c.Scrolls && c.Option == nil && time.Now().Before(p.last(ctx)); first = false {
		p.begin(ctx) // a long list takes longer than other steps
		next := choice{}
		if err := p.call(ctx, "pickerScroll", &next, p.list, p.opener, want, first, p.left(scrollRound)); err != nil {
			return c, err
		}
		c = next
		p.setList(c.List)
		if c.End {
			tried = strings.TrimPrefix(tried+"; scrolled the list to its end", "; ")
			break
		}
	}
	if c.Option == nil && tried == "" && !searched {
		if err := look(time.Until(p.end)); err != nil {
			return c, err
		}
	}
	if c.Option == nil {
		return c, p.missing(want, c.Have, c.Total, tried)
	}
	return c, nil
}

// searchText is what to type for an option that is named by what it says.
func searchText(want string) string {
	if strings.HasPrefix(want, "value=") || strings.HasPrefix(want, "index=") {
		return ""
	}
	return strings.TrimPrefix(want, "label=")
}

func (p *pick) missing(want string, have []string, total int, tried string) error {
	s := fmt.Sprintf("%s has no option %s, it has %s", what(p.el), page.Quote(want), quoteAll(have))
	if total > len(have) {
		s += fmt.Sprintf(" and %d more", total-len(have))
	}
	e := api.Errorf(api.NotFound, fmt.Sprintf("browse select %s with one of these", p.el.Label), "%s", s)
	if tried != "" {
		e.Tried = append(e.Tried, tried)
	}
	return e
}

// exactly makes what is chosen in a list that allows several exactly what was
// asked for, as far as the list shows it. In some lists a click chooses one alone,
// and only one with Control adds to the others.
func (p *pick) exactly(ctx context.Context, picked []choice, res *Result) error {
	labels := make([]string, len(picked))
	for i, c := range picked {
		labels[i] = c.Label
	}
	var now struct {
		Missing []*other `json:"missing"`
		Extra   []*other `json:"extra"`
	}
	for _, mods := range []Modifier{controlOrMeta(runtime.GOOS), 0} {
		now.Missing, now.Extra = nil, nil
		if err := p.call(ctx, "pickerChosen", &now, p.list, p.opener, labels); err != nil {
			return err
		}
		toggle := now.Extra
		if mods != 0 && len(now.Missing) > 0 {
			toggle = append(toggle, now.Missing...)
		} else {
			mods = 0
		}
		for _, o := range toggle {
			if _, err := Click(ctx, p.t, p.element(o), ClickOptions{Options: p.step(), Modifiers: mods}); err != nil {
				return err
			}
		}
		if len(toggle) == 0 {
			break
		}
	}
	now.Missing, now.Extra = nil, nil
	if err := p.call(ctx, "pickerChosen", &now, p.list, p.opener, labels); err != nil {
		return err
	}
	if len(now.Missing) > 0 {
		return api.Errorf(api.NotVerified, "browse snapshot -i", "%s does not hold all that was chosen, it has not kept %s", what(p.el), page.Quote(now.Missing[0].Name))
	}
	if len(now.Extra) > 0 {
		res.Note = strings.TrimPrefix(fmt.Sprintf("%s; %s is chosen too, and does not let go", res.Note, page.Quote(now.Extra[0].Name)), "; ")
	}
	return nil
}
