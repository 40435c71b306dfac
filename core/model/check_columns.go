package model

import (
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/yield"
)

// The reader yields the thread after this many numbers or items: a millisecond or two in a browser.
const (
	yieldNumbers = 1 << 16
	yieldItems   = 1 << 9
)

// maxCount is the largest number of users or interactions, which every language can count exactly in a float64.
const maxCount = min(1<<53, math.MaxInt)

// checkTable checks a table of Gaussians and returns its shape.
func (l checker) checkTable(at leaf, p Precision) (n, h int, err error) {
	if n, err = l.checkCount(at+ofN, maxRows); err != nil {
		return 0, 0, err
	}
	if h, err = l.checkCount(at+ofH, maxDim); err != nil {
		return 0, 0, err
	}
	scales := 0
	if p == Int8 {
		scales = n
	}
	for _, c := range []struct {
		at    leaf
		k     int64
		width int
	}{
		{at + ofMean, int64(n) * int64(h), p.width()},
		{at + ofStddev, int64(n) * int64(h), p.width()},
		{at + ofMeanScales, int64(scales), 4},
		{at + ofStddevScales, int64(scales), 4},
	} {
		if err := l.checkLength(c.at, c.k, c.width); err != nil {
			return 0, 0, err
		}
	}
	// The lengths have shown that n·h fits an int.
	switch p {
	case Float32:
		err = l.checkTable32(at, n, n*h)
	case Float16:
		err = l.checkTable16(at, n, n*h)
	case Int8:
		err = l.checkTable8(at, n)
	}
	return n, h, err
}

func (l checker) checkTable32(at leaf, n, k int) error {
	if err := l.checkFloats(at+ofMean, int64(k), MaxNumber); err != nil {
		return err
	}
	if err := l.checkFloats(at+ofStddev, int64(k), MaxNumber); err != nil {
		return err
	}
	stddev := l.bytes(at + ofStddev)
	for i := range k {
		if i%yieldNumbers == yieldNumbers-1 {
			yield.Now()
		}
		if s := math.Float32frombits(word32(stddev, k, i)); s < gaussian.MinStddev {
			return l.smallStddev(at, n, i, s)
		}
	}
	return nil
}

func (l checker) checkTable16(at leaf, n, k int) error {
	// Finite values lie within 65504, far below MaxNumber.
	const infinity = 0x7c00
	for i, c := range l.bytes(at + ofMean)[:k] { // the exponent is in the high bytes
		if i%yieldNumbers == yieldNumbers-1 {
			yield.Now()
		}
		if c&(infinity>>8) == infinity>>8 {
			return l.fail(NotFinite, at+ofMean, "row %d, dimension %d", i%n, i/n)
		}
	}
	stddev := l.bytes(at + ofStddev)
	high, low := stddev[:k], stddev[k:2*k]
	for i := range k {
		if i%yieldNumbers == yieldNumbers-1 {
			yield.Now()
		}
		switch s := uint16(high[i])<<8 | uint16(low[i]); {
		case s&infinity == infinity:
			return l.fail(NotFinite, at+ofStddev, "row %d, dimension %d", i%n, i/n)
		case s < minHalf || s >= 0x8000: // positive halves are ordered like their bits
			return l.smallStddev(at, n, i, half(s))
		}
	}
	return nil
}

// checkTable8 checks little: any step of σ is valid, because expanding floors σ.
func (l checker) checkTable8(at leaf, n int) error {
	for i, q := range l.bytes(at + ofMean) {
		if q == 0x80 {
			return l.fail(OutOfRange, at+ofMean, "row %d, dimension %d: −128 is not used", i%n, i/n)
		}
	}
	for _, c := range []struct {
		at   leaf
		most float32 // so that scale·q stays within the bound
	}{{at + ofMeanScales, MaxNumber / meanSteps}, {at + ofStddevScales, MaxNumber / stddevSteps}} {
		if err := l.checkFloats(c.at, int64(n), c.most); err != nil {
			return err
		}
		for i, b := range l.bytes(c.at)[:n] {
			if b >= 0x80 {
				return l.fail(OutOfRange, c.at, "row %d: the scale is negative", i)
			}
		}
	}
	return nil
}

func (l *layout) smallStddev(at leaf, n, i int, s float32) error {
	return l.fail(BadStddev, at+ofStddev,
		"row %d, dimension %d: it is %v and must be at least %v", i%n, i/n, s, float32(gaussian.MinStddev))
}

// checkCount returns a count, which must be at least 1 and at most limit.
func (l checker) checkCount(k leaf, limit uint64) (int, error) {
	v := l.uint(k)
	if v == 0 {
		return 0, l.fail(OutOfRange, k, "it is 0 and must be at least 1")
	}
	if v > limit {
		return 0, l.fail(TooLarge, k, "it is %d and may be at most %d", v, limit)
	}
	return int(v), nil
}

// checkLength checks that a column holds count numbers of the given width.
func (l checker) checkLength(k leaf, count int64, width int) error {
	if have, want := int64(len(l.bytes(k))), count*int64(width); have != want {
		return l.fail(WrongShape, k, "it has %d bytes and must have %d (%d numbers of %d)", have, want, count, width)
	}
	return nil
}

// checkUnique checks that no id occurs twice among n.
func (l checker) checkUnique(k leaf, n int) error {
	if id, found := repeatedText(l.bytes(k), n); found {
		return l.fail(BadValue, k, "the id %.40q occurs twice", id)
	}
	return nil
}

// fail returns an error about a leaf, with a detail formatted by fmt.Sprintf.
func (l *layout) fail(r Reason, k leaf, format string, args ...any) error {
	return &Error{r, l.offset(k), pathOf(&schema, k), fmt.Sprintf(format, args...)}
}

// pathOf returns the path from a map to a leaf in it; "" if it is not there.
func pathOf(n *node, k leaf) string {
	for i := range n.fields {
		f := &n.fields[i]
		if f.kind == kindMap {
			if p := pathOf(f, k); p != "" {
				return n.key + "." + p
			}
		} else if f.leaf == k {
			return n.key + "." + f.key
		}
	}
	return ""
}

func isFinite(x float32) bool { return math.Float32bits(x)&0x7f800000 != 0x7f800000 }
