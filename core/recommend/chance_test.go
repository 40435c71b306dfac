package recommend

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// rated returns a fixture with a made-up calibration in which every feature has a weight.
func rated(m *model.Model) *model.Model {
	n, h := m.Items.Len(), m.Items.Dim()
	r := rand.New(rand.NewPCG(21, 22))
	c := &model.Calibration{Users: 40, Like: &model.LikeRegression{
		Rates: make([]float32, n),
		Bins: []model.LikeBin{
			{Predicted: 0.25, Observed: 0.5, Count: 30},
			{Predicted: 0.75, Observed: 0.7, Count: 10},
		},
	}}
	for range model.NumLikeFeatures {
		c.Like.Weights = append(c.Like.Weights, r.Float32()-0.4)
	}
	for i := range c.Like.Rates {
		c.Like.Rates[i] = 2*r.Float32() - 1
	}
	c.Posterior = model.Posterior{Within: make([]float32, h*(h+1)/2), Strength: 2}
	for d, at := 0, 0; d < h; d++ {
		for e := range d + 1 {
			c.Posterior.Within[at] = 0.002 * (r.Float32() - 0.5)
			if e == d {
				c.Posterior.Within[at] = 0.05 + 0.02*r.Float32()
			}
			at++
		}
	}
	out := *m
	out.Calibration = c
	return &out
}

// unrated is the same without ratings: the chance is about staying.
func unrated(m *model.Model) *model.Model {
	out := rated(m)
	out.Calibration.Like = nil
	return out
}

// Visitors without likes, and models without calibration, get neither a chance nor a certainty, for any request. The
// page asks Stability later only for visitors with stated chances.
func TestNothingIsStatedWithoutALikeOrACalibration(t *testing.T) {
	for name, c := range map[string]struct {
		m      *model.Model
		states bool
	}{"plain": {linked(300), false}, "folded": {fixtures(300)["softmax"], false}, "rated": {rated(linked(300)), true}, "unrated": {unrated(linked(300)), true}} {
		r := open(t, c.m)
		for _, v := range []Visit{{}, {Dislikes: []int{4}}, {Seen: []int{5, 6}}, {Likes: []int{2}}, {Likes: []int{2, 7, 12}, Dislikes: []int{3}}} {
			states := c.states && len(v.Likes) > 0
			if got := r.About().Reliability.States(v); got != states {
				t.Errorf("%s, %+v: chances are stated: %v", name, v, got)
			}
			taste := r.Taste(v, nil)
			all := r.Recommend(v, taste, Request{K: 20})
			for _, mode := range []Mode{HiddenGems, OutsideBubble} {
				all = append(all, r.Recommend(v, taste, Request{K: 5, Mode: mode})...)
			}
			for _, s := range r.Together(v, v, taste, taste, Request{K: 5}) {
				all = append(all, s.Each[:]...)
			}
			if len(all) != 40 {
				t.Fatalf("%s, %+v: %d suggestions", name, v, len(all))
			}
			of := r.About().Reliability.Of
			for _, s := range all {
				if states && s.Certainty != of.Certainty(s.Chance) ||
					!states && (s.Certainty != Unsaid || s.Chance != 0) {
					t.Fatalf(
						"%s, %+v: item %d has the chance %v and the certainty %d",
						name,
						v,
						s.Item,
						s.Chance,
						s.Certainty,
					)
				}
			}
		}
		for _, s := range r.Similar(3, Visit{}, 10) {
			if like := name == "rated"; like != (s.Certainty != Unsaid) {
				t.Errorf(
					"%s: item %d, like another, has the chance %v and the certainty %d",
					name,
					s.Item,
					s.Chance,
					s.Certainty,
				)
			}
		}
	}
}

// The chance of liking is the formula of model.LikeFeatures, computed here from the engine's other answers.
func TestChanceIsItsFormula(t *testing.T) {
	m := rated(linked(300))
	r := open(t, m)
	like := m.Calibration.Like
	for _, v := range []Visit{
		{Likes: []int{12, 2, 40}},
		{Likes: []int{12, 2, 40, 41, 7}, Dislikes: []int{200, 3}, Seen: []int{9}},
		{Likes: []int{7}, Dislikes: []int{4}},
	} {
		taste := r.Taste(v, nil)
		cost, direct := costs(r, v, taste), linkBonus(r, v)
		said := slices.Concat(v.Likes, v.Dislikes, v.Seen)
		for _, s := range r.Recommend(v, taste, Request{K: 25}) {
			place := 0
			for i := range r.Len() {
				if !slices.Contains(said, i) && i != s.Item && cost[i] < cost[s.Item] {
					place++
				}
			}
			n, mm := float64(len(v.Likes)), float64(len(v.Dislikes))
			e, liked, told := n/(n+5), 0.0, 0.0
			for _, j := range v.Likes {
				liked += float64(like.Rates[j]) / n
			}
			if mm > 0 {
				told = 1
			}
			rate, count := float64(like.Rates[s.Item]), math.Log(1+float64(r.Item(s.Item).Count))
			near := math.Log(float64(r.Len()) / float64(10+place))
			sum := 0.0
			for k, f := range []float64{
				1, rate, count, rate * count, near, e * near, float64(direct[s.Item]) / r.tau, e, told,
				math.Log((n + 4) / (mm + 1)), e * liked, e * rate, e * liked * rate, rate * rate,
			} {
				sum += f * float64(like.Weights[k])
			}
			if want := 1 / (1 + math.Exp(-sum)); math.Abs(s.Chance-want) > 1e-5 {
				t.Fatalf("%+v: item %d has the chance %v, want %v", v, s.Item, s.Chance, want)
			}
			if s.Certainty != Liking.Certainty(s.Chance) {
				t.Errorf("a chance of %v is called %d", s.Chance, s.Certainty)
			}
		}
	}
	about := r.About().Reliability
	if about.Of != Liking || about.People != 40 || len(about.Bins) != 2 ||
		math.Abs(about.Error-(0.25*30+0.05*10)/40) > 1e-7 {
		t.Errorf("%+v", about)
	}
}

