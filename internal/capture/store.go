// Package capture keeps what pages write to their console and request from the
// network: bounded lists per tab, and the log files of the workspace, to which
// new entries are appended once a second.
//
// What a page can make large is bounded, in number and in bytes, and what was
// dropped is counted. Secrets are masked before anything is shown or written.
// Console events are kept as they arrive and decoded when somebody looks. The
// package knows no protocol session: page feeds it.
//
// Lock order: Store.files, then Tab.mu, then Store.mu.
package capture

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// maxTotal bounds what all tabs of a daemon keep, in bytes.
const maxTotal = 96 << 20

const (
	// flushEvery is how often new entries are written to the log files.
	flushEvery = time.Second
	// maxLines bounds how many lines of one tab are written at once: a page that
	// logs without end shall not fill the disk. The newest are written, the rest
	// is counted.
	maxLines = 5000
)

// Store is the capture of a daemon.
type Store struct {
	dir     string                   // of the log files, "" for none
	refused func(host string) string // why a host may not be opened, "" when it may

	files   sync.Mutex // held while log files are written
	console *rotated
	network *rotated

	total atomic.Int64 // bytes that all tabs keep
	count atomic.Int64 // of tabs

	mu      sync.Mutex
	tabs    map[*Tab]bool
	running bool // the writer is running
	closed  bool
	dirty   atomic.Bool
	stop    chan struct{}
	wg      sync.WaitGroup
}

// NewStore returns a capture that writes its log files into dir; "" writes none.
// refused tells why a host may not be opened, so that a request that failed for
// it can be told from one whose host does not exist; it may be nil.
func NewStore(dir string, refused func(host string) string) *Store {
	if refused == nil {
		refused = func(string) string { return "" }
	}
	s := &Store{dir: dir, refused: refused, tabs: map[*Tab]bool{}, stop: make(chan struct{})}
	if dir != "" {
		s.console, s.network = newRotated(dir, "browse-console.log"), newRotated(dir, "browse-network.log")
	}
	return s
}

// Tab begins to keep what a new tab says, until [Tab.Close].
func (s *Store) Tab() *Tab {
	t := newTab(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tabs[t] = true
	s.count.Add(1)
	return t
}

func (s *Store) forget(t *Tab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tabs, t)
	s.count.Add(-1)
}

// share is what a tab may keep when all have enough, in bytes.
func (s *Store) share() int { return maxTotal / int(max(s.count.Load(), 1)) }

func (s *Store) account(delta int) int64 { return s.total.Add(int64(delta)) }

// wake sees to it that what was just added is written within a second.
func (s *Store) wake() {
	if s.dir == "" || s.dirty.Swap(true) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.running {
		return
	}
	s.running = true
	s.wg.Go(s.write)
}

// write flushes once a second until nothing new has come for a round.
func (s *Store) write() {
	timer := time.NewTimer(flushEvery)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-s.stop:
			return
		}
		s.mu.Lock()
		if !s.dirty.Load() {
			s.running = false
			s.mu.Unlock()
			return
		}
		s.dirty.Store(false)
		s.mu.Unlock()
		s.flushAll()
		timer.Reset(flushEvery)
	}
}

func (s *Store) flushAll() {
	s.mu.Lock()
	list := make([]*Tab, 0, len(s.tabs))
	for t := range s.tabs {
		list = append(list, t)
	}
	s.mu.Unlock()
	for _, t := range list {
		s.flush(t)
	}
}

// flush appends to the log files what t has got since the last time.
func (s *Store) flush(t *Tab) {
	if s.dir == "" {
		return
	}
	s.files.Lock()
	defer s.files.Unlock()
	console, network := t.unwritten()
	s.console.append(console)
	s.network.append(network)
}

// unwritten returns the lines that the log files do not have yet.
func (t *Tab) unwritten() (console, network string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	next := t.console.Next()
	from := max(t.console.First(), t.written, next-maxLines)
	if left := from - t.written; left > 0 {
		fmt.Fprintf(&b, "[%s] [browse] %d messages were not written, there were too many\n", Stamp(time.Now()), left)
	}
	for n, e := range t.console.From(from) {
		b.WriteString(e.message().String())
		b.WriteByte('\n')
		t.console.Recost(n, e.cost())
	}
	t.written = next
	lines := strings.Join(t.ended, "\n")
	if lines != "" {
		lines += "\n"
	}
	if t.skipped > 0 {
		lines += fmt.Sprintf("[browse] %d requests were not written, there were too many\n", t.skipped)
	}
	t.ended, t.skipped = nil, 0
	t.accountLocked()
	return b.String(), lines
}

// Close writes what is left and ends the writer.
func (s *Store) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	close(s.stop)
	s.mu.Unlock()
	s.wg.Wait()
	s.flushAll()
	if s.dir != "" {
		s.files.Lock()
		defer s.files.Unlock()
		s.console.close()
		s.network.close()
	}
}

// Sizes sums up [Tab.Sizes] over all tabs.
func (s *Store) Sizes() (messages, requests, bodies int) {
	s.mu.Lock()
	list := make([]*Tab, 0, len(s.tabs))
	for t := range s.tabs {
		list = append(list, t)
	}
	s.mu.Unlock()
	for _, t := range list {
		m, r, b := t.Sizes()
		messages, requests, bodies = messages+m, requests+r, bodies+b
	}
	return messages, requests, bodies
}
