package page

import (
	"context"
	"encoding/json"
	"errors"

	"gstack/internal/api"
	"gstack/internal/cdp"

	"github.com/go-json-experiment/json/jsontext"
)

// Protocol sends a command of the protocol to the process of frame f and returns
// its result. A refusal by the browser is [api.Failed].
func (f *Frame) Protocol(ctx context.Context, method string, params any) (json.RawMessage, error) {
	var r jsontext.Value
	err := f.Session().Call(ctx, method, params, &r)
	var pe *cdp.Error
	if errors.As(err, &pe) && f.tab.Gone() == nil && ctx.Err() == nil {
		return nil, api.Errorf(api.Failed, "check the parameters: https://chromedevtools.github.io/devtools-protocol/", "%s: %s", method, api.Clean(pe.Message))
	}
	if err != nil {
		return nil, f.tab.Broken(ctx, method, err)
	}
	return json.RawMessage(r), nil
}

// NodeIDs are the names that the protocol has for an element.
type NodeIDs struct {
	Node    int64 // of the DOM domain, which must be enabled
	Backend int64
	Object  string // must be released, see [Handle.Release]
}

// Node names an element for commands of the protocol. The handle must be
// released when they are done.
func (el *Element) Node(ctx context.Context) (*Handle, NodeIDs, error) {
	h, err := el.Frame.Hold(ctx, el.Doc, "nodeOf", el.Asked())
	if err != nil {
		return nil, NodeIDs{}, err
	}
	if h == nil { // cannot be: nodeOf returns a node or throws
		return nil, NodeIDs{}, el.missed(missing{Why: "gone"})
	}
	ids := NodeIDs{Object: h.id}
	var d struct {
		Node struct {
			Backend int64 `json:"backendNodeId"`
		} `json:"node"`
	}
	var n struct {
		ID int64 `json:"nodeId"`
	}
	if err = h.s.Call(ctx, "DOM.getDocument", m{"depth": 0}, nil); err == nil {
		if err = h.s.Call(ctx, "DOM.describeNode", m{"objectId": h.id}, &d); err == nil {
			err = h.s.Call(ctx, "DOM.requestNode", m{"objectId": h.id}, &n)
		}
	}
	if err != nil {
		h.Release()
		return nil, ids, el.Frame.tab.Broken(ctx, "naming the element for the protocol", err)
	}
	ids.Backend, ids.Node = d.Node.Backend, n.ID
	return h, ids, nil
}

// Metrics are the counters of the tab's top process (CDP Performance.getMetrics).
func (t *Tab) Metrics(ctx context.Context) (map[string]float64, error) {
	var r struct {
		Metrics []struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
		} `json:"metrics"`
	}
	t.sess.Start("Performance.enable", nil) // it stays: whoever asked for it too would lose it
	err := t.sess.Call(ctx, "Performance.getMetrics", nil, &r)
	if err != nil {
		return nil, t.Broken(ctx, "reading the counters", err)
	}
	out := make(map[string]float64, len(r.Metrics))
	for _, x := range r.Metrics {
		out[x.Name] = x.Value
	}
	return out, nil
}
