package capture

import "iter"

// Ring keeps the newest entries, bounded in number and in bytes. Adding costs
// O(1); an empty one takes no memory, and it grows as it is filled. Entries are
// numbered from 0 in the order in which they came; a number names the same entry
// as long as that is kept. It is not safe for concurrent use.
type Ring[T any] struct {
	maxLen, maxBytes int
	slots            []slot[T]
	head             int   // of the oldest entry in slots
	n                int   // entries that are kept
	first            int64 // number of the oldest entry
	bytes            int
}

type slot[T any] struct {
	v    T
	cost int
}

// NewRing returns a ring of at most n entries and at most so many bytes.
func NewRing[T any](n, bytes int) Ring[T] { return Ring[T]{maxLen: n, maxBytes: bytes} }

// Add appends v, which takes cost bytes, and lets go of the oldest entries that
// are too many for it.
func (r *Ring[T]) Add(v T, cost int) (number int64) {
	for r.n > 0 && (r.n >= r.maxLen || r.bytes+cost > r.maxBytes) {
		r.DropOldest()
	}
	if r.n == len(r.slots) {
		r.grow()
	}
	r.slots[r.index(r.n)] = slot[T]{v, cost}
	r.n++
	r.bytes += cost
	return r.first + int64(r.n) - 1
}

func (r *Ring[T]) grow() {
	size := min(max(16, 2*len(r.slots)), r.maxLen)
	slots := make([]slot[T], size)
	for i := range r.n {
		slots[i] = r.slots[r.index(i)]
	}
	r.slots, r.head = slots, 0
}

func (r *Ring[T]) index(i int) int {
	if i += r.head; i >= len(r.slots) {
		i -= len(r.slots)
	}
	return i
}

// DropOldest lets go of the oldest entry.
func (r *Ring[T]) DropOldest() {
	if r.n == 0 {
		return
	}
	s := &r.slots[r.head]
	r.bytes -= s.cost
	*s = slot[T]{}
	r.head = r.index(1)
	r.n--
	r.first++
}

// Recost says that an entry now takes cost bytes.
func (r *Ring[T]) Recost(number int64, cost int) {
	if i := number - r.first; i >= 0 && i < int64(r.n) {
		s := &r.slots[r.index(int(i))]
		r.bytes += cost - s.cost
		s.cost = cost
	}
}

// At returns the entry with a number, nil when it is not kept.
func (r *Ring[T]) At(number int64) *T {
	if i := number - r.first; i >= 0 && i < int64(r.n) {
		return &r.slots[r.index(int(i))].v
	}
	return nil
}

// Len returns how many entries are kept.
func (r *Ring[T]) Len() int { return r.n }

// Bytes returns what the entries take.
func (r *Ring[T]) Bytes() int { return r.bytes }

// First returns the number of the oldest entry; it is also how many are gone.
func (r *Ring[T]) First() int64 { return r.first }

// Next returns the number that the next entry gets.
func (r *Ring[T]) Next() int64 { return r.first + int64(r.n) }

// From iterates over the entries that are kept, beginning with number.
func (r *Ring[T]) From(number int64) iter.Seq2[int64, *T] {
	return func(yield func(int64, *T) bool) {
		for i := max(number, r.first); i < r.Next(); i++ {
			if !yield(i, r.At(i)) {
				return
			}
		}
	}
}

// Clear lets go of all entries and their memory. Numbers go on.
func (r *Ring[T]) Clear() {
	r.first += int64(r.n)
	r.slots, r.head, r.n, r.bytes = nil, 0, 0, 0
}
