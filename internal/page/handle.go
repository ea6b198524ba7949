package page

import (
	"context"

	"gstack/internal/cdp"
)

// Handle is an object of an isolated world that is held for commands of the
// protocol which want one. It must be released.
type Handle struct {
	f   *Frame
	s   *cdp.Session
	doc DocID
	id  string
}

// Doc returns the document that the object is of.
func (h *Handle) Doc() DocID { return h.doc }

// Release lets the object go.
func (h *Handle) Release() { h.s.Start("Runtime.releaseObject", m{"objectId": h.id}) }

// Hold runs browse.<fn>(args...) in document doc of f and holds what it returns;
// nil when that is no object.
func (f *Frame) Hold(ctx context.Context, doc DocID, fn string, args ...any) (*Handle, error) {
	w, s, err := f.worldOf(ctx, doc)
	if err != nil {
		return nil, err
	}
	expr, err := expression(fn, args)
	if err != nil {
		return nil, err
	}
	p := &Pending{f: f, doc: DocID(w.unique), what: fn, el: subject(args)}
	p.call = s.Start("Runtime.evaluate", evalParams{Expression: expr, UniqueContextID: w.unique})
	var r evalReply
	if err := p.reply(ctx, &r); err != nil || r.Result.ObjectID == "" {
		return nil, err
	}
	return &Handle{f: f, s: s, doc: p.doc, id: r.Result.ObjectID}, nil
}

// HoldNode holds the node with a backend id of the protocol, as the isolated
// world of f's document sees it. The node need not be in the document.
func (f *Frame) HoldNode(ctx context.Context, backend int64) (*Handle, error) {
	w, s, err := f.world(ctx)
	if err != nil {
		return nil, err
	}
	var r struct {
		Object remoteObject `json:"object"`
	}
	if err := s.Call(ctx, "DOM.resolveNode", m{"backendNodeId": backend, "executionContextId": w.id}, &r); err != nil {
		return nil, f.tab.Broken(ctx, "the page did not answer", err)
	}
	return &Handle{f: f, s: s, doc: DocID(w.unique), id: r.Object.ObjectID}, nil
}

// Call runs browse.<fn>(object, args...) with the object that is held.
func (h *Handle) Call(ctx context.Context, fn string, out any, args ...any) error {
	list := make([]m, len(args))
	for i, a := range args {
		list[i] = m{"value": a}
	}
	p := &Pending{f: h.f, doc: h.doc, what: fn}
	p.call = h.s.Start("Runtime.callFunctionOn", m{"objectId": h.id, "returnByValue": true, "awaitPromise": true,
		"functionDeclaration": "function(...a){return browse." + fn + "(this,...a)}", "arguments": list})
	return p.Wait(ctx, out)
}

// SetFiles makes the file input that is held hold the files of these paths, as a
// person who chose them would; the page gets input and change events.
func (h *Handle) SetFiles(ctx context.Context, paths []string) error {
	return h.f.tab.Broken(ctx, "the page did not take the files", h.s.Call(ctx, "DOM.setFileInputFiles", m{"files": paths, "objectId": h.id}, nil))
}
