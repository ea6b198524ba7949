package verbs

import (
	"context"
	"time"

	"gstack/internal/action"
	"gstack/internal/page"
)

// find resolves a target to the one element that it names: a ref of any frame, or
// a selector, which is looked for in the frame that the client has entered.
func find(ctx context.Context, env *Env, target string) (*page.Element, error) {
	o := action.FindOptions{Timeout: env.Timeout}
	if !page.IsRef(target) {
		var err error
		if o.Frame, err = env.Scope(); err != nil {
			return nil, err
		}
	}
	return action.Find(ctx, env.Tab.Tab, target, o)
}

// place is where a reading verb reads: an element, the document of a frame, or,
// when both are nil, the whole page.
type place struct {
	el    *page.Element
	frame *page.Frame
}

// element is the place for those who take a document as an element.
func (p place) element() *page.Element {
	if p.el == nil && p.frame != nil {
		return p.frame.Document()
	}
	return p.el
}

// where resolves what a reading verb is given: a target, a frame, or neither,
// which means the frame that the client has entered, or else the whole page.
func where(ctx context.Context, env *Env, target, frame string) (place, error) {
	var p place
	var err error
	if frame != "" {
		if p.frame, err = frameNamed(ctx, env, frame); err == nil {
			env.Tab.SettleFrame(ctx, p.frame, min(parsedLimit, time.Until(env.Limit)/2))
		}
	} else {
		p.frame, err = env.Scope()
	}
	if err != nil || target == "" {
		return p, err
	}
	if page.IsRef(target) {
		p.el, err = env.Tab.Ref(target)
		return p, err
	}
	p.el, err = action.Find(ctx, env.Tab.Tab, target, action.FindOptions{Timeout: env.Timeout, Frame: p.frame})
	return p, err
}

// readFrom runs a reading of the page, or of what target and frame name. Half a
// page is not read when the rest is on its way; own is the sentence that says
// when it did not come.
func readFrom[T any](ctx context.Context, env *Env, in targetIn, f func(context.Context, *page.Element) (T, error)) (got T, own string, err error) {
	own = read(ctx, env)
	p, err := where(ctx, env, in.Target, in.Frame)
	if err != nil {
		return got, own, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	got, err = f(ctx, p.element())
	return got, own, err
}
