package recommend

import (
	"iter"
	"math/bits"
)

// ItemSet is a set of items as bits: item i is bit i%64 of word i/64. Functions of this package that take an ItemSet to
// keep treat nil as the set of all items.
type ItemSet []uint64

// NewItemSet returns the empty set over n items.
func NewItemSet(n int) ItemSet { return make(ItemSet, (n+63)/64) }

// fill puts all n items into s.
func (s ItemSet) fill(n int) {
	for i := range s {
		s[i] = ^uint64(0)
	}
	if tail := n % 64; tail != 0 {
		s[len(s)-1] = 1<<tail - 1
	}
}

// Add adds item i to s.
func (s ItemSet) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Remove removes item i from s.
func (s ItemSet) Remove(i int) { s[i>>6] &^= 1 << (i & 63) }

// Has reports whether item i is in s. The nil ItemSet has every item.
func (s ItemSet) Has(i int) bool { return s == nil || s[i>>6]&(1<<(i&63)) != 0 }

// And removes the items that are not in o. Both must be over the same items.
func (s ItemSet) And(o ItemSet) {
	for i := range s {
		s[i] &= o[i]
	}
}

// Or adds the items of o to s. Both must be over the same items.
func (s ItemSet) Or(o ItemSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Len returns the number of items in s.
func (s ItemSet) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// All yields the items of s in ascending order.
func (s ItemSet) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(k<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
