package recommend

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

// generalByDistances is generalShare by its definition: ⟨a, b⟩ = (‖a‖² + ‖b‖² − W2²(a, b))/2, and a mean over all
// items.
func generalByDistances(r *Recommender, t *Taste, v Visit, bonus float64, item int) float64 {
	origin := make([]float32, len(t.Row))
	product := func(u []float32, i int) float64 {
		x := r.items.Row(i)
		return (W2Squared(u, origin) + W2Squared(x, origin) - W2Squared(u, x)) / 2
	}
	ahead := func(u []float32) float64 {
		mean := 0.0
		for j := range r.Len() {
			mean += product(u, j) / float64(r.Len())
		}
		return 2 * (product(u, item) - mean)
	}
	c := r.infer.s.Composition
	others := float64(c.Weight*c.Prior) / (float64(len(v.Likes)) + float64(c.Prior))
	prior := make([]float32, len(t.Row))
	for d, m := range r.infer.mean {
		prior[d] = float32(others * float64(m))
		if d < len(prior)/2 {
			prior[d] *= t.scale
		}
	}
	// The visitor's own part: the row of their likes, moved by their dislikes.
	own := make([]float32, len(t.Row))
	for d := range own {
		own[d] = t.Row[d] - prior[d]
	}
	rare := float64(r.rareness(len(v.Likes), r.niche(v.Likes)) * r.rare[item])
	part := max(ahead(prior)+rare, 0)
	return part / (part + math.Abs(ahead(own)+bonus-rare))
}

func withPrior(kappa float32) *model.Model {
	m := linked(300)
	m.Objective.Composition = gaussian.Composition{Weight: 2, Prior: kappa}
	return m
}

func TestGeneralShare(t *testing.T) {
	r := open(t, withPrior(3))
	w := r.pool.Get().(*work)
	random := rand.New(rand.NewPCG(9, 5))
	against := 0
	for n := range 40 {
		v := Visit{Likes: random.Perm(300)[:1+n%8]}
		if n%3 == 0 {
			v.Dislikes = []int{299}
		}
		v = r.clean(v)
		taste := r.Taste(v, nil)
		r.price(w, taste.Row, v)
		for _, s := range r.Recommend(v, taste, Request{K: 300, Order: Order(n % 2)}) {
			want := generalByDistances(r, taste, v, float64(w.bonus[s.Item]), s.Item)
			if math.Abs(s.General-want) > 1e-4 {
				t.Fatalf("%v, item %d: %v in general, want %v", v, s.Item, s.General, want)
			}
			if s.General == 0 {
				against++
			}
			total := s.General
			for _, y := range s.Reasons {
				total += y.Share
			}
			all := len(v.Likes) <= reasonsShown && len(s.Reasons) == len(v.Likes)
			if total > 1+1e-6 || all && total < 1-1e-6 {
				t.Errorf("%v, item %d: the shares sum to %v", v, s.Item, total)
			}
		}
	}
	if against == 0 {
		t.Error("the prior speaks against no title, so that was not tested")
	}
}

// TestGeneralShareOfTwo: in a list for two, each person has the same share as alone.
func TestGeneralShareOfTwo(t *testing.T) {
	r := open(t, withPrior(3))
	w := r.pool.Get().(*work)
	both := [2]Visit{{Likes: []int{2, 7, 12}}, {Likes: []int{33, 81}, Dislikes: []int{4}}}
	tastes := [2]*Taste{r.Taste(both[0], nil), r.Taste(both[1], nil)}
	for _, s := range r.Together(both[0], both[1], tastes[0], tastes[1], Request{K: 30}) {
		for side, one := range s.Each {
			r.price(w, tastes[side].Row, both[side])
			if want := r.generalShare(w, tastes[side], s.Item); one.General != want || want == 0 {
				t.Errorf("item %d: %v in general to person %d, want %v", s.Item, one.General, side, want)
			}
		}
	}
}

// TestGeneralShareOfNobody: the share is 0 without a prior, without likes, and for a taste that is only a Gaussian.
func TestGeneralShareOfNobody(t *testing.T) {
	v, disliked := Visit{Likes: []int{2, 7}}, Visit{Dislikes: []int{4}}
	r, without := open(t, withPrior(3)), open(t, withPrior(0))
	given := &Taste{Row: r.Taste(v, nil).Row, Spread: make([]float32, r.items.Dim())}
	lists := map[string][]Suggestion{
		"without a prior": without.Recommend(v, without.Taste(v, nil), Request{K: 30}),
		"nothing said":    r.Recommend(Visit{}, r.Taste(Visit{}, nil), Request{K: 30}),
		"dislikes alone":  r.Recommend(disliked, r.Taste(disliked, nil), Request{K: 30}),
		"a Gaussian":      r.Recommend(v, given, Request{K: 30}),
		"more like":       r.Similar(2, v, 30),
	}
	for name, list := range lists {
		for _, s := range list {
			if s.General != 0 {
				t.Errorf("%s, item %d: %v in general", name, s.Item, s.General)
			}
		}
	}
}

// TestGeneralShareFallsWithLikes: with the site's model and the people of MovieLens, a first like weighs less than the
// prior, and after forty likes the prior hardly matters.
func TestGeneralShareFallsWithLikes(t *testing.T) {
	r := openShipped(t)
	random := rand.New(rand.NewPCG(9, 6))
	var known []int // an item as often as it is liked
	for i := range r.Len() {
		for range r.Item(i).Count {
			known = append(known, i)
		}
	}
	before := 1.0
	for _, c := range []struct {
		likes       int
		least, most float64
	}{{1, 0.6, 0.75}, {3, 0.38, 0.5}, {10, 0.15, 0.25}, {40, 0.005, 0.09}} {
		sum, shown := 0.0, 0.0
		for range 60 {
			var v Visit
			for range c.likes {
				v.Likes = append(v.Likes, known[random.IntN(len(known))])
			}
			for _, s := range r.Recommend(v, r.Taste(v, nil), Request{K: 10, Later: true}) {
				sum += s.General
				shown++
			}
		}
		mean := sum / shown
		t.Logf("%d likes: %.3f in general", c.likes, mean)
		if mean < c.least || mean > c.most || mean >= before {
			t.Errorf("%d likes: %.3f in general, want %v to %v, and less than with fewer likes", c.likes, mean, c.least,
				c.most)
		}
		before = mean
	}
}
