package baseline

import (
	"context"
	"fmt"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// foldIn is a scorer that also ranks for users outside its training.
type foldIn interface {
	eval.Scorer
	foldIn(ctx context.Context, likes *dataset.Matrix, workers int) (eval.Scorer, error)
}

// FoldIn returns a scorer of other users, who need not be in the training part, by their likes (U×I with any U). The
// fitted method does not change: methods of items score by these likes, UserKNN finds the nearest training users, iALS
// solves for the users' factors, and popularity is the same for everybody. It fails for scorers of other packages, if
// ctx ends, and if a system of iALS cannot be solved.
func FoldIn(ctx context.Context, s eval.Scorer, likes *dataset.Matrix, workers int) (eval.Scorer, error) {
	f, ok := s.(foldIn)
	if !ok {
		return nil, fmt.Errorf("%T cannot rank for users outside its training", s)
	}
	if likes.Cols != s.NumItems() {
		return nil, fmt.Errorf("the scorer has %d items, but the likes have %d", s.NumItems(), likes.Cols)
	}
	return f.foldIn(ctx, likes, workers)
}

func (p *popularity) foldIn(context.Context, *dataset.Matrix, int) (eval.Scorer, error) {
	return p, nil
}

func (l *Linear) foldIn(_ context.Context, likes *dataset.Matrix, _ int) (eval.Scorer, error) {
	other := *l
	other.history = likes
	return &other, nil
}

func (s *itemKNN) foldIn(_ context.Context, likes *dataset.Matrix, _ int) (eval.Scorer, error) {
	other := *s
	other.history = likes
	return &other, nil
}

func (s *weighted) foldIn(_ context.Context, likes *dataset.Matrix, _ int) (eval.Scorer, error) {
	other := *s
	other.history = likes
	return &other, nil
}

func (s *userKNN) foldIn(_ context.Context, likes *dataset.Matrix, _ int) (eval.Scorer, error) {
	other := *s
	other.history = likes
	return &other, nil
}

func (s *turboCF) foldIn(_ context.Context, likes *dataset.Matrix, _ int) (eval.Scorer, error) {
	other := *s
	other.history = likes
	return &other, nil
}

func (s *ials) foldIn(ctx context.Context, likes *dataset.Matrix, workers int) (eval.Scorer, error) {
	other := *s
	other.users = make([]float64, likes.Rows()*s.dim)
	exact := s.settings
	exact.Steps = 0 // no earlier pass to start from
	if err := exact.solve(ctx, other.users, likes, s.items, workers); err != nil {
		return nil, fmt.Errorf("iALS, new users: %w", err)
	}
	other.rank.users = single(other.users)
	return &other, nil
}
