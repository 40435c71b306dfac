package calibrate

import (
	"context"
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/tastemap"
)

// Data are the users' feedback.
type Data struct {
	Likes   *dataset.Matrix // U×I
	Unliked *dataset.Matrix // U×I: rated, but not liked; nil if the data have no ratings
	Low     *dataset.Matrix // U×I: of Unliked, those that a visitor would mark "not for me"; nil if Unliked is nil
}

// Fold is a training without some of the users.
type Fold struct {
	Model *model.Model // has all items of the data
	Left  []int        // users left out of the training, ascending
}

// Open returns the left-out users of each fold (NewPeople).
func Open(d Data, folds []Fold, seed uint64) ([]*People, error) {
	all := make([]*People, len(folds))
	for k, f := range folds {
		var err error
		if all[k], err = NewPeople(d, f.Model, f.Left, seed); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// People are users of Data that a training has not seen, together with the model of that training. All fits work on
// such users: the left-out users of each fold, with the model that has not seen them.
type People struct {
	Data
	Model  *model.Model           // trained without them; has the items of Data
	Engine *recommend.Recommender // opened on Model
	Seen   []int                  // users in the training, ascending
	Left   []int                  // users left out of the training, ascending
	Plane  tastemap.Plane         // of the items' largest variance; empty if the model has fewer than two dimensions
	Seed   uint64                 // of all random draws

	width []float32 // cache of within; nil: not computed yet
}

// NewPeople opens a model that was trained on d without the users left (ascending). Users without likes are dropped.
func NewPeople(d Data, m *model.Model, left []int, seed uint64) (*People, error) {
	if m.Items.Len() != d.Likes.Cols {
		return nil, fmt.Errorf("the model has %d items, but the data have %d; pass the data that it was trained on",
			m.Items.Len(), d.Likes.Cols)
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return nil, err
	}
	p := &People{Data: d, Model: m, Engine: r, Seed: seed}
	if m.Items.Len() > 1 && m.Items.Dim() > 1 {
		if p.Plane, err = tastemap.FitPlane(m.Items); err != nil {
			return nil, err
		}
	}
	for u := range d.Likes.Rows() {
		if len(d.Likes.Row(u)) == 0 {
			continue
		}
		if _, is := slices.BinarySearch(left, u); is {
			p.Left = append(p.Left, u)
		} else {
			p.Seen = append(p.Seen, u)
		}
	}
	return p, nil
}

// Calibrate returns the calibration of final, a model trained on all of d. The dimensionless parameters are fitted on
// the left-out users of all folds, each with the model that has not seen them; the rest is computed from final
// (Transfer). seed controls all random draws. workers is the number of goroutines, 0 for one per CPU; it does not
// change the result. Calibrate fails if the models do not fit the data or ctx ends.
func Calibrate(ctx context.Context, d Data, folds []Fold, final *model.Model, seed uint64, workers int) (
	*model.Calibration, error) {
	people, err := Open(d, folds, seed)
	if err != nil {
		return nil, err
	}
	c := &model.Calibration{}
	for _, p := range people {
		c.Users += len(p.Left)
	}
	if c.Posterior, err = Posterior(ctx, people, workers); err != nil {
		return nil, err
	}
	if c.Map, err = mapRegion(ctx, people, c.Posterior, workers); err != nil {
		return nil, err
	}
	if c.Like, err = Like(ctx, people, workers); err != nil {
		return nil, err
	}
	return Transfer(c, d, final, workers)
}

// Transfer returns c with the statistics recomputed for final, a model trained on d. c is not changed. workers is the
// number of goroutines, 0 for one per CPU; it does not change the result. O(nnz·h²).
func Transfer(c *model.Calibration, d Data, final *model.Model, workers int) (*model.Calibration, error) {
	if final.Items.Len() != d.Likes.Cols {
		return nil, fmt.Errorf("the model has %d items, but the data have %d; pass the data that it was trained on",
			final.Items.Len(), d.Likes.Cols)
	}
	carried := *c
	carried.Posterior.Within = within(final.Items, d.Likes, nil, workers)
	if c.Like != nil && d.Unliked != nil {
		like := *c.Like
		like.Rates = Rates(d, everybody(d))
		carried.Like = &like
	} else {
		carried.Like = nil
	}
	return &carried, nil
}
