package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"

	"gstack/internal/api"
	"gstack/internal/progress"
)

// What is kept of finished commands, so that a request that is sent again runs
// nothing and gets the first answer.
const (
	keepFor   = 5 * time.Minute
	keepCalls = 4096    // ids
	keepBytes = 4 << 20 // of answers, the newest one apart
)

// After its last waiter has left, a command with a request id has this long for
// a retry to come before it is cancelled. One without an id cannot be retried
// and is cancelled at once.
const abandonAfter = time.Second

// overdue is what a command may take beyond its budget before the server
// answers in its place.
const overdue = 2 * time.Second

// defaultBudget is for a command that names no budget.
const defaultBudget = 15 * time.Second

// Running describes a command that runs now.
type Running struct {
	Command string
	Session string
	TabID   int
	Since   time.Time
}

// call is one command, running or finished. A connection that waits for it is a
// waiter; a retry joins as another.
type call struct {
	id     string
	sum    [sha256.Size]byte // of the request: one id, one request
	budget time.Duration
	about  Running
	done   chan struct{} // closed when text and err are set
	moved  chan struct{} // takes a token when progress has changed
	cancel context.CancelCauseFunc

	progress atomic.Pointer[string] // how far it is, nil for nothing to tell

	// Guarded by calls.mu.
	waiters  int
	abandon  *time.Timer
	finished time.Time // zero while no answer is there
	text     string
	note     string
	err      *api.Error
	dropped  int // size of an answer that is no longer kept
}

// calls is the register of commands.
type calls struct {
	log *slog.Logger

	mu       sync.Mutex // guards all below; never held while a command runs
	byID     map[string]*call
	kept     []*call // finished ones with an id, oldest first
	bytes    int     // of the answers of kept
	running  map[*call]struct{}
	stopping bool
	changed  chan struct{} // closed and replaced when len(running) changes
	idleFrom time.Time     // when running last became empty
}

func newCalls(log *slog.Logger) *calls {
	return &calls{log: log, byID: map[string]*call{}, running: map[*call]struct{}{}, changed: make(chan struct{}), idleFrom: time.Now()}
}

var errStopping = api.Errorf(api.Stopping, "run the command again, a new daemon starts", "the daemon is shutting down")

// errCut is the cause of a context that a shutdown cancelled.
var errCut = errors.New("the daemon was stopped")

// join returns the call for a request: a new one, which it starts, or the one
// that has its id already. The caller must leave it.
func (cs *calls) join(req *api.Request, run Commander) (*call, *api.Error) {
	sum, err := fingerprint(req)
	if err != nil {
		return nil, err
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.expire(time.Now())
	if c := cs.byID[req.RequestID]; c != nil && req.RequestID != "" {
		if c.sum != sum {
			return nil, api.Errorf(api.BadRequest, "send a new id with each new command", "request id %q was used for another command", req.RequestID)
		}
		c.waiters++
		if c.abandon != nil {
			c.abandon.Stop()
			c.abandon = nil
		}
		return c, nil
	}
	if cs.stopping {
		return nil, errStopping
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	c := &call{
		id: req.RequestID, sum: sum, budget: run.Budget(req), done: make(chan struct{}), moved: make(chan struct{}, 1), cancel: cancel, waiters: 1,
		about: Running{Command: req.Command, Session: req.Session, TabID: req.TabID, Since: time.Now()},
	}
	if c.budget <= 0 {
		c.budget = defaultBudget
	}
	if c.id != "" {
		cs.byID[c.id] = c
	}
	cs.running[c] = struct{}{}
	cs.notify()
	// Owned by the register: activity tells when it has ended.
	go cs.run(ctx, c, run, req)
	return c, nil
}

func fingerprint(req *api.Request) ([sha256.Size]byte, *api.Error) {
	if req.RequestID == "" {
		return [sha256.Size]byte{}, nil
	}
	if len(req.RequestID) > 128 {
		return [sha256.Size]byte{}, api.Errorf(api.BadRequest, "use a shorter id", "the request id is over 128 bytes")
	}
	data, err := json.Marshal(req, encoding)
	if err != nil {
		return [sha256.Size]byte{}, api.Errorf(api.BadRequest, "", "the request cannot be encoded: %v", err)
	}
	return sha256.Sum256(data), nil
}

// run runs the command of c to its end. A command that ignores its context is
// answered for when it is overdue, and stays listed as running.
func (cs *calls) run(ctx context.Context, c *call, run Commander, req *api.Request) {
	late := time.AfterFunc(c.budget+overdue, func() {
		cs.log.Warn("command is overdue", "command", c.about.Command, "budget", c.budget)
		cs.finish(c, api.Answer{}, api.Errorf(api.Timeout, "raise --timeout, or run browse status", "%s did not end within %v", c.about.Command, c.budget))
		c.cancel(context.DeadlineExceeded)
	})
	a, err := protect(progress.With(ctx, c.tell), cs.log, run, req)
	late.Stop()
	if err != nil && context.Cause(ctx) == errCut { //nolint:errorlint // identity: our own cause
		err = api.Errorf(api.DaemonGone, "look at the page before you run it again", "the daemon was stopped while %s ran: it may or may not have taken effect", req.Command)
	}
	cs.finish(c, a, err)
	c.cancel(nil)
	cs.mu.Lock()
	delete(cs.running, c)
	if len(cs.running) == 0 {
		cs.idleFrom = time.Now()
	}
	cs.notify()
	cs.mu.Unlock()
}

// tell records how far the command is.
func (c *call) tell(line string) {
	c.progress.Store(&line)
	select {
	case c.moved <- struct{}{}:
	default:
	}
}

// protect turns a panic of the command into an error: one command never ends
// the daemon.
func protect(ctx context.Context, log *slog.Logger, run Commander, req *api.Request) (a api.Answer, err *api.Error) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic in a command", "command", req.Command, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			a, err = api.Answer{}, api.Errorf(api.Internal, "see the daemon log", "%s failed inside the daemon", req.Command)
		}
	}()
	return run.Run(ctx, true, req)
}

