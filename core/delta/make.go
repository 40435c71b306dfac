package delta

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

const (
	window = 8  // bytes that are looked up in base
	resume = 4  // equal bytes that end a run of overwritten ones: fewer cost more as a step than as literals
	ahead  = 64 // bytes by which two places in base are compared
)

// Make returns a delta that turns base into target. The same files give the same delta. It panics if target is longer
// than MaxSize. O(base + target) for similar files; memory is 4 to 8 bytes for each byte of base.
func Make(base, target []byte) []byte {
	if len(target) > MaxSize {
		panic(fmt.Sprintf("delta: target of %d bytes", len(target)))
	}
	m := &maker{base: base, target: target, table: newTable(base)}
	m.run()
	d := binary.AppendUvarint([]byte(magic), uint64(len(target)))
	d = binary.AppendUvarint(d, uint64(len(m.steps)))
	for _, column := range []func(*step) uint64{
		func(s *step) uint64 { return uint64(s.copy) },
		func(s *step) uint64 { return uint64(s.literals) },
		func(s *step) uint64 { return zigzag(int64(s.seek)) },
	} {
		for i := range m.steps {
			d = binary.AppendUvarint(d, column(&m.steps[i]))
		}
	}
	return append(d, m.literals...)
}

type step struct{ seek, copy, literals int }

type maker struct {
	base, target []byte
	table        table
	steps        []step
	literals     []byte
	from         int // the place in base after the last step
}

// run walks along target and a corresponding place in base. Where the two differ, it keeps them in step, as for
// overwritten bytes, unless another place in base fits better.
func (m *maker) run() {
	shift := 0        // the place in base that corresponds to target[at] is at+shift
	begin, to := 0, 0 // the current copy is target[begin:to]; literals follow it
	origin := 0       // where the copy begins in base
	for at := 0; at < len(m.target); {
		if n := m.equal(at, at+shift); n >= resume || n > 0 && (at == to || at+n == len(m.target)) {
			if at > to { // the literals end here
				m.step(origin, begin, to, at)
				begin, origin = at, at+shift
			}
			at += n
			to = at
			continue
		}
		if place := m.table.find(m.base, m.target, at); place >= 0 && place != at+shift &&
			m.alike(at, place) > m.alike(at, at+shift)+window/2 {
			start := at
			for start > to && place > 0 && m.base[place-1] == m.target[start-1] {
				start, place = start-1, place-1
			}
			m.step(origin, begin, to, start)
			begin, to, at, origin, shift = start, start, start, place, place-start
			continue
		}
		at++
	}
	m.step(origin, begin, to, len(m.target))
}

// step appends a step that copies target[begin:to], found in base at origin, and takes target[to:end] as literals.
func (m *maker) step(origin, begin, to, end int) {
	if begin == end {
		return
	}
	if begin == to {
		origin = m.from // nothing is copied: do not move
	}
	m.steps = append(m.steps, step{origin - m.from, to - begin, end - to})
	m.literals = append(m.literals, m.target[to:end]...)
	m.from = origin + end - begin
}

// equal returns the number of equal bytes from target[at] and base[place] on.
func (m *maker) equal(at, place int) (n int) {
	if place < 0 || place >= len(m.base) {
		return 0
	}
	a, b := m.target[at:], m.base[place:]
	for len(a) >= n+8 && len(b) >= n+8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// alike counts the equal bytes among the next ones, position by position.
func (m *maker) alike(at, place int) (n int) {
	for i := range min(ahead, len(m.target)-at) {
		if p := place + i; p >= 0 && p < len(m.base) && m.base[p] == m.target[at+i] {
			n++
		}
	}
	return n
}

// table finds places in base by the hash of window bytes. Each entry is the first such place + 1.
type table struct {
	places []int32
	shift  int
}

func newTable(base []byte) table {
	size := bits.Len(uint(len(base) | 1<<10))
	t := table{make([]int32, 1<<size), 64 - size}
	for i := len(base) - window; i >= 0; i-- {
		t.places[t.hash(base[i:])] = int32(i + 1)
	}
	return t
}

func (t *table) hash(b []byte) uint64 {
	return binary.LittleEndian.Uint64(b) * 0x9E3779B97F4A7C15 >> t.shift
}

// find returns a place in base with the next window bytes of target, or −1 if none is known.
func (t *table) find(base, target []byte, at int) int {
	if at+window > len(target) {
		return -1
	}
	place := int(t.places[t.hash(target[at:])]) - 1
	if place < 0 || string(base[place:place+window]) != string(target[at:at+window]) {
		return -1
	}
	return place
}
