package refresh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train/calibrate"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Options limits the changes. The zero value takes the defaults.
type Options struct {
	// the share of rows that may change, at most 1; 0: DefaultShare. New items count towards it, but all are added; a
	// third of the share is always left for known items
	Share   float64
	Epochs  int // epochs of training; 0: DefaultEpochs
	Workers int // goroutines; 0: one for each processor. The result does not depend on it

	// Kept describes items that stay in the model without likes in the data, such as items added by add-items, as long
	// as this catalogue has them. Their titles, genres and columns are taken from it. nil: none stays
	Kept *catalogue.Catalogue
}

// The defaults keep downloads below a twentieth of the file and the time below a tenth of a training. They were fixed
// before looking at the days that docs/refresh.md reports.
const (
	DefaultShare  = 0.03
	DefaultEpochs = 2
)

// Report counts the items by outcome.
type Report struct {
	New   int `json:"new"`   // added
	Moved int `json:"moved"` // known items whose rows were trained
	Kept  int `json:"kept"`  // unchanged, bit for bit
	Gone  int `json:"gone"`  // left out: neither in the data nor kept
}

// Refresh returns a copy of older updated with d, which holds all interactions including the old ones. older is not
// changed; load it with model.ReadFile or model.Decode, otherwise rows do not stay bit for bit. The same input gives
// the same result.
//
// Refresh returns an error if the model has no training settings, if it holds users' Gaussians, which would all change,
// if none of its items is in the data, or if ctx ends.
//
// It costs Epochs epochs of a training and O(I).
func Refresh(ctx context.Context, older *model.Model, d *dataset.Dataset, o Options) (*model.Model, *Report, error) {
	if o.Share == 0 {
		o.Share = DefaultShare
	}
	if o.Epochs == 0 {
		o.Epochs = DefaultEpochs
	}
	cfg, err := settings(older)
	switch {
	case err != nil:
		return nil, nil, err
	case older.Users != nil:
		return nil, nil, errors.New("the model holds its users' Gaussians, which all change with newer data; " +
			"train without --with-users")
	}
	p := newPlan(older, d, o)
	if p.report.Moved+p.report.Kept == 0 {
		return nil, nil, errors.New("the data have none of the model's items; is this the right file?")
	}
	order, err := cfg.Order(ctx, d, d.Positives, false, o.Workers)
	if err != nil {
		return nil, nil, err
	}
	if p.targets == nil { // nothing has changed
		return p.assemble(d, p.rows(), nil, order.Links, nil), &p.report, nil
	}
	rows, err := p.train(ctx, d, cfg.Config, o)
	if err != nil {
		return nil, nil, err
	}
	var part *model.ItemLinks
	if older.ItemItem != nil {
		part, err = choose.Recipe(&cfg).BuildFor(ctx, d.Positives, p.targets, o.Workers)
		if err != nil {
			return nil, nil, fmt.Errorf("finding item links: %w", err)
		}
	}
	var rates []float32
	if c := older.Calibration; c != nil && c.Like != nil && d.Unliked != nil {
		users := make([]int, d.Users.Len())
		for u := range users {
			users[u] = u
		}
		rates = calibrate.Rates(calibrate.Data{Likes: d.Positives, Unliked: d.Unliked, Low: d.Low}, users)
	}
	return p.assemble(d, rows, part, order.Links, rates), &p.report, nil
}

// settings returns the settings of the model's training.
func settings(m *model.Model) (c choose.Settings, err error) {
	if err := json.Unmarshal([]byte(m.Provenance.Config), &c); err != nil {
		return c, fmt.Errorf("the model has no training settings: %w; a model without ratings, or one from "+
			"another program, must be trained again", err)
	}
	if c.Dim != m.Items.Dim() {
		return c, fmt.Errorf("the model has dimension %d, but its settings say %d", m.Items.Dim(), c.Dim)
	}
	if c.Signed {
		return c, errors.New("the model was trained with signed deviations, which its file stores shifted; " +
			"new rows would be bounded differently, so train it again")
	}
	return c, nil
}
