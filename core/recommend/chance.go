package recommend

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

// ChanceOf says what Suggestion.Chance is the chance of.
type ChanceOf uint8

// What chances are of.
const (
	Staying ChanceOf = iota // that the title stays in the visitor's top ten (Stay): where the data hold no ratings, or nothing is calibrated
	Liking                  // that the visitor likes it, if they rate it (model.LikeModel)
)

// Certainty is a chance in a word.
type Certainty uint8

// The steps of certainty. Each begins at a stated chance, see ChanceOf.From.
const (
	Gamble Certainty = iota
	Hunch
	FairlySure
	VerySure
	Unsaid // not worked out yet, see Request.Later, or nothing that it could rest on, see Reliability.States
)

// from are the chances at which the steps begin. They are chosen so that lists of real visitors hold all four words;
// what came true of each on people whom the training had not seen is measured by uncertainty.Reliability and Stability.
var from = [...][4]float64{
	Staying: {0, 0.40, 0.60, 0.85},
	Liking:  {0, 0.65, 0.75, 0.85},
}

// From returns the chance at which a step begins.
func (o ChanceOf) From(c Certainty) float64 { return from[o][c] }

// Certainty returns the step that a chance belongs to.
func (o ChanceOf) Certainty(chance float64) Certainty {
	c := VerySure
	for c > Gamble && !(chance >= from[o][c]) {
		c--
	}
	return c
}

// Reliability tells how true the chances of liking are, on people whom the training had not seen.
type Reliability struct {
	Of     ChanceOf        // what Suggestion.Chance is
	People int             // left out of a training to calibrate the model; 0: it is not calibrated
	Bins   []model.LikeBin // of the chances of liking, ascending; none: they are not known
	Error  float64         // expected calibration error of the bins: mean of |stated − observed|, by count
}

// States tells whether chances are stated to a visitor: where the model is calibrated, and they like something that it knows. A
// chance that rests on neither is a number without a meaning, and would often be 1.
func (r Reliability) States(v Visit) bool { return r.People > 0 && len(v.Likes) > 0 }

// of returns what Suggestion.Chance is the chance of.
func (r *Recommender) of() ChanceOf {
	if r.like != nil {
		return Liking
	}
	return Staying
}

func (r *Recommender) reliability() Reliability {
	out := Reliability{Of: r.of()}
	if c := r.model.Calibration; c != nil {
		out.People = c.Users
	}
	if r.like != nil {
		out.Bins, out.Error = r.like.Bins, r.like.Error()
	}
	return out
}

// Cases returns what the chance that the visitor likes each of the items rests on. rates are those of model.LikeModel,
// one for each item of the catalogue. O(I·h + |items|·(log I + what was mentioned)).
func (r *Recommender) Cases(v Visit, t *Taste, items []int, rates []float32) []model.LikeCase {
	v = r.clean(v)
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.index.Distances(w.distances, t.Row)
	r.weigh(w, sorted(v.Likes), sorted(v.Dislikes))
	return r.cases(w, v, items, w.beyond(items), rates)
}

// cases is Cases where costs and bonus are there; beyond says how many of all titles cost more than each of the items.
func (r *Recommender) cases(w *work, v Visit, items []int, beyond []int, rates []float32) []model.LikeCase {
	liked := 0.0
	for _, j := range sorted(v.Likes) {
		liked += float64(rates[j])
	}
	if n := len(v.Likes); n > 0 {
		liked /= float64(n)
	}
	out := make([]model.LikeCase, len(items))
	for k, i := range items {
		place := r.Len() - 1 - beyond[k]
		for _, said := range [...][]int{v.Likes, v.Dislikes, v.Seen} {
			for _, j := range said {
				if j != i && w.costs[j] <= w.costs[i] {
					place--
				}
			}
		}
		c := model.LikeCase{
			Rate: float64(rates[i]), Count: max(r.cat.Items[i].Count, 0), Items: r.Len(), Place: max(place, 0),
			Likes: len(v.Likes), Dislikes: len(v.Dislikes), Liked: liked,
		}
		if w.bonus != nil {
			c.Bonus = float64(w.bonus[i]) / r.tau
		}
		out[k] = c
	}
	return out
}

// beyond returns how many of all items cost more than each of these. O(I log k).
func (w *work) beyond(items []int) []int {
	w.limits = w.limits[:0]
	for _, i := range items {
		w.limits = append(w.limits, w.costs[i])
	}
	slices.Sort(w.limits)
	if cap(w.farther) < len(items) {
		w.farther = make([]int, len(items))
	}
	w.farther = w.farther[:len(items)]
	Farther(w.farther, w.costs, w.limits)
	out := make([]int, len(items))
	for k, i := range items {
		at, _ := slices.BinarySearch(w.limits, w.costs[i])
		out[k] = w.farther[at]
	}
	return out
}

// chances returns Suggestion.Chance of the items; nil where it is for later or not stated.
func (r *Recommender) chances(w *work, v Visit, t *Taste, q Request, items []int, beyond []int) []float64 {
	if !r.reliability().States(v) {
		return nil
	}
	if r.like == nil {
		if q.Later {
			return nil
		}
		return r.stay(w, v, t, q, items, stayAmong)
	}
	out := make([]float64, len(items))
	for k, c := range r.cases(w, v, items, beyond, r.like.Rates) {
		f := c.Of()
		out[k] = r.like.Chance(&f)
	}
	return out
}

// Top is how long the list is that Stay speaks of.
const Top = 10

