package model

import (
	"bytes"
	"math"

	"github.com/pmlam/pmlam/core/yield"
)

// A file of the right shape can still be one that nothing can be made of: means of 3e38, whose distances are infinite
// and whose differences are NaN, or a title of ten megabytes. The bounds below are what every number and every text of
// a model is held to, when it is read and when it is written. They are far above what a training arrives at, and low
// enough that whatever is computed from numbers within them is finite; core/recommend tests that at their edges.

const (
	// MaxNumber bounds |μ| and σ, and all other numbers that are of their size: the weights of the margin networks, the
	// plane's origin, the weight of the mean of a user's items, and the radius of the ball that the means are kept in,
	// where there is one: a visitor is folded in by steps proportional to it. The method keeps the means in a ball, of
	// radius 1 in the paper and 4 at most wherever one was tuned here, and ‖Σ‖ ≤ 1, so that no σ is above 1
	// (gaussian.Bound). A million leaves room for whoever trains with the means free. With it W2² of rows of 2·maxDim
	// numbers stays below 2^58, and what a margin network makes of a visitor's squared differences below 2^90: float32
	// ends at 2^128.
	MaxNumber = 1 << 20

	// MaxSquare bounds what has the unit of W2² or of a variance: margin, temperature, the covariance within people.
	MaxSquare = MaxNumber * MaxNumber

	// MinDivisor bounds from below what is divided by: the temperature of a softmax (0.25 and more wherever it was
	// tuned), the ball's radius (0.5 and more), the strength of the calibration (1 and more).
	MinDivisor = 1.0 / MaxNumber

	// maxDeviations bounds the radii of the calibration, which are in standard deviations: a hundred hold everything.
	maxDeviations = MaxNumber

	// mapSteps is how many steps of a position on the map make the unit square's side.
	mapSteps = 1<<16 - 1

	// maxMetric bounds a held-out metric: most lie below 1, and the largest are counts, such as the popularity.
	maxMetric = maxCount
)

// Most bytes of one text in a column of texts.
const (
	// maxTitle is for what stands in lists, on buttons and in labels: ids, titles, names. Ids that the readers of data
	// take have 1 KiB at most, titles 4 KiB. A page shows a few of them in one attribute, and that fails at 16 KiB.
	maxTitle = maxName

	// maxValue is for the further columns: the readers take texts of 32 KiB, and a column of tags joins several.
	maxValue = 1 << 16
)

// checkNumber checks one.
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

// checkFloats checks a column of float32, none further from 0 than most.
func (l checker) checkFloats(k leaf, want int64, most float32) error {
	if err := l.checkLength(k, want, 4); err != nil {
		return err
	}
	b, count := l.bytes(k), int(want)
	limit := math.Float32bits(most)
	high := limit >> 16 // what is below it in the upper half is below most; NaN and infinity are above all numbers
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

// checkTexts checks that a column holds want texts, any number where want is −1, of at most so many bytes each, and
// returns how many.
func (l checker) checkTexts(k leaf, want int64, most int) (int, error) {
	column := l.bytes(k)
	have := countTexts(column)
	if have < 0 {
		return 0, l.fail(BadText, k, "the last text does not end with NUL")
	}
	if want >= 0 && int64(have) != want {
		return 0, l.fail(WrongShape, k, "%d texts where there must be %d", have, want)
	}
	for i, at := 0, 0; at < len(column); i++ {
		if i%yieldItems == yieldItems-1 {
			yield.Now()
		}
		n := bytes.IndexByte(column[at:], 0)
		if n > most {
			return 0, l.fail(TooLarge, k, "text %d has %d bytes, of which at most %d are allowed", i, n, most)
		}
		at += n + 1
	}
	return have, nil
}
