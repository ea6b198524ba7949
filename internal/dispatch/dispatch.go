// Package dispatch runs one command through its ordered checks: name, identity,
// scope, arguments, target, handler, envelope. Every surface runs a verb here
// and nowhere else.
package dispatch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/safe"
	"gstack/internal/session"
	"gstack/internal/shield"
	"gstack/internal/verbs"
)

// Identity says who calls. The zero value may do nothing.
type Identity struct {
	// Root is the local user, who holds the token of the state file.
	Root bool
}

// Dispatcher runs commands on the tabs of one daemon.
type Dispatcher struct {
	tabs     *session.Manager
	daemon   verbs.Daemon
	stateDir string
	network  safe.Network
	specs    []command.Spec
}

// New returns a dispatcher. stateDir is never read or written for a caller; network
// decides which addresses callers may name.
func New(tabs *session.Manager, d verbs.Daemon, stateDir string, network safe.Network) *Dispatcher {
	return &Dispatcher{tabs: tabs, daemon: d, stateDir: stateDir, network: network, specs: verbs.Specs()}
}

// call is one command on its way through the checks.
type call struct {
	verb    verbs.Verb
	in      any
	globals command.Globals
	req     *api.Request
	nested  bool
}

// deadliner is an input that knows better than its verb how long it may take.
type deadliner interface{ Deadline() time.Duration }

func (c *call) deadline() time.Duration {
	if c.globals.Timeout > 0 {
		return c.globals.Timeout
	}
	if d, ok := c.in.(deadliner); ok && d.Deadline() > 0 {
		return d.Deadline()
	}
	return c.verb.Deadline()
}

// defaultSession is the session of a client that names none.
const defaultSession = "default"

// Run executes one command. The deadline of the verb bounds it; ctx may end it
// earlier.
func (d *Dispatcher) Run(ctx context.Context, id Identity, req *api.Request) (api.Answer, *api.Error) {
	a, _, err := d.run(ctx, id, req, false)
	if err == nil {
		return a, nil
	}
	return api.Answer{}, disarmed(req.Command, err)
}

// disarmed breaks envelope marks in page text that an error quotes, and makes an
// error of any kind one that may leave.
func disarmed(verb string, err error) *api.Error {
	var e *api.Error
	if !errors.As(err, &e) {
		e = api.Errorf(api.Internal, "browse status", "%s: %v", verb, err)
	}
	c := *e
	c.Message = shield.Break(c.Message)
	c.Tried = slices.Clone(c.Tried)
	for i := range c.Tried {
		c.Tried[i] = shield.Break(c.Tried[i])
	}
	return &c
}

// grace is what a handler gets beyond the deadline to explain what it saw.
const grace = time.Second

// Budget returns how long the command may take, for a client that waits.
func (d *Dispatcher) Budget(req *api.Request) time.Duration {
	c, err := d.prepare(Identity{Root: true}, req, false)
	if err != nil {
		return command.DefaultTimeout
	}
	return c.deadline() + grace
}

// run executes one command. The number is that of the tab in which the client goes
// on, when the command has led to another; else 0.
func (d *Dispatcher) run(ctx context.Context, id Identity, req *api.Request, nested bool) (api.Answer, int, error) {
	started := time.Now()
	c, err := d.prepare(id, req, nested)
	if err != nil {
		return api.Answer{}, 0, err
	}
	limit := c.deadline()
	ctx, cancel := context.WithTimeout(ctx, limit+grace)
	defer cancel()
	env := &verbs.Env{
		Tabs: d.tabs, Session: req.Session, Paths: safe.NewPaths(req.Cwd, d.stateDir).On(d.network),
		Stdin: req.Stdin, Daemon: d.daemon, Limit: started.Add(limit), Timeout: c.globals.Timeout, Page: c.globals.Page, Raw: req.Raw,
	}
	var tab atomic.Int64 // of the steps, 0 for the current one of the session
	tab.Store(int64(req.TabID))
	env.Step = func(ctx context.Context, argv []string) (string, error) { return d.step(ctx, id, req, &tab, argv) }
	if err := d.bind(ctx, c, env); err != nil {
		return api.Answer{}, 0, err
	}
	before := d.endScope(c, env)
	r, aside, err := d.watched(ctx, c, env, limit)
	note := aboutEffects(before, d.endScope(c, env), aside)
	if err != nil {
		return api.Answer{}, 0, noted(err, note)
	}
	var beside string
	a := api.Answer{}
	a.Text, beside, err = d.output(c, env, r, note)
	note = aboutEffects(note, beside)
	if a.Note = note; err == nil && r.Code != "" {
		return api.Answer{}, 0, noted(&api.Error{Code: r.Code, Message: cmp.Or(r.Why, c.verb.Name+": see above"), Output: a.Text}, note)
	}
	switch {
	case nested: // the text is all that the caller gets
		a = api.Answer{Text: joinNotes(a.Text, note)}
	case c.req.JSON:
		a.Note = "" // it is in the text
	}
	return a, r.Follow, err
}

