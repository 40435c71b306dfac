// Package delta writes how a file differs from an earlier one, so that who has the earlier one need not fetch all of
// it.
//
//	d := delta.Make(base, target)
//	target, err := delta.Apply(base, d)
//
// A delta is a list of steps: copy so many bytes of base, then take so many bytes of the delta itself. It finds what
// was put in and taken out at any place, and bytes that were replaced by as many others, which is what a model file
// differs by from that of the day before: of a row that moved, one byte in each plane of numbers. It is to be
// compressed on its way: the lengths of steps stand together, and repeat from plane to plane.
//
// # The format
//
// Numbers are base-128 varints, the lowest seven bits first, as encoding/binary has them. c, l and s are the columns of
// the k steps:
//
//	"pmlamd1\n"  8 bytes
//	size         of the target, at most MaxSize
//	k            steps
//	c[k]         bytes to copy
//	l[k]         bytes to take of the delta
//	s[k]         how far to move within base before copying, zigzag-coded
//	literals     Σl bytes, to the end
//
// Each step moves in base by s, copies c bytes, and then takes l bytes and moves by l in base too: bytes that replace
// others need no s.
//
// A delta does not say what it is of: the service worker, which applies deltas to what it has
// (assets/js/worker/service-worker.js), goes by the digests of base, delta and target that the site builder lists.
package delta

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// magic is what a delta begins with.
const magic = "pmlamd1\n"

// MaxSize is the largest target, in bytes: 1 GiB, that of a model file.
const MaxSize = 1 << 30

// Apply returns what a delta makes of base. Whatever is no delta of base is an error that says at which byte of the
// delta. The result is never larger than what base and the delta hold: no step can copy beyond base, and steps that
// copy the same bytes again cost bytes of the delta. O(target); memory for the target is taken when all steps fit.
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

// Check returns an error for what is not a delta of any file. O(steps).
func Check(d []byte) error {
	_, err := read(d, MaxSize)
	return err
}

// steps are those of a delta that was checked.
type steps struct {
	size                    uint64
	copies, literals, seeks []uint64
	bytes                   []byte // the literals of all steps
}

// read reads a delta and checks it against the bytes that its base has.
func read(d []byte, base int64) (s steps, err error) {
	if len(d) < len(magic) || string(d[:len(magic)]) != magic {
		return s, errors.New("this is no delta: it does not begin as one")
	}
	at := len(magic)
	number := func() (uint64, error) {
		v, n := binary.Uvarint(d[at:])
		if n <= 0 || n > 1 && d[at+n-1] == 0 {
			return 0, fmt.Errorf("the delta is damaged at byte %d: there is no number", at)
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
		return s, fmt.Errorf("the delta is damaged: it has %d steps to %d bytes", k, s.size)
	}
	columns := make([]uint64, 3*k)
	for i := range columns {
		if columns[i], err = number(); err != nil {
			return s, err
		}
	}
	s.copies, s.literals, s.seeks, s.bytes = columns[:k], columns[k:2*k], columns[2*k:], d[at:]
	// All is checked before memory is taken.
	var from, to, left int64 = 0, 0, int64(len(s.bytes))
	for i := range k {
		c, l, move := s.copies[i], s.literals[i], unzigzag(s.seeks[i])
		if c > s.size || l > uint64(left) || move > MaxSize || move < -MaxSize {
			return s, fmt.Errorf("the delta is damaged: step %d reaches too far", i+1)
		}
		if from += move; from < 0 || from+int64(c) > base {
			return s, fmt.Errorf("the delta is of another file: step %d copies bytes %d to %d of %d", i+1, from,
				from+int64(c), base)
		}
		from, to, left = from+int64(c)+int64(l), to+int64(c)+int64(l), left-int64(l)
		if to > int64(s.size) {
			return s, fmt.Errorf("the delta is damaged: step %d reaches beyond the %d bytes of the file", i+1, s.size)
		}
	}
	if to != int64(s.size) || left != 0 {
		return s, fmt.Errorf("the delta is damaged: it makes %d bytes of %d and leaves %d", to, s.size, left)
	}
	return s, nil
}

func zigzag(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
