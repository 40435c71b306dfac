package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/internal/vec"
)

const (
	askable     = 50  // number of best-known remaining titles that Question chooses from
	answerScale = 2.4 // temperature of an answer, in units of τ; fits the choices of MovieLens 100K's users best
)

// Question returns the two titles to ask about next, "which of these do you like better?". Candidates are the
// best-known titles that are not in the visit. It takes the pair with the largest product of expected information
// (Index.MostInformative) and both titles' numbers of likes, since a question about unknown titles is useless. ok is
// false if fewer than two candidates are left. The order of the visit does not matter. O(I·h + 50²·h), a millisecond.
func (r *Recommender) Question(v Visit, t *Taste) (a, b int, ok bool) {
	v = r.clean(v)
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.fill(w.keep, Filter{})
	dropMentioned(w.keep, v)
	r.price(w, t.Row, v)
	var candidates []int
	var weights []float64
	for _, i := range r.byCount() {
		if w.keep.Has(i) && len(candidates) < askable {
			candidates = append(candidates, i)
			weights = append(weights, float64(r.cat.Items[i].Count))
		}
	}
	q, ok := r.index.MostInformative(t.Row, t.Spread, w.bonus, candidates, weights, r.AnswerTemperature())
	return q.A, q.B, ok
}

// AnswerTemperature returns the temperature of the softmax of costs by which Question models answers, in units of W2².
func (r *Recommender) AnswerTemperature() float64 { return r.tau * answerScale }

// Pair is a choice between two items, and the expected information of the answer.
type Pair struct {
	A, B        int     // A < B
	Information float64 // bits, in [0,1]
}

// MostInformative returns the pair of candidates whose comparison has the highest expected information about the
// visitor's mean. The mean is known to be N(m, diag(spread²)), with m the first half of query. The chance that a
// visitor at μ prefers a to b is modelled as
//
//	p = 1/(1 + exp(−d/τ)) ≈ Φ(d/s)        d = cost_b − cost_a, cost_i = W2²(μ, i) − bonus_i, s = 1.702 τ
//
// the softmax of the two costs. d is linear in μ, hence normal, with the mean δ at m and the variance v = 4 Σ_d
// spread_d² (μ_a − μ_b)_d². The information is the mutual information between the answer and μ: the entropy of the
// answer minus its entropy if μ were known. With h(p) the entropy in bits, x = δ/s, y = v/s² and C² = π ln 2/2,
//
//	I = h(Φ(x/√(1+y))) − C/√(y+C²)·exp(−x²/(2(y+C²)))
//
// where the second term approximates E h(Φ(·)) to 0.03 bits (Houlsby and others 2011, "BALD"). So a good question has
// an open answer (δ ≈ 0) that depends on the unknown part of the mean (v large). weights (aligned with candidates; nil:
// none) multiply the information by the weights of both items, for example the chances that the visitor can answer.
// Ties go to the earlier pair. Fewer than two candidates give ok = false. query is 2h, spread h, bonus I (nil: none).
// O(n²·h) for n candidates.
func (x *Index) MostInformative(
	query, spread, bonus []float32, candidates []int, weights []float64, tau float64,
) (q Pair, ok bool) {
	x.check(len(query))
	x.checkBonus(bonus)
	h := x.items.Dim()
	if len(spread) != h {
		panic(LengthError{len(spread), h})
	}
	if weights != nil && len(weights) != len(candidates) {
		panic(LengthError{len(weights), len(candidates)})
	}
	n := len(candidates)
	// Scale each candidate's mean so that the visitor's is known equally well in all directions: then v is 4 times a
	// squared distance.
	scaled, costs := make([]float32, n*h), make([]float64, n)
	for k, i := range candidates {
		for d, m := range x.items.Mean(i) {
			scaled[k*h+d] = float32(m * spread[d])
		}
		costs[k] = cost(W2Squared(query, x.items.Row(i)), bonus, i)
	}
	apart := make([]float32, n)
	s := probit * tau
	best := math.Inf(-1)
	for a := range n {
		squares := apart[:n-a-1]
		if len(squares) == 0 {
			break
		}
		vec.SquaredDistances(squares, scaled[a*h:(a+1)*h], scaled[(a+1)*h:])
		for k, square := range squares {
			b := a + 1 + k
			v := information((costs[b]-costs[a])/s, 4*float64(square)/float64(s*s))
			value := v
			if weights != nil {
				value *= float64(weights[a] * weights[b])
			}
			if value > best {
				best = value
				q, ok = Pair{min(candidates[a], candidates[b]), max(candidates[a], candidates[b]), v}, true
			}
		}
	}
	return q, ok
}

// probit converts the scale of a logistic to the scale of the nearest normal distribution.
const probit = 1.702

// information returns I of MostInformative. Negative values of the approximation become 0.
func information(x, y float64) float64 {
	const c2 = 1.0888 // π ln 2/2
	left := math.Sqrt(c2/(y+c2)) * float64(vec.Exp(-float32(float64(x*x)/(2*(y+c2)))))
	return max(entropy(normalCDF(x/math.Sqrt(1+y)))-left, 0)
}

// entropy returns the entropy of an answer with the chance p, in bits.
func entropy(p float64) float64 {
	if !(p > 0 && p < 1) {
		return 0
	}
	return -(float64(p*vec.Log(p)) + float64((1-p)*vec.Log(1-p))) / math.Ln2
}
