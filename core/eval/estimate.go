package eval

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Estimate is a value with its 95% interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// String formats it with three decimals.
func (e Estimate) String() string { return fmt.Sprintf("%.3f [%.3f, %.3f]", e.Value, e.Low, e.High) }

// resamples is the number of resamples of a bootstrap.
const resamples = 2000

// Mean returns the mean of one value per user, with the percentile interval of the bootstrap over users (Efron 1979).
// To compare, pass the differences: that is the paired bootstrap. Without values everything is 0. O(resamples·n).
func Mean(values []float64, seed uint64) Estimate {
	if len(values) == 0 {
		return Estimate{}
	}
	return Bootstrap(len(values), seed, func(at []int) float64 {
		sum := 0.0
		for _, i := range at {
			sum += values[i]
		}
		return sum / float64(len(at))
	})
}

// Bootstrap returns statistic of 0…n−1, and the interval that holds it for 95% of the resamples of n with replacement.
func Bootstrap(n int, seed uint64, statistic func(at []int) float64) Estimate {
	return Bootstraps(n, 1, seed, func(at []int, out []float64) { out[0] = statistic(at) })[0]
}

// Bootstraps is Bootstrap of k statistics of the same resamples.
func Bootstraps(n, k int, seed uint64, statistics func(at []int, out []float64)) []Estimate {
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	values := make([]float64, k)
	statistics(at, values)
	r := rand.New(rand.NewPCG(seed, 0x626f6f7473747261))
	drawn := make([][]float64, k)
	out := make([]float64, k)
	for range resamples {
		for i := range at {
			at[i] = r.IntN(n)
		}
		statistics(at, out)
		for j, v := range out {
			drawn[j] = append(drawn[j], v)
		}
	}
	e := make([]Estimate, k)
	for j, d := range drawn {
		slices.Sort(d)
		e[j] = Estimate{values[j], d[resamples/40], d[resamples-1-resamples/40]}
	}
	return e
}

// Spearman returns the rank correlation of x and y, of equal length, with ties at their mean rank. The interval is
// Fisher's with the variance (1 + ρ²/2)/(n − 3) of Bonett and Wright (2000). For fewer than four pairs, or if one side
// is constant, everything is 0. It panics if the lengths differ. O(n log n).
func Spearman(x, y []float64) Estimate {
	return correlated(Pearson(Ranks(x), Ranks(y)), len(x))
}

// Partial returns the rank correlation of x and y after removing the part of their ranks that z explains,
//
//	ρ_xy·z = (ρ_xy − ρ_xz ρ_yz) / √((1 − ρ_xz²)(1 − ρ_yz²))
//
// with the interval of Spearman, with one degree of freedom less.
func Partial(x, y, z []float64) Estimate {
	rx, ry, rz := Ranks(x), Ranks(y), Ranks(z)
	xy, xz, yz := Pearson(rx, ry), Pearson(rx, rz), Pearson(ry, rz)
	under := (1 - xz*xz) * (1 - yz*yz)
	if !(under > 0) {
		return Estimate{}
	}
	return correlated((xy-xz*yz)/math.Sqrt(under), len(x)-1)
}

// correlated adds the interval to a rank correlation of n pairs.
func correlated(rho float64, n int) Estimate {
	if n < 4 {
		return Estimate{}
	}
	z, half := math.Atanh(rho), 1.959964*math.Sqrt((1+rho*rho/2)/float64(n-3))
	return Estimate{rho, math.Tanh(z - half), math.Tanh(z + half)}
}

// Pearson returns the correlation of x and y, of equal length, in [−1, 1]; 0 if one is constant. It panics if the
// lengths differ. O(n).
func Pearson(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(LengthError{len(x), len(y)})
	}
	n := float64(len(x))
	var mx, my, xx, yy, xy float64
	for i := range x {
		mx += x[i] / n
		my += y[i] / n
	}
	for i := range x {
		a, b := x[i]-mx, y[i]-my
		xx += a * a
		yy += b * b
		xy += a * b
	}
	if !(xx > 0 && yy > 0) {
		return 0
	}
	return max(-1, min(1, xy/math.Sqrt(xx*yy)))
}

// Ranks returns the rank of every value, from 1; equal values share their mean rank. O(n log n).
func Ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	out := make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		for k := i; k < j; k++ {
			out[order[k]] = float64(i+j+1) / 2
		}
		i = j
	}
	return out
}

// LengthError is the panic value for slices of different lengths.
type LengthError struct{ Got, Want int }

func (e LengthError) Error() string {
	return fmt.Sprintf("eval: got %d values, want %d", e.Got, e.Want)
}

// FiniteError is the panic value of the tests for a difference that is NaN or infinite.
type FiniteError struct {
	At    int
	Value float64
}

func (e FiniteError) Error() string {
	return fmt.Sprintf("eval: difference %d is %g", e.At, e.Value)
}
