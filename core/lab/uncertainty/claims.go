package uncertainty

import (
	"cmp"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/recommend"
)

// claim is a chance stated to a person, with the outcome.
type claim struct {
	person int
	chance float64
	true   bool
}

// peopleIndex numbers the people of a list in order of first appearance.
type peopleIndex struct {
	of  []int // by element
	len int
}

func newPeopleIndex(n int, person func(i int) int) peopleIndex {
	x, number := peopleIndex{of: make([]int, n)}, map[int]int{}
	for i := range n {
		k, ok := number[person(i)]
		if !ok {
			k = x.len
			number[person(i)] = k
			x.len++
		}
		x.of[i] = k
	}
	return x
}

// claimSums sums the claims of one person in one bin.
type claimSums struct{ n, stated, true float64 }

func (t *claimSums) add(c *claim) {
	t.n++
	t.stated += c.chance
	if c.true {
		t.true++
	}
}

// observed returns the share that came true, with the bootstrap's interval over people, from outcomes by person.
func observed(by []claimSums, seed uint64) eval.Estimate {
	return eval.Bootstrap(len(by), seed, func(at []int) float64 {
		n, y := 0.0, 0.0
		for _, i := range at {
			n += by[i].n
			y += by[i].true
		}
		if n == 0 {
			return 0
		}
		return y / n
	})
}

// reliabilityBins is the number of bins of a diagram, of equal count.
const reliabilityBins = 10

// calibrated returns the expected calibration error of the claims and the bins of their reliability diagram. The
// bootstrap over people keeps the bins' bounds; resampling adds noise to every bin, so its interval is slightly high.
func calibrated(claims []claim, seed uint64) (eval.Estimate, []Bin) {
	claims = slices.Clone(claims)
	slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(a.chance, b.chance) })
	people := newPeopleIndex(len(claims), func(i int) int { return claims[i].person })
	n := min(reliabilityBins, len(claims))
	by := make([][]claimSums, n)
	bins := make([]Bin, n)
	for b := range by {
		by[b] = make([]claimSums, people.len)
		all := claimSums{}
		for i := b * len(claims) / n; i < (b+1)*len(claims)/n; i++ {
			by[b][people.of[i]].add(&claims[i])
			all.add(&claims[i])
		}
		bins[b] = Bin{all.stated / all.n, observed(by[b], seed), int(all.n)}
	}
	return eval.Bootstrap(people.len, seed, func(at []int) float64 {
		e, total := 0.0, 0.0
		for b := range by {
			sum := 0.0
			for _, i := range at {
				t := &by[b][i]
				sum += t.stated - t.true
				total += t.n
			}
			e += math.Abs(sum)
		}
		return e / total
	}), bins
}

// words returns the share of each word's claims that came true, from the least certain up.
func words(claims []claim, of recommend.ChanceOf, seed uint64) []Word {
	people := newPeopleIndex(len(claims), func(i int) int { return claims[i].person })
	var out []Word
	for c := recommend.Gamble; c <= recommend.VerySure; c++ {
		w := Word{Certainty: c, From: of.From(c), To: 1}
		if c < recommend.VerySure {
			w.To = of.From(c + 1)
		}
		by := make([]claimSums, people.len)
		all := claimSums{}
		for i := range claims {
			if of.Certainty(claims[i].chance) == c {
				by[people.of[i]].add(&claims[i])
				all.add(&claims[i])
			}
		}
		if all.n > 0 {
			w.Stated, w.Observed, w.Count, w.Share = all.stated/all.n, observed(by, seed), int(all.n),
				all.n/float64(len(claims))
		}
		out = append(out, w)
	}
	return out
}
