package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"gstack/internal/api"
	"gstack/internal/cdp"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DocID names one document of one frame. A frame that navigates gets a new one;
// pushState, hash changes and document.open keep it. It is the system-unique id
// of the document's isolated world (CDP Runtime.ExecutionContextDescription).
type DocID string

// Frame is one frame of a tab, in whatever process it lives.
type Frame struct {
	tab *Tab
	// ID is the protocol's frame id, also the token that page code knows it by.
	ID string

	// All below: guarded by tab.mu.
	sess      *cdp.Session
	parent    *Frame
	children  []*Frame
	url, name string
	loader    string
	lifecycle map[string]bool // names of Page.lifecycleEvent seen for loader
	iso, page world
	bound     DocID     // the parent's document that knows this frame's owner element
	begun     time.Time // when the navigation to going began
	crashed   bool      // its process, which is not that of the page, has died
	going     string    // where a navigation that has begun leads, "" for none
	failed    bool      // the document is the browser's error page
	answered  string    // the loader whose response had status
	status    int
	detached  bool
}

// world is one JavaScript world of a frame's document.
type world struct {
	id     int64
	unique string
}

// Tab returns the tab of f.
func (f *Frame) Tab() *Tab { return f.tab }

// Parent returns the frame that f is embedded in, nil for the top frame.
func (f *Frame) Parent() *Frame {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.parent
}

// Session returns the protocol session of the process that f lives in.
func (f *Frame) Session() *cdp.Session {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.sess
}

// URL returns the committed address of f.
func (f *Frame) URL() string {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.url
}

// Name returns the name that the embedding document gave the frame.
func (f *Frame) Name() string {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.name
}

// Doc returns the current document of f, "" while it has none.
func (f *Frame) Doc() DocID {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return DocID(f.iso.unique)
}

// Loading reports whether a document of f is on its way or has not been parsed.
func (f *Frame) Loading() bool {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.loadingLocked()
}

func (f *Frame) loadingLocked() bool {
	return f.going != "" || !f.lifecycle["DOMContentLoaded"] && f.url != "" && f.url != "about:blank"
}

// Detached reports whether f has left the page.
func (f *Frame) Detached() bool {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.detached
}

// Pending is a call into the page that has been sent.
type Pending struct {
	f    *Frame
	doc  DocID
	what string
	call *cdp.Pending
	err  error
	el   *Element // what the call is about, nil for nothing in particular
}

type evalParams struct {
	Expression      string `json:"expression"`
	UniqueContextID string `json:"uniqueContextId"`
	ReturnByValue   bool   `json:"returnByValue"`
	AwaitPromise    bool   `json:"awaitPromise"`
	UserGesture     bool   `json:"userGesture,omitempty"`
}

type evalReply struct {
	Result    remoteObject `json:"result"`
	Exception *exception   `json:"exceptionDetails"`
}

type remoteObject struct {
	Type           string         `json:"type"`
	Subtype        string         `json:"subtype"`
	ClassName      string         `json:"className"`
	Value          jsontext.Value `json:"value"`
	Unserializable string         `json:"unserializableValue"`
	Description    string         `json:"description"`
	ObjectID       string         `json:"objectId"`
}

type exception struct {
	Text      string        `json:"text"`
	Line      int           `json:"lineNumber"`
	Column    int           `json:"columnNumber"`
	Exception *remoteObject `json:"exception"`
}

// describe returns the exception as the page would print it, with the place in
// the script where it has no stack, as what cannot be parsed has none.
func (e *exception) describe() string {
	text := e.Text
	if e.Exception != nil {
		if e.Exception.Description != "" {
			text = e.Exception.Description
		} else if len(e.Exception.Value) > 0 {
			text = strings.TrimPrefix(e.Text+" "+string(e.Exception.Value), "Uncaught ")
		}
	}
	if e.compiled() {
		text += fmt.Sprintf(" (line %d, column %d)", e.Line+1, e.Column+1)
	}
	return text
}

// compiled reports whether the script could not be parsed, so that nothing of it
// has run.
func (e *exception) compiled() bool {
	return e.Exception != nil && e.Exception.ClassName == "SyntaxError" && !strings.Contains(e.Exception.Description, "\n    at ")
}

