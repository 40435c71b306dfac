package recommend

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/gaussian"
)

// Top is the length of the list that Stability is about.
const Top = 10

// stabilityPairs is the number of pairs of draws of Stability. The standard error of a chance of one half is at most
// .06. The draws are always the same, so the result does not flicker.
const stabilityPairs = 32

// stabilityCandidates is the number of titles in the draws of Stability: those most likely to be among the first.
// Catalogues of up to twice this size take part completely. In larger ones a draw may miss a title that would have been
// among the first, so chances are slightly too high (TestStayAmongTheLikely): by less than .01, with a standard error
// of .06.
const stabilityCandidates = 2048

// Stability returns for each of the items the chance that it is among the first Top of the visitor's list, given the
// uncertainty of the visitor's and the titles' means. It is the share of 64 draws of both in which the item costs no
// more than the Top-th. Of q, only the filter and HiddenGems matter. It depends on the evidence alone, and is
// meaningful if Reliability.States. It estimates the chance of staying when a random half of the likes is forgotten;
// uncertainty.Stability measures its accuracy on real people. O(I·h + draws·min(I, 4096)·h).
func (r *Recommender) Stability(v Visit, t *Taste, q Request, items []int) []float64 {
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	v = r.clean(v)
	r.price(w, t.Row, v)
	return r.stability(w, v, t, q, items, stabilityCandidates)
}

// stability is Stability once distances and costs are set.
func (r *Recommender) stability(w *work, v Visit, t *Taste, q Request, items []int, most int) []float64 {
	out := make([]float64, len(items))
	if len(items) == 0 {
		return out
	}
	keep := NewItemSet(r.Len())
	r.fill(keep, q.Filter)
	dropMentioned(keep, v)
	if q.Mode == HiddenGems {
		keep.And(r.fewKnow)
	}
	among, places := r.likely(w, keep, items, most)
	rows := w.rows[:0]
	noise := CostNoise{Shift: make([]float32, len(among)), Stddev: make([]float32, len(among))}
	within := NewItemSet(len(among))
	for c, i := range among {
		if keep.Has(int(i)) {
			within.Add(c)
		}
		rows = append(rows, r.items.Row(int(i))...)
		noise.Shift[c], noise.Stddev[c] = r.spreads.variance[i], r.spreads.costStddev(w.distances[i], int(i))
	}
	w.rows = rows
	index := NewIndex(gaussian.TableOf(r.items.Dim(), rows), r.kernel)
	d := r.newDrawer(w, v, t, among)
	d.gems = q.Mode == HiddenGems
	index.TopShares(out, places, Top, within, stabilityPairs, noise, d.draw)
	return out
}

// drawer draws a visitor's taste repeatedly, for the titles that take part.
type drawer struct {
	r               *Recommender
	w               *work
	t               *Taste
	likes, dislikes []int32
	among           []int32
	normals         []float32 // of the likes, then of the dimensions
	weights         []float32 // of the likes
	niche           float64   // evidence of a niche taste
	gems            bool      // the list is of HiddenGems
}

func (r *Recommender) newDrawer(w *work, v Visit, t *Taste, among []int32) *drawer {
	d := &drawer{r: r, w: w, t: t, among: among}
	for _, j := range t.Likes() {
		d.likes = append(d.likes, int32(j))
	}
	for _, j := range sorted(v.Dislikes) {
		d.dislikes = append(d.dislikes, int32(j))
	}
	n := len(d.likes)
	d.niche = r.niche(t.Likes())
	d.normals, d.weights = make([]float32, n+r.items.Dim()), make([]float32, n)
	if w.own == nil {
		w.own = make([]float32, r.Len())
	}
	return d
}

// draw is the draw function of TopShares: it fills in the row, and each title's bonus by the weights of the likes.
func (d *drawer) draw(k int, sign float32, row, bonus []float32) bool {
	r, n := d.r, len(d.likes)
	if sign > 0 {
		for j, item := range d.likes {
			fillNormals(d.normals[j:j+1], uint64(k), uint64(item))
		}
		fillNormals(d.normals[n:], uint64(k), evidenceStream)
	} else {
		for j := range d.normals {
			d.normals[j] = -d.normals[j]
		}
	}
	r.infer.Draw(row, d.weights, d.t, d.normals[:n], d.normals[n:])
	if r.links == nil {
		return false
	}
	clear(d.w.own)
	r.links.AddWeighted(d.w.own, d.likes, d.weights)
	r.links.Subtract(d.w.own, d.dislikes)
	r.shareLinks(d.w.own, len(d.likes)+len(d.dislikes))
	r.addTaste(d.w.own, d.likes, d.weights, len(d.likes), d.niche)
	if d.gems && len(d.likes) > 0 {
		r.addRare(d.w.own, len(d.likes), d.niche)
	}
	for c, i := range d.among {
		bonus[c] = d.w.own[i]
	}
	return true
}

// likely returns, ascending, the titles that take part in draws, and the places of items among them. These are all
// titles if there are at most twice most. Otherwise they are the items, and the most titles of keep with the lowest
// optimistic cost, expected − 3 standard deviations, including ties with the last.
func (r *Recommender) likely(w *work, keep ItemSet, items []int, most int) (among []int32, places []int) {
	limit := float32(math.Inf(1))
	whole := r.Len() <= 2*most
	if !whole {
		for i, c := range w.costs {
			yieldAfter(i)
			w.sorted[i] = float32(math.Inf(1))
			if keep.Has(i) {
				w.sorted[i] = c + r.spreads.variance[i] - 3*r.spreads.costStddev(w.distances[i], i)
			}
		}
		w.limits = append(w.limits[:0], w.sorted...)
		limit = kthSmallest(w.limits, most-1)
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
