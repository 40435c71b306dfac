package tune

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/c-bata/goptuna"
)

// sampler is the tree-structured Parzen estimator (Bergstra et al., Algorithms for Hyper-Parameter Optimization, 2011)
// behind goptuna's interface. Each parameter is drawn separately, on a scale u ∈ [0,1] (logarithmic for logarithmic
// ranges). The first startup trials are a Latin hypercube. Later the trials are split into the best γ(n) and the
// others; l(u) and g(u) are densities around their values, and of candidates drawn from l the one with the largest l/g
// is taken.
//
// A draw depends only on the seed, the parameter's name, the trial's number and earlier trials. There is no other
// state, so a study that is read back continues unchanged.
type sampler struct {
	seed   uint64
	params map[string]*Param
}

// startup is the number of trials of the Latin hypercube.
const startup = 10

// drawn is the number of candidates drawn from l.
const drawn = 24

// good returns γ(n), the number of good trials among n.
func good(n int) int { return min((n+9)/10, 25) }

// Sample implements goptuna.Sampler.
func (s *sampler) Sample(study *goptuna.Study, trial goptuna.FrozenTrial, name string, distribution any) (float64,
	error) {
	p := s.params[name]
	trials, err := study.GetTrials()
	if err != nil {
		return 0, err
	}
	var seen []*goptuna.FrozenTrial
	for i := range trials {
		if _, has := trials[i].InternalParams[name]; has && trials[i].State.IsFinished() &&
			trials[i].Number < trial.Number {
			seen = append(seen, &trials[i])
		}
	}
	r := s.source(name, uint64(trial.Number)+1)
	if len(seen) < startup {
		place := s.source(name, 0).Perm(startup)[trial.Number%startup]
		return p.fromUnit((float64(place) + r.Float64()) / startup), nil
	}
	slices.SortStableFunc(seen, order)
	units := make([]float64, len(seen))
	for i, t := range seen {
		units[i] = p.toUnit(t.InternalParams[name])
	}
	n := good(len(units))
	if p.Values != nil && !p.Ordered {
		return p.fromUnit(pickWord(units[:n], units[n:], len(p.Values), r)), nil
	}
	return p.fromUnit(pickNumber(units[:n], units[n:], r)), nil
}

// source returns the random numbers of one draw.
func (s *sampler) source(name string, counter uint64) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d", s.seed, name, counter)
	return rand.New(rand.NewPCG(s.seed, h.Sum64()))
}

// order sorts from the best trial, like better.
func order(a, b *goptuna.FrozenTrial) int {
	rank := map[goptuna.TrialState]int{goptuna.TrialStateComplete: 0, goptuna.TrialStatePruned: 1,
		goptuna.TrialStateFail: 2}
	if c := cmp.Compare(rank[a.State], rank[b.State]); c != 0 {
		return c
	}
	if a.State == goptuna.TrialStatePruned {
		if c := cmp.Compare(len(b.IntermediateValues), len(a.IntermediateValues)); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(b.Value, a.Value); c != 0 {
		return c
	}
	return cmp.Compare(a.Number, b.Number)
}

// fromUnit returns the library's number for u ∈ [0,1].
func (p *Param) fromUnit(u float64) float64 {
	switch {
	case p.Values != nil:
		return float64(min(int(u*float64(len(p.Values))), len(p.Values)-1))
	case p.Log:
		return p.tidy(p.Low * math.Pow(p.High/p.Low, u))
	}
	return p.tidy(p.Low + u*(p.High-p.Low))
}

// toUnit is its inverse, up to rounding; for a list, the middle of the value's part.
func (p *Param) toUnit(v float64) float64 {
	switch {
	case p.Values != nil:
		return (v + 0.5) / float64(len(p.Values))
	case p.Log:
		return math.Log(v/p.Low) / math.Log(p.High/p.Low)
	}
	return (v - p.Low) / (p.High - p.Low)
}

// parzen is a mixture of Gaussians cut to [0,1] and of the uniform density, all with the same weight.
type parzen struct{ at, width []float64 }

// newParzen places a Gaussian on each point, with the distance of the farther neighbour as its width (edges count as
// neighbours), at least 1/min(100, n+1).
func newParzen(points []float64) parzen {
	at := slices.Sorted(slices.Values(points))
	least := 1 / float64(min(100, len(at)+1))
	width := make([]float64, len(at))
	for i, x := range at {
		before, after := x, 1-x
		if i > 0 {
			before = x - at[i-1]
		}
		if i+1 < len(at) {
			after = at[i+1] - x
		}
		width[i] = min(max(before, after, least), 1)
	}
	return parzen{at, width}
}

func (p parzen) draw(r *rand.Rand) float64 {
	k := r.IntN(len(p.at) + 1)
	if k == len(p.at) {
		return r.Float64()
	}
	for { // at least half of the draws lie within, as the mean does and the width is at most 1
		if x := p.at[k] + p.width[k]*r.NormFloat64(); x >= 0 && x <= 1 {
			return x
		}
	}
}

func (p parzen) density(x float64) float64 {
	sum := 1.0
	for i, at := range p.at {
		s := p.width[i] * math.Sqrt2
		inside := (math.Erf((1-at)/s) - math.Erf(-at/s)) / 2
		sum += math.Exp(-(x-at)*(x-at)/(s*s)) / (s * math.Sqrt(math.Pi)) / inside
	}
	return sum / float64(len(p.at)+1)
}

// pickNumber returns the best of the candidates for a number.
func pickNumber(goods, others []float64, r *rand.Rand) float64 {
	l, g := newParzen(goods), newParzen(others)
	best, ratio := 0.0, math.Inf(-1)
	for range drawn {
		x := l.draw(r)
		if q := l.density(x) / g.density(x); q > ratio {
			best, ratio = x, q
		}
	}
	return best
}

// pickWord returns the index of the best of the candidates for one of n words.
func pickWord(goods, others []float64, n int, r *rand.Rand) float64 {
	shares := func(units []float64) []float64 {
		w := make([]float64, n)
		for i := range w {
			w[i] = 1 / float64(len(units)+n)
		}
		for _, u := range units {
			w[int(u*float64(n))] += 1 / float64(len(units)+n)
		}
		return w
	}
	l, g := shares(goods), shares(others)
	best, ratio := 0, math.Inf(-1)
	for range drawn {
		k, x := 0, r.Float64()
		for k+1 < n && x >= l[k] {
			x -= l[k]
			k++
		}
		if q := l[k] / g[k]; q > ratio {
			best, ratio = k, q
		}
	}
	return (float64(best) + 0.5) / float64(n)
}
