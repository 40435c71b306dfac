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
	listsPerUser = 4 // lists of each user, each after a different random visit
	// δ: the chance of certifying a threshold whose lists disappoint more often than stated. The lists should keep
	// their promise in 95 of 100 other groups of as many users, which vary as much themselves. So the margin must be √2
	// times the 1.645 standard errors of δ = 5%, which corresponds to δ = 1%.
	falseAlarm    = 0.01
	minGuaranteed = 100 // thresholds that give fewer users a list are not tried
	chanceSteps   = 200 // thresholds between 0 and 1
)

// shares are the values of α to find thresholds for: at most one title in ten, or in five, will disappoint.
var shares = [...]float32{0.1, 0.2}

// Listed is the list of a simulated visitor: the chance of each title, by weights fitted without the visitor's answers,
// and the visitor's ratings.
type Listed struct {
	Person  int       // user
	Chances []float64 // in the list's order, at most model.MaxGuaranteed
	Rated   []bool    // whether the user rated the title
	Liked   []bool    // whether the user likes it; only set if rated
}

// list is a Listed before its chances are computed.
type list struct {
	Listed
	features []model.LikeFeatures
}

// lists returns the engine's list for each of the first listsPerUser visits of each left-out user (visit), without
// chances. O(people·I·h).
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

// list returns the list of the user's k-th visit; ok is false if the user rated none of it.
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

// state returns the lists with the chances by w.
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

// Guarantees returns the guarantees that the lists support, by ascending share. It omits a share if no threshold is
// certified for it. seed controls the order in which losses are tested.
func Guarantees(lists []Listed, seed uint64) (out []model.Guarantee) {
	for _, share := range shares {
		if g, ok := Guarantee(lists, share, seed); ok {
			out = append(out, g)
		}
	}
	return out
}

// Guarantee returns the lowest threshold at which lists are certified to disappoint no more often than share, by
// learn-then-test (Angelopoulos and others 2022). Thresholds are tested from high to low, beginning where at least a
// third of the users, and at least minGuaranteed, get a list. The search ends at the first threshold whose null
// hypothesis, "the mean loss is above the share", is not rejected at the level δ = 1%. So the chance of certifying a
// wrong threshold is at most δ. The loss of a user is the share of disliked titles among the rated ones in the
// guaranteed parts of their lists, averaged over the lists. Users without such a list, or without a rating in it, have
// no loss. Conformal risk control alone would only bound the expected loss, and would need a loss that falls with the
// threshold, which this one need not do. ok is false if no threshold is certified.
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

// Losses returns the loss of every user who gets a list with the guarantee g and rated titles in it, by ascending user.
// The loss is the share of these titles that the user does not like, averaged over the user's lists.
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

// below reports whether the mean of independent losses in [0,1] is certified to be below a bound. It is wrong with
// probability at most δ = falseAlarm, for any distribution. It tests by betting (Waudby-Smith and Ramdas 2024): if the
// mean is the bound or more, a fair game
//
//	K ← K·(1 + ν·(bound − loss))        0 ≤ ν ≤ ½/(1 − bound)
//
// ever multiplies its stake by 1/δ with probability at most δ. ν may depend on earlier losses; it is
// √(2·ln(1/δ)/(n·s²)), with s² their variance, starting from one prior observation of variance ¼.
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
