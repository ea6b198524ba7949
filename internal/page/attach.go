package page

import (
	"context"
	"errors"

	"gstack/internal/cdp"
	"gstack/internal/page/inject"

	jsonv2 "github.com/go-json-experiment/json"

	proto "github.com/chromedp/cdproto/cdp"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// WorldName names the isolated world. Pages cannot see it.
const WorldName = "gstack"

// ToldBinding is the function of the isolated world by which page code tells the
// daemon something without being asked (CDP Runtime.bindingCalled).
const ToldBinding = "browseTold"

// The viewport of a new tab, in CSS pixels.
const (
	viewportWidth  = 1280
	viewportHeight = 720
)

// networkBuffer bounds what a renderer keeps of response bodies, in bytes.
const networkBuffer = 50 << 20

type m = map[string]any

var networkLimits = m{"maxTotalBufferSize": networkBuffer, "maxResourceBufferSize": networkBuffer / 10}

// attach prepares a session of the tab: the root one, or that of a
// cross-process frame. All commands go out at once; the target runs when the
// last of them has been read, so no script of the page runs before ours.
func (t *Tab) attach(ctx context.Context, s *cdp.Session) error {
	t.mu.Lock()
	t.sessions[s] = true
	t.mu.Unlock()
	t.handle(s)
	calls := []*cdp.Pending{
		s.Start("Page.enable", nil),
		s.Start("Page.setLifecycleEventsEnabled", m{"enabled": true}),
		s.Start("Runtime.enable", nil),
		s.Start("Network.enable", networkLimits),
		// How the guard of an action says that the click has arrived (act.js).
		s.Start("Runtime.addBinding", m{"name": ToldBinding, "executionContextName": WorldName}),
		s.Start("Page.addScriptToEvaluateOnNewDocument", m{"source": inject.Source(), "worldName": WorldName, "runImmediately": true}),
		s.Start("Target.setAutoAttach", m{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}),
	}
	if t.rec != nil {
		calls = append(calls, s.Start("Log.enable", nil))
	}
	tree := s.Start("Page.getFrameTree", nil)
	calls = append(calls, s.Start("Emulation.setFocusEmulationEnabled", m{"enabled": true}))
	calls = append(calls, t.begin(s)...)
	if t.intercepts(s) {
		calls = append(calls, t.intercept(s))
	}
	calls = append(calls, s.Start("Runtime.runIfWaitingForDebugger", nil))
	var ft struct {
		FrameTree *cdpage.FrameTree `json:"frameTree"`
	}
	if err := tree.Wait(ctx, &ft); err != nil {
		return err
	}
	t.mu.Lock()
	t.addTreeLocked(s, ft.FrameTree, "")
	t.notifyLocked()
	t.mu.Unlock()
	var first error
	for _, c := range calls {
		if err := c.Wait(ctx, nil); err != nil && first == nil {
			var pe *cdp.Error
			if errors.As(err, &pe) && s != t.sess || inForce(err) {
				continue // a frame's target knows fewer domains than a page
			}
			first = err
		}
	}
	return first
}

// addTreeLocked merges a frame tree as one session reports it.
func (t *Tab) addTreeLocked(s *cdp.Session, ft *cdpage.FrameTree, parent string) {
	if ft == nil || ft.Frame == nil {
		return
	}
	f := t.frameLocked(s, string(ft.Frame.ID))
	if p := string(ft.Frame.ParentID); p != "" {
		parent = p
	}
	t.adoptLocked(f, parent)
	if f.loader == "" {
		t.commitLocked(f, s, ft.Frame)
		// What has been there before us has been parsed as far as we can know;
		// lifecycle events of the past are replayed for what comes after.
		f.lifecycle["DOMContentLoaded"] = f.lifecycle["DOMContentLoaded"] || f.url == "about:blank" || f.url == ""
	}
	for _, c := range ft.ChildFrames {
		t.addTreeLocked(s, c, f.ID)
	}
}

// frameLocked returns the frame with an id, creating it: contexts and tree
// arrive in any order.
func (t *Tab) frameLocked(s *cdp.Session, id string) *Frame {
	f := t.frames[id]
	if f == nil {
		f = &Frame{tab: t, ID: id, sess: s, lifecycle: map[string]bool{}}
		t.frames[id] = f
		if s == t.sess && t.main == nil && id == string(t.TargetID) {
			t.main = f
		}
	}
	return f
}

func (t *Tab) adoptLocked(f *Frame, parent string) {
	if parent == "" {
		if f.sess == t.sess && f.parent == nil && (t.main == nil || t.main == f) {
			t.main = f
		}
		return
	}
	p := t.frames[parent]
	if p == nil || f.parent == p {
		return
	}
	if f.parent == nil {
		f.parent = p
		p.children = append(p.children, f)
	}
}

// commitLocked records that a document has been committed in f.
func (t *Tab) commitLocked(f *Frame, s *cdp.Session, pf *proto.Frame) {
	f.sess, f.crashed = s, false
	f.url = Shown(pf.URL + pf.URLFragment)
	f.failed = pf.UnreachableURL != ""
	if f.failed {
		f.url = Shown(pf.UnreachableURL)
	}
	t.visitLocked(f)
	if pf.Name != "" || f.parent == nil {
		f.name = pf.Name
	}
	if l := string(pf.LoaderID); l != f.loader {
		f.loader = l
		f.lifecycle = map[string]bool{}
	}
}

// handle registers the handlers of one session.
func (t *Tab) handle(s *cdp.Session) {
	cdp.Handle(s, cdpage.FrameAttached, func(e *cdpage.EventFrameAttached) {
		t.locked(func() { t.adoptLocked(t.frameLocked(s, string(e.FrameID)), string(e.ParentFrameID)) })
	})
	cdp.Handle(s, cdpage.FrameNavigated, func(e *cdpage.EventFrameNavigated) { t.frameNavigated(s, e.Frame) })
	cdp.Handle(s, cdpage.NavigatedWithinDocument, func(e *cdpage.EventNavigatedWithinDocument) {
		t.locked(func() {
			f := t.frameLocked(s, string(e.FrameID))
			f.url = Shown(e.URL)
			t.eachWatchLocked(func(w *Watch) {
				w.moved = true
				w.navigated = w.navigated || f == t.main && !w.begun[f]
			})
		})
	})
	cdp.Handle(s, cdpage.FrameDetached, func(e *cdpage.EventFrameDetached) {
		if e.Reason != cdpage.FrameDetachedReasonSwap {
			t.locked(func() { t.removeLocked(t.frames[string(e.FrameID)]) })
		}
	})
	cdp.Handle(s, cdpage.LifecycleEvent, func(e *cdpage.EventLifecycleEvent) {
		t.locked(func() {
			f := t.frameLocked(s, string(e.FrameID))
			if f.sess == s && (f.loader == "" || f.loader == string(e.LoaderID)) {
				f.lifecycle[e.Name] = true
			}
		})
	})
	t.handleContexts(s)
	t.handleNavigation(s)
	t.handleResponses(s)
	t.handleHeld(s)
	t.handleDialogs(s)
	t.record(s, false)
	cdp.Handle(s, target.AttachedToTarget, func(e *target.EventAttachedToTarget) { t.childAttached(s, e) })
	cdp.Handle(s, target.DetachedFromTarget, func(e *target.EventDetachedFromTarget) { t.childDetached(string(e.SessionID)) })
	s.On("Inspector.targetCrashed", func([]byte) {
		if s == t.sess {
			t.crash()
		} else {
			t.frameCrash(s)
		}
	})
}

func (t *Tab) locked(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
	t.notifyLocked()
}

func (t *Tab) frameNavigated(s *cdp.Session, pf *proto.Frame) {
	if s == t.sess && string(pf.ID) == string(t.TargetID) && pf.UnreachableURL == "" {
		t.guardFor(pf.URL)
	}
	t.locked(func() {
		f := t.frameLocked(s, string(pf.ID))
		t.adoptLocked(f, string(pf.ParentID))
		for _, c := range append([]*Frame(nil), f.children...) {
			t.removeLocked(c) // children belong to the document that has gone
		}
		t.commitLocked(f, s, pf)
		t.endLocked(f, true)
	})
}

// removeLocked forgets a frame and its subtree.
func (t *Tab) removeLocked(f *Frame) {
	if f == nil || f.detached {
		return
	}
	for _, c := range append([]*Frame(nil), f.children...) {
		t.removeLocked(c)
	}
	f.detached = true
	t.endLocked(f, false)
	t.setWorldLocked(f, world{})
	delete(t.frames, f.ID)
	if p := f.parent; p != nil {
		for i, c := range p.children {
			if c == f {
				p.children = append(p.children[:i], p.children[i+1:]...)
				break
			}
		}
	}
}

// setWorldLocked records the isolated world of f's document. The refs of the
// document before it die with it.
func (t *Tab) setWorldLocked(f *Frame, w world) {
	if f.iso.unique != "" && f.iso.unique != w.unique {
		t.refs.drop(DocID(f.iso.unique))
	}
	f.iso = w
}

func (t *Tab) handleContexts(s *cdp.Session) {
	cdp.Handle(s, runtime.ExecutionContextCreated, func(e *runtime.EventExecutionContextCreated) {
		var aux struct {
			FrameID   string `json:"frameId"`
			IsDefault bool   `json:"isDefault"`
		}
		if e.Context == nil || jsonv2.Unmarshal(e.Context.AuxData, &aux) != nil || aux.FrameID == "" {
			return
		}
		w := world{id: int64(e.Context.ID), unique: e.Context.UniqueID}
		t.locked(func() {
			f := t.frameLocked(s, aux.FrameID)
			f.sess, f.crashed = s, false
			switch {
			case aux.IsDefault:
				f.page = w
			case e.Context.Name == WorldName:
				t.setWorldLocked(f, w)
			}
		})
	})
	cdp.Handle(s, runtime.ExecutionContextDestroyed, func(e *runtime.EventExecutionContextDestroyed) {
		t.locked(func() {
			for _, f := range t.frames {
				if f.iso.unique == e.ExecutionContextUniqueID {
					t.setWorldLocked(f, world{})
				}
				if f.page.unique == e.ExecutionContextUniqueID {
					f.page = world{}
				}
			}
		})
	})
	cdp.Handle(s, runtime.ExecutionContextsCleared, func(*runtime.EventExecutionContextsCleared) {
		t.locked(func() {
			for _, f := range t.frames {
				if f.sess == s {
					t.setWorldLocked(f, world{})
					f.page = world{}
				}
			}
		})
	})
}

// childAttached takes in a target below the tab: a cross-process frame, or a
// worker.
func (t *Tab) childAttached(parent *cdp.Session, e *target.EventAttachedToTarget) {
	s := t.conn.Session(string(e.SessionID))
	if e.TargetInfo.Type != "iframe" {
		t.attachWorker(s)
		return
	}
	t.locked(func() {
		f := t.frameLocked(s, string(e.TargetInfo.TargetID))
		f.sess, f.crashed = s, false
		t.setWorldLocked(f, world{})
		f.page = world{}
		f.lifecycle = map[string]bool{}
		t.adoptLocked(f, string(e.TargetInfo.ParentFrameID))
	})
	t.spawn(func() { // ends with the session at the latest
		_ = t.attach(context.Background(), s)
	})
}

// childDetached forgets the session of a cross-process frame. The frame itself
// is removed by its parent's frameDetached, or taken over by the parent's
// process when it navigates back there.
func (t *Tab) childDetached(sessionID string) {
	t.locked(func() {
		s := t.sessionLocked(sessionID)
		if s == nil {
			return
		}
		t.noteLoss(s)
		s.Close()
		delete(t.workers, s)
		delete(t.sessions, s)
		for _, f := range t.frames {
			if f.sess == s {
				t.setWorldLocked(f, world{})
				f.page = world{}
			}
		}
	})
}

// ensureWorld makes the isolated world of a document in which it was not
// installed at the start, such as an initial empty document or a frame whose
// sandbox forbids scripts, or waits for the document that is on its way.
func (f *Frame) ensureWorld(ctx context.Context) error {
	t := f.tab
	var s *cdp.Session
	if err := t.await(ctx, func() bool { s = f.sess; return f.detached || f.crashed || f.iso.unique != "" || f.going == "" }); err != nil {
		return t.Broken(ctx, "the page is between two documents", err)
	}
	if f.Doc() != "" {
		return nil
	}
	var made struct {
		ID int64 `json:"executionContextId"`
	}
	err := s.Call(ctx, "Page.createIsolatedWorld", m{"frameId": f.ID, "worldName": WorldName}, &made)
	if err == nil {
		err = s.Call(ctx, "Runtime.evaluate", m{"expression": inject.Source(), "contextId": made.ID}, nil)
	}
	var pe *cdp.Error
	if err != nil && !errors.As(err, &pe) {
		return t.Broken(ctx, "the page did not answer", err)
	}
	// A refusal means that the document changed meanwhile: its context arrives.
	if err := t.await(ctx, func() bool { return f.detached || f.crashed || f.iso.unique != "" }); err != nil {
		return t.Broken(ctx, "the document of the frame did not appear", err)
	}
	if f.Detached() {
		return f.gone()
	}
	if f.Doc() == "" {
		return f.crashedError()
	}
	return nil
}
