package delta

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

const (
	window = 8  // bytes that are looked up in base
	resume = 4  // equal bytes that end a run of replaced ones: fewer cost more as a step than as literals
	ahead  = 64 // bytes by which two places of base are compared
)

// Make returns a delta that makes target of base. The same files give the same delta. It panics for a target above
// MaxSize. O(base + target) for files that resemble each other; memory 4 to 8 bytes for each of base.
func Make(base, target []byte) []byte {
	if len(target) > MaxSize {
		panic(fmt.Sprintf("delta: a target of %d bytes", len(target)))
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

// step is one step of a delta.
type step struct{ seek, copy, literals int }

type maker struct {
	base, target []byte
	table        table
	steps        []step
	literals     []byte
	from         int // the place in base behind the last step
}

// run walks along target with a place in base beside it. Where the two differ it goes on side by side, as where bytes
// were replaced, unless base has another place that fits better.
func (m *maker) run() {
	shift := 0        // the place in base beside target[at] is at+shift
	begin, to := 0, 0 // the copy under way is target[begin:to], and what follows it literals
	origin := 0       // where in base the copy begins
	for at := 0; at < len(m.target); {
		if n := m.equal(at, at+shift); n >= resume || n > 0 && (at == to || at+n == len(m.target)) {
			if at > to { // literals end here
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

// step enters: copy target[begin:to], which is base from origin on, then target[to:end] as literals.
func (m *maker) step(origin, begin, to, end int) {
	if begin == end {
		return
	}
	if begin == to {
		origin = m.from // nothing is copied: no reason to move
	}
	m.steps = append(m.steps, step{origin - m.from, to - begin, end - to})
	m.literals = append(m.literals, m.target[to:end]...)
	m.from = origin + end - begin
}

// equal returns how many bytes are equal from target[at] and base[place] on.
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

// alike returns how many of the next bytes are equal, replaced ones between them or not.
func (m *maker) alike(at, place int) (n int) {
	for i := range min(ahead, len(m.target)-at) {
		if p := place + i; p >= 0 && p < len(m.base) && m.base[p] == m.target[at+i] {
			n++
		}
	}
	return n
}

// table finds places of base by window bytes: by their hash, the first place + 1 of each.
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

// find returns a place in base that holds the next bytes of target, −1 where none is known.
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