// Call runs browse.<fn>(args...) in the isolated world of document doc of f and
// decodes its JSON result into out (nil ignores it); a promise is awaited.
// doc "" means the current document, which is awaited when the frame is between
// two. A document that is gone is [api.StaleRef].
func (f *Frame) Call(ctx context.Context, doc DocID, fn string, out any, args ...any) error {
	for {
		err := f.Start(ctx, doc, fn, args...).Wait(ctx, out)
		var gone *docGone
		if doc == "" && errors.As(err, &gone) && ctx.Err() == nil && !f.Detached() {
			continue // the frame navigated under the call; its new document is asked
		}
		return err
	}
}

// docGone says that the document of a call went away before it answered.
type docGone struct{ e *api.Error }

func (d *docGone) Error() string { return d.e.Message }
func (d *docGone) Unwrap() error { return d.e }

// Start sends the call of [Frame.Call] without waiting for its result, so that
// calls into several frames cost one round trip.
func (f *Frame) Start(ctx context.Context, doc DocID, fn string, args ...any) *Pending {
	p := &Pending{f: f, doc: doc, what: fn, el: subject(args)}
	w, s, err := f.worldOf(ctx, doc)
	if err != nil {
		p.err = err
		return p
	}
	p.doc = DocID(w.unique)
	expr, err := expression(fn, args)
	if err != nil {
		p.err = err
		return p
	}
	p.call = s.Start("Runtime.evaluate", evalParams{Expression: expr, UniqueContextID: w.unique, ReturnByValue: true, AwaitPromise: true})
	return p
}

// subject is the element that a call is about.
func subject(args []any) *Element {
	if len(args) > 0 {
		if a, is := args[0].(Asked); is {
			return a.el
		}
	}
	return nil
}

// expression writes the call browse.<fn>(args...).
func expression(fn string, args []any) (string, error) {
	var b strings.Builder
	b.WriteString("browse.")
	b.WriteString(fn)
	b.WriteByte('(')
	for i, a := range args {
		if i > 0 {
			b.WriteByte(',')
		}
		j, err := json.Marshal(a)
		if err != nil {
			return "", api.Errorf(api.Internal, "", "%s: argument %d: %v", fn, i, err)
		}
		b.Write(j)
	}
	b.WriteByte(')')
	return b.String(), nil
}

// Wait waits for the call's result. See [Frame.Call].
func (p *Pending) Wait(ctx context.Context, out any) error {
	var r evalReply
	if err := p.reply(ctx, &r); err != nil {
		return err
	}
	if out == nil || len(r.Result.Value) == 0 {
		return nil
	}
	if s, ok := out.(*string); ok {
		v, err := unquote(r.Result.Value)
		if err != nil {
			return api.Errorf(api.Internal, "", "%s: %v", p.what, err)
		}
		*s = v
		return nil
	}
	if err := jsonv2.Unmarshal(r.Result.Value, out, lenient); err != nil {
		return api.Errorf(api.Internal, "", "%s: %v", p.what, err)
	}
	return nil
}

// lenient takes what JavaScript strings can hold and UTF-8 cannot, half of a
// surrogate pair, for the replacement character.
var lenient = jsontext.AllowInvalidUTF8(true)

// simpleEscapes are the escapes of one character.
var simpleEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unquote returns the value of a JSON string. The text of a page is mostly plain,
// with line breaks in it; jsontext takes ten times as long for that.
func unquote(q []byte) (string, error) {
	slowly := func() (string, error) {
		var v string
		err := jsonv2.Unmarshal(q, &v, lenient)
		return v, err
	}
	if len(q) < 2 || q[0] != '"' || q[len(q)-1] != '"' || !utf8.Valid(q) {
		return slowly()
	}
	var b strings.Builder
	b.Grow(len(q))
	for rest := q[1 : len(q)-1]; ; {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			b.Write(rest)
			return b.String(), nil
		}
		if i+1 == len(rest) || simpleEscapes[rest[i+1]] == 0 {
			return slowly()
		}
		b.Write(rest[:i])
		b.WriteByte(simpleEscapes[rest[i+1]])
		rest = rest[i+2:]
	}
}

// reply waits for the answer, and takes an exception for an error.
func (p *Pending) reply(ctx context.Context, r *evalReply) error {
	if p.err != nil {
		return p.err
	}
	if err := p.call.Wait(ctx, r); err != nil {
		var pe *cdp.Error
		if ctx.Err() == nil && (errors.As(err, &pe) || errors.Is(err, cdp.ErrDetached)) && p.f.left(ctx, p.doc) {
			return p.f.gone()
		}
		if errors.Is(err, cdp.ErrCrashed) && p.f.Session() != p.f.tab.sess {
			return p.f.crashedError()
		}
		return p.f.tab.Broken(ctx, "the page did not answer", err)
	}
	if r.Exception != nil {
		if err := p.unmet(r.Exception); err != nil {
			return err
		}
		return api.Errorf(api.Internal, "browse snapshot, then try again", "%s: %s", p.what, r.Exception.describe())
	}
	return nil
}

