package choose

import (
	"context"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/sequence"
)

// Order finds the links in order for likes, a part of d.Positives, and returns them with the sequences. Both are nil if
// the settings ask for none or d has no times.
func (s *Settings) Order(ctx context.Context, d *dataset.Dataset, likes *dataset.Matrix, workers int) (
	*model.ItemLinks, *sequence.Sequences, error) {
	if s.NextTop == 0 || d.Times == nil {
		return nil, nil, nil
	}
	of, err := sequence.Of(d, likes)
	if err != nil {
		return nil, nil, err
	}
	set := sequence.Default()
	set.Top = s.NextTop
	links, err := sequence.Links(ctx, of, set, workers)
	if err != nil {
		return nil, nil, err
	}
	links.Gamma = sequence.Weight
	if s.NextWeight > 0 {
		links.Gamma = float32(s.NextWeight)
	}
	return links, of, nil
}
