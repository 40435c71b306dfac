package model

import (
	"bytes"
	"math"

	"github.com/pmlam/pmlam/core/yield"
)

// A file of the right shape can still be useless: means of 3e38, whose distances are infinite and whose differences are
// NaN, or a title of ten megabytes. The bounds below hold for every number and text of a model, when reading and when
// writing. They are far above the results of trainings, and low enough that everything computed from numbers within
// them is finite; core/recommend tests that at their edges.

const (
	// MaxNumber bounds |μ|, σ and all other numbers of that scale: the weights of the margin networks, the plane's
	// origin, the weight of the mean of a user's items, and the radius of the ball that bounds the means, which the
	// steps of a fold-in are proportional to. Trained means lie in a ball of radius 1 in the paper, and 4 at most in
	// our tunings, and ‖Σ‖ ≤ 1 keeps σ below 1 (gaussian.Bound). A million leaves room for trainings with unbounded
	// means. With it, W2² of rows of 2·maxDim numbers stays below 2^58, and the values of a margin network for a
	// visitor's squared differences below 2^90; float32 ends at 2^128.
	MaxNumber = 1 << 20

	// MaxSquare bounds numbers in units of W2² or of a variance: margin, temperature, the covariance within people.
	MaxSquare = MaxNumber * MaxNumber

	// MinDivisor bounds divisors from below: the temperature of a softmax (0.25 or more in all tunings), the ball's
	// radius (0.5 or more), the strength of the calibration (1 or more).
	MinDivisor = 1.0 / MaxNumber

	// maxDeviations bounds the radii of the calibration, which are in standard deviations: a hundred hold everything.
	maxDeviations = MaxNumber

	// mapSteps is the number of position steps along the map's unit square.
	mapSteps = 1<<16 - 1

	// maxMetric bounds a held-out metric: most lie below 1, and the largest are counts, such as the popularity.
	maxMetric = maxCount
)

// Maximum size of one text in a column of texts, in bytes.
const (
	// maxTitle is for texts in lists, buttons and labels: ids, titles, names. The data readers accept ids of up to 1
	// KiB and titles of up to 4 KiB. A page shows several of them in one attribute, which fails at 16 KiB.
	maxTitle = maxName

	// maxValue is for the further columns: the readers accept texts of 32 KiB, and a column of tags joins several.
	maxValue = 1 << 16
)

func (l checker) checkNumber(c number) error {
	v := l.float32(c.at)
	switch {
	case !isFinite(v):
		return l.fail(NotFinite, c.at, "it is %v", v)
	case v == 0 && c.zero:
		return nil
	case v < 0 && c.least >= 0:
		return l.fail(OutOfRange, c.at, "it is %v and must not be negative", v)
	case v < c.least || v > c.most:
		return l.fail(OutOfRange, c.at, "it is %v and must lie between %v and %v", v, c.least, c.most)
	}
	return nil
}

// checkFloats checks a column of float32, whose absolute values must be at most most.
func (l checker) checkFloats(k leaf, want int64, most float32) error {
	if err := l.checkLength(k, want, 4); err != nil {
		return err
	}
	b, count := l.bytes(k), int(want)
	limit := math.Float32bits(most)
	high := limit >> 16 // values whose upper half is smaller are below most; NaN and infinity exceed all numbers
	for i := range count {
		if i%yieldNumbers == yieldNumbers-1 {
			yield.Now()
		}
		if uint32(b[i]&0x7f)<<8|uint32(b[count+i]) < high {
			continue
		}
		bits := word32(b, count, i)
		if bits&^(1<<31) > limit {
			v := math.Float32frombits(bits)
			if !isFinite(v) {
				return l.fail(NotFinite, k, "number %d is %v", i, v)
			}
			return l.fail(OutOfRange, k, "number %d is %v and must lie between %v and %v", i, v, -most, most)
		}
	}
	return nil
}

// checkTexts checks that a column holds want texts (−1: any number), of at most most bytes each, and returns their
// number.
func (l checker) checkTexts(k leaf, want int64, most int) (int, error) {
	column := l.bytes(k)
	have := countTexts(column)
	if have < 0 {
		return 0, l.fail(BadText, k, "the last text does not end with NUL")
	}
	if want >= 0 && int64(have) != want {
		return 0, l.fail(WrongShape, k, "%d texts instead of %d", have, want)
	}
	for i, at := 0, 0; at < len(column); i++ {
		if i%yieldItems == yieldItems-1 {
			yield.Now()
		}
		n := bytes.IndexByte(column[at:], 0)
		if n > most {
			return 0, l.fail(TooLarge, k, "text %d has %d bytes, but at most %d are allowed", i, n, most)
		}
		at += n + 1
	}
	return have, nil
}
