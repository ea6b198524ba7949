package engine

import (
	"testing"
	"time"
)

// TestMemoryIsGivenBack: what a large answer took goes back to the system once
// nobody holds it, also when it was held a while longer.
func TestMemoryIsGivenBack(t *testing.T) {
	m := newMemory(10 * time.Millisecond)
	defer m.close()
	const size = 256 << 20
	small := heapBytes()
	answer := make([]byte, size)
	for i := 0; i < size; i += 4096 {
		answer[i] = 1
	}
	if !m.large() {
		t.Fatalf("%d bytes are not large", heapBytes())
	}
	m.ended()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	end := time.After(10 * time.Second)
	for n := 0; ; n++ {
		if n == 6 && answer[0] == 1 { // the answer is out
			answer = nil
		}
		if answer == nil && heapBytes() < small+spareBytes {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("%d bytes are still held, %d at the start", heapBytes(), small)
		}
	}
}

// TestMemoryInUse: a heap that is large for good is not looked at again and again.
func TestMemoryInUse(t *testing.T) {
	m := newMemory(time.Millisecond)
	held := make([]byte, 128<<20)
	m.ended()
	end := time.After(10 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for m.large() {
		select {
		case <-tick.C:
		case <-end:
			t.Fatal("a heap that is in use stays an alarm")
		}
	}
	held[0] = 1
	m.close()
}

func BenchmarkEnded(b *testing.B) {
	m := newMemory(time.Second)
	defer m.close()
	for b.Loop() {
		m.ended()
	}
}