// leftLimit bounds how long our picture of a frame may be behind the browser's.
const leftLimit = 500 * time.Millisecond

// left reports whether document doc is no longer the one of f. The protocol has
// one error code for everything, so why a call failed is read off our own
// picture of the frame, once that has caught up.
func (f *Frame) left(ctx context.Context, doc DocID) bool {
	ctx, cancel := context.WithTimeout(ctx, leftLimit)
	defer cancel()
	return f.tab.await(ctx, func() bool { return f.detached || DocID(f.iso.unique) != doc }) == nil
}

func (f *Frame) gone() error {
	if e := f.tab.Gone(); e != nil {
		return e
	}
	if f.Detached() {
		return &docGone{api.Errorf(api.StaleRef, "browse frame lists the frames", "the frame is no longer in the page")}
	}
	return &docGone{api.Errorf(api.StaleRef, "browse snapshot -i", "the document is gone, the page has navigated")}
}

func (f *Frame) crashedError() *api.Error {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.crashedErrorLocked()
}

func (f *Frame) crashedErrorLocked() *api.Error {
	return api.Errorf(api.PageCrashed, "browse reload", "the frame %s has crashed", Quote(f.url))
}

// worldOf returns the isolated world of document doc; one that is gone is not
// waited for. "" means the current document, see world.
func (f *Frame) worldOf(ctx context.Context, doc DocID) (world, *cdp.Session, error) {
	if doc == "" {
		return f.world(ctx)
	}
	f.tab.mu.Lock()
	w, s := f.iso, f.sess
	f.tab.mu.Unlock()
	if DocID(w.unique) != doc {
		return w, s, f.gone()
	}
	return w, s, nil
}

// frameLoadLimit bounds how long after a navigation of a frame has begun readers
// of the whole page wait for its first document.
const frameLoadLimit = time.Second

var errNotLoaded = api.Errorf(api.Timeout, "browse snapshot, once it has", "the frame has not loaded")

// StartPart is [Frame.Start] in the current document of a frame that is read as a
// part of a page. A frame whose server never answers must not hold up the rest, so
// one that has no document when frameLoadLimit is over is an [api.Timeout].
func (f *Frame) StartPart(ctx context.Context, fn string, args ...any) *Pending {
	return f.startWithin(ctx, frameLoadLimit, fn, args...)
}

// startWithin is StartPart with another limit.
func (f *Frame) startWithin(ctx context.Context, limit time.Duration, fn string, args ...any) *Pending {
	if !f.loads(ctx, limit) {
		return &Pending{f: f, what: fn, err: errNotLoaded}
	}
	ctx, cancel := context.WithTimeout(ctx, readFrameLimit)
	defer cancel()
	return f.Start(ctx, "", fn, args...)
}

// loads reports whether f has a document, or can be given one, waiting until its
// navigation is limit old.
func (f *Frame) loads(ctx context.Context, limit time.Duration) bool {
	f.tab.mu.Lock()
	begun := f.begun
	f.tab.mu.Unlock()
	ctx, cancel := context.WithDeadline(ctx, begun.Add(limit))
	defer cancel()
	err := f.tab.await(ctx, func() bool { return f.detached || f.crashed || f.iso.unique != "" || f.going == "" })
	return err == nil || f.tab.Gone() != nil
}

// unread says in a text what became of a frame that could not be read.
func unread(err error) string {
	var e *api.Error
	switch {
	case errors.As(err, &e) && e.Code == api.PageCrashed:
		return "(this frame has crashed)"
	case errors.Is(err, errNotLoaded):
		return "(this frame has not loaded)"
	}
	return frameSilent
}

// world returns the isolated world of the current document, waiting for it
// while the frame is between two documents.
func (f *Frame) world(ctx context.Context) (world, *cdp.Session, error) {
	f.tab.mu.Lock()
	w, s, detached, gone := f.iso, f.sess, f.detached, f.tab.goneLocked()
	if gone == nil && f.crashed {
		gone = f.crashedErrorLocked()
	}
	f.tab.mu.Unlock()
	if gone != nil {
		return w, s, gone
	}
	if w.unique != "" && !detached {
		return w, s, nil
	}
	if detached {
		return w, s, f.gone()
	}
	if err := f.ensureWorld(ctx); err != nil {
		return w, s, err
	}
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.iso, f.sess, nil
}