// maxNote bounds what is said beside an answer, in bytes: it travels in a header.
const maxNote = 4 << 10

// aboutEffects joins sentences about what a command has caused, which may quote the
// page.
func aboutEffects(sentences ...string) string {
	var said []string
	for _, s := range sentences {
		if s = strings.TrimSpace(s); s != "" {
			said = append(said, s)
		}
	}
	note := shield.Break(strings.Join(said, " "))
	if part, pages := shield.Page(note, maxNote, 1); pages > 1 {
		return part + "…"
	}
	return note
}

// watched runs the verb, and says in one line what that has caused when the
// verb's own answer does not.
func (d *Dispatcher) watched(ctx context.Context, c *call, env *verbs.Env, limit time.Duration) (r verbs.Result, aside string, err error) {
	if env.Tab == nil {
		r, err = d.handle(ctx, c, env, limit)
		return r, "", err
	}
	if c.verb.Effect == command.Writes {
		defer env.Tab.Acting(c.req.Session)()
	}
	w := env.Tab.Watch()
	defer w.Close()
	if r, err = d.handle(ctx, c, env, limit); r.Told && err == nil {
		return r, "", nil
	}
	return r, verbs.Aside(ctx, env, w), err
}

// handle runs the verb on a tab that may be read before and after.
func (d *Dispatcher) handle(ctx context.Context, c *call, env *verbs.Env, limit time.Duration) (verbs.Result, error) {
	if err := mayRead(c, env); err != nil {
		return verbs.Result{}, err
	}
	r, err := c.verb.Run(ctx, env, c.in)
	if err != nil && env.Tab != nil {
		return r, begun(d.explain(ctx, c, limit, err))
	}
	if err != nil {
		return r, d.explain(ctx, c, limit, err)
	}
	return r, mayRead(c, env) // the page may have gone there meanwhile
}

// begun is the error of a command that has done something already. To the client
// [api.Stopping] means that it may send the request again.
func begun(err error) error {
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.Stopping {
		return err
	}
	c := *e
	c.Code, c.Message, c.Hint = api.BrowserGone, "the browser died in the middle of the command", "run the command again; a fresh browser is started"
	return &c
}

// endScope ends what the frame verb has narrowed the tab to, when the tab has
// navigated, and returns the sentence that says so.
func (d *Dispatcher) endScope(c *call, env *verbs.Env) string {
	if env.Tab == nil {
		return ""
	}
	return d.tabs.EndScope(c.req.Session, env.Tab)
}

// noted adds a sentence to an error.
func noted(err error, note string) error {
	var e *api.Error
	if note == "" || !errors.As(err, &e) {
		return err
	}
	with := *e
	with.Tried = append(slices.Clone(e.Tried), note)
	return &with
}

// prepare takes the request through name, identity and arguments.
func (d *Dispatcher) prepare(id Identity, req *api.Request, nested bool) (*call, error) {
	if req.Command == "" {
		return nil, api.Errorf(api.BadRequest, "browse help lists the commands", "no command")
	}
	v, ok := verbs.Lookup(req.Command)
	if !ok {
		return nil, verbs.Unknown(d.specs, req.Command)
	}
	if !id.Root {
		return nil, api.Errorf(api.Forbidden, "use the token of the state file", "%s is not open to this token", v.Name)
	}
	if nested && !v.Nestable {
		return nil, api.Errorf(api.BadUsage, "run it on its own: browse "+v.Name, "%s cannot be a step of another command", v.Name)
	}
	in, g, err := v.Parse(req.Args)
	if err != nil {
		return nil, err
	}
	c := &call{verb: v, in: in, globals: g, req: req, nested: nested}
	return c, c.merge()
}

