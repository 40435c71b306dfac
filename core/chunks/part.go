package chunks

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/internal/digest"
)

// A part is one file. Numbers are base-128 varints, as in encoding/binary:
//
//	"pmlamc5\n"  8 bytes
//	kind         1 byte
//	number       of the part within its kind
//	sections     each with its length first; their number depends on the kind
//	proof        its length and digests, to the end: see Digest
//
// A column of k numbers of w bytes is stored as w planes of k bytes, the most significant byte first, as in a model
// file: equal exponents come together and compress well.

const magic = "pmlamc5\n"

// older is the magic of the format before. Its groups lack Known.
const older = "pmlamc4\n"

// MaxIndex is the size limit of an index in bytes.
const MaxIndex = 64 << 20

// Digest is the first 12 bytes of a SHA-256. It verifies each part before any of it is read. The index does not list
// the digests of all parts. They are the leaves of trees, and the index holds the roots:
//
//	leaf   digest of a part without its proof
//	node   digest of "node" and of its two children in ascending order
//
// A part's proof lists the sibling of its leaf and of each node above, up to a root: 12 bytes per level, 108 in all for
// a million items. The proof of the index is the digest of the bytes before it.
type Digest [12]byte

// MaxRoots is the greatest number of roots in an index. More of them enlarge the index and shorten the proofs.
const MaxRoots = 64

// Sum returns the digest of b. O(len(b)).
func Sum(b []byte) Digest {
	sum := digest.Sum(b)
	return Digest(sum[:len(Digest{})])
}

// Pair returns the digest of a node. Parts begin differently, so none of them can pass for a node.
func Pair(a, b Digest) Digest {
	if bytes.Compare(a[:], b[:]) > 0 {
		a, b = b, a
	}
	return Sum(slices.Concat([]byte("node"), a[:], b[:]))
}

// Seal returns the part with this content and proof.
func Seal(content, proof []byte) []byte {
	return append(binary.AppendUvarint(slices.Clip(content), uint64(len(proof))), proof...)
}

// Set identifies the parts of one index. Its name is the digest of its roots, so sets with different parts have
// different names.
type Set struct{ roots, name string }

// newSet returns the set with these concatenated roots.
func newSet(roots []byte) Set { return Set{string(roots), fmt.Sprintf("%x", Sum(roots))} }

func (s Set) String() string { return s.name }

// proves reports whether a proof leads from a part's content to a root of the set.
func (s Set) proves(content, proof []byte) bool {
	at := Sum(content)
	n := len(at)
	for ; len(proof) >= n; proof = proof[n:] {
		at = Pair(at, Digest(proof[:n]))
	}
	for roots := s.roots; len(roots) >= n && len(proof) == 0; roots = roots[n:] {
		if roots[:n] == string(at[:]) {
			return true
		}
	}
	return false
}

// Kind is the kind of a part.
type Kind byte

const (
	KindIndex Kind = 'i'
	KindIDs   Kind = 'b'
	KindCell  Kind = 'c'
	KindLinks Kind = 'l'
	KindGroup Kind = 'g'

	KindDirectory Kind = 'd'
	KindTitles    Kind = 't'
)

// indexParts is the number of sections of an index.
const indexParts = 12

// kinds lists all kinds except the index.
var kinds = [...]struct {
	kind     Kind
	folder   string
	sections int // sections of a part
}{
	{KindIDs, "ids", 2},
	{KindCell, "cells", 3},
	{KindLinks, "links", 5},
	{KindGroup, "groups", 4},
	{KindDirectory, "directory", 2},
	{KindTitles, "titles", 4},
}

// IndexName is the file name of the index.
const IndexName = "index.bin"

// Name returns the name of a part, relative to the folder of the index.
func (s Set) Name(k Kind, number int) (name string) {
	for i := range kinds {
		if kinds[i].kind == k {
			name = s.name + "/" + kinds[i].folder + "/" + strconv.Itoa(number) + ".bin"
		}
	}
	return name
}