// finish records the answer of c, once.
func (cs *calls) finish(c *call, a api.Answer, err *api.Error) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if !c.finished.IsZero() {
		return
	}
	c.text, c.note, c.err, c.finished = a.Text, a.Note, err, time.Now()
	close(c.done)
	if c.id == "" {
		return
	}
	cs.bytes += len(a.Text)
	cs.kept = append(cs.kept, c)
	cs.expire(c.finished)
	for _, old := range cs.kept[:len(cs.kept)-1] {
		if cs.bytes-len(a.Text) <= keepBytes {
			break
		}
		cs.drop(old)
	}
}

// drop forgets the answer of a finished call and keeps that it ran. One that
// somebody waits for stays.
func (cs *calls) drop(c *call) {
	if c.waiters > 0 || c.text == "" {
		return
	}
	cs.bytes -= len(c.text)
	c.dropped, c.text = len(c.text), ""
}

// expire forgets calls that finished too long ago, or too many calls ago.
func (cs *calls) expire(now time.Time) {
	n := 0
	for n < len(cs.kept) && (len(cs.kept)-n > keepCalls || now.Sub(cs.kept[n].finished) > keepFor) {
		c := cs.kept[n]
		cs.bytes -= len(c.text)
		delete(cs.byID, c.id)
		n++
	}
	if n > 0 {
		cs.kept = append(cs.kept[:0:0], cs.kept[n:]...)
	}
}

// result returns the answer of a finished call.
func (cs *calls) result(c *call) (api.Answer, *api.Error) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if c.dropped > 0 {
		return api.Answer{}, api.Errorf(api.Failed, "run it again if that is safe", "%s ran, but its answer of %d bytes is no longer kept", c.about.Command, c.dropped)
	}
	return api.Answer{Text: c.text, Note: c.note}, c.err
}

// leave takes a waiter off. When the last one goes before the answer came, the
// command is cancelled, after a while in which a retry may join.
func (cs *calls) leave(c *call, delivered bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c.waiters--
	switch {
	case c.waiters > 0:
	case !c.finished.IsZero():
		if delivered && c.id != "" && len(c.text) > keptWhole {
			cs.drop(c)
		}
	case c.id == "":
		c.cancel(context.Canceled)
	default:
		c.abandon = time.AfterFunc(abandonAfter, func() { c.cancel(context.Canceled) })
	}
}

func (cs *calls) notify() {
	close(cs.changed)
	cs.changed = make(chan struct{})
}

func (cs *calls) activity() (<-chan struct{}, int, time.Time) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.changed, len(cs.running), cs.idleFrom
}

func (cs *calls) refuse() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.stopping = true
}

func (cs *calls) refuseIfUnchanged(seen <-chan struct{}) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if len(cs.running) == 0 && cs.changed == seen {
		cs.stopping = true
	}
	return cs.stopping
}

func (cs *calls) refusing() bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.stopping
}

func (cs *calls) cancelAll() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for c := range cs.running {
		c.cancel(errCut)
	}
}

func (cs *calls) list() []Running {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	out := make([]Running, 0, len(cs.running))
	for c := range cs.running {
		out = append(out, c.about)
	}
	slices.SortFunc(out, func(a, b Running) int { return a.Since.Compare(b.Since) })
	return out
}
