package page

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"gstack/internal/cdp"

	proto "github.com/chromedp/cdproto/cdp"
)

const (
	// closedLimit bounds how long [Frame.BindClosed] waits.
	closedLimit = 3 * time.Second
	// maxNested is how deep closed shadow roots are followed into each other.
	maxNested = 8
)

// The marks that end an answer when browse.hosts has something to ask for.
const (
	walkMark = "0\t0\th"
	textMark = "\x00hosts"
)

// Pierce waits for a started call of browse.snapshot, browse.text or
// browse.links. When the answer says that some elements may have a closed shadow
// root, which page code cannot see by itself, the roots are made known to it and
// the call is made again with args.
func (p *Pending) Pierce(ctx context.Context, args ...any) (string, error) {
	for n := 0; ; n++ {
		var text string
		if err := p.Wait(ctx, &text); err != nil {
			return "", err
		}
		rest, marked := strings.CutSuffix(text, walkMark)
		if !marked {
			rest, marked = strings.CutSuffix(text, textMark)
		}
		if marked && (rest == "" || rest[len(rest)-1] == '\n') {
			text = strings.TrimSuffix(rest, "\n")
			if n < maxNested && p.f.BindClosed(ctx, p.doc, false) > 0 {
				p = p.f.Start(ctx, p.doc, p.what, args...).About(Asked{p.el})
				continue
			}
		}
		return text, nil
	}
}

// pierced is [Pending.Pierce] for a call that is begun here; with doc "" it
// follows the frame to a new document, as [Frame.Call] does.
func (f *Frame) pierced(ctx context.Context, doc DocID, fn string, args ...any) (string, error) {
	for {
		text, err := f.Start(ctx, doc, fn, args...).Pierce(ctx, args...)
		var gone *docGone
		if doc == "" && errors.As(err, &gone) && ctx.Err() == nil && !f.Detached() {
			continue
		}
		return text, err
	}
}

// BindClosed makes the closed shadow roots of document doc known to page code
// (browse.bindClosed) and returns how many are new: those of the elements that
// page code has come across and suspects of having one, or with seek of all such
// elements that it finds now. It is bounded in time, and in the number of
// elements by page/inject/closed.js. A root that cannot be had stays unknown.
func (f *Frame) BindClosed(ctx context.Context, doc DocID, seek bool) int {
	ctx, cancel := context.WithTimeout(ctx, closedLimit)
	defer cancel()
	if f.Parent() != nil && doc == "" && !f.loads(ctx, frameLoadLimit) {
		return 0
	}
	w, s, err := f.worldOf(ctx, doc)
	if err != nil {
		return 0
	}
	objectGroup := "browse-closed-" + strconv.FormatInt(groups.Add(1), 10)
	expression := "browse.hosts()"
	if seek {
		expression = "browse.hosts(true)"
	}
	var found evalReply
	err = s.Call(ctx, "Runtime.evaluate", m{"expression": expression, "uniqueContextId": w.unique, "objectGroup": objectGroup}, &found)
	if err != nil || found.Result.ObjectID == "" {
		return 0
	}
	defer s.Start("Runtime.releaseObjectGroup", m{"objectGroup": objectGroup})
	var list struct {
		Result []struct {
			Value remoteObject `json:"value"`
		} `json:"result"`
	}
	if s.Call(ctx, "Runtime.getProperties", m{"objectId": found.Result.ObjectID, "ownProperties": true}, &list) != nil {
		return 0
	}
	var hosts []closedHost
	for _, p := range list.Result {
		if p.Value.ObjectID != "" && p.Value.Subtype == "node" {
			hosts = append(hosts, closedHost{id: p.Value.ObjectID, said: s.Start("DOM.describeNode", m{"objectId": p.Value.ObjectID})})
		}
	}
	return bindRoots(ctx, s, w, objectGroup, hosts)
}

// groups numbers the groups of remote objects that are held while closed roots
// are looked for: frames of one process are asked at once, and each lets go of its
// own.
var groups atomic.Int64

// closedHost is an element on the way to its closed root.
type closedHost struct {
	id                string // its remote object
	said, node, bound *cdp.Pending
}

func bindRoots(ctx context.Context, s *cdp.Session, w world, objectGroup string, hosts []closedHost) int {
	for i := range hosts {
		var r struct {
			Node struct {
				ShadowRoots []struct {
					BackendNodeID  int64                `json:"backendNodeId"`
					ShadowRootType proto.ShadowRootType `json:"shadowRootType"`
				} `json:"shadowRoots"`
			} `json:"node"`
		}
		if hosts[i].said.Wait(ctx, &r) != nil {
			continue
		}
		for _, root := range r.Node.ShadowRoots {
			if root.ShadowRootType == proto.ShadowRootTypeClosed {
				hosts[i].node = s.Start("DOM.resolveNode", m{"backendNodeId": root.BackendNodeID, "executionContextId": w.id, "objectGroup": objectGroup})
			}
		}
	}
	for i := range hosts {
		var r struct {
			Object remoteObject `json:"object"`
		}
		if n := hosts[i].node; n != nil && n.Wait(ctx, &r) == nil && r.Object.ObjectID != "" {
			hosts[i].bound = s.Start("Runtime.callFunctionOn", m{"objectId": hosts[i].id, "returnByValue": true,
				"functionDeclaration": "function(root){browse.bindClosed(this,root)}", "arguments": []m{{"objectId": r.Object.ObjectID}}})
		}
	}
	n := 0
	for i := range hosts {
		var r evalReply
		if b := hosts[i].bound; b != nil && b.Wait(ctx, &r) == nil && r.Exception == nil {
			n++
		}
	}
	return n
}
