// Package scoring ranks the items of a data set for its users by a model file, which may know other items and users in
// another order. Users stored in the model have their own Gaussian; all others are inferred from their likes.
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

// New returns the model's scorer for data with these users and items, by id; train holds the users' likes (U×I). Items
// that the model does not know rank last. New returns an error if it knows none of them, or if ctx ends. O(U·visit +
// I·h).
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
	return MissingLast(s, missing), nil
}

// Items returns the model's Gaussians of the data's items, and 0 for unknown items; to comes from Numbers.
func Items(m *model.Model, to []int32) *gaussian.Table {
	items := gaussian.NewTable(len(to), m.Items.Dim())
	for i, at := range to {
		if at >= 0 {
			copy(items.Row(i), m.Items.Row(int(at)))
		}
	}
	return items
}

// Users returns a Gaussian for each user id, and the number of users for which it is the model's own. The others are
// inferred from likes (U×I, numbered as the model's items) as in training, without the prior that is meant for
// visitors. progress may be nil.
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

// Tastes infers a visitor's Gaussian for every row of likes (U×I, numbered as the model's items). A row without likes
// gives the neutral visitor. progress is called every 64 users, never concurrently; it may be nil.
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

// MissingLast returns s with the missing items ranked last, or s itself if none is missing.
func MissingLast(s eval.Scorer, missing []int) eval.Scorer {
	if len(missing) == 0 {
		return s
	}
	return knownItems{s, missing}
}

// knownItems scores by the data's item numbers. Items that the model does not know rank last.
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
