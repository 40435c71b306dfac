package recommend

import (
	"math"
	"sync"

	"github.com/pmlam/pmlam/core/internal/vec"
)

const (
	quantileBits = 12
	quantiles    = 1 << quantileBits // number of values that a drawn normal can take
	perWord      = 64 / quantileBits // draws from one word of a stream
)

// normals returns the table from which standard normals are drawn: the quantiles at (i+½)/4096, divided by their own
// standard deviation. By construction its mean is 0 to 1e-6 and its variance 1 to 1e-6; the kurtosis is 2.99, no value
// lies beyond ±3.67, and its distribution function differs from the normal's by at most 1.3e-4. With the table, a draw
// takes two nanoseconds. Only Sqrt of package math is used to make it, so it is the same on every engine.
var normals = sync.OnceValue(func() *[quantiles]float32 {
	var q [quantiles / 2]float64
	sum := 0.0
	for i := range q {
		q[i] = quantile((float64(i) + 0.5) / quantiles)
		sum += float64(q[i] * q[i])
	}
	c := math.Sqrt(float64(len(q)) / sum)
	t := new([quantiles]float32)
	for i, v := range q {
		t[i], t[quantiles-1-i] = float32(v*c), -float32(v*c)
	}
	return t
})

// quantile returns the standard normal's quantile for 0 < p ≤ ½, by P. J. Acklam's rational approximation (2003),
// relative error 1.2e-9.
func quantile(p float64) float64 {
	if p < 0.02425 {
		q := math.Sqrt(float64(-2 * vec.Log(p)))
		num := horner(q, -7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
			-2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00)
		return num / horner(q, 7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
			3.754408661907416e+00, 1)
	}
	q := p - 0.5
	r := float64(q * q)
	num := q * horner(r, -3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
		1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00)
	return num / horner(r, -5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
		6.680131188771972e+01, -1.328068155288572e+01, 1)
}

// horner evaluates the polynomial with these coefficients, highest power first, without fused operations.
func horner(x float64, c ...float64) float64 {
	s := 0.0
	for _, v := range c {
		s = float64(s*x) + v
	}
	return s
}

// normalCDF returns the standard normal's distribution function, absolute error ≤ 3e-7 (Abramowitz and Stegun 26.2.17,
// with vec.Exp).
func normalCDF(x float64) float64 {
	a := math.Abs(x)
	k := 1 / (1 + float64(0.2316419*a))
	tail := float64(vec.Exp(-float32(float64(a*a)/2))) * 0.3989422804014327 * k *
		horner(k, 1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530)
	if x < 0 {
		return tail
	}
	return 1 - tail
}

// stream is a counter-based generator: word b of the stream with a key is a hash of (key, b), so a draw for an item
// depends only on the seed and the item, not on which other items are drawn.
type stream struct {
	key  uint64
	word uint64
	left int // draws left in word
}

// Keys of streams that belong to no item. None equals an item's index.
const (
	visitorStream  = math.MaxUint64     // the visitor's mean in Thompson draws
	itemsStream    = math.MaxUint64 - 1 // the items' noise in TopShares
	evidenceStream = 1 << 62            // the visitor's noise in Stability
)

func newStream(seed, item uint64) stream {
	return stream{key: mix(seed + 0x9E3779B97F4A7C15*mix(item+1))}
}

func (s *stream) next() uint64 {
	s.key += 0x9E3779B97F4A7C15
	return mix(s.key)
}

// normal returns the next standard normal of the stream from the table. Each word gives perWord draws, lowest bits
// first.
func (s *stream) normal(t *[quantiles]float32) float32 {
	if s.left == 0 {
		s.word, s.left = s.next(), perWord
	}
	v := t[s.word&(quantiles-1)]
	s.word >>= quantileBits
	s.left--
	return v
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// fillNormals fills dst with standard normals that depend only on the seed and the key; a longer dst extends a shorter
// one.
func fillNormals(dst []float32, seed, key uint64) {
	table, s := normals(), newStream(seed, key)
	for i := range dst {
		dst[i] = s.normal(table)
	}
}
