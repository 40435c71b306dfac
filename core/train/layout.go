package train

import (
	"context"
	"fmt"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/tastemap"
)

// LayOut gives a model its map, by the rows that its file will hold, so that the map is a matter of the file alone.
// step, which may be nil, is called after each step. Where ctx ends the map stays as it is.
func LayOut(ctx context.Context, m *model.Model, workers int, step func(done, all int)) error {
	kept, err := asFile(m)
	if err != nil {
		return err
	}
	made, err := tastemap.Compute(ctx, kept.Items, kept.Catalogue, workers, step)
	if err != nil {
		return fmt.Errorf("the map is a plain one: %w", err)
	}
	m.Map = made
	return nil
}

// asFile returns the model as its file holds it.
func asFile(m *model.Model) (*model.Model, error) {
	b, err := model.Encode(m)
	if err != nil {
		return nil, err
	}
	return model.Decode(b)
}
