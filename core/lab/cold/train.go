package cold

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/lab/modes"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train/calibrate"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Case is a data set with hidden items, and a model trained without them.
type Case struct {
	Data   *dataset.Dataset // complete
	Hidden []int            // hidden items, ascending
	Warm   *dataset.Dataset // without hidden items
	Model  *model.Model     // trained on Warm, and calibrated
	Split  dataset.Split    // of Warm
	Part   *model.Model     // trained on Split.Train
	Known  *model.Model     // trained on Split.Train and on all likes of the hidden items
}

// Hide hides a share of the items, drawn by the seed, and trains three models: one on all likes of the other items,
// calibrated; one on four fifths of every user's; and one on these and the likes of the hidden items. Models in the
// folder keep are not trained again. progress gets the name of each training.
func Hide(ctx context.Context, d *dataset.Dataset, share float64, seed uint64, cfg choose.Settings, keep string,
	progress func(string)) (*Case, error) {
	c := &Case{Data: d}
	r := rand.New(rand.NewPCG(seed, 0x636f6c64))
	hidden := make([]bool, d.Items.Len())
	for _, i := range r.Perm(d.Items.Len())[:int(share*float64(d.Items.Len()))] {
		hidden[i] = true
	}
	for i, h := range hidden {
		if h {
			c.Hidden = append(c.Hidden, i)
		}
	}
	var err error
	if c.Warm, err = without(d, hidden); err != nil {
		return nil, err
	}
	c.Split = c.Warm.Fold(5, 0, 1)
	train := func(name string, d *dataset.Dataset, likes *dataset.Matrix) (*model.Model, error) {
		path := filepath.Join(keep, name+".msgpack")
		if _, err := modes.Train(ctx, d, likes, cfg, path, func() { progress(name) }); err != nil {
			return nil, err
		}
		return model.ReadFile(path) // measure the file's content, the first time too
	}
	if c.Model, err = train("all", c.Warm, c.Warm.Positives); err != nil {
		return nil, err
	}
	if c.Part, err = train("part", c.Warm, c.Split.Train); err != nil {
		return nil, err
	}
	if c.Known, err = train("known", d, c.known()); err != nil {
		return nil, err
	}
	said := calibrate.Data{Likes: c.Warm.Positives, Unliked: c.Warm.Unliked, Low: c.Warm.Low}
	var folds []calibrate.Fold
	for k, left := range calibrate.Folds(said.Likes, cfg.Seed) {
		m, err := train(fmt.Sprintf("fold%d", k+1), c.Warm, calibrate.Without(said.Likes, left))
		if err != nil {
			return nil, err
		}
		folds = append(folds, calibrate.Fold{Model: m, Left: left})
	}
	c.Model.Calibration, err = calibrate.Calibrate(ctx, said, folds, c.Model, cfg.Seed, 0)
	return c, err
}

// known returns Split.Train and all likes of the hidden items, over the items of Data.
func (c *Case) known() *dataset.Matrix {
	var pairs []dataset.Pair
	for u := range c.Data.Users.Len() {
		for _, i := range c.Split.Train.Row(u) {
			to, _ := c.Data.Items.Index(c.Warm.Items.ID(int(i)))
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32(to)})
		}
		for _, i := range c.Hidden {
			if c.Data.Positives.Contains(u, int32(i)) {
				pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32(i)})
			}
		}
	}
	return dataset.NewMatrix(c.Data.Users.Len(), c.Data.Items.Len(), pairs)
}

// without returns d without the hidden items; all users stay.
func without(d *dataset.Dataset, hidden []bool) (*dataset.Dataset, error) {
	out := *d
	to := make([]int32, len(hidden))
	var ids []string
	out.Catalogue = &catalogue.Catalogue{Columns: d.Catalogue.Columns}
	for i, h := range hidden {
		if to[i] = -1; !h {
			to[i] = int32(len(ids))
			ids = append(ids, d.Items.ID(i))
			out.Catalogue.Items = append(out.Catalogue.Items, d.Catalogue.Items[i])
		}
	}
	cut := func(m *dataset.Matrix) *dataset.Matrix {
		if m == nil {
			return nil
		}
		var pairs []dataset.Pair
		for u := range m.Rows() {
			for _, i := range m.Row(u) {
				if to[i] >= 0 {
					pairs = append(pairs, dataset.Pair{Row: int32(u), Col: to[i]})
				}
			}
		}
		return dataset.NewMatrix(m.Rows(), len(ids), pairs)
	}
	var err error
	out.Items, err = dataset.NewIDs(ids)
	out.Positives, out.Unliked, out.Low, out.Times = cut(d.Positives), cut(d.Unliked), cut(d.Low), nil
	return &out, err
}
