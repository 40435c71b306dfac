package calibrate

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

const (
	listsPerUser = 4 // lists of each person, each after other likes
	// δ: the chance that a threshold is certified although its lists disappoint more often. For its lists to keep
	// their word to 95 of 100 other groups of as many people, who vary as much, the margin must be √2 times the 1.645
	// standard errors of δ = 5%: that of 1%.
	falseAlarm    = 0.01
	minGuaranteed = 100 // people who are given a list, below which no threshold is tried
	chanceSteps   = 200 // thresholds between 0 and 1
)

// shares are the α for which a threshold is looked for: at most one title in ten, or in five, will disappoint.
var shares = [...]float32{0.1, 0.2}

// Listed is a list that a simulated visitor is given: the chance of each title, by weights that their answers have no
// part in, and what they think of it.
type Listed struct {
	Person  int       // user
	Chances []float64 // in the list's order, at most model.MaxGuaranteed
	Rated   []bool    // whether they have rated the title
	Liked   []bool    // whether they like it; only of what they have rated
}

// list is a Listed whose chances are not stated yet.
type list struct {
	Listed
	features []model.LikeFeatures
}

// lists gives each of p's people, after the first listsPerUser of the visits that Answers makes, the list that the
// engine makes for the visitor. The chances of its titles are not stated yet. O(people·I·h).
func (p *People) lists(ctx context.Context, rates []float32, workers int) ([]list, error) {
	of := make([][]list, len(p.Left))
	err := parallel.Each(ctx, len(p.Left), workers, func() func(int) {
		return func(i int) {
			for k := range listsPerUser {
				if l, ok := p.list(p.Left[i], k, rates); ok {
					of[i] = append(of[i], l)
				}
			}
		}
	})
	return slices.Concat(of...), err
}

// list returns the list of the user's k-th visit; not ok where nothing in it is rated.
func (p *People) list(u, k int, rates []float32) (l list, ok bool) {
	v, _ := p.visit(u, rand.New(rand.NewPCG(p.Seed, uint64(u)<<8|uint64(k))))
	if len(v.Likes) == 0 {
		return l, false
	}
	taste := p.Engine.Taste(v, nil)
	var items []int
	for _, s := range p.Engine.Recommend(v, taste, recommend.Request{K: model.MaxGuaranteed, Bare: true}) {
		items = append(items, s.Item)
	}
	l.Person = u
	for j, c := range p.Engine.LikeInputs(v, taste, items, rates) {
		c.Count, c.Items = p.scaled(c.Count), p.Model.Items.Len()
		liked := p.Likes.Contains(u, int32(items[j]))
		rated := liked || p.Unliked.Contains(u, int32(items[j]))
		l.features, l.Liked, l.Rated = append(l.features, c.Features()), append(l.Liked, liked), append(l.Rated, rated)
		ok = ok || rated
	}
	return l, ok
}

// state returns the lists with the chances that w states.
func state(lists []list, w *model.LikeRegression) []Listed {
	out := make([]Listed, len(lists))
	for i := range lists {
		out[i] = lists[i].Listed
		for j := range lists[i].features {
			out[i].Chances = append(out[i].Chances, w.Chance(&lists[i].features[j]))
		}
	}
	return out
}

// Guarantees returns the lists with a guarantee that the people's lists bear out, by ascending share; those shares for
// which no threshold is borne out are left out. seed decides the order in which people are asked.
func Guarantees(lists []Listed, seed uint64) (out []model.Guarantee) {
	for _, share := range shares {
		if g, ok := Guarantee(lists, share, seed); ok {
			out = append(out, g)
		}
	}
	return out
}

// Guarantee finds the lowest threshold at which lists disappoint no more often than the share says, by
// learn-then-test (Angelopoulos and others 2022): the thresholds are tested from the highest down at which a third of
// the people, and at least minGuaranteed, are given a list. The first whose null hypothesis, "the mean loss is above
// the share", cannot be rejected at the level δ = 1% ends the search, so the chance of certifying a wrong one is δ. A
// person's loss is the share of what they do not like among the titles of their lists that carry the guarantee and
// that they have rated, in the mean over their lists; who is given no list, or has rated none of it, has none.
// Conformal risk control alone would hold the loss on average only, and needs one that falls with the threshold,
// which this share need not do. ok is false where no threshold can be certified.
func Guarantee(lists []Listed, share float32, seed uint64) (g model.Guarantee, ok bool) {
	least := max(len(Losses(lists, model.Guarantee{Share: share}))/3, minGuaranteed)
	for step := chanceSteps - 1; step > 0; step-- {
		try := model.Guarantee{Share: share, Chance: float32(step) / chanceSteps}
		losses := Losses(lists, try)
		if len(losses) < least {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 0x67756172))
		r.Shuffle(len(losses), func(i, j int) { losses[i], losses[j] = losses[j], losses[i] })
		if !below(losses, float64(share)) {
			break
		}
		g, ok = try, true
	}
	return g, ok
}

// Losses returns the loss of every person who is given a list with the guarantee g and has rated titles of it, by
// ascending user: the share of these that they do not like, in the mean over their lists.
func Losses(lists []Listed, g model.Guarantee) []float64 {
	type sum struct {
		person  int
		loss, n float64
	}
	var people []sum
	for i := range lists {
		l := &lists[i]
		rated, disliked := 0.0, 0.0
		for j := range g.Length(l.Chances) {
			if l.Rated[j] {
				rated++
				if !l.Liked[j] {
					disliked++
				}
			}
		}
		if rated > 0 {
			people = append(people, sum{l.Person, disliked / rated, 1})
		}
	}
	slices.SortStableFunc(people, func(a, b sum) int { return cmp.Compare(a.person, b.person) })
	var out []float64
	for i := 0; i < len(people); {
		all := sum{person: people[i].person}
		for ; i < len(people) && people[i].person == all.person; i++ {
			all.loss, all.n = all.loss+people[i].loss, all.n+1
		}
		out = append(out, all.loss/all.n)
	}
	return out
}

// below reports whether the mean of independent losses in [0,1] is certified to be below a bound, wrongly at most with
// the probability δ = falseAlarm, whatever their distribution: by betting (Waudby-Smith and Ramdas 2024). Against the
// null hypothesis that the mean is the bound or more, a fair game
//
//	K ← K·(1 + ν·(bound − loss))        0 ≤ ν ≤ ½/(1 − bound)
//
// wins the factor 1/δ at any time with a probability of at most δ. ν, which may depend on the losses before, is
// √(2·ln(1/δ)/(n·s²)), s² their variance with a fourth as one loss before all.
func below(losses []float64, bound float64) bool {
	capital, most := 0.0, 0.0 // ln K
	mean, square := 0.5, 0.25
	for i, loss := range losses {
		variance := square / float64(i+1)
		bet := min(math.Sqrt(2*math.Log(1/falseAlarm)/(float64(len(losses))*variance)), 0.5/(1-bound))
		capital += math.Log1p(bet * (bound - loss))
		most = max(most, capital)
		mean += (loss - mean) / float64(i+2)
		square += (loss - mean) * (loss - mean)
	}
	return most >= math.Log(1/falseAlarm)
}
