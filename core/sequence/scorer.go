package sequence

import (
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
)

// Decay is the weight of an item of a sequence relative to that of the following one, and Recent the number of latest
// items that count.
const (
	Decay  = 0.7
	Recent = 20
)

// NewScorer returns the scorer base(u,i) + γ·Σ_k Decay^k · T(h_k, i) over the latest items h_0, h_1, … of user u, with
// the links T. A nil base is 0. histories holds each user's items, earliest first.
func NewScorer(base eval.Scorer, links *model.ItemLinks, histories [][]int32) eval.Scorer {
	return &scorer{base, links.BySource(), histories}
}

type scorer struct {
	base      eval.Scorer
	index     *model.LinksBySource
	histories [][]int32
}

func (s *scorer) NumItems() int { return s.index.Len() }

func (s *scorer) Score(user int, dst []float32) {
	if s.base == nil {
		clear(dst)
	} else {
		s.base.Score(user, dst)
	}
	h := s.histories[user]
	weight := float32(1)
	for k := range min(len(h), Recent) {
		s.index.AddWeighted(dst, h[len(h)-1-k:len(h)-k], []float32{weight})
		weight *= Decay
	}
}
