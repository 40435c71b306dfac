package uncertainty

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/recommend"
)

// AnswerModel measures the chance Φ(δ/√(s²+v)) that recommend.Index.MostInformative assigns to an answer, with the
// posterior's variance v. It is measured on pairs of a liked title and a title that the same person rated lower. The
// taste is inferred from a random half of the likes; the pairs use the other half. Figures are of the second half of
// the people, at the temperature in use and at the best one for the first half.
type AnswerModel struct {
	People  int           `json:"people"`   // of the second half, with such pairs
	Stated  eval.Estimate `json:"stated"`   // mean chance of the likelier answer
	Right   eval.Estimate `json:"right"`    // share of pairs with that answer
	LogLoss eval.Estimate `json:"log_loss"` // in bits; a coin has 1
	Scale   float64       `json:"scale"`    // the best temperature, relative to the one in use
	Best    eval.Estimate `json:"best_log_loss"`
	Bins    [][3]float64  `json:"bins"` // chance stated, share given, pairs: by tenths from ½
}

// comparison is one pair: the cost of the lower-rated title minus the cost of the liked one, and its variance.
type comparison struct{ delta, variance float64 }

// pairsPerPerson is the number of pairs drawn for each person.
const pairsPerPerson = 20

// answerModel measures the AnswerModel; the result is zero for data without ratings.
func answerModel(cases []Case, seed uint64) AnswerModel {
	var people [][]comparison
	tau := 0.0
	for k := range cases {
		c := &cases[k]
		tau = c.Engine.AnswerTemperature()
		for i := range c.People {
			if x := c.comparisons(&c.People[i], seed+uint64(k)<<32+uint64(i)); len(x) > 0 {
				people = append(people, x)
			}
		}
	}
	if len(people) < 4 {
		return AnswerModel{}
	}
	r := rand.New(rand.NewPCG(seed, 0x616e73776572))
	r.Shuffle(len(people), func(i, j int) { people[i], people[j] = people[j], people[i] })
	fit, check := people[:len(people)/2], people[len(people)/2:]
	total := func(scale float64) float64 {
		sum := 0.0
		for _, x := range losses(fit, scale*tau) {
			sum += x
		}
		return sum
	}
	m := AnswerModel{People: len(check), Scale: 1}
	for e := -4.0; e <= 4; e += 0.25 {
		if s := math.Exp2(e); total(s) < total(m.Scale) {
			m.Scale = s
		}
	}
	m.LogLoss, m.Best = eval.Mean(losses(check, tau), seed), eval.Mean(losses(check, m.Scale*tau), seed)
	stated, right := make([]float64, len(check)), make([]float64, len(check))
	bins := make([][3]float64, 5)
	for i, of := range check {
		for _, c := range of {
			p, hit := c.chance(tau), 1.0
			if p < 0.5 {
				p, hit = 1-p, 0
			}
			stated[i] += p / float64(len(of))
			right[i] += hit / float64(len(of))
			b := &bins[min(int((p-0.5)*10), 4)]
			b[0], b[1], b[2] = b[0]+p, b[1]+hit, b[2]+1
		}
	}
	for _, b := range bins {
		if b[2] > 0 {
			m.Bins = append(m.Bins, [3]float64{b[0] / b[2], b[1] / b[2], b[2]})
		}
	}
	m.Stated, m.Right = eval.Mean(stated, seed), eval.Mean(right, seed)
	return m
}

// chance returns the stated probability that the liked title is chosen, at temperature tau.
func (c comparison) chance(tau float64) float64 {
	s := 1.702 * tau
	return 0.5 * math.Erfc(-c.delta/math.Sqrt(2*(s*s+c.variance)))
}

// losses returns each person's mean log loss in bits.
func losses(people [][]comparison, tau float64) []float64 {
	out := make([]float64, len(people))
	for i, of := range people {
		for _, c := range of {
			out[i] -= math.Log2(math.Max(c.chance(tau), 1e-9)) / float64(len(of))
		}
	}
	return out
}

// comparisons draws pairsPerPerson pairs of a person; none for people with fewer than two likes or without lower
// ratings.
func (c *Case) comparisons(p *Person, seed uint64) (out []comparison) {
	lower := append(slices.Clone(p.Others), p.Dislikes...)
	if len(p.Likes) < 2 || len(lower) == 0 {
		return nil
	}
	r := rand.New(rand.NewPCG(seed, 0x7061697273))
	likes := slices.Clone(p.Likes)
	r.Shuffle(len(likes), func(i, j int) { likes[i], likes[j] = likes[j], likes[i] })
	evidence := likes[:len(likes)/2]
	t := c.Engine.Taste(recommend.Visit{Likes: evidence}, nil)
	bonus := make([]float32, c.Model.Items.Len())
	if c.Model.ItemItem != nil {
		history := make([]int32, len(evidence))
		for i, l := range evidence {
			history[i] = int32(l)
		}
		slices.Sort(history)
		c.Model.ItemItem.BySource().Add(bonus, history)
	}
	cost := func(i int) float64 { return recommend.W2Squared(t.Row, c.Model.Items.Row(i)) - float64(bonus[i]) }
	for range pairsPerPerson {
		a, b := likes[len(evidence)+r.IntN(len(likes)-len(evidence))], lower[r.IntN(len(lower))]
		x := comparison{delta: cost(b) - cost(a)}
		for d, s := range t.Spread {
			e := float64(s) * float64(c.Model.Items.Mean(a)[d]-c.Model.Items.Mean(b)[d])
			x.variance += 4 * e * e
		}
		out = append(out, x)
	}
	return out
}
