package choose

import (
	"context"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/sequence"
)

// Order is the result of Settings.Order.
type Order struct {
	Links     *model.ItemLinks    // nil: none
	Sequences *sequence.Sequences // nil: the data have no times, or the settings ask for no links
	Tried     bool                // Trial decided
	Trial     sequence.Trial
}

// Order finds the links in order for likes, a part of d.Positives. With try, it keeps them only if a trial on the
// latest likes pays, and sets NextTop to 0 otherwise, as it does if no order is known.
func (s *Settings) Order(ctx context.Context, d *dataset.Dataset, likes *dataset.Matrix, try bool, workers int) (
	o Order, err error) {
	if s.NextTop == 0 {
		return o, nil
	}
	set := sequence.Default()
	set.Top = s.NextTop
	if d.Times == nil {
		s.NextTop = 0
		return o, nil
	}
	if o.Sequences, err = sequence.Of(d, likes); err != nil {
		return o, err
	}
	if try {
		o.Tried = true
		if o.Trial, err = sequence.Try(ctx, o.Sequences, set, workers); err != nil {
			return o, err
		}
		if !o.Trial.Pays {
			s.NextTop = 0
			return o, nil
		}
	}
	links, err := sequence.Links(ctx, o.Sequences, set, workers)
	if err != nil {
		return o, err
	}
	if links.Links() == 0 {
		s.NextTop = 0
		return o, nil
	}
	links.Gamma = sequence.Weight
	if s.NextWeight > 0 {
		links.Gamma = float32(s.NextWeight)
	}
	o.Links = links
	return o, nil
}
