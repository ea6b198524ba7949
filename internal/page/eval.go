package page

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/page/inject"

	"github.com/go-json-experiment/json/jsontext"
)

// Value is what a script evaluated to.
type Value struct {
	// Text is how it is printed: a string as it is, a primitive by its literal,
	// an object as JSON with two spaces of indent, undefined as "undefined".
	Text string
	// JSON is the value where it has a JSON form, else nil.
	JSON json.RawMessage
	// Simple is true for a number, a boolean, null, undefined and a bigint.
	Simple bool
}

// Eval runs script in the page's own world of frame f (CDP Runtime.evaluate in
// REPL mode: top-level await works, redeclaring is fine). A script with a return
// outside of a function is run as the body of one. A script that throws is an
// [api.PageError]; one that still runs when ctx ends is stopped.
func (f *Frame) Eval(ctx context.Context, script string) (Value, error) {
	t := f.tab
	var s *cdp.Session
	var w world
	if err := t.await(ctx, func() bool { s, w = f.sess, f.page; return f.detached || f.crashed || w.unique != "" }); err != nil {
		return Value{}, t.Broken(ctx, "the page is between two documents", err)
	}
	if f.Detached() {
		return Value{}, f.gone()
	}
	if w.unique == "" {
		return Value{}, f.crashedError()
	}
	var r evalReply
	run := func(script string) error {
		r = evalReply{}
		return s.Call(ctx, "Runtime.evaluate", m{
			"expression": script, "uniqueContextId": w.unique, "replMode": true,
			"awaitPromise": true, "userGesture": true, "allowUnsafeEvalBlockedByCSP": true,
		}, &r)
	}
	err := run(script)
	if err == nil && r.Exception != nil && r.Exception.compiled() && strings.Contains(r.Exception.Exception.Description, "Illegal return") {
		err = run("(async () => {" + script + "\n})()")
	}
	if err != nil {
		return Value{}, f.evalBroken(ctx, s, w, err)
	}
	if r.Exception != nil {
		return Value{}, f.threw(ctx, s, w, r.Exception)
	}
	if r.Result.Subtype == "promise" {
		// REPL mode awaits what the script awaits, not what it returns.
		id := r.Result.ObjectID
		r = evalReply{}
		if err := s.Call(ctx, "Runtime.awaitPromise", m{"promiseObjectId": id}, &r); err != nil {
			return Value{}, f.evalBroken(ctx, s, w, err)
		}
		if r.Exception != nil {
			return Value{}, f.threw(ctx, s, w, r.Exception)
		}
	}
	return f.value(ctx, s, w, r.Result)
}

// threw is the error about an exception of a script. What was thrown need not be
// an error: its content is shown then.
func (f *Frame) threw(ctx context.Context, s *cdp.Session, w world, e *exception) error {
	text := e.describe()
	if x := e.Exception; x != nil && x.ObjectID != "" && x.Subtype != "error" {
		if v, err := f.value(ctx, s, w, *x); err == nil && len(v.JSON) > 0 {
			text = "the script threw " + string(v.JSON)
		}
	}
	return api.Errorf(api.PageError, "", "%s", text)
}

// evalBroken explains a script that gave no result.
func (f *Frame) evalBroken(ctx context.Context, s *cdp.Session, w world, err error) error {
	t := f.tab
	if ctx.Err() != nil && t.Gone() == nil {
		s.Start("Runtime.terminateExecution", nil)
		return api.Errorf(api.Timeout, "--timeout MS gives it longer", "timed out: the script did not finish and was stopped")
	}
	if errors.Is(err, cdp.ErrTooLarge) {
		return tooLarge()
	}
	var pe *cdp.Error
	if errors.As(err, &pe) && t.Gone() == nil {
		wctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
		defer cancel()
		if t.await(wctx, func() bool { return f.page != w || f.detached }) == nil {
			if f.Detached() {
				return api.Errorf(api.StaleRef, "browse frame lists the frames", "the frame was removed while the script ran in it, so it has no result")
			}
			return api.Errorf(api.StaleRef, "browse url shows where the tab is", "the page navigated while the script ran, so it has no result")
		}
		return api.Errorf(api.PageError, "", "%s", pe.Message)
	}
	return t.Broken(ctx, "running the script", err)
}

