package calibrate

import (
	"context"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// visitorPriors are the candidate values of a visitor's prior, in likes.
var visitorPriors = [...]float32{0, 0.5, 1, 2, 3, 4, 6, 8, 12}

// linkPriors are the candidate values of model.Objective.LinkPrior. With the largest, 20 likes still have five sixths
// of the weight, since nobody states as many here.
var linkPriors = [...]float32{0, 1, 2, 4}

// fewTold are the numbers of likes stated by the visitors that the prior is chosen on; with more likes it hardly
// matters.
var fewTold = [...]int{1, 2, 3, 5, 8}

// maxVisitors bounds the number of users who visit.
const maxVisitors = 300

// VisitorPrior is the chosen prior of a visitor's mean (gaussian.Composition) and of the links' weight, with its
// evidence.
type VisitorPrior struct {
	Likes         float32 // κ, the weight of the unknown user's mean, in likes
	Links         float32 // c of model.Objective.LinkShare
	People        int     // users who visited
	NDCG, Without float64 // mean NDCG@10 of the visits with κ and c, and with neither
	Rarity        Rarity  // of the models with κ and c, from TryRarity
}

// ChooseVisitorPrior returns the κ of visitorPriors that gives unseen users the best lists; of two equally good ones,
// the smaller. The models compose users from items alone. Every left-out user of at least two likes, or maxVisitors of
// them at even intervals, states 1, 2, 3, 5 and 8 likes, drawn at random by seed, as long as one like remains to be
// found. Each list is ranked by the distance and the links of the fold's model. The criterion is its NDCG@10 for the
// user's other likes, averaged over all visits. The models' own κ and c do not matter.
//
// With that κ, it then takes the smallest c of linkPriors that trails the best one by at most the standard error of the
// visits' differences, because the links' own weight suits people who state more likes than here.
//
// workers is the number of goroutines, 0 for one per CPU; it does not change the result. People is 0 if nobody can
// visit. O(visits·I·h).
func ChooseVisitorPrior(ctx context.Context, likes *dataset.Matrix, folds []Fold, seed uint64, workers int) (
	best VisitorPrior, err error) {
	people := visitors(likes, folds)
	visits := make([]dataset.Split, len(folds))
	for k := range folds {
		best.People += len(people[k])
		visits[k] = fewLikes(likes, people[k], seed)
	}
	for _, prior := range visitorPriors {
		sum, n := 0.0, 0
		for k, f := range folds {
			r, err := measured(ctx, f.Model, prior, visits[k], workers)
			if err != nil {
				return best, err
			}
			ndcg, _ := r.PerUser.Values(eval.NDCG, 10)
			for _, x := range ndcg {
				sum += float64(x)
			}
			n += len(ndcg)
		}
		mean := sum / float64(max(n, 1))
		if prior == 0 {
			best.NDCG, best.Without = mean, mean
		}
		if mean > best.NDCG {
			best.Likes, best.NDCG = prior, mean
		}
	}
	if best.People > 0 && folds[0].Model.ItemItem != nil {
		err = best.chooseLinks(ctx, folds, visits, workers)
	}
	return best, err
}

// chooseLinks chooses Links on the visits to each fold's model, with the chosen κ.
func (p *VisitorPrior) chooseLinks(ctx context.Context, folds []Fold, visits []dataset.Split, workers int) error {
	ndcg := make([][]float32, len(linkPriors))
	share := func(c, n int) float32 { return (&model.Objective{LinkPrior: linkPriors[c]}).LinkShare(n) }
	for k, f := range folds {
		told, held := visits[k].Train, visits[k].Test
		base, err := nearest(ctx, f.Model, p.Likes, told, workers)
		if err != nil {
			return err
		}
		values, err := itemlinks.Shares(ctx, base, f.Model.ItemItem, told, held, len(linkPriors), share, workers)
		if err != nil {
			return err
		}
		for c, v := range values {
			ndcg[c] = append(ndcg[c], v...)
		}
	}
	best := ndcg[0]
	for _, v := range ndcg {
		if itemlinks.Mean(v) > itemlinks.Mean(best) {
			best = v
		}
	}
	for c, v := range ndcg {
		if gain, stderr := itemlinks.Paired(best, v); gain <= stderr {
			p.Links, p.NDCG = linkPriors[c], itemlinks.Mean(v)
			break
		}
	}
	return nil
}

// visitors returns the visiting users of each fold.
func visitors(likes *dataset.Matrix, folds []Fold) [][]int {
	type person struct{ fold, user int }
	var all []person
	for k, f := range folds {
		for _, u := range f.Left {
			if len(likes.Row(u)) > 1 {
				all = append(all, person{k, u})
			}
		}
	}
	n := min(len(all), maxVisitors)
	out := make([][]int, len(folds))
	for k := range n {
		p := all[k*len(all)/n]
		out[p.fold] = append(out[p.fold], p.user)
	}
	return out
}

// fewLikes returns a split with one row per visit: the stated likes, and the user's other likes.
func fewLikes(likes *dataset.Matrix, people []int, seed uint64) dataset.Split {
	var told, others []dataset.Pair
	row := int32(0)
	for _, u := range people {
		all, r := Ints(likes.Row(u)), UserRand(seed^0x7072696f72, u)
		for _, n := range fewTold {
			if n >= len(all) {
				break
			}
			shuffle(r, all)
			for k, i := range all {
				pair := dataset.Pair{Row: row, Col: int32(i)}
				if k < n {
					told = append(told, pair)
				} else {
					others = append(others, pair)
				}
			}
			row++
		}
	}
	return dataset.Split{Train: dataset.NewMatrix(int(row), likes.Cols, told),
		Test: dataset.NewMatrix(int(row), likes.Cols, others)}
}

// measured measures m's lists for the visits, with the given prior instead of its own.
func measured(ctx context.Context, m *model.Model, prior float32, visits dataset.Split, workers int) (*eval.Report,
	error) {
	byDistance, err := nearest(ctx, m, prior, visits.Train, workers)
	if err != nil {
		return nil, err
	}
	return eval.Evaluate(ctx, itemlinks.NewScorer(byDistance, m.ItemItem, visits.Train), visits.Train, visits.Test,
		eval.Options{Ks: []int{10}, Workers: workers})
}

// nearest ranks by the distance of m alone for visitors with these likes, with the given prior instead of m's.
func nearest(ctx context.Context, m *model.Model, prior float32, likes *dataset.Matrix, workers int) (eval.Scorer,
	error) {
	s := recommend.InferenceSettingsOf(m)
	s.Composition.Prior = prior
	f, err := recommend.NewInferrer(s)
	if err != nil {
		return nil, err
	}
	users := gaussian.NewTable(likes.Rows(), m.Items.Dim())
	err = parallel.Each(ctx, users.Len(), workers, func() func(int) {
		return func(v int) {
			copy(users.Row(v), f.Row(recommend.Evidence{Likes: Ints(likes.Row(v))}))
		}
	})
	return eval.NewW2(users, m.Items), err
}