// stayPairs is how many pairs of draws Stay makes. The standard error of a chance of one half is .06 at most; the draws are
// always the same, so it does not flicker.
const stayPairs = 32

// stayAmong is how many titles take part in the draws of Stay: those of which it is least unlikely that they come among the
// first. Catalogues of up to twice as many take part whole. In larger ones a draw may lack one that would have come among the
// first, so that chances are a little too high (TestStayAmongTheLikely): by less than .01, where their standard error is .06.
const stayAmong = 2048

// Stay returns for each of the items the chance that it is among the first Top that the visitor would be shown, if what we
// know of the visitor and of the titles came out otherwise than it did: the share of 64 draws from the visitor's Gaussian
// and from the titles' in which it costs no more than the Top-th. Of q the filter counts, and whether HiddenGems is asked
// for. It is a function of the evidence alone, and says something to whom Reliability.States chances. The chance is that of staying when a random half of the likes is forgotten;
// how true it is on real people is measured by uncertainty.Stability. O(I·h + draws·min(I, 4096)·h).
func (r *Recommender) Stay(v Visit, t *Taste, q Request, items []int) []float64 {
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	v = r.clean(v)
	r.index.Distances(w.distances, t.Row)
	r.weigh(w, sorted(v.Likes), sorted(v.Dislikes))
	return r.stay(w, v, t, q, items, stayAmong)
}

// stay is Stay where distances and costs are there.
func (r *Recommender) stay(w *work, v Visit, t *Taste, q Request, items []int, most int) []float64 {
	out := make([]float64, len(items))
	if len(items) == 0 {
		return out
	}
	keep := NewItemSet(r.Len())
	r.fill(keep, q.Filter)
	r.unsaid(keep, v)
	if q.Mode == HiddenGems {
		keep.And(r.gems)
	}
	among, places := r.likely(w, keep, items, most)
	h := r.items.Dim()
	var likes, dislikes []int32
	for _, j := range t.Likes() {
		likes = append(likes, int32(j))
	}
	for _, j := range sorted(v.Dislikes) {
		dislikes = append(dislikes, int32(j))
	}
	n := len(likes)
	normals, weights := make([]float32, n+h), make([]float32, n)
	rows := w.rows[:0]
	unsure := Unsure{Shift: make([]float32, len(among)), Stddev: make([]float32, len(among))}
	within := NewItemSet(len(among))
	for c, i := range among {
		if keep.Has(int(i)) {
			within.Add(c)
		}
		rows = append(rows, r.items.Row(int(i))...)
		unsure.Shift[c], unsure.Stddev[c] = r.unsure[i], r.scatter(w, int(i))
	}
	w.rows = rows
	if w.own == nil {
		w.own = make([]float32, r.Len())
	}
	index := NewRanker(gaussian.TableOf(h, rows), r.kernel)
	index.Stay(out, places, Top, within, stayPairs, unsure, func(k int, sign float32, row, bonus []float32) bool {
		if sign > 0 {
			for j, item := range likes {
				Normals(normals[j:j+1], uint64(k), uint64(item))
			}
			Normals(normals[n:], uint64(k), visitorKey)
		} else {
			for j := range normals {
				normals[j] = -normals[j]
			}
		}
		r.infer.Draw(row, weights, t, normals[:n], normals[n:])
		if r.links == nil {
			return false
		}
		clear(w.own)
		r.links.AddWeighted(w.own, likes, weights)
		r.links.Subtract(w.own, dislikes)
		for c, i := range among {
			bonus[c] = w.own[i]
		}
		return true
	})
	return out
}

// scatter is the standard deviation that item i's own mean gives its cost: an item's noise stands for that of h dimensions,
// in each of which its mean is known with its share of the variance.
func (r *Recommender) scatter(w *work, i int) float32 {
	return Scatter(w.distances[i], r.unsure[i], r.items.Dim())
}

// likely returns, ascending, the titles that take part in draws: all where there are no more than twice most; else so many of keep
// and what ties with the last, those lowest by the cost that they have where chance favours them, expected − 3 standard
// deviations, and the items. It returns the items' places too.
func (r *Recommender) likely(w *work, keep ItemSet, items []int, most int) (among []int32, places []int) {
	limit := float32(math.Inf(1))
	whole := r.Len() <= 2*most
	if !whole {
		for i, c := range w.costs {
			yieldAfter(i)
			w.sorted[i] = float32(math.Inf(1))
			if keep.Has(i) {
				w.sorted[i] = c + r.unsure[i] - 3*r.scatter(w, i)
			}
		}
		w.limits = append(w.limits[:0], w.sorted...)
		limit = Kth(w.limits, most-1)
	}
	asked := NewItemSet(r.Len())
	for _, i := range items {
		asked.Add(i)
	}
	w.among = w.among[:0]
	for i := range w.costs {
		if whole || keep.Has(i) && w.sorted[i] <= limit || asked.Has(i) {
			w.among = append(w.among, int32(i))
		}
	}
	places = make([]int, len(items))
	for k, i := range items {
		places[k], _ = slices.BinarySearch(w.among, int32(i))
	}
	return w.among, places
}

// visitorKey marks the stream of a visitor's draws, which no item index can equal.
const visitorKey = 1 << 62

// unsaid takes out of keep what the visitor has mentioned.
func (r *Recommender) unsaid(keep ItemSet, v Visit) {
	for _, said := range [...][]int{v.Likes, v.Dislikes, v.Seen} {
		for _, i := range said {
			keep.Remove(i)
		}
	}
}