func tooLarge() *api.Error {
	return api.Errorf(api.TooLarge, "let the script return less, or a part at a time", "the script's result is too large")
}

func (f *Frame) value(ctx context.Context, s *cdp.Session, w world, o remoteObject) (Value, error) {
	switch o.Type {
	case "undefined":
		return Value{Text: "undefined", Simple: true}, nil
	case "string":
		var text string
		if err := json.Unmarshal(o.Value, &text); err != nil {
			return Value{}, api.Errorf(api.Internal, "", "the script's string: %v", err)
		}
		return Value{Text: text, JSON: indentJSON(o.Value).JSON}, nil
	case "number", "boolean", "bigint":
		if o.Unserializable != "" { // NaN, Infinity, -0, 10n
			return Value{Text: o.Unserializable, Simple: true}, nil
		}
		return Value{Text: string(o.Value), JSON: json.RawMessage(o.Value), Simple: true}, nil
	}
	if o.Subtype == "null" {
		return Value{Text: "null", JSON: json.RawMessage("null"), Simple: true}, nil
	}
	if o.ObjectID == "" {
		return Value{Text: o.Description}, nil
	}
	defer s.Start("Runtime.releaseObject", m{"objectId": o.ObjectID})
	if o.Type != "object" || o.Subtype == "error" {
		return Value{Text: o.Description}, nil // functions, symbols; the stack of an error
	}
	var r evalReply
	err := s.Call(ctx, "Runtime.callFunctionOn", m{"objectId": o.ObjectID, "returnByValue": true, "functionDeclaration": inject.PlainValue}, &r)
	if errors.Is(err, cdp.ErrTooLarge) {
		return Value{}, tooLarge()
	}
	var pe *cdp.Error
	switch {
	case err != nil && (ctx.Err() != nil || !errors.As(err, &pe)):
		return Value{}, f.evalBroken(ctx, s, w, err)
	case err != nil || r.Exception != nil || r.Result.Type == "undefined":
		return Value{Text: o.Description}, nil
	case r.Result.Type == "string": // a node, a date, a regular expression, an address
		return f.value(ctx, s, w, r.Result)
	}
	return indentJSON(r.Result.Value), nil
}

// indentJSON prints a value as JSON.stringify would. The protocol escapes all that
// is not ASCII, and lone surrogates, which become U+FFFD.
func indentJSON(v []byte) Value {
	opts := []jsontext.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(false)}
	plain, err := jsontext.AppendFormat(nil, v, opts...)
	if err != nil {
		return Value{Text: string(v)}
	}
	text, err := jsontext.AppendFormat(nil, plain, append(opts, jsontext.Multiline(true), jsontext.WithIndent("  "))...)
	if err != nil {
		return Value{Text: string(plain), JSON: plain}
	}
	return Value{Text: string(text), JSON: plain}
}

func asProtocol(err error, pe **cdp.Error) bool { return errors.As(err, pe) }

// AwaitTrue evaluates script in the page's world of f until it is truthy, with
// growing pauses that end with ctx.
func (f *Frame) AwaitTrue(ctx context.Context, script string) (Value, error) {
	pause := 20 * time.Millisecond
	for {
		v, err := f.Eval(ctx, script)
		if err != nil && ctx.Err() == nil {
			var e *api.Error
			if !errors.As(err, &e) || e.Code != api.StaleRef {
				return v, err
			}
		}
		if err == nil && v.truthy() {
			return v, nil
		}
		if !pauseFor(ctx, pause) {
			return v, f.tab.deadline(ctx, "the function's last value was "+Quote(v.Text))
		}
		pause = min(pause*2, 500*time.Millisecond)
	}
}

func (v Value) truthy() bool {
	switch v.Text {
	case "undefined", "null", "false", "0", "-0", "NaN", "0n":
		return !v.Simple
	}
	return v.Text != ""
}

// pauseFor waits for d or until ctx ends; it reports whether d has passed.
func pauseFor(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
