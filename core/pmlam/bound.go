package pmlam

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
)

// Bound names the set that rows θ = [μ; s] are kept in after every update. R is Config.Radius. Unless s may have any
// sign (Config.Signed), s ≥ gaussian.MinStddev always holds; this is applied last and may lengthen a row by
// √h·MinStddev.
type Bound string

// SigmaBound, the zero value, is the paper's; settings files omit it.
const (
	// ‖μ‖ ≤ R and ‖Σ‖ = ‖s²‖ ≤ 1. It leaves s far more room than μ: ‖s‖² may be √h, 7 at h = 50.
	SigmaBound Bound = ""
	// ‖μ‖ ≤ R and ‖s‖ ≤ R: the same room for both halves.
	StddevBound Bound = "stddev"
	// ‖[μ; s]‖ ≤ R: the paper's "all embeddings within a unit sphere", applied to the rows whose distance is W2.
	JointBound Bound = "joint"
)

func (b Bound) String() string { return nameOf(b, "sigma") }

func (b *Bound) UnmarshalText(text []byte) error { *b = ofName[Bound](text, "sigma"); return nil }

// nameOf returns the name of a setting; zero is the name of the zero value.
func nameOf[T ~string](value T, zero string) string {
	if value == "" {
		return zero
	}
	return string(value)
}

// ofName is the inverse of nameOf.
func ofName[T ~string](name []byte, zero string) T {
	if string(name) == zero {
		return ""
	}
	return T(name)
}

// bound scales a row into its bounds. O(h).
func (c *Config) bound(row []float32) {
	radius, h := float32(c.Radius), len(row)/2
	if c.Bound == SigmaBound && !c.Signed {
		gaussian.Bound(row, radius)
		return
	}
	mean, stddev := row[:h], row[h:]
	c.floor(stddev)
	switch c.Bound {
	case JointBound:
		gaussian.ScaleInto(row, radius)
	case StddevBound:
		gaussian.ScaleInto(mean, radius)
		gaussian.ScaleInto(stddev, radius)
	default:
		gaussian.ScaleInto(mean, radius)
		var sum float32 // ‖Σ‖² = Σ s⁴
		for _, s := range stddev {
			q := float32(s * s)
			sum += float32(q * q)
		}
		if sum > 1 {
			scale := float32(math.Sqrt(math.Sqrt(1 / float64(sum))))
			for i := range stddev {
				stddev[i] *= scale
			}
		}
	}
	c.floor(stddev)
}

// floor raises values of s to at least gaussian.MinStddev, unless s is signed.
func (c *Config) floor(stddev []float32) {
	if c.Signed {
		return
	}
	for i, s := range stddev {
		stddev[i] = max(s, gaussian.MinStddev)
	}
}

// room returns an upper bound of W2² between two rows within the bounds; +Inf if means are unbounded. Opposite points
// of a ball of radius R are 2R apart; if s is not signed, two of them are at most √2·R apart.
func (c *Config) room() float64 {
	square := c.Radius * c.Radius
	switch {
	case c.Bound == JointBound || c.Deterministic:
		return 4 * square
	case c.Bound == StddevBound && c.Signed:
		return 8 * square
	case c.Bound == StddevBound:
		return 6 * square
	case c.Signed: // ‖s‖² ≤ √h, for two opposite values
		return 4*square + 4*math.Sqrt(float64(c.Dim))
	}
	return 4*square + math.Sqrt(2*float64(c.Dim)) // disjoint, each over half of the dimensions
}

// least returns the smallest radius whose bounds any row can meet: an unsigned s has a minimum norm.
func (c *Config) least() float64 {
	if c.Bound == SigmaBound || c.Signed {
		return 0
	}
	return math.Sqrt(float64(c.Dim)) * gaussian.MinStddev
}
