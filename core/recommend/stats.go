package recommend

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pmlam/pmlam/core/gaussian"
)

// CatalogueStats describes a whole catalogue to a recommender over a part of it (Options.Stats). The recommender then
// describes an item exactly as one over all items does. It does not know the order of items outside the part, and
// assumes that they cost more than the listed ones.
type CatalogueStats struct {
	Items       int                // I of the whole
	Liked       int                // items liked in training; all if nobody liked any
	FewKnow     int                // the greatest count of a little-known item, see HiddenGems
	Mean        []float32          // 2h: the catalogue's mean row, weighted by counts
	PlainMean   []float32          // 2h: the mean of all items' rows, each counted once
	Variance    []float64          // h: variance of the items' means under the weights of Mean
	GenreShares map[string]float64 // the share of all likes that go to titles of each genre
}

func (r *Recommender) Stats() *CatalogueStats {
	w := &CatalogueStats{
		Items: r.whole, Liked: r.known, FewKnow: r.fewest,
		Mean: slices.Clone(r.infer.mean), PlainMean: slices.Clone(r.plainMean),
		Variance: slices.Clone(r.infer.variance), GenreShares: make(map[string]float64, len(r.genres)),
	}
	for g, name := range r.genres {
		w.GenreShares[name] = r.genreShares[g]
	}
	maps.Copy(w.GenreShares, r.elsewhere)
	return w
}

// check returns an error if w cannot describe a catalogue with a part of n items of dimension h.
func (w *CatalogueStats) check(n, h int) error {
	switch {
	case w.Items < n || w.Liked < 1 || w.Liked > w.Items:
		return fmt.Errorf("%d items cannot be a part of a catalogue of %d, with %d liked", n, w.Items, w.Liked)
	case len(w.Mean) != 2*h || len(w.PlainMean) != 2*h || len(w.Variance) != h:
		return fmt.Errorf("the catalogue's means have %d and %d numbers and its variance %d for dimension %d",
			len(w.Mean), len(w.PlainMean), len(w.Variance), h)
	}
	return nil
}

// plainMean returns the mean of the rows of all items, taken from w if these are only a part (nil: they are all).
// O(I·h).
func plainMean(items *gaussian.Table, w *CatalogueStats) []float32 {
	if w != nil {
		return w.PlainMean
	}
	mean := items.WeightedMean(func(i int) float64 {
		yieldAfter(i)
		return 1
	})
	out := make([]float32, len(mean))
	for d, v := range mean {
		out[d] = float32(v)
	}
	return out
}
