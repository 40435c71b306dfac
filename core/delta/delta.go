// Package delta encodes the difference between two versions of a file, so clients with the old version download only
// the difference.
//
//	d := delta.Make(base, target)
//	target, err := delta.Apply(base, d)
//
// A delta is a list of steps. Each step copies a run of bytes from base, then takes a run of literal bytes from the
// delta. Make finds insertions and deletions at any place, and bytes overwritten by the same number of others.
// Overwriting is how a model file changes from day to day: a row that moved changes one byte in each plane of numbers.
// Compress a delta for transport: the lengths of its steps are stored together, and they repeat from plane to plane.
//
// # The format
//
// Numbers are base-128 varints, the lowest seven bits first, as in encoding/binary. c, l and s are the columns of the k
// steps:
//
//	"pmlamd1\n"  8 bytes
//	size         of the target, at most MaxSize
//	k            steps
//	c[k]         bytes to copy
//	l[k]         bytes to take from the delta
//	s[k]         distance to move within base before copying, zigzag-coded
//	literals     Σl bytes, to the end
//
// Each step moves in base by s, copies c bytes, then takes l literal bytes and moves on by l in base too. Bytes that
// overwrite others therefore need no s.
//
// A delta does not name its base. The service worker, which applies deltas to its files
// (assets/js/worker/service-worker.js), relies on the digests of base, delta and target that the site builder lists.
package delta

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const magic = "pmlamd1\n"

// MaxSize is the size limit of a target, in bytes: 1 GiB, as for a model file.
const MaxSize = 1 << 30

// Apply returns the target that d encodes relative to base. If d is not a delta of base, the error gives the byte or
// the step at fault. The result is never larger than base and d together: no step can copy beyond base, and copying the
// same bytes again costs bytes of d. O(target); memory for the target is allocated once all steps are checked.
func Apply(base, d []byte) ([]byte, error) {
	s, err := read(d, int64(len(base)))
	if err != nil {
		return nil, err
	}
	target := make([]byte, 0, s.size)
	from, at := int64(0), 0
	for i := range s.copies {
		c, l := int64(s.copies[i]), int(s.literals[i])
		from += unzigzag(s.seeks[i])
		target = append(target, base[from:from+c]...)
		target = append(target, s.bytes[at:at+l]...)
		at, from = at+l, from+c+int64(l)
	}
	return target, nil
}

// Check returns an error if d is not a well-formed delta, whatever its base. O(steps).
func Check(d []byte) error {
	_, err := read(d, MaxSize)
	return err
}

// steps holds the steps of a checked delta.
type steps struct {
	size                    uint64
	copies, literals, seeks []uint64
	bytes                   []byte // the literals of all steps
}

// read parses a delta and checks it against a base of the given size in bytes.
func read(d []byte, base int64) (s steps, err error) {
	if len(d) < len(magic) || string(d[:len(magic)]) != magic {
		return s, errors.New("not a delta file: bad magic")
	}
	at := len(magic)
	number := func() (uint64, error) {
		v, n := binary.Uvarint(d[at:])
		if n <= 0 || n > 1 && d[at+n-1] == 0 {
			return 0, fmt.Errorf("the delta is damaged at byte %d: invalid number", at)
		}
		at += n
		return v, nil
	}
	if s.size, err = number(); err != nil {
		return s, err
	}
	k, err := number()
	if err != nil {
		return s, err
	}
	if s.size > MaxSize || k > uint64(len(d)-at)/3 {
		return s, fmt.Errorf("the delta is damaged: %d steps for %d bytes", k, s.size)
	}
	columns := make([]uint64, 3*k)
	for i := range columns {
		if columns[i], err = number(); err != nil {
			return s, err
		}
	}
	s.copies, s.literals, s.seeks, s.bytes = columns[:k], columns[k:2*k], columns[2*k:], d[at:]
	// Check all steps before allocating memory.
	var from, to, left int64 = 0, 0, int64(len(s.bytes))
	for i := range k {
		c, l, move := s.copies[i], s.literals[i], unzigzag(s.seeks[i])
		if c > s.size || l > uint64(left) || move > MaxSize || move < -MaxSize {
			return s, fmt.Errorf("the delta is damaged: step %d is out of range", i+1)
		}
		if from += move; from < 0 || from+int64(c) > base {
			return s, fmt.Errorf("the delta is for another file: step %d copies bytes %d to %d of %d", i+1, from,
				from+int64(c), base)
		}
		from, to, left = from+int64(c)+int64(l), to+int64(c)+int64(l), left-int64(l)
		if to > int64(s.size) {
			return s, fmt.Errorf("the delta is damaged: step %d ends after byte %d, the end of the file", i+1, s.size)
		}
	}
	if to != int64(s.size) || left != 0 {
		return s, fmt.Errorf("the delta is damaged: it makes %d of %d bytes and leaves %d unused", to, s.size, left)
	}
	return s, nil
}

func zigzag(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