// merge joins the global flags that stood before the verb, which came with the
// request, with those behind it, which win.
func (c *call) merge() error {
	g, r := &c.globals, c.req
	r.JSON = r.JSON || g.JSON
	r.Raw = r.Raw || g.Raw
	if g.Timeout == 0 && r.TimeoutMS > 0 {
		g.Timeout = time.Duration(r.TimeoutMS) * time.Millisecond
	}
	if g.TabID != 0 {
		r.TabID = g.TabID
	}
	if r.TabID < 0 {
		return api.Errorf(api.UnknownTab, "browse tabs", "no tab %d", r.TabID)
	}
	if g.Session != "" {
		r.Session = g.Session
	}
	if r.Session == "" {
		r.Session = defaultSession
	}
	if len(r.Session) > 64 || strings.ContainsFunc(r.Session, func(x rune) bool { return x < 0x21 || x > 0x7e }) {
		return api.Errorf(api.BadUsage, "browse --session work …", "the session name %s is not 1 to 64 visible ASCII characters", strconv.Quote(r.Session))
	}
	if g.Page == 0 {
		g.Page = r.Page
	}
	if g.MaxBytes < 0 {
		g.MaxBytes = command.DefaultMaxBytes
		if r.MaxBytes != nil && *r.MaxBytes >= 0 {
			g.MaxBytes = *r.MaxBytes
		}
	}
	return nil
}

// bind hands the command its target.
func (d *Dispatcher) bind(ctx context.Context, c *call, env *verbs.Env) error {
	if c.verb.Needs == command.Nothing || c.verb.Needs == command.Browser && c.req.TabID == 0 {
		return nil
	}
	t, err := d.tabs.Tab(ctx, c.req.Session, c.req.TabID)
	if err != nil && (t == nil || c.verb.Needs == command.Tab) {
		return d.explain(ctx, c, c.deadline(), err)
	}
	env.Tab = t
	return nil
}

// mayRead refuses a command on a tab of which some frame shows a file that the
// caller may not read: a page that may be opened can lead to others that may
// not. The tab's own guard has let nothing in that the caller who opened the
// page may not read; this is about another caller.
func mayRead(c *call, env *verbs.Env) error {
	if env.Tab == nil || c.verb.AnyPage || c.verb.Needs != command.Tab {
		return nil
	}
	for _, f := range env.Tab.Frames() {
		url := f.URL()
		if !strings.HasPrefix(url, "file:") || f.Failed() {
			continue
		}
		if _, err := env.Paths.URL(url); err != nil {
			var e *api.Error
			if errors.As(err, &e) && e.Code == api.FileError {
				continue // it has been moved or removed since
			}
			return api.Errorf(api.PathDenied, "browse goto opens another page", "the tab shows %s, which may not be read", url)
		}
	}
	return nil
}

// explain makes sure that what leaves is an [api.Error].
func (d *Dispatcher) explain(ctx context.Context, c *call, limit time.Duration, err error) error {
	var known *api.Error
	if errors.As(err, &known) {
		return known
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		return api.Errorf(api.Timeout, "--timeout MS gives it longer", "%s timed out after %s", c.verb.Name, limit)
	}
	if errors.Is(err, context.Canceled) {
		return api.Errorf(api.Timeout, "", "%s was cancelled", c.verb.Name)
	}
	return err
}

// step runs a step of a composite command as the same caller on the same tab, or
// on the one that an earlier step has led to.
func (d *Dispatcher) step(ctx context.Context, id Identity, parent *api.Request, tab *atomic.Int64, argv []string) (string, error) {
	req := *parent
	req.TabID = int(tab.Load())
	req.Command, req.Args, req.Stdin, req.RequestID, req.TimeoutMS = argv[0], argv[1:], nil, "", 0
	req.JSON = false
	a, next, err := d.run(ctx, id, &req, true)
	if next != 0 && parent.TabID != 0 {
		tab.Store(int64(next))
	}
	if err != nil {
		return a.Text, begun(disarmed(req.Command, err))
	}
	return a.Text, nil
}

