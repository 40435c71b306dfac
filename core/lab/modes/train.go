package modes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/lab/uncertainty"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/calibrate"
	"github.com/pmlam/pmlam/core/train/choose"
)

// parts is the number of parts of the people; each is left out of a training.
const parts = 4

// Cases cuts the people of d into four parts and trains four models with the settings, each without one part and
// calibrated like a published model. Models in the folder keep are not trained again, so empty it when data or settings
// change. progress gets the name of each training.
func Cases(ctx context.Context, d *dataset.Dataset, cfg choose.Settings, keep string, progress func(string)) (
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

// Train trains on the likes (U×I) of d, finds the item links, and writes the model to path. An existing model is used
// as it is; otherwise progress is called first.
func Train(ctx context.Context, d *dataset.Dataset, likes *dataset.Matrix, cfg choose.Settings, path string,
	progress func()) (*model.Model, error) {
	m, err := model.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	progress()
	d = d.LearnedFrom(likes)
	t, err := pmlam.New(ctx, d.Positives, cfg.Config, 0)
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
	e, err := cfg.Export()
	if err != nil {
		return nil, err
	}
	e.Precision, e.ItemItem = model.Float32, links
	if m, err = learned.Model(d, e); err != nil {
		return nil, err
	}
	return m, model.WriteFile(path, m)
}
