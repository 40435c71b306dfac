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

// Data are what people said.
type Data struct {
	Likes   *dataset.Matrix // U×I
	Unliked *dataset.Matrix // U×I: rated, but not liked; nil where there are no ratings
	Low     *dataset.Matrix // U×I: rated so low that a visitor would have pressed "not for me"; of Unliked, nil with it
}

// Fold is a training that some people had no part in.
type Fold struct {
	Model *model.Model // of all items of the data
	Left  []int        // users left out of the training, ascending
}

// Open returns the people of each fold, with what is drawn by the seed (NewPeople).
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

// People are users of Data whom a training has not seen, together with the model of that training. All fits work on
// such people: those of each fold, judged by the model that has not seen them.
type People struct {
	Data
	Model  *model.Model           // trained without them; its items are those of Data
	Engine *recommend.Recommender // opened on Model
	Seen   []int                  // users that it learned from, ascending
	Left   []int                  // the people: users left out of the training, ascending
	Plane  tastemap.Plane         // in which the items' means vary most; none of a model without two dimensions
	Seed   uint64                 // of what is drawn

	width []float32 // what the method within returns; nil: not found yet
}

// NewPeople opens a model that was trained on d without the users left, ascending. Of these, who like something are its
// people.
func NewPeople(d Data, m *model.Model, left []int, seed uint64) (*People, error) {
	if m.Items.Len() != d.Likes.Cols {
		return nil, fmt.Errorf("the model has %d items and the data have %d: it was not trained on them", m.Items.Len(),
			d.Likes.Cols)
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

// Calibrate returns the calibration of final, which was trained on all of d. What has no unit is fitted on the people
// of all folds, each judged by the model that has not seen them; the rest is computed from final (Transfer). What is
// drawn is drawn by the seed. It takes up to workers goroutines, 0: as many as there are processors; the result does
// not depend on that. An error says that the models do not fit the data, or that the context has ended.
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

// Transfer returns the calibration c with the statistics that belong to final, a model that was trained on d. c is not
// changed. workers (0: as many as there are processors) do not change the result. O(nnz·h²).
func Transfer(c *model.Calibration, d Data, final *model.Model, workers int) (*model.Calibration, error) {
	if final.Items.Len() != d.Likes.Cols {
		return nil, fmt.Errorf("the model has %d items and the data have %d: it was not trained on them",
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