// output gives the answer its form: the machine form, or text in its envelope. What
// is said about a text that a script takes as it is stands beside it.
func (d *Dispatcher) output(c *call, env *verbs.Env, r verbs.Result, own string) (text, beside string, err error) {
	if c.req.JSON && !c.nested {
		text, err = d.machine(c, env, r, own)
		return text, "", err
	}
	text = r.Text
	switch {
	case r.Ours:
		return joinNotes(shield.Break(text), r.Own), "", nil
	case c.req.Raw || c.verb.Output == command.Ack || c.verb.Output == command.Ours:
		if c.verb.Output == command.Ack {
			return joinNotes(shield.Break(text), shown(c, env, r)), r.Own, nil
		}
		if c.verb.Output != command.Page {
			return text, r.Own, nil
		}
		part, note := cutPage(c, r, text)
		return joinNotes(part, r.Own, note), "", nil
	case c.verb.Output == command.Value:
		if bare, ok := shield.Bare(text, r.Simple); ok {
			return bare, r.Own, nil
		}
	}
	part, note := cutPage(c, r, text)
	return joinNotes(shield.Wrap(sourceOf(env, r), part), r.Own, note), "", nil
}

// sourceOf is where an answer comes from.
func sourceOf(env *verbs.Env, r verbs.Result) string {
	if r.Source != "" {
		return r.Source
	}
	return env.Tab.URL()
}

func joinNotes(text string, notes ...string) string {
	for _, n := range notes {
		if n != "" {
			text += "\n" + n
		}
	}
	return text
}

// shown returns what an acknowledgement brings along, in its envelope, "" for
// nothing.
func shown(c *call, env *verbs.Env, r verbs.Result) string {
	if r.Shown == "" {
		return ""
	}
	part, pages := shield.Lines(r.Shown, c.globals.MaxBytes, 1)
	note := ""
	if pages > 1 { // another page would do the action again
		note = fmt.Sprintf("[%d of %d lines; browse snapshot shows the page as it is]", lines(part), lines(r.Shown))
	}
	if !c.req.Raw {
		part = shield.Wrap(env.Tab.URL(), part)
	}
	return joinNotes(part, note)
}

// cutPage keeps the page of a text that was asked for, and says what is left.
func cutPage(c *call, r verbs.Result, text string) (part, note string) {
	n, cut := max(c.globals.Page, 1), shield.Page
	if r.Lines {
		cut = shield.Lines
	}
	part, pages := cut(text, c.globals.MaxBytes, n)
	if pages <= 1 && n == 1 {
		return part, ""
	}
	if n > pages {
		return "", fmt.Sprintf("[no page %d, there are %d]", n, pages)
	}
	note = fmt.Sprintf("[page %d of %d, %d of %d bytes", n, pages, len(part), len(text))
	if r.Lines {
		note = fmt.Sprintf("[page %d of %d, %d of %d lines", n, pages, lines(part), lines(text))
	}
	if n < pages {
		note += fmt.Sprintf("; --page %d shows the next", n+1)
	}
	whole := "--max-bytes 0"
	if r.Whole != "" {
		whole = r.Whole
	}
	return part, note + "; " + whole + " shows all]"
}

// lines counts lines, of which the last one may have no end.
func lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// answer is the generic machine form. Fields are only ever added.
type answer struct {
	OK      bool   `json:"ok"`
	Command string `json:"command"`
	TabID   int    `json:"tabId,omitempty"`
	URL     string `json:"url,omitempty"`
	// Untrusted marks text and data that a web page controls.
	Untrusted bool   `json:"untrusted,omitempty"`
	Text      string `json:"text"`
	Note      string `json:"note,omitempty"`
	Data      any    `json:"data,omitempty"`
}

func (d *Dispatcher) machine(c *call, env *verbs.Env, r verbs.Result, own string) (string, error) {
	v := r.JSON
	if v == nil {
		part, note := r.Text, ""
		if c.verb.Output == command.Page || c.verb.Output == command.Value {
			part, note = cutPage(c, r, r.Text)
		}
		a := answer{OK: true, Command: c.verb.Name, Text: part, Note: strings.TrimSpace(joinNotes(r.Own, note, own)), Data: r.Data,
			Untrusted: c.verb.Output != command.Ours && !r.Ours}
		if env.Tab != nil {
			a.TabID, a.URL = env.Tab.ID, env.Tab.URL()
		}
		v = a
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
