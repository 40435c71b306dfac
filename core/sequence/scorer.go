package sequence

import (
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// NewScorer returns the scorer base(u,i) + next_i of recommend.AddNext, with the latest items of each user's history,
// earliest first. A nil base is 0.
func NewScorer(base eval.Scorer, links *model.ItemLinks, histories [][]int) eval.Scorer {
	return &scorer{base, links.BySource(), histories}
}

type scorer struct {
	base      eval.Scorer
	index     *model.LinksBySource
	histories [][]int
}

func (s *scorer) NumItems() int { return s.index.Len() }

func (s *scorer) Score(user int, dst []float32) {
	if s.base == nil {
		clear(dst)
	} else {
		s.base.Score(user, dst)
	}
	recommend.AddNext(dst, s.index, s.histories[user])
}
