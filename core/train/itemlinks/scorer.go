package itemlinks

import (
	"fmt"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
)

// NewScorer returns the scorer base(u,i) + γ·Σ_{j ∈ row u of history} B_ji, where base is usually eval.W2 and history
// is the training matrix (U×I). It panics if part, history and base differ in their number of items. A user costs as
// much as in base, plus the links of the history. The scorer is an eval.Amended. Without a part it is base itself.
func NewScorer(base eval.Scorer, part *model.ItemLinks, history *dataset.Matrix) eval.Scorer {
	if part == nil {
		return base
	}
	if n := base.NumItems(); part.Len() != n || history.Cols != n {
		panic(fmt.Sprintf("itemlinks: the scorer has %d items, the links %d and the history %d", n,
			part.Len(),
			history.Cols))
	}
	return &linkedScorer{base, part.BySource(), history}
}

var _ eval.Amended = (*linkedScorer)(nil)

type linkedScorer struct {
	base    eval.Scorer
	index   *model.LinksBySource
	history *dataset.Matrix
}

func (s *linkedScorer) NumItems() int { return s.base.NumItems() }

func (s *linkedScorer) Score(user int, dst []float32) {
	s.base.Score(user, dst)
	s.Amend(user, dst)
}

// Base implements eval.Amended: only linked items differ from base.
func (s *linkedScorer) Base() eval.Scorer { return s.base }

// Touched implements eval.Amended.
func (s *linkedScorer) Touched(user int, dst []int32) []int32 {
	return s.index.Targets(dst, s.history.Row(user))
}

// Amend implements eval.Amended.
func (s *linkedScorer) Amend(user int, dst []float32) { s.index.Add(dst, s.history.Row(user)) }
