package ways

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/lab/uncertainty"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/calibrate"
	"github.com/pmlam/pmlam/core/train/choose"
)

// parts is into how many the people are cut; each is left out of a training.
const parts = 4

// Cases cuts the people of d into four parts and trains four models by the settings, each without one part and
// calibrated as a model that is published is. Models that lie in the folder keep are not trained again, so it must be
// emptied where the data or the settings change. progress is told what is being trained.
func Cases(ctx context.Context, d *dataset.Dataset, cfg pmlam.Config, keep string, progress func(string)) (
	[]uncertainty.Case, error) {
	var out []uncertainty.Case
	for k, held := range calibrate.Parts(d.Users.Len(), parts, cfg.Seed) {
		said := calibrate.Data{Likes: d.Positives, Unliked: d.Unliked, Low: d.Low}.Without(held)
		load := func(name string, likes *dataset.Matrix) (*model.Model, error) {
			return Train(ctx, d, likes, cfg, filepath.Join(keep, name+".msgpack"), func() { progress(name) })
		}
		name := fmt.Sprintf("part%d", k+1)
		m, err := load(name, said.Likes)
		if err != nil {
			return nil, err
		}
		var folds []calibrate.Fold
		for j, left := range calibrate.Folds(d.Positives, cfg.Seed) {
			without, err := load(fmt.Sprintf("%s-fold%d", name, j+1), calibrate.Without(said.Likes, left))
			if err != nil {
				return nil, err
			}
			folds = append(folds, calibrate.Fold{Model: without, Left: left})
		}
		if m.Calibration, err = calibrate.Calibrate(ctx, said, folds, m, cfg.Seed, 0); err != nil {
			return nil, err
		}
		engine, err := recommend.Open(m, recommend.Options{})
		if err != nil {
			return nil, err
		}
		out = append(out, uncertainty.Case{Model: m, Engine: engine, LeftOut: held,
			People: uncertainty.People(d, held)})
	}
	return out, nil
}

// Train trains on the likes (U×I) of d, finds the item links, and writes the model to path. A model that lies there is
// taken as it is; otherwise progress is called first.
func Train(ctx context.Context, d *dataset.Dataset, likes *dataset.Matrix, cfg pmlam.Config, path string,
	progress func()) (*model.Model, error) {
	m, err := model.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	progress()
	d = learnedFrom(d, likes)
	t, err := pmlam.New(ctx, d.Positives, cfg, 0)
	if err != nil {
		return nil, err
	}
	learned, err := t.Run(ctx, nil)
	if err != nil {
		return nil, err
	}
	links, err := choose.Recipe(&cfg).Build(ctx, d.Positives, 0)
	if err != nil {
		return nil, err
	}
	links.Gamma = float32(cfg.ItemWeight)
	if m, err = learned.Model(d, pmlam.Export{Config: cfg, Precision: model.Float32, ItemItem: links}); err != nil {
		return nil, err
	}
	return m, model.WriteFile(path, m)
}

// learnedFrom returns d as a training on the likes (U×I) sees it, in the counts of its catalogue too.
func learnedFrom(d *dataset.Dataset, likes *dataset.Matrix) *dataset.Dataset {
	out := *d
	out.Positives = likes
	out.Catalogue = &catalogue.Catalogue{Items: slices.Clone(d.Catalogue.Items), Columns: d.Catalogue.Columns}
	for i := range out.Catalogue.Items {
		out.Catalogue.Items[i].Count = 0
	}
	for _, i := range likes.Indices {
		out.Catalogue.Items[i].Count++
	}
	return &out
}
