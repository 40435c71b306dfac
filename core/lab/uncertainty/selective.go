package uncertainty

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// Shares are the shares of the most certain recommendations at which a curve is evaluated.
var Shares = [...]float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}

// SelectiveReport measures the gain from showing only the most certain recommendations. Each person names some likes
// and gets ten recommendations; a hit is one of the other likes. All recommendations of all people are sorted by a
// certainty score, and the most certain are kept.
type SelectiveReport struct {
	People          int `json:"people"`          // reported on
	Recommendations int `json:"recommendations"` // theirs
	// the certainty with the largest area on the other people, apart from popularity and distance
	Chosen string      `json:"chosen"`
	Curves []RiskCurve `json:"curves"`
	// The chosen certainty's area minus popularity's, and minus distance's, on the same people.
	OverPopularity eval.Estimate `json:"over_popularity"`
	OverDistance   eval.Estimate `json:"over_distance"`
}

// RiskCurve is the hit rate of a certainty score against the share kept.
type RiskCurve struct {
	Name string `json:"name"`
	// area under hit rate against coverage: the mean hit rate of the k most certain, over all k
	Area eval.Estimate   `json:"area"`
	Hits []eval.Estimate `json:"hits"` // hit rate of the most certain, for each of Shares
	Own  float64         `json:"own"`  // area on the choosing people
}

// recommendation is one recommendation.
type recommendation struct {
	person int
	hit    bool
	by     []float64 // by certainty score
	phi    model.LikeFeatures
}

// The certainty scores.
const (
	byDistance = iota
	byPopularity
	byStay
	byLike
	byBoth
	byFit
	scores
)

var scoreNames = [scores]string{"distance", "popularity", "chance to stay", "chance of liking", "both chances",
	"chance of a hit"}

// selectiveLikes are the numbers of likes that people name, at most half of their likes.
var selectiveLikes = [...]int{3, 5, 10, 20, 40}

// Selective measures the risk–coverage curves of people left out of the trainings; d has all users' data. The chance of
// a hit is a logistic regression on distance, popularity, the chances, rank and number of likes, fitted on every second
// person; they also choose the certainty. The others are reported.
func Selective(ctx context.Context, d calibrate.Data, cases []Case, seed uint64) (*SelectiveReport, error) {
	var choose, report []recommendation
	liking := true
	people := 0
	for _, c := range cases {
		liking = liking && c.Engine.About().Reliability.Of == recommend.Liking
		for k, u := range c.LeftOut {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			made := c.recommendations(u, d.Likes.Row(u), rand.New(rand.NewPCG(seed, uint64(u)^0x73656c)))
			if k%2 == 0 {
				choose = append(choose, made...)
			} else {
				report = append(report, made...)
				people++
			}
		}
	}
	if len(choose) == 0 || len(report) == 0 {
		return nil, errors.New("too few people to choose a certainty on one half and measure it on the other")
	}
	if err := fitHits(choose, report); err != nil {
		return nil, err
	}
	r := &SelectiveReport{People: people, Recommendations: len(report)}
	const figures = 1 + len(Shares)
	best, own := byStay, [scores]float64{}
	var of [scores]func(at []int, out []float64)
	judges := newPeopleIndex(len(choose), func(i int) int { return choose[i].person })
	judged := newPeopleIndex(len(report), func(i int) int { return report[i].person })
	for score := range scores {
		if (score == byLike || score == byBoth) && !liking {
			continue
		}
		var out [figures]float64
		curve(choose, judges, score)(indices(judges.len), out[:])
		own[score] = out[0]
		if score > best && own[score] > own[best] {
			best = score
		}
		of[score] = curve(report, judged, score)
		e := eval.Bootstraps(judged.len, figures, seed, of[score])
		r.Curves = append(r.Curves, RiskCurve{scoreNames[score], e[0], e[1:], own[score]})
	}
	r.Chosen = scoreNames[best]
	than := func(score int) eval.Estimate {
		return eval.Bootstrap(judged.len, seed, func(at []int) float64 {
			var a, b [figures]float64
			of[best](at, a[:])
			of[score](at, b[:])
			return a[0] - b[0]
		})
	}
	r.OverPopularity, r.OverDistance = than(byPopularity), than(byDistance)
	return r, nil
}