// parse is the inverse of Name. It also returns the number of sections, 0 for the name of no part.
func (s Set) parse(name string) (k Kind, number, sections int) {
	file := name[strings.LastIndexByte(name, '/')+1:]
	number, err := strconv.Atoi(strings.TrimSuffix(file, ".bin"))
	for i := range kinds {
		if of := &kinds[i]; err == nil && number >= 0 && s.Name(of.kind, number) == name {
			return of.kind, number, of.sections
		}
	}
	return 0, 0, 0
}

// PartError says what is wrong with a part.
type PartError struct {
	Part string // its name
	What string
}

func (e *PartError) Error() string { return e.Part + " is damaged or from another model: " + e.What }

// content encodes a part without its proof.
func content(k Kind, number int, sections ...[]byte) []byte {
	b := binary.AppendUvarint(append([]byte(magic), byte(k)), uint64(number))
	for _, x := range sections {
		b = append(binary.AppendUvarint(b, uint64(len(x))), x...)
	}
	return b
}

// split returns the sections of a part, which share memory with b. proves verifies the part's proof.
func split(name string, b []byte, k Kind, number, sections int, proves func(content, proof []byte) bool) (out [][]byte,
	err error) {
	bad := func(format string, args ...any) ([][]byte, error) {
		return nil, &PartError{name, fmt.Sprintf(format, args...)}
	}
	const head = len(magic) + 1
	if len(b) < head || string(b[:len(magic)]) != magic && string(b[:len(magic)]) != older {
		if at := len(magic) - 2; len(b) > at && string(b[:at]) == magic[:at] && b[at] != magic[at] {
			return bad("its format is %q, not %q: cut the model again with pmlam chunk", b[:at+1], magic[:at+1])
		}
		return bad("bad magic")
	}
	at := head
	uvarint := func() (uint64, bool) {
		v, n := binary.Uvarint(b[at:])
		if n <= 0 || n > 1 && b[at+n-1] == 0 {
			return 0, false
		}
		at += n
		return v, true
	}
	of, ok := uvarint()
	end := at
	for range sections + 1 {
		end = at
		v, ok := uvarint()
		if !ok || v > uint64(len(b)-at) {
			return bad("a section at byte %d is truncated", at)
		}
		out = append(out, b[at:at+int(v):at+int(v)])
		at += int(v)
	}
	switch {
	case at != len(b):
		return bad("%d extra bytes at byte %d", len(b)-at, at)
	case !proves(b[:end], out[sections]):
		return bad("its digest is not in the index")
	case !ok || Kind(b[head-1]) != k || of != uint64(number):
		return bad("it has the content of another part")
	}
	return out[:sections], nil
}

// Uint32s encodes the column x.
func Uint32s(x []uint32) []byte {
	b := make([]byte, 4*len(x))
	for i, v := range x {
		for p := range 4 {
			b[p*len(x)+i] = byte(v >> (24 - 8*p))
		}
	}
	return b
}

// Float32s encodes the column x.
func Float32s(x []float32) []byte {
	bits := make([]uint32, len(x))
	for i, v := range x {
		bits[i] = math.Float32bits(v)
	}
	return Uint32s(bits)
}

// uint32s decodes a column whose length is a multiple of 4.
func uint32s(b []byte) []uint32 {
	x := make([]uint32, len(b)/4)
	for i := range x {
		for p := range 4 {
			x[i] = x[i]<<8 | uint32(b[p*len(x)+i])
		}
	}
	return x
}

// float32s decodes a column whose length is a multiple of 4; ok is false if a number is not finite.
func float32s(b []byte) (x []float32, ok bool) {
	x = make([]float32, len(b)/4)
	for i, bits := range uint32s(b) {
		if x[i] = math.Float32frombits(bits); !(math.Abs(float64(x[i])) <= math.MaxFloat32) {
			return nil, false
		}
	}
	return x, true
}
