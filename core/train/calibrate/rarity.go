package calibrate

import (
	"context"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// Rarity says what the preference of visitors' lists for little-known items (recommend's rare_i) costs and brings.
type Rarity struct {
	Costs         bool    // whether lists are better without it
	NDCG, Without float64 // mean NDCG@10 of the visits with it and without

	Unbiased, UnbiasedWithout float64 // the same of unbiased NDCG@10 (eval.Unbiased)
}

// TryRarity measures the lists of ChooseVisitorPrior's visits by the folds' models, with the preference for
// little-known items and without. The preference costs too much if NDCG@10 falls by more than the standard error of the
// visits' differences, and by a larger share than unbiased NDCG@10 rises. The models' NoRarity does not matter. Models
// without a visitors' prior or links have no such preference, so nothing is measured. The result is the same for any
// number of workers. O(visits·I·h).
func TryRarity(ctx context.Context, likes *dataset.Matrix, folds []Fold, seed uint64, workers int) (
	got Rarity, err error) {
	if len(folds) == 0 || folds[0].Model.Objective.Composition.Prior == 0 || folds[0].Model.ItemItem == nil {
		return got, nil
	}
	var with, without listed
	for k, people := range visitors(likes, folds) {
		visits := fewLikes(likes, people, seed)
		for _, v := range []struct {
			to *listed
			no bool
		}{{&with, false}, {&without, true}} {
			m := *folds[k].Model
			m.Objective.NoRarity = v.no
			if err := v.to.add(ctx, &m, visits, workers); err != nil {
				return got, err
			}
		}
	}
	got.NDCG, got.Without = itemlinks.Mean(with.ndcg), itemlinks.Mean(without.ndcg)
	got.Unbiased, got.UnbiasedWithout = itemlinks.Mean(with.unbiased), itemlinks.Mean(without.unbiased)
	loss, stderr := itemlinks.Paired(without.ndcg, with.ndcg)
	gain := got.Unbiased - got.UnbiasedWithout
	got.Costs = loss > stderr && loss*got.UnbiasedWithout > gain*got.Without
	return got, nil
}

// listed are the figures of lists, by visit.
type listed struct{ ndcg, unbiased []float32 }

// add appends the figures of the visits' first ten by m.
func (l *listed) add(ctx context.Context, m *model.Model, visits dataset.Split, workers int) error {
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return err
	}
	at, n := len(l.ndcg), visits.Train.Rows()
	l.ndcg, l.unbiased = append(l.ndcg, make([]float32, n)...), append(l.unbiased, make([]float32, n)...)
	one := func(int32) float64 { return 1 }
	rare := func(i int32) float64 { return 1 / float64(max(m.Catalogue.Items[i].Count, 1)) }
	return parallel.Each(ctx, n, workers, func() func(int) {
		return func(v int) {
			visit := recommend.Visit{Likes: Ints(visits.Train.Row(v))}
			list := r.Recommend(visit, r.Taste(visit, nil), recommend.Request{K: shown, Bare: true})
			wanted := visits.Test.Row(v)
			l.ndcg[at+v], l.unbiased[at+v] = gained(list, wanted, one), gained(list, wanted, rare)
		}
	})
}

const shown = 10 // titles of a list

// gained returns the NDCG of the list, in which a hit of one of the wanted items (ascending) counts by its worth.
func gained(list []recommend.Suggestion, wanted []int32, worth func(int32) float64) float32 {
	at := func(place int) float64 { return 1 / math.Log2(float64(place+2)) }
	best, sum, most := make([]float64, len(wanted)), 0.0, 0.0
	for k, i := range wanted {
		best[k] = -worth(i)
	}
	slices.Sort(best)
	for place, x := range best[:min(shown, len(best))] {
		most -= float64(x * at(place))
	}
	for place, s := range list {
		if _, hit := slices.BinarySearch(wanted, int32(s.Item)); hit {
			sum += float64(worth(int32(s.Item)) * at(place))
		}
	}
	return float32(sum / most)
}
