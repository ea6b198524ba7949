package server

import (
	"net/http"
	"strconv"
	"time"

	"gstack/internal/api"
)

// A command that runs longer than firstBeat gets an interim answer, and another
// one every nextBeat: a client that hears nothing for longer may doubt the
// daemon, whatever the command.
const (
	firstBeat = 250 * time.Millisecond
	nextBeat  = 3 * time.Second
	moveBeat  = 200 * time.Millisecond // the shortest time between two words about progress
)

// keptWhole is the largest answer that is still kept for a replay once it was
// written out in full, in bytes.
const keptWhole = 64 << 10

func (s *Server) command(w http.ResponseWriter, r *http.Request) {
	var req api.Request
	if err := s.body(w, r, &req); err != nil {
		s.fail(w, err)
		return
	}
	if req.Command == "" {
		s.fail(w, api.Errorf(api.BadRequest, `send {"command": "url", "args": []}`, "the request names no command"))
		return
	}
	c, err := s.calls.join(&req, s.o.Commander)
	if err != nil {
		s.fail(w, err)
		return
	}
	delivered := false
	defer func() { s.calls.leave(c, delivered) }()
	beat := time.NewTimer(firstBeat)
	defer beat.Stop()
	var moved <-chan struct{} // nil until the first beat, and for a while after each
	for {
		select {
		case <-c.done:
			delivered = s.answer(w, c)
			return
		case <-moved:
			moved = nil
			beat.Reset(moveBeat)
		case <-beat.C:
			s.beat(w, c)
			moved = c.moved
			beat.Reset(nextBeat)
		case <-r.Context().Done():
			return
		}
	}
}

// beat tells a client that the command goes on.
func (s *Server) beat(w http.ResponseWriter, c *call) {
	h := w.Header()
	h.Set(api.HeaderBudget, strconv.FormatInt(c.budget.Milliseconds(), 10))
	if line := c.progress.Load(); line != nil {
		h.Set(api.HeaderProgress, api.Clean(*line))
	}
	w.WriteHeader(http.StatusProcessing)
	h.Del(api.HeaderBudget)
	h.Del(api.HeaderProgress)
}

// answer writes the result of a finished call and reports whether all of it was
// taken.
func (s *Server) answer(w http.ResponseWriter, c *call) bool {
	a, err := s.calls.result(c)
	if err != nil {
		s.fail(w, err)
		return true
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTimeout))
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(a.Text)))
	if a.Note != "" {
		h.Set(api.HeaderNote, a.Note)
	}
	w.WriteHeader(http.StatusOK)
	// As bytes: a string would go out in pieces of 2 KB, one system call each.
	_, werr := w.Write([]byte(a.Text))
	return werr == nil
}
