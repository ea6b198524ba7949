package page

import (
	"context"
	"encoding/base64"
	"sync/atomic"
	"time"

	"gstack/internal/api"
	"gstack/internal/capture"
	"gstack/internal/cdp"

	"github.com/chromedp/cdproto/target"
)

// Capture returns what the tab keeps of its console and its requests, nil if it
// keeps nothing.
func (t *Tab) Capture() *capture.Tab { return t.rec }

// discardEvery is after how many messages the browser is told to let go of the
// objects that they printed (CDP Runtime.discardConsoleEntries); it would keep
// them for the life of the page.
const discardEvery = 1000

var consoleEvents = []string{capture.ConsoleEvent, capture.ExceptionEvent, capture.LogEvent}

// record passes the console and network events of a session on. A page can flood
// them, so they may be dropped.
func (t *Tab) record(s *cdp.Session, worker bool) {
	if t.rec == nil {
		return
	}
	var messages atomic.Int64
	for _, event := range consoleEvents {
		s.OnDroppable(event, func(params []byte) {
			t.rec.Console(event, params)
			if messages.Add(1)%discardEvery == 0 {
				s.Start("Runtime.discardConsoleEntries", nil)
			}
		})
	}
	for _, event := range capture.NetworkEvents {
		s.OnDroppable(event, func(params []byte) {
			if r := t.rec.Network(event, s.ID(), worker, params); r != nil {
				t.spawn(func() {
					t.bodies <- struct{}{} // bodies are large, and a page may load hundreds at once
					defer func() { <-t.bodies }()
					t.captureBody(s, r)
				})
			}
		})
	}
}

// attachWorker listens to a worker of the page, and to the workers that it
// starts, before its first line runs.
func (t *Tab) attachWorker(s *cdp.Session) {
	if t.rec != nil {
		t.locked(func() { t.workers[s] = true })
		t.record(s, true)
		cdp.Handle(s, target.AttachedToTarget, func(e *target.EventAttachedToTarget) {
			t.attachWorker(t.conn.Session(string(e.SessionID)))
		})
		cdp.Handle(s, target.DetachedFromTarget, func(e *target.EventDetachedFromTarget) { t.childDetached(string(e.SessionID)) })
		s.Start("Runtime.enable", nil)
		s.Start("Network.enable", networkLimits)
		t.handleHeld(s)
		if t.intercepts(s) {
			t.intercept(s)
		}
		s.Start("Target.setAutoAttach", m{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	}
	s.Start("Runtime.runIfWaitingForDebugger", nil)
}

// sessionLocked returns the session with an id, nil for none.
func (t *Tab) sessionLocked(id string) *cdp.Session {
	for s := range t.sessions {
		if s.ID() == id {
			return s
		}
	}
	for s := range t.workers {
		if s.ID() == id {
			return s
		}
	}
	return nil
}

// noteLoss keeps the count of messages that were dropped on a session that ends.
func (t *Tab) noteLoss(s *cdp.Session) {
	if t.rec == nil {
		return
	}
	for _, event := range consoleEvents {
		t.rec.Lose(s.Dropped(event))
	}
}

// Messages returns the tab's console, the oldest message first, and how many are
// no longer kept: the list is bounded, and what a page logs faster than it can be
// taken is dropped.
func (t *Tab) Messages(ctx context.Context) (list []capture.Message, gone int64) {
	if t.rec == nil {
		return nil, 0
	}
	t.caughtUp(ctx)
	list, gone = t.rec.Messages()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, set := range []map[*cdp.Session]bool{t.sessions, t.workers} {
		for s := range set {
			for _, event := range consoleEvents {
				gone += s.Dropped(event)
			}
		}
	}
	return list, gone
}

// Requests returns what the tab has requested, the oldest first, and how many
// are no longer kept.
func (t *Tab) Requests(ctx context.Context) (list []capture.Request, gone int64) {
	if t.rec == nil {
		return nil, 0
	}
	t.caughtUp(ctx)
	return t.rec.Requests()
}

// caughtLimit bounds how long events that have arrived are waited for.
const caughtLimit = 500 * time.Millisecond

// caughtUp waits until the events that have arrived have been taken in.
func (t *Tab) caughtUp(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, caughtLimit)
	defer cancel()
	t.mu.Lock()
	var all []*cdp.Session
	for _, set := range []map[*cdp.Session]bool{t.sessions, t.workers} {
		for s := range set {
			all = append(all, s)
		}
	}
	t.mu.Unlock()
	for _, s := range all {
		_ = s.Flush(ctx)
	}
}

// bodyLimit bounds how long the browser may take to hand out a body.
const bodyLimit = 10 * time.Second

func (t *Tab) captureBody(s *cdp.Session, r *capture.Request) {
	ctx, cancel := context.WithTimeout(context.Background(), bodyLimit)
	defer cancel()
	b := capture.Body{Request: *r, At: time.Now(), Size: int(max(r.Size, 0))}
	text, encoded, err := responseBody(ctx, s, r.Protocol)
	if err != nil {
		b.Truncated = true
	} else {
		b.Text, b.Base64, b.Size = text, encoded, len(text)
		if encoded {
			b.Size = base64.StdEncoding.DecodedLen(len(text))
		}
	}
	t.rec.AddBody(b)
}

func responseBody(ctx context.Context, s *cdp.Session, id string) (text string, encoded bool, err error) {
	var r struct {
		Body    string `json:"body"`
		Encoded bool   `json:"base64Encoded"`
	}
	err = s.Call(ctx, "Network.getResponseBody", m{"requestId": id}, &r)
	return r.Body, r.Encoded, err
}

// Body returns the content of a response, as far as the browser still has it.
// Encoded says that it is base64.
func (t *Tab) Body(ctx context.Context, r capture.Request) (got string, encoded bool, err error) {
	t.mu.Lock()
	s := t.sessionLocked(r.Session)
	t.mu.Unlock()
	if s == nil {
		return "", false, api.Errorf(api.NotFound, "browse network --capture keeps bodies from then on", "the document or worker of request %d is gone, and its content with it", r.ID)
	}
	got, encoded, err = responseBody(ctx, s, r.Protocol)
	if err != nil {
		if ctx.Err() != nil || t.Gone() != nil {
			return "", false, t.Broken(ctx, "reading the response", err)
		}
		return "", false, api.Errorf(api.NotFound, "browse network --capture keeps bodies from then on", "the browser no longer has the content of request %d", r.ID)
	}
	return got, encoded, nil
}

// SentBody returns what a request sent, "" for nothing and for what the browser no
// longer has.
func (t *Tab) SentBody(ctx context.Context, r capture.Request) string {
	t.mu.Lock()
	s := t.sessionLocked(r.Session)
	t.mu.Unlock()
	if s == nil || !r.HasBody {
		return ""
	}
	var post struct {
		Data string `json:"postData"`
	}
	_ = s.Call(ctx, "Network.getRequestPostData", m{"requestId": r.Protocol}, &post)
	return post.Data
}
