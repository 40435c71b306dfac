package pmlam

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
)

// Bound says in which set rows θ = [μ; s] are kept after every update. R is Config.Radius. In all of them s ≥
// gaussian.MinStddev, which comes last and may lengthen a row by √h·MinStddev, or s has any sign (Config.Signed).
type Bound string

// The bounds. SigmaBound, the zero value, is the paper's; settings files leave it out.
const (
	// ‖μ‖ ≤ R and ‖Σ‖ = ‖s²‖ ≤ 1. It leaves s far more room than μ: ‖s‖² may be √h, 7 at h = 50.
	SigmaBound Bound = ""
	// ‖μ‖ ≤ R and ‖s‖ ≤ R: the same room for both halves.
	StddevBound Bound = "stddev"
	// ‖[μ; s]‖ ≤ R: "all embeddings within a unit sphere" said of the rows between which W2 is the distance.
	JointBound Bound = "joint"
)

func (b Bound) String() string { return nameOf(b, "sigma") }

// UnmarshalText takes the name of a bound.
func (b *Bound) UnmarshalText(text []byte) error { *b = ofName[Bound](text, "sigma"); return nil }

// nameOf returns the name of a setting whose zero value has that of zero.
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

// bound puts a row into its bounds, by scaling. O(h).
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

// floor raises what is below gaussian.MinStddev, where s is not signed.
func (c *Config) floor(stddev []float32) {
	if c.Signed {
		return
	}
	for i, s := range stddev {
		stddev[i] = max(s, gaussian.MinStddev)
	}
}

// room returns a number that no W2² between two rows within the bounds exceeds; +Inf where means are free. Opposite
// points of a ball of radius R are 2R apart; where s has one sign, two of them are √2·R apart at most.
func (c *Config) room() float64 {
	square := c.Radius * c.Radius
	switch {
	case c.Bound == JointBound || c.Deterministic:
		return 4 * square
	case c.Bound == StddevBound && c.Signed:
		return 8 * square
	case c.Bound == StddevBound:
		return 6 * square
	case c.Signed: // ‖s‖² ≤ √h, and the two are opposite
		return 4*square + 4*math.Sqrt(float64(c.Dim))
	}
	return 4*square + math.Sqrt(2*float64(c.Dim)) // disjoint, each over half of the dimensions
}

// least returns the smallest radius with which the bounds hold any row: an s that is not signed has a norm.
func (c *Config) least() float64 {
	if c.Bound == SigmaBound || c.Signed {
		return 0
	}
	return math.Sqrt(float64(c.Dim)) * gaussian.MinStddev
}
