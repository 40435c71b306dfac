package experiments

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pmlam/pmlam/core/abtest"
	"github.com/pmlam/pmlam/core/internal/parallel"
)

// significant is the P below which a difference counts as found.
const significant = 0.05

// Found counts simulated experiments that found a difference.
type Found struct {
	Runs   int
	Either int // found a difference
	First  int // of these, found the first better
	// The same by a test with sessions as units, as if each had another visitor.
	Naive int
}

// Share returns the share of runs that found the second better, if second is true, or either, and its standard error.
func (f Found) Share(second bool) (share, deviation float64) {
	n := f.Either
	if second {
		n -= f.First
	}
	share = float64(n) / float64(f.Runs)
	return share, math.Sqrt(share * (1 - share) / float64(f.Runs))
}

// outcome is the finding of one run: −1 the first better, 1 the second, 0 no difference.
type outcome struct{ by, naive int }

// repeat counts the outcomes of runs, each with its own draws. The result is the same for any number of workers.
func repeat(ctx context.Context, runs, workers int, seed uint64, run func(r *rand.Rand) outcome) (Found, error) {
	outcomes := make([]outcome, runs)
	err := parallel.Each(ctx, runs, workers, func() func(int) {
		return func(i int) { outcomes[i] = run(rand.New(rand.NewPCG(seed, uint64(i)))) }
	})
	f := Found{Runs: runs}
	for _, o := range outcomes {
		if o.by != 0 {
			f.Either++
		}
		if o.by < 0 {
			f.First++
		}
		if o.naive != 0 {
			f.Naive++
		}
	}
	return f, err
}

// Variants simulates experiments with two variants, assigned to visitors with equal probability; the second lifts
// everybody's chance of a click by the relative lift, such as .05. visitors counts both together. Runs with too few
// visitors for a statement find no difference.
func Variants(ctx context.Context, visitors int, lift float64, runs, workers int, seed uint64) (Found, error) {
	return repeat(ctx, runs, workers, seed, func(r *rand.Rand) outcome {
		a, b := rates(r, visitors, lift)
		d := abtest.NewDifference(a, b, 1, lift)
		if d == nil {
			return outcome{}
		}
		return outcome{verdict(d.P, d.Value), verdict(ofSessions(a, b), d.Value)}
	})
}

// rates simulates one experiment.
func rates(r *rand.Rand, visitors int, lift float64) (a, b abtest.Rate) {
	var counts [2][]abtest.Count
	for range visitors {
		v, of := draw(r), r.IntN(2)
		p := v.click
		if of == 1 {
			p = min(1, p*(1+lift))
		}
		n := float64(v.sessions)
		counts[of] = append(counts[of], abtest.Count{Hits: float64(binomial(r, v.sessions, p)), Of: n})
	}
	return abtest.NewRate(counts[0]), abtest.NewRate(counts[1])
}

// ofSessions is the usual test of two shares, which treats sessions as independent.
func ofSessions(a, b abtest.Rate) (p float64) {
	pooled := (a.Hits + b.Hits) / (a.Of + b.Of)
	return twoSided((b.Hits/b.Of - a.Hits/a.Of) / math.Sqrt(pooled*(1-pooled)*(1/a.Of+1/b.Of)))
}

func twoSided(z float64) float64 { return 2 * distuv.UnitNormal.CDF(-math.Abs(z)) }

func verdict(p, difference float64) int {
	switch {
	case p >= significant || math.IsNaN(p):
		return 0
	case difference < 0:
		return -1
	}
	return 1
}

// Needed returns the number of visitors per variant that finds a relative lift with power .8. It is planned on a
// simulated experiment without a difference; its visitors, over both variants, must be some hundreds to show how much
// visitors vary.
func Needed(visitors int, lift float64, seed uint64) int {
	a, b := rates(rand.New(rand.NewPCG(seed, 1<<40)), visitors, 0)
	return abtest.NewDifference(a, b, 1, lift).Needed
}
