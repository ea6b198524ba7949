package engine

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// A large answer leaves garbage behind that the runtime would hold for minutes,
// and its pages for longer: a daemon that sits idle all day must not be as large
// as the largest thing that it was ever asked.
const (
	// spareBytes is what the heap may grow beyond twice its last known live size
	// before its memory is given back.
	spareBytes = 32 << 20
	// restFor is how long after a command the memory is given back: its answer
	// has gone out by then, or goes out slowly and is met by a later round.
	restFor = time.Second
	// maxRounds bounds the rounds after one command; each waits twice as long as
	// the one before.
	maxRounds = 6
)

// memory gives back what large answers took.
type memory struct {
	rest time.Duration

	wake   chan struct{} // a command has ended and the heap is large
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu   sync.Mutex
	live uint64 // bytes of the heap after memory was given back last
}

func newMemory(rest time.Duration) *memory {
	ctx, cancel := context.WithCancel(context.Background())
	m := &memory{rest: rest, wake: make(chan struct{}, 1), cancel: cancel}
	m.wg.Go(func() { m.run(ctx) })
	return m
}

// ended is told that a command has ended. It costs some microseconds.
func (m *memory) ended() {
	if !m.large() {
		return
	}
	select {
	case m.wake <- struct{}{}:
	default: // it is awake
	}
}

// large reports whether the heap holds much more than it did.
func (m *memory) large() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return heapBytes() > 2*m.live+spareBytes
}

func (m *memory) run(ctx context.Context) {
	for {
		select {
		case <-m.wake:
			m.release(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// release gives memory back until the heap is small or stays large.
func (m *memory) release(ctx context.Context) {
	rest := m.rest
	for range maxRounds {
		t := time.NewTimer(rest)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return
		}
		debug.FreeOSMemory()
		if !m.large() {
			break
		}
		rest *= 2
	}
	// What is left is in use.
	m.mu.Lock()
	m.live = heapBytes()
	m.mu.Unlock()
}

// close ends the work and waits for its end.
func (m *memory) close() {
	m.cancel()
	m.wg.Wait()
}

// heapBytes returns the memory that the heap holds, in use or not given back.
func heapBytes() uint64 {
	s := [...]metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(s[:])
	var n uint64
	for _, x := range s {
		n += x.Value.Uint64()
	}
	return n
}
