package page

import (
	"context"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/page/inject"
)

// bindLimit bounds how long [Tab.BindFrames] waits, and bindEach what each frame
// that is new may add to that: a page can have a thousand.
const (
	bindLimit = 3 * time.Second
	bindEach  = 5 * time.Millisecond
)

// Doc returns the document that a started call went to.
func (p *Pending) Doc() DocID { return p.doc }

// BindFrames tells each document which of its elements shows which frame, so
// that page code can name frames (browse.bindFrame). It is done once for the
// life of a frame in a document; a tab without new frames costs nothing. A frame
// that cannot be bound is shown as an element without content.
func (t *Tab) BindFrames(ctx context.Context) {
	t.readyWorlds(ctx)
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
	ctx, cancel := context.WithTimeout(ctx, bindLimit+time.Duration(len(jobs))*bindEach)
	defer cancel()
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

// readyWorlds makes the worlds of documents in which none was installed at the
// start, of all frames at once: see [Frame.ensureWorld], which does so for one and
// is what a frame that is left out here meets later. Frames without an address
// have such documents, and a page can have a thousand.
func (t *Tab) readyWorlds(ctx context.Context) {
	type job struct {
		f         *Frame
		sess      *cdp.Session
		made, ran *cdp.Pending
	}
	var jobs []*job
	t.mu.Lock()
	for _, f := range t.frames {
		if f.iso.unique == "" && !f.detached && f.going == "" && f.sess != nil {
			jobs = append(jobs, &job{f: f, sess: f.sess})
		}
	}
	t.mu.Unlock()
	if len(jobs) < 2 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, bindLimit+time.Duration(len(jobs))*bindEach)
	defer cancel()
	for _, j := range jobs {
		j.made = j.sess.Start("Page.createIsolatedWorld", m{"frameId": j.f.ID, "worldName": WorldName})
	}
	for _, j := range jobs {
		var r struct {
			ID int64 `json:"executionContextId"`
		}
		if j.made.Wait(ctx, &r) == nil {
			j.ran = j.sess.Start("Runtime.evaluate", m{"expression": inject.Source(), "contextId": r.ID})
		}
	}
	for _, j := range jobs {
		if j.ran != nil && j.ran.Wait(ctx, nil) == nil {
			_ = t.await(ctx, func() bool { return j.f.detached || j.f.iso.unique != "" })
		}
	}
}

// FrameOf returns the frame that an element shows, nil when it shows none. It may
// be a frame that has begun to load and has no document yet.
func (t *Tab) FrameOf(ctx context.Context, el *Element) (*Frame, error) {
	t.BindFrames(ctx)
	var token *string
	if err := el.Frame.Call(ctx, el.Doc, "tokenOf", &token, el.ID); err != nil {
		return nil, err
	}
	if token == nil {
		return nil, api.Errorf(api.StaleRef, "browse snapshot -i", "%s is no longer in the page", el)
	}
	for _, f := range t.Frames() {
		if f.ID == *token {
			return f, nil
		}
	}
	return nil, nil
}

// AwaitFrames returns the frames for which match holds as soon as there is one, at
// the latest after limit or when the tab is gone. match must not change anything.
func (t *Tab) AwaitFrames(ctx context.Context, limit time.Duration, match func(*Frame) bool) []*Frame {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		t.mu.Lock()
		gone, ch := t.goneLocked() != nil, t.changed
		t.mu.Unlock()
		var found []*Frame
		for _, f := range t.Frames() {
			if match(f) {
				found = append(found, f)
			}
		}
		if len(found) > 0 || gone {
			return found
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return nil
		}
	}
}
