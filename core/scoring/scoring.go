// Package scoring ranks the items of data for the users of the data by a model file, whose items and users are others,
// in another order: a user that the model keeps by their own Gaussian, any other from what they like.
//
// In the flow: model file and data → eval. Native only.
package scoring

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// New returns the scorer of a model for data of these users and items, by their ids, who like train (U×I). Items that
// the model does not know rank last. It returns an error where it knows none, and the context's. O(U·visit + I·h).
func New(ctx context.Context, m *model.Model, users, items []string, train *dataset.Matrix, workers int) (eval.Scorer,
	error) {
	to, missing := Numbers(m, items)
	if len(missing) == len(items) {
		return nil, fmt.Errorf("the model knows none of the %d items; was it trained on other data?", len(items))
	}
	rows, _, err := Users(ctx, m, users, Renumber(train, to, m.Items.Len()), workers, nil)
	if err != nil {
		return nil, err
	}
	var s eval.Scorer = eval.NewW2(rows, Items(m, to))
	if m.ItemItem != nil {
		s = itemlinks.NewScorer(s, RenumberPart(m.ItemItem, to), train)
	}
	return Known(s, missing), nil
}

// Items returns the model's Gaussians of the data's items, 0 for what it does not know; to are Numbers.
func Items(m *model.Model, to []int32) *gaussian.Table {
	items := gaussian.NewTable(len(to), m.Items.Dim())
	for i, at := range to {
		if at >= 0 {
			copy(items.Row(i), m.Items.Row(int(at)))
		}
	}
	return items
}

// Users returns a Gaussian for each of the users, by id: the model's own where it keeps one, which are own of them, and
// elsewhere inferred from likes (U×I, numbered as the model's items) as a training has it: a prior, which is for
// visitors, stands beside nobody's likes. progress may be nil.
func Users(ctx context.Context, m *model.Model, ids []string, likes *dataset.Matrix, workers int,
	progress func(done, total int)) (users *gaussian.Table, own int, err error) {
	learned := *m
	learned.Objective.Composition.Prior = 0
	users, err = Tastes(ctx, &learned, likes, workers, progress)
	if err != nil || m.Users == nil {
		return users, 0, err
	}
	at := make(map[string]int, len(m.UserIDs))
	for u, id := range m.UserIDs {
		at[id] = u
	}
	for u, id := range ids {
		if at, ok := at[id]; ok {
			copy(users.Row(u), m.Users.Row(at))
			own++
		}
	}
	return users, own, nil
}

// Tastes infers the Gaussian of every row of likes (U×I, numbered as the model's items), as a visitor's is inferred.
// Rows without likes get that of a visitor who has said nothing. progress is called every 64 users, never
// concurrently; it may be nil.
func Tastes(ctx context.Context, m *model.Model, likes *dataset.Matrix, workers int, progress func(done, total int)) (
	*gaussian.Table, error) {
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return nil, err
	}
	users := gaussian.NewTable(likes.Rows(), m.Items.Dim())
	var mu sync.Mutex // guards done and progress
	done := 0
	infer := func(u int) {
		var v recommend.Visit
		for _, i := range likes.Row(u) {
			v.Likes = append(v.Likes, int(i))
		}
		copy(users.Row(u), r.Taste(v, nil).Row)
		mu.Lock()
		defer mu.Unlock()
		if done++; done%64 == 0 && progress != nil {
			progress(done, likes.Rows())
		}
	}
	return users, parallel.Each(ctx, likes.Rows(), workers, func() func(u int) { return infer })
}

// Known returns s with the items missing ranked last; s itself where none is missing.
func Known(s eval.Scorer, missing []int) eval.Scorer {
	if len(missing) == 0 {
		return s
	}
	return knownItems{s, missing}
}

// knownItems is a scorer of a model by the data's item numbers. Items that the model does not know rank last.
type knownItems struct {
	eval.Scorer
	missing []int
}

func (k knownItems) Score(user int, dst []float32) {
	k.Scorer.Score(user, dst)
	for _, i := range k.missing {
		dst[i] = float32(math.Inf(-1))
	}
}
