package rank

import "math/bits"

// Set is a set of items as bits: item i is bit i%64 of word i/64. A nil Set stands for all items wherever a function
// of this package takes one to keep.
type Set []uint64

// NewSet returns the empty set over n items.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// FullSet returns the set of all n items.
func FullSet(n int) Set {
	s := NewSet(n)
	for i := range s {
		s[i] = ^uint64(0)
	}
	if r := n % 64; r != 0 {
		s[len(s)-1] = 1<<r - 1
	}
	return s
}

// Add puts item i into s.
func (s Set) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Remove takes item i out of s.
func (s Set) Remove(i int) { s[i>>6] &^= 1 << (i & 63) }

// Has reports whether item i is in s. The nil Set has every item.
func (s Set) Has(i int) bool { return s == nil || s[i>>6]&(1<<(i&63)) != 0 }

// And keeps in s what is in o too. Both must be over the same items.
func (s Set) And(o Set) {
	for i := range s {
		s[i] &= o[i]
	}
}

// Or adds what is in o to s. Both must be over the same items.
func (s Set) Or(o Set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Len returns the number of items in s.
func (s Set) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}
