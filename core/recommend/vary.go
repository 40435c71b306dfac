package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

const (
	page  = 10 // titles on a page, the unit of strengths
	reach = 40 // number of titles after a page that may fill its open places
	canon = 4  // see dropCanon; on MovieLens small, 2% of the titles are better known
)

// window returns the hits allowed at place t, from 0: those from (inclusive) to (exclusive). If it is empty, or all in
// it are placed, the first unplaced hit is taken.
type window func(t int) (from, to int)

// wanted returns the number of hits that choose needs for k titles.
func (q *Request) wanted(k int) int {
	n := k + SeriesSlack
	if q.varied() {
		n = pool(n)
	}
	if q.Exploration > 0 {
		n = pool(n)
	}
	return n
}

// varied reports whether titles are chosen by being unlike others.
func (q *Request) varied() bool { return q.Diversity > 0 || len(q.Instead) > 0 }

// choose rearranges the first k of w.hits as requested. On entry w.hits holds q.wanted(k) hits, best first, with a
// distance as Score.
func (r *Recommender) choose(w *work, v Visit, q *Request, k int) {
	n := k + SeriesSlack
	if q.Exploration > 0 {
		first := n
		if q.varied() {
			first = pool(n)
		}
		if canBeNear && w.of != nil {
			surpriseAmong(w, first, q)
		} else {
			w.hits = surprise(w.hits, first, q.Exploration, q.Seed)
		}
	}
	if instead := r.clean(Visit{Likes: q.Instead}).Likes; len(instead) > 0 {
		w.hits = vary(r.items, w.hits, n, everywhere, instead)
	} else if q.Diversity > 0 {
		w.hits = vary(r.items, w.hits, n, openPlaces(q.Diversity), nil)
	}
	r.capSeries(w.hits, v.Likes)
	w.hits = w.hits[:min(k, len(w.hits))]
}

// openPlaces is the window of a slider of the given strength in [0,1]. It opens 2, 4, 6 and 8 of ten places at ¼, ½, ¾
// and 1, spread evenly, and never the first:
//
//	place t is open where ⌊0.8·s·(t+1)⌋ > ⌊0.8·s·t⌋
//
// An open place takes any of the 40 hits after its page of ten, so its title would not be on the page otherwise. The
// other places take the best hits, in order. Places are counted, so a strength means the same for every visitor.
func openPlaces(strength float64) window {
	// In thousandths of a place, so that rounding loses nothing.
	s := 8 * int(float64(min(max(strength, 0), 1)*100)+0.5)
	return func(t int) (from, to int) {
		if s*(t+1)/1000 == s*t/1000 {
			return 0, 0
		}
		end := (t/page + 1) * page
		return end, end + reach
	}
}

// everywhere is the window for replacing titles: all near hits.
func everywhere(t int) (from, to int) { return 0, page + reach + 4*t }

// pool returns the number of hits that arrange needs to fill k places by openPlaces or everywhere.
func pool(k int) int { return page + reach + 4*(k+page) }

// arrange fills the first k places with hits, given best first, and appends them to dst. Place t takes the unplaced hit
// of its window with the largest value, ties to the earlier. placed, unless nil, is called for each and may change the
// values. As the windows do not depend on k, a longer list extends a shorter one. O(k·window).
func arrange(dst, hits []Hit, k int, w window, value []float64, placed func(h Hit)) []Hit {
	used := make([]bool, len(hits))
	next := 0
	for t := range min(k, len(hits)) {
		from, to := w(t)
		at := -1
		for j := from; j < min(to, len(hits)); j++ {
			if !used[j] && (at < 0 || value[j] > value[at]) {
				at = j
			}
		}
		if at < 0 {
			for used[next] {
				next++
			}
			at = next
		}
		used[at] = true
		dst = append(dst, hits[at])
		if placed != nil {
			placed(hits[at])
		}
	}
	return dst
}

// dropCanon removes from w.keep the titles that would not surprise anybody: better known than canon times the count
// that 85% of titles do not exceed, divided by the square of the strength. O(I).
func (r *Recommender) dropCanon(w *work, strength float64) {
	if !(strength > 0) {
		return
	}
	most := mostKnown(r.fewest, strength)
	for i := range r.cat.Items {
		if float64(r.cat.Items[i].Count) > most {
			w.keep.Remove(i)
		}
	}
}

// mostKnown returns the count above which dropCanon removes titles; strength is above 0.
func mostKnown(fewest int, strength float64) float64 {
	return float64(canon*fewest) / min(float64(strength*strength), 1)
}

// surprise fills the open places at random: each title after a page has the same chance. The draw depends only on the
// seed and the title, so the same seed gives the same list.
func surprise(hits []Hit, k int, strength float64, seed uint64) []Hit {
	lots := make([]float64, len(hits))
	for j, h := range hits {
		s := newStream(seed, uint64(h.Item))
		lots[j] = float64(s.next() >> 11)
	}
	return arrange(nil, hits, k, openPlaces(strength), lots, nil)
}

// vary fills the open places with the titles least like those already placed and those in from, by maximal marginal
// relevance (Carbonell and Goldstein 1998) in the latent space's own unit: the largest
//
//	min_{s ∈ placed ∪ from} W2(j, s) − Score_j
//
// where Score must be a distance (not its square, nor a cost with a bonus). The hits should not include titles of from.
// O((k + |from|)·|hits|·h).
func vary(items *gaussian.Table, hits []Hit, k int, w window, from []int) []Hit {
	apart, value := make([]float64, len(hits)), make([]float64, len(hits))
	for j := range apart {
		apart[j] = math.Inf(1)
	}
	placed := func(h Hit) {
		row := items.Row(h.Item)
		for j := range hits {
			// vec's distance has the same bits everywhere; an injected scan may not.
			apart[j] = min(apart[j], math.Sqrt(float64(vec.SquaredDistance(row, items.Row(hits[j].Item)))))
			value[j] = apart[j] - hits[j].Score
		}
	}
	for _, i := range from {
		placed(Hit{Item: i})
	}
	return arrange(nil, hits, k, w, value, placed)
}
