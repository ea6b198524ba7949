package page

import (
	"context"
	"time"

	"gstack/internal/cdp"
)

// bindLimit bounds how long [Tab.BindFrames] waits.
const bindLimit = 3 * time.Second

// Doc returns the document that a started call went to.
func (p *Pending) Doc() DocID { return p.doc }

// BindFrames tells each document which of its elements shows which frame, so
// that page code can name frames (browse.bindFrame). It is done once for the
// life of a frame in a document; a tab without new frames costs nothing. A frame
// that cannot be bound is shown as an element without content.
func (t *Tab) BindFrames(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, bindLimit)
	defer cancel()
	type job struct {
		f, parent *Frame
		sess      *cdp.Session
		w         world
		owner     *cdp.Pending
		node      *cdp.Pending
		bind      *cdp.Pending
	}
	var jobs []*job
	for _, f := range t.Frames() {
		t.mu.Lock()
		p := f.parent
		need := p != nil && p.iso.unique != "" && f.bound != DocID(p.iso.unique)
		j := &job{f: f, parent: p}
		if need {
			j.sess, j.w = p.sess, p.iso
		}
		t.mu.Unlock()
		if need {
			j.owner = j.sess.Start("DOM.getFrameOwner", m{"frameId": f.ID})
			jobs = append(jobs, j)
		}
	}
	for _, j := range jobs {
		var r struct {
			Backend int64 `json:"backendNodeId"`
		}
		if j.owner.Wait(ctx, &r) == nil {
			j.node = j.sess.Start("DOM.resolveNode", m{"backendNodeId": r.Backend, "executionContextId": j.w.id})
		}
	}
	for _, j := range jobs {
		var r struct {
			Object remoteObject `json:"object"`
		}
		if j.node != nil && j.node.Wait(ctx, &r) == nil && r.Object.ObjectID != "" {
			j.bind = j.sess.Start("Runtime.callFunctionOn", m{"objectId": r.Object.ObjectID, "returnByValue": true,
				"functionDeclaration": "function(token){browse.bindFrame(this,token)}", "arguments": []m{{"value": j.f.ID}}})
		}
	}
	for _, j := range jobs {
		var r evalReply
		if j.bind != nil && j.bind.Wait(ctx, &r) == nil && r.Exception == nil {
			t.mu.Lock()
			j.f.bound = DocID(j.w.unique)
			t.mu.Unlock()
		}
	}
}
