package recommend

import "slices"

const (
	askable     = 50  // how many of the best-known titles left Question chooses from
	answerScale = 2.4 // temperature of an answer, in units of the training's: what fits the choices of MovieLens 100K's users best
)

// Question returns the two titles to ask about next, "which of these do you like better?": of the best-known ones that the
// visitor has not mentioned the pair whose answer is expected to tell most about their taste (recommend.Ask), times the numbers of
// people who like the one and the other, since a question about what one does not know tells nothing. ok is false where fewer
// than two are left. A question does not depend on the order of what was said. O(I·h + 50²·h), a millisecond.
func (r *Recommender) Question(v Visit, t *Taste) (a, b int, ok bool) {
	v = r.clean(v)
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.fill(w.keep, Filter{})
	r.unsaid(w.keep, v)
	r.index.Distances(w.distances, t.Row)
	r.weigh(w, sorted(v.Likes), sorted(v.Dislikes))
	var candidates []int
	var weights []float64
	for _, i := range r.known() {
		if w.keep.Has(i) && len(candidates) < askable {
			candidates = append(candidates, i)
			weights = append(weights, float64(r.cat.Items[i].Count))
		}
	}
	q, ok := r.index.Ask(t.Row, t.Spread, w.bonus, candidates, weights, r.AnswerTemperature())
	return q.A, q.B, ok
}

// AnswerTemperature returns the temperature with which Question takes answers to be chosen by a softmax of costs, in units
// of W2².
func (r *Recommender) AnswerTemperature() float64 { return r.tau * answerScale }

// byCount returns all items, the best known first.
func (r *Recommender) byCount() []int {
	out := make([]int, r.Len())
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int { return r.cat.Items[b].Count - r.cat.Items[a].Count })
	return out
}
