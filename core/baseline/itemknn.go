package baseline

import (
	"context"
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// Weighting defines the similarity of a history item j to a target i by their users U_i and U_j and the users' training
// rows S_u:
//
//	w(j→i) = Σ_{u ∈ U_i ∩ U_j} |S_u|^{−User} / (d_i^Target · d_j^Source + Shrink),   d_i = Σ_{u ∈ U_i} |S_u|^{−User}
//
// User discounts users with many items. A Target below a half favours popular items again, which ranks better if
// popularity is informative. Shrink discounts weights that rest on few users.
type Weighting struct {
	Target, Source float64 // powers of the degrees, in [0, 2]
	User           float64 // in [0, 2]
	Shrink         float64 // finite, ≥ 0
}

// Of returns w(j→i), given Σ |S_u|^{−User} over the users of both items (shared), and the degrees of the target i and
// the source j.
func (w Weighting) Of(shared, target, source float64) float32 {
	return w.of(shared, math.Pow(target, w.Target), math.Pow(source, w.Source))
}

// of is Of, given the powers of the degrees.
func (w Weighting) of(shared, target, source float64) float32 {
	return float32(shared / (target*source + w.Shrink))
}

// Cosine is the plain cosine of two items' columns, |U_i ∩ U_j| / √(|U_i|·|U_j|).
var Cosine = Weighting{Target: 0.5, Source: 0.5}

func (w Weighting) check() error {
	for _, o := range []struct {
		name  string
		value float64
		most  float64
		rule  string
	}{
		{"target power", w.Target, 2, "from 0 to 2"}, {"source power", w.Source, 2, "from 0 to 2"},
		{"user power", w.User, 2, "from 0 to 2"}, {"shrink", w.Shrink, math.MaxFloat64, "0 or more"},
	} {
		if !(o.value >= 0 && o.value <= o.most) {
			return OptionError{Method: "itemknn", Option: o.name, Value: o.value, Rule: o.rule}
		}
	}
	return nil
}

// Sum defines how the weights of an item's neighbours make its score. The zero value sums the weights of the user's
// items.
type Sum struct {
	Normalise bool // the weights of an item's neighbours are scaled to sum to 1: the weighted sum of Sarwar et al.
	// subtract the mean of all users from the user's 0 or 1, and add the target's mean
	Centre bool
}

// itemKNN stores, for every history item j, the targets i that have j among their neighbours, in compressed sparse
// rows.
type itemKNN struct {
	history *dataset.Matrix // U×I: the likes that are scored by
	offsets []int           // I+1
	targets []int32         // ascending within a row
	weights []float32       // aligned with targets
	start   []float32       // I: initial scores; nil: 0
}

// ItemKNN scores an item by its cosine to the user's items among the item's own nearest neighbours: WeightedItemKNN
// with Cosine. It neither shrinks nor normalises rows. It panics with OptionError for k < 1.
func ItemKNN(train *dataset.Matrix, k int) eval.Scorer { return WeightedItemKNN(train, k, Cosine) }

// WeightedItemKNN scores an item by its similarity to the user's items among the item's own nearest neighbours:
//
//	score(u,i) = Σ_{j ∈ N_k(i) ∩ S_u} w(j→i)
//
// where N_k(i) are the k items j ≠ i of the highest weight to the *target* i, without weights of 0; ties go to the
// lower index. So each item has the same number of neighbours; with k ≥ I−1 these are all items. Source: Deshpande and
// Karypis, "Item-Based Top-N Recommendation Algorithms", TOIS 2004, who take the neighbours of the history's items
// instead; Sarwar et al., "Item-Based Collaborative Filtering Recommendation Algorithms", WWW 2001, take the target's,
// as here. The powers follow Aiolli, "Efficient Top-N Recommendation for Very Large Scale Binary Rated Datasets",
// RecSys 2013 (asymmetric cosine), and the linear filters on the normalised matrix in Shen et al., "How Powerful is
// Graph Convolution for Recommendation?", CIKM 2021.
//
// O(Σ_u |S_u|²) time to fit, on all CPUs; at most 8·k·I bytes kept; while fitting, twice that and 24·I per CPU. A user
// costs O(I + Σ_{j∈S_u} of the targets of j). It keeps train. It panics with OptionError for k < 1 and for a weighting
// out of range.
func WeightedItemKNN(train *dataset.Matrix, k int, w Weighting) eval.Scorer {
	if k < 1 {
		panic(OptionError{Method: "itemknn", Option: "neighbours", Value: float64(k), Rule: "at least 1"})
	}
	if err := w.check(); err != nil {
		panic(err)
	}
	s, err := fitItemKNN(context.Background(), train, k, w, Sum{}, 0)
	if err != nil {
		panic(err) // only a canceled context fails, and this one never ends
	}
	return s
}

// fitItemKNN fits WeightedItemKNN, with any Sum:
//
//	score(u,i) = m_i + Σ_{j ∈ N_k(i)} w(j→i)/W_i · (x_uj − m_j)
//
// where x_uj is 1 for j ∈ S_u, else 0; W_i = Σ_{j ∈ N_k(i)} w(j→i) with Normalise, else 1; and m_i = |U_i|/U with
// Centre, else 0.
func fitItemKNN(
	ctx context.Context, train *dataset.Matrix, k int, w Weighting, sum Sum, workers int,
) (*itemKNN, error) {
	near, err := neighbours(ctx, train, k, w, workers)
	if err != nil {
		return nil, fmt.Errorf("item-KNN: %w", err)
	}
	if sum.Normalise {
		for _, list := range near {
			total := float32(0)
			for _, n := range list {
				total += n.Score
			}
			for at := range list {
				list[at].Score /= total
			}
		}
	}
	s := bySource(train, near)
	if sum.Centre {
		s.start = make([]float32, train.Cols)
		held := degrees(train)
		for i, list := range near {
			mean := float64(held[i])
			for _, n := range list {
				mean -= float64(n.Score) * float64(held[n.Item])
			}
			s.start[i] = float32(mean / float64(train.Rows()))
		}
	}
	return s, nil
}

// Neighbours returns the k nearest items of every item by weight, best first, without weights of 0; ties go to the
// lower index. O(Σ_u |S_u|²) on all CPUs, 8·k·I bytes. It panics with OptionError for k < 1 and for a weighting out of
// range; the only possible error is ctx's.
func Neighbours(ctx context.Context, train *dataset.Matrix, k int, w Weighting, workers int) ([][]eval.Scored, error) {
	if k < 1 {
		panic(OptionError{Method: "itemknn", Option: "neighbours", Value: float64(k), Rule: "at least 1"})
	}
	if err := w.check(); err != nil {
		panic(err)
	}
	return neighbours(ctx, train, k, w, workers)
}

// bySource transposes "target → its sources" to "history item → its targets". O(I + weights).
func bySource(train *dataset.Matrix, lists [][]eval.Scored) *itemKNN {
	s := &itemKNN{history: train, offsets: make([]int, train.Cols+1)}
	for _, list := range lists {
		for _, n := range list {
			s.offsets[n.Item+1]++
		}
	}
	for j := range train.Cols {
		s.offsets[j+1] += s.offsets[j]
	}
	total := s.offsets[train.Cols]
	s.targets, s.weights = make([]int32, total), make([]float32, total)
	next := append([]int(nil), s.offsets[:train.Cols]...)
	for i, list := range lists {
		for _, n := range list {
			at := next[n.Item]
			s.targets[at], s.weights[at] = int32(i), n.Score
			next[n.Item]++
		}
	}
	return s
}

// neighbours returns the k nearest items of every item by weight, best first. One goroutine makes each list from start
// to end, so the number of goroutines does not matter.
func neighbours(ctx context.Context, train *dataset.Matrix, k int, w Weighting, workers int) ([][]eval.Scored, error) {
	users, userWeight := train.Transpose(), userWeights(train, w)
	target, source := make([]float64, train.Cols), make([]float64, train.Cols)
	for i := range target {
		degree := 0.0
		for _, u := range users.Row(i) {
			degree += userWeight[u]
		}
		target[i], source[i] = math.Pow(degree, w.Target), math.Pow(degree, w.Source)
	}
	near := make([][]eval.Scored, train.Cols)
	err := each(ctx, train.Cols, workers, func() func(i int) {
		r := newReach(train, users, userWeight)
		heap := eval.NewHeap(min(k, train.Cols))
		return func(i int) {
			heap.Reset()
			r.from(i, func(j int32, shared float64) {
				if int(j) != i {
					heap.Offer(j, w.of(shared, target[i], source[j]))
				}
			})
			near[i] = append([]eval.Scored(nil), heap.Sorted()...)
		}
	})
	return near, err
}

func (s *itemKNN) NumItems() int { return s.history.Cols }

func (s *itemKNN) Score(user int, dst []float32) {
	clear(dst)
	copy(dst, s.start)
	for _, j := range s.history.Row(user) {
		from, to := s.offsets[j], s.offsets[j+1]
		for at, i := range s.targets[from:to] {
			dst[i] += s.weights[from+at]
		}
	}
}
