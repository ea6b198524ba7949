package cdp

import (
	"bytes"
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/go-json-experiment/json"
)

// Pending is a command that has been sent and whose answer has not been taken.
type Pending struct {
	conn   *Conn
	sess   *Session
	method string
	id     int64
	// answer gets exactly one value, from whoever takes the command out of
	// Conn.pending. It has room for it, so nobody waits to deliver.
	answer chan answer
}

func newPending() *Pending { return &Pending{answer: make(chan answer, 1)} }

// answer is what became of a command.
type answer struct {
	body   []byte        // the result, or the error object
	buf    *bytes.Buffer // the pooled memory of body, if it is pooled
	failed bool          // body is an error object
	cause  error         // no answer will come, and why
}

// Wait returns the outcome of the command: nil and the decoded result, an
// *Error from the browser, ErrClosed, ErrDetached or ErrCrashed when no answer
// can come, or the error of ctx. A nil result means that the caller does not want it. Wait
// is called at most once; when it gives up because ctx ended, a command that has
// not been written yet is not sent any more, and a late answer is thrown away.
func (p *Pending) Wait(ctx context.Context, result any) error {
	// A command that cannot be waited for is not worth a select.
	select {
	case a := <-p.answer:
		return p.finish(a, result)
	default:
	}
	select {
	case a := <-p.answer:
		return p.finish(a, result)
	case <-ctx.Done():
	}
	if p.conn.forget(p.id) {
		return fmt.Errorf("%s: %w", p.method, ctx.Err())
	}
	// The answer was taken out of the table before ctx ended: it is here, or
	// on its way without anything that could stop it.
	return p.finish(<-p.answer, result)
}

func (p *Pending) finish(a answer, result any) error {
	defer putBuffer(a.buf)
	switch {
	case a.cause != nil:
		return fmt.Errorf("%s: %w", p.method, a.cause)
	case a.failed:
		return decodeError(p.method, a.body)
	case result == nil:
		return nil
	}
	if v, ok := result.(*jsonv2.Value); ok {
		*v = bytes.Clone(a.body)
		return nil
	}
	if err := json.Unmarshal(a.body, result, decodeOptions); err != nil {
		return fmt.Errorf("%s: result does not decode: %w", p.method, err)
	}
	return nil
}
