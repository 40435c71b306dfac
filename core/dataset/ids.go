package dataset

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/internal/people"
)

// IDs maps indices 0…Len−1 to external ids and back. All ids share one string, so a million ids are three objects for
// the garbage collector. It is immutable and safe for concurrent use. The zero value holds no ids.
type IDs struct {
	text  string
	ends  []uint32 // id i is text[ends[i-1]:ends[i]]
	table []int32  // open addressing, index+1, 0: free; a power of two long
	seed  maphash.Seed
}

// NewIDs numbers ids in the given order. It returns an error for an invalid or repeated id.
func NewIDs(ids []string) (*IDs, error) {
	in := newInterner()
	for i, id := range ids {
		n, err := in.add([]byte(id))
		if err != nil {
			return nil, fmt.Errorf("dataset: id %d: %s", i, err.what)
		}
		if int(n) != i {
			return nil, fmt.Errorf("dataset: id %q is at positions %d and %d; ids must be unique", brief.Text(id), n, i)
		}
	}
	return in.ids(nil), nil
}

// Len returns the number of ids.
func (d *IDs) Len() int { return len(d.ends) }

// ID returns the id of index i. It panics if i is out of range. O(1), without allocation.
func (d *IDs) ID(i int) string {
	start := uint32(0)
	if i > 0 {
		start = d.ends[i-1]
	}
	return d.text[start:d.ends[i]]
}

// Index returns the index of an id, and whether it exists. O(length of id).
func (d *IDs) Index(id string) (int, bool) {
	if len(d.table) == 0 {
		return 0, false
	}
	mask := uint64(len(d.table) - 1)
	for h := maphash.String(d.seed, id) & mask; ; h = (h + 1) & mask {
		n := d.table[h]
		if n == 0 {
			return 0, false
		}
		if d.ID(int(n-1)) == id {
			return int(n - 1), true
		}
	}
}

// Strings returns all ids by index, in a new slice that shares their text.
func (d *IDs) Strings() []string {
	out := make([]string, d.Len())
	for i := range out {
		out[i] = d.ID(i)
	}
	return out
}

// interner numbers byte strings in the order of their first appearance. The hash's seed is random, so no file can force
// collisions; it affects where a number is stored, never the number itself.
type interner struct {
	text  []byte
	ends  []uint32
	table []int32
	seed  maphash.Seed
	last  int32 // the last number: lines of one user are often adjacent
	items bool  // ids of items, which are published and so must not be personal
	// how often an item's id was tidied; nil: not counted
	tidied *int
}

// idError is the reason why a text cannot be an id.
type idError struct {
	what  string
	limit int64 // > 0: a limit of the whole file was reached, so skipping lines does not help
}

// personal is the reason why a model file cannot hold a text that contains k.
func personal(what string, k people.Kind) string {
	return fmt.Sprintf("%s must not hold %s, because everybody can read it in the model", what, k)
}

func newInterner() *interner {
	return &interner{table: make([]int32, 64), seed: maphash.MakeSeed(), last: -1}
}

// publicInterner returns an interner for the ids of items.
func publicInterner() *interner {
	in := newInterner()
	in.items = true
	return in
}

func (in *interner) len() int { return len(in.ends) }

func (in *interner) at(i int32) []byte {
	start := uint32(0)
	if i > 0 {
		start = in.ends[i-1]
	}
	return in.text[start:in.ends[i]]
}

// add returns the number of b and does not retain b.
func (in *interner) add(b []byte) (int32, *idError) {
	if in.last >= 0 && bytes.Equal(in.at(in.last), b) {
		return in.last, nil
	}
	mask := uint64(len(in.table) - 1)
	h := maphash.Bytes(in.seed, b) & mask
	for in.table[h] != 0 {
		if n := in.table[h] - 1; bytes.Equal(in.at(n), b) {
			in.last = n
			return n, nil
		}
		h = (h + 1) & mask
	}
	// Only a new id is checked: this is off the path of most lines.
	if in.items {
		if id, changed := tidyID(b); changed {
			if in.tidied != nil {
				*in.tidied++
			}
			b = id
			if isNull(b) {
				return 0, &idError{what: noID}
			}
			return in.add(b)
		}
	}
	if err := checkID(b); err != nil {
		return 0, err
	}
	if in.items {
		if k := people.Find(b); k != people.None {
			return 0, &idError{what: personal("the id of an item", k) + ": name the right column, or number the items"}
		}
	}
	if len(in.ends) >= maxIDs {
		return 0, &idError{"too many distinct ids", maxIDs}
	}
	if len(in.text)+len(b) > maxIDText {
		return 0, &idError{"the ids' text is too long, in bytes", maxIDText}
	}
	in.text = append(in.text, b...)
	in.ends = append(in.ends, uint32(len(in.text)))
	in.last = int32(len(in.ends) - 1)
	in.table[h] = in.last + 1
	if len(in.ends)*4 > len(in.table)*3 {
		in.table = make([]int32, 2*len(in.table))
		for i := range in.ends {
			place(in.table, maphash.Bytes(in.seed, in.at(int32(i))), int32(i))
		}
	}
	return in.last, nil
}

func place(table []int32, hash uint64, i int32) {
	mask := uint64(len(table) - 1)
	h := hash & mask
	for table[h] != 0 {
		h = (h + 1) & mask
	}
	table[h] = i + 1
}

// ids returns the ids for which keep holds, renumbered in the same order; all if keep is nil.
func (in *interner) ids(keep []bool) *IDs {
	n, size := 0, 0
	for i := range in.ends {
		if keep == nil || keep[i] {
			n++
			size += len(in.at(int32(i)))
		}
	}
	slots := 2
	for slots*3 < n*4 {
		slots *= 2
	}
	out := &IDs{ends: make([]uint32, 0, n), table: make([]int32, slots), seed: in.seed}
	var text strings.Builder
	text.Grow(size)
	for i := range in.ends {
		if keep == nil || keep[i] {
			b := in.at(int32(i))
			text.Write(b)
			place(out.table, maphash.Bytes(in.seed, b), int32(len(out.ends)))
			out.ends = append(out.ends, uint32(text.Len()))
		}
	}
	out.text = text.String()
	return out
}