// indices returns 0…n−1.
func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// recommendations returns a person's ten recommendations with their certainty scores; none for fewer than two likes.
func (c *Case) recommendations(person int, row []int32, r *rand.Rand) []recommendation {
	likes := calibrate.Ints(row)
	r.Shuffle(len(likes), func(i, j int) { likes[i], likes[j] = likes[j], likes[i] })
	n := min(selectiveLikes[r.IntN(len(selectiveLikes))], len(likes)/2)
	if n == 0 {
		return nil
	}
	v := recommend.Visit{Likes: likes[:n]}
	taste := c.Engine.Taste(v, nil)
	list := c.Engine.Recommend(v, taste, recommend.Request{K: recommend.Top})
	var items []int
	for _, s := range list {
		items = append(items, s.Item)
	}
	stay := c.Engine.Stability(v, taste, recommend.Request{}, items)
	out := make([]recommendation, len(list))
	for k, s := range list {
		count := float64(c.Engine.Item(s.Item).Count)
		a := recommendation{person: person, hit: slices.Contains(likes[n:], s.Item), by: make([]float64, scores)}
		a.by[byDistance], a.by[byPopularity] = -s.Distance, count
		a.by[byStay], a.by[byLike], a.by[byBoth] = stay[k], s.Chance, s.Chance*stay[k]
		chance := min(max(s.Chance, 0.01), 0.99)
		a.phi = model.LikeFeatures{
			1, math.Log(1 + count), s.Distance, stay[k], math.Log(chance / (1 - chance)), math.Log(float64(1 + k)),
			math.Log(float64(n)),
		}
		out[k] = a
	}
	return out
}

// fitHits fits the chance of a hit on some people and states it for all.
func fitHits(some, others []recommendation) error {
	phi, hit := make([]model.LikeFeatures, len(some)), make([]bool, len(some))
	for i, a := range some {
		phi[i], hit[i] = a.phi, a.hit
	}
	b, err := calibrate.Logistic(phi, hit, 1)
	if err != nil {
		return errors.New("no recommendation is a hit, or all are, so no certainty can be better than another")
	}
	for _, all := range [...][]recommendation{some, others} {
		for i := range all {
			s := 0.0
			for k, w := range b {
				s += w * all[i].phi[k]
			}
			all[i].by[byFit] = s
		}
	}
	return nil
}

// ordered returns the indices of the recommendations, the most certain first; equal ones keep their order.
func ordered(all []recommendation, score int) []int {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := all[a].by[score], all[b].by[score]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return order
}

// curve returns the bootstrap's statistics: the area and the hit rate of the most certain share, for each of Shares.
// The area is the mean over k of the hit rate of the k most certain. All orders of equal certainties count equally:
// within a group hits are spread evenly.
func curve(all []recommendation, people peopleIndex, score int) func(at []int, out []float64) {
	order := ordered(all, score)
	return func(at []int, out []float64) {
		times := make([]float64, people.len)
		for _, p := range at {
			times[p]++
		}
		total := 0.0
		for _, p := range people.of {
			total += times[p]
		}
		clear(out)
		n, hit := 0.0, 0.0
		for i := 0; i < len(order); {
			// A group of equal certainty: m recommendations, h hits.
			m, h := 0.0, 0.0
			for of := all[order[i]].by[score]; i < len(order) && all[order[i]].by[score] == of; i++ {
				t := times[people.of[order[i]]]
				m += t
				if all[order[i]].hit {
					h += t
				}
			}
			for k := 1.0; k <= m; k++ {
				out[0] += (hit + h*k/m) / (n + k) / total
			}
			for s, share := range Shares {
				if take := min(share*total-n, m); take > 0 {
					out[s+1] += h * take / m / (share * total)
				}
			}
			n, hit = n+m, hit+h
		}
	}
}
