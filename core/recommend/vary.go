package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

const (
	page  = 10 // titles that strengths are of
	reach = 40 // how many titles behind a page may stand in its open places
)

// window says which hits may stand at place t, from 0: those from (inclusive) to (exclusive). Where it is empty, or all
// in it are placed, comes the first of all hits that is not.
type window func(t int) (from, to int)

// wanted returns how many hits choose is to be given for k titles.
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

// varied reports whether titles are chosen by how little they are like others.
func (q *Request) varied() bool { return q.Diversity > 0 || len(q.Instead) > 0 }

// choose makes the first k of w.hits, which hold q.wanted(k) with a distance as Score, best first, what the request
// asks for.
func (r *Recommender) choose(w *work, v Visit, q *Request, k int) {
	n := k + SeriesSlack
	if q.Exploration > 0 {
		first := n
		if q.varied() {
			first = pool(n)
		}
		w.hits = surprise(w.hits, first, q.Exploration, q.Seed)
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
// An open place may hold any of the 40 hits behind its page of ten, so what stands there would not be on the page
// otherwise. The others hold the best, in order. This counts places, so a strength means the same to every visitor.
func openPlaces(strength float64) window {
	// Thousandths of the places, so that nothing is rounded below.
	s := 8 * int(float64(min(max(strength, 0), 1)*100)+0.5)
	return func(t int) (from, to int) {
		if s*(t+1)/1000 == s*t/1000 {
			return 0, 0
		}
		end := (t/page + 1) * page
		return end, end + reach
	}
}

// everywhere is the window of titles that replace others: all that is near.
func everywhere(t int) (from, to int) { return 0, page + reach + 4*t }

// pool returns how many hits arrange needs to fill k places by openPlaces or everywhere.
func pool(k int) int { return page + reach + 4*(k+page) }

// arrange fills the first k places with hits, which come best first, and appends them to dst. At place t comes, of the
// hits in the window that have no place yet, the one with the largest value, the earlier of equals; placed, unless nil,
// is told of each and may change the values. As the windows do not depend on k, a longer list begins with the shorter.
// O(k·window).
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

// surprise fills the open places by lot: each title behind a page has the same chance to stand in one. The lot hangs on
// the seed and the title alone, so the same seed gives the same list.
func surprise(hits []Hit, k int, strength float64, seed uint64) []Hit {
	lots := make([]float64, len(hits))
	for j, h := range hits {
		s := newStream(seed, uint64(h.Item))
		lots[j] = float64(s.next() >> 11)
	}
	return arrange(nil, hits, k, openPlaces(strength), lots, nil)
}

// vary fills the open places with what is least like the titles that have a place, and like those in from, by maximal
// marginal relevance (Carbonell and Goldstein 1998) in the latent space's own unit: with the largest
//
//	min_{s ∈ placed ∪ from} W2(j, s) − Score_j
//
// where Score must be a distance (not its square, nor a cost that has a bonus in it). Nothing of from should be among
// the hits. O((k + |from|)·|hits|·h).
func vary(items *gaussian.Table, hits []Hit, k int, w window, from []int) []Hit {
	apart, value := make([]float64, len(hits)), make([]float64, len(hits))
	for j := range apart {
		apart[j] = math.Inf(1)
	}
	placed := func(h Hit) {
		row := items.Row(h.Item)
		for j := range hits {
			// vec's distance is the same bits everywhere, which an injected scan need not be.
			apart[j] = min(apart[j], math.Sqrt(float64(vec.SquaredDistance(row, items.Row(hits[j].Item)))))
			value[j] = apart[j] - hits[j].Score
		}
	}
	for _, i := range from {
		placed(Hit{Item: i})
	}
	return arrange(nil, hits, k, w, value, placed)
}