func TestCertaintyIsItsRange(t *testing.T) {
	for _, o := range []ChanceOf{Staying, Liking} {
		for c := Gamble; c <= VerySure; c++ {
			if got := o.Certainty(o.From(c)); got != c {
				t.Errorf("%d: the chance at which %d begins is called %d", o, c, got)
			}
			if c > Gamble && o.Certainty(math.Nextafter(o.From(c), 0)) != c-1 {
				t.Errorf("%d: just below %v is not %d", o, o.From(c), c-1)
			}
		}
		if o.Certainty(1) != VerySure || o.Certainty(math.NaN()) != Gamble {
			t.Errorf("%d: the ends", o)
		}
	}
}

// Chances of staying are shares of draws with ten titles each, and depend on the evidence alone.
func TestStayIsAShareOfDraws(t *testing.T) {
	for name, m := range map[string]*model.Model{"plain": linked(200), "calibrated": rated(linked(200)), "folded": fixtures(200)["softmax"]} {
		r := open(t, m)
		v := Visit{Likes: []int{2, 7, 12, 81}, Dislikes: []int{3}}
		taste := r.Taste(v, nil)
		var items []int
		for _, s := range r.Recommend(v, taste, Request{K: r.Len()}) {
			items = append(items, s.Item)
		}
		got := r.Stability(v, taste, Request{}, items)
		sum := 0.0
		for k, p := range got {
			if p < 0 || p > 1 || p*2*stabilityPairs != math.Trunc(p*2*stabilityPairs) {
				t.Errorf("%s: item %d stays with %v, not a share of %d draws", name, k, p, 2*stabilityPairs)
			}
			sum += p
		}
		// Every draw has ten titles.
		if math.Abs(sum-Top) > 1e-9 || got[0] <= got[29] {
			t.Errorf("%s: the chances sum to %v: %v", name, sum, got[:30])
		}
		// A function of the evidence alone, and computed for each item by itself.
		other := Visit{Likes: []int{81, 12, 7, 2}, Dislikes: []int{3}}
		if again := r.Stability(other, r.Taste(other, nil), Request{}, items[:5]); !slices.Equal(again, got[:5]) {
			t.Errorf("%s: %v, before %v", name, again, got[:5])
		}
		// With few titles, all stay.
		if all := r.Stability(v, taste, Request{Filter: Filter{FromYear: 1950, ToYear: 1951}}, items[:1]); all[0] != 1 {
			t.Errorf("%s: of at most six titles one stays among the first ten with %v", name, all)
		}
	}
}

// The number of guaranteed titles follows the model's rule. It is 0 if chances are not stated, or are about another
// event.
func TestGuaranteedTitles(t *testing.T) {
	m := rated(linked(300))
	m.Calibration.Like.Guarantee = []model.Guarantee{{Share: 0.1, Chance: 0.999}, {Share: 0.2, Chance: 0.5}}
	r := open(t, m)
	v := Visit{Likes: []int{12, 2, 40}}
	list := r.Recommend(v, r.Taste(v, nil), Request{K: 20})
	about := r.About().Reliability
	var chances []float64
	for _, s := range list {
		chances = append(chances, s.Chance)
	}
	want := model.Guarantee{Share: 0.2, Chance: 0.5}.Length(chances)
	if got := about.Guaranteed(list, 0.2); got != want || want < 5 {
		t.Errorf("%d titles carry the guarantee, want %d; their chances are %.2f", got, want, chances)
	}
	if got := about.Guaranteed(list, 0.1); got != 0 {
		t.Errorf("%d titles are as good as certain", got)
	}
	if got := about.Guaranteed(list, 0.3); got != 0 {
		t.Errorf("%d titles carry a guarantee that the file does not have", got)
	}
	list[3].Certainty = Unsaid
	if got := about.Guaranteed(list, 0.2); got != 0 {
		t.Errorf("%d titles carry a guarantee although a chance is not stated", got)
	}
	staying := open(t, unrated(linked(300)))
	list = staying.Recommend(v, staying.Taste(v, nil), Request{K: 20})
	if got := staying.About().Reliability.Guaranteed(list, 0.2); got != 0 {
		t.Errorf("%d titles carry a guarantee where nobody rated", got)
	}
}
