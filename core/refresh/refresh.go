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

// Options say how much may change. The zero value takes the defaults.
type Options struct {
	// of the rows that may change, at most 1; 0: DefaultShare. New items count, and are entered however many they are;
	// a third of the share is for known ones in any case
	Share   float64
	Epochs  int // of the training of what moves; 0: DefaultEpochs
	Workers int // goroutines; 0: as many as there are processors. The result does not depend on it

	// Kept describes the items that stay in the model where nobody in the data likes them, such as those that add-items
	// has entered: all that are still in the catalogue. What is shown of them is what it says now. nil: none stays
	Kept *catalogue.Catalogue
}

// The defaults: they keep what visitors fetch below a twentieth and the time below a tenth. They were set before the
// days were looked at that docs/refresh.md reports.
const (
	DefaultShare  = 0.03
	DefaultEpochs = 2
)

// Report says what became of the items.
type Report struct {
	New   int `json:"new"`   // entered
	Moved int `json:"moved"` // known ones whose rows were trained
	Kept  int `json:"kept"`  // bit by bit as they were
	Gone  int `json:"gone"`  // left out: neither in the data nor kept
}

// Refresh returns the model older brought up to date with d, which holds all interactions, the older ones too. older is
// not changed, and must be as its file holds it (model.ReadFile, model.Decode), or nothing stays bit by bit. Same
// input, same result.
//
// An error says that the model has no settings to go on with, that it holds users' Gaussians, which would all change,
// that nothing of it is in the data, or that ctx ended.
//
// It takes Epochs epochs of a training and O(I) besides.
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
		return nil, nil, errors.New("the model holds its users' Gaussians, which all change with newer data: a " +
			"refresh is for models without (train without --with-users)")
	}
	p := newPlan(older, d, o)
	if p.report.Moved+p.report.Kept == 0 {
		return nil, nil, errors.New("the data have none of the model's items: are these the same data?")
	}
	if p.targets == nil { // nothing has changed
		return p.assemble(d, p.rows(), nil, nil), &p.report, nil
	}
	rows, err := p.train(ctx, d, cfg.Config, o)
	if err != nil {
		return nil, nil, err
	}
	var part *model.ItemLinks
	if older.ItemItem != nil {
		part, err = choose.Recipe(&cfg).BuildFor(ctx, d.Positives, p.targets, o.Workers)
		if err != nil {
			return nil, nil, fmt.Errorf("finding the item-item part: %w", err)
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
	return p.assemble(d, rows, part, rates), &p.report, nil
}

// settings returns those of the model's training.
func settings(m *model.Model) (c choose.Settings, err error) {
	if err := json.Unmarshal([]byte(m.Provenance.Config), &c); err != nil {
		return c, fmt.Errorf("the model has no settings to go on with: %w; a model of a catalogue alone, or of "+
			"another program, has to be trained anew", err)
	}
	if c.Dim != m.Items.Dim() {
		return c, fmt.Errorf("the model has dimension %d and its settings say %d", m.Items.Dim(), c.Dim)
	}
	if c.Signed {
		return c, errors.New("the model was trained with signed deviations, which its file has shifted: what joins " +
			"it would be bounded otherwise; train anew")
	}
	return c, nil
}
