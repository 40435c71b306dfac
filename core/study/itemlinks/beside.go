package itemlinks

import (
	"fmt"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
)

// Beside returns the scorer base(u,i) + γ·Σ_{j ∈ row u of history} B_ji: the hybrid, where base is eval.W2 and history
// is what the users' Gaussians know too, the training matrix. It panics where part, history and base are not over the same
// items. A user costs what base does and the links of the history; the scorer is an eval.Amended.
func Beside(base eval.Scorer, part *model.ItemLinks, history *dataset.Matrix) eval.Scorer {
	if n := base.NumItems(); part.Len() != n || history.Cols != n {
		panic(fmt.Sprintf("fit: the scorer knows %d items, the item-item part %d and the history %d", n, part.Len(), history.Cols))
	}
	return &beside{base, part.BySource(), history}
}

var _ eval.Amended = (*beside)(nil)

type beside struct {
	base    eval.Scorer
	index   *model.LinksBySource
	history *dataset.Matrix
}

func (s *beside) NumItems() int { return s.base.NumItems() }

func (s *beside) Score(user int, dst []float32) {
	s.base.Score(user, dst)
	s.Amend(user, dst)
}

// Base implements eval.Amended: only linked items differ from it.
func (s *beside) Base() eval.Scorer { return s.base }

// Touched implements eval.Amended.
func (s *beside) Touched(user int, dst []int32) []int32 {
	return s.index.Targets(dst, s.history.Row(user))
}

// Amend implements eval.Amended.
func (s *beside) Amend(user int, dst []float32) { s.index.Add(dst, s.history.Row(user)) }
