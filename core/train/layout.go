package train

import (
	"context"
	"fmt"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/tastemap"
)

// LayOut lays out the map of a model. It uses the rows as the model file will store them, so the map depends only on
// the file. step, which may be nil, is called after each step. If ctx ends, the map stays unchanged.
func LayOut(ctx context.Context, m *model.Model, workers int, step func(done, all int)) error {
	return layOut(ctx, m, tastemap.Compute, workers, func(done, all int, _ []float64) {
		if step != nil {
			step(done, all)
		}
	})
}

// mapping computes a map: tastemap.Compute or tastemap.Place.
type mapping func(ctx context.Context, items *gaussian.Table, c *catalogue.Catalogue, workers int, step tastemap.Step) (
	*model.Map, error)

func layOut(ctx context.Context, m *model.Model, compute mapping, workers int, step tastemap.Step) error {
	kept, err := asFile(m)
	if err != nil {
		return err
	}
	made, err := compute(ctx, kept.Items, kept.Catalogue, workers, step)
	if err != nil {
		return fmt.Errorf("laying out the map: %w", err)
	}
	m.Map = made
	return nil
}

// asFile returns the model after a round trip through its file format.
func asFile(m *model.Model) (*model.Model, error) {
	b, err := model.Encode(m)
	if err != nil {
		return nil, err
	}
	return model.Decode(b)
}
