package calibrate

import (
	"context"
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

const (
	leftOutShare = 0.1  // of the users, who are left out
	maxLeftOut   = 2000 // of them
)

// LeaveOut takes a tenth of the users of d, at most 2,000 and at least two, out of training, by the seed: train has the
// shape U×I, with their rows empty; left lists them, ascending. left is empty where there are fewer than four users.
func LeaveOut(d *dataset.Dataset, seed uint64) (train *dataset.Matrix, left []int) {
	users := float64(d.Positives.Rows())
	if users < 4 {
		return d.Positives, nil
	}
	return d.LeaveUsersOut(min(max(leftOutShare, 2/users), maxLeftOut/users), seed)
}

// Data are what people said.
type Data struct {
	Likes   *dataset.Matrix // U×I
	Unliked *dataset.Matrix // U×I: rated, but not liked; nil where there are no ratings
	Low     *dataset.Matrix // U×I: rated so low that a visitor would have pressed "not for me"; of Unliked, nil with it
}

// People are users of Data whom a training has not seen, together with the model of that training. All fits work on it.
type People struct {
	Data
	Model  *model.Model           // trained without them; its items are those of Data
	Engine *recommend.Recommender // opened on Model
	Seen   []int                  // users that it learned from, ascending
	Fit    []int                  // left out: parameters are fitted on them
	Check  []int                  // left out: reliability is measured on them, after the fit
	Seed   uint64                 // of what is drawn
}

// NewPeople opens a model that was trained on d without the users left. Every second of these goes to Check, the others
// to Fit.
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
	for u := range d.Likes.Rows() {
		if !slices.Contains(left, u) && len(d.Likes.Row(u)) > 0 {
			p.Seen = append(p.Seen, u)
		}
	}
	for k, u := range left {
		if k%2 == 0 {
			p.Fit = append(p.Fit, u)
		} else {
			p.Check = append(p.Check, u)
		}
	}
	return p, nil
}

// Calibrate returns the calibration of final, which was trained on all of d. What has no unit is fitted on the users
// left, with the model that was trained without them; the rest is computed from final (Transfer). An error says that
// the models do not fit the data, or that the context has ended.
func Calibrate(ctx context.Context, d Data, without, final *model.Model, left []int, seed uint64) (*model.Calibration,
	error) {
	p, err := NewPeople(d, without, left, seed)
	if err != nil {
		return nil, err
	}
	c := &model.Calibration{Users: len(left)}
	// All of them: the radii are no statement whose truth Check is to show, and few users have many likes.
	if c.Posterior, err = Posterior(ctx, p, left); err != nil {
		return nil, err
	}
	if c.Like, err = Like(ctx, p); err != nil {
		return nil, err
	}
	return Transfer(c, d, final)
}

// Transfer returns the calibration c with the statistics that belong to final, a model that was trained on d. c is not
// changed. O(nnz·h²).
func Transfer(c *model.Calibration, d Data, final *model.Model) (*model.Calibration, error) {
	if final.Items.Len() != d.Likes.Cols {
		return nil, fmt.Errorf("the model has %d items and the data have %d: it was not trained on them",
			final.Items.Len(), d.Likes.Cols)
	}
	carried := *c
	carried.Posterior.Within = within(final.Items, d.Likes, nil)
	if c.Like != nil && d.Unliked != nil {
		like := *c.Like
		everybody := make([]int, d.Likes.Rows())
		for u := range everybody {
			everybody[u] = u
		}
		like.Rates = Rates(d, everybody)
		carried.Like = &like
	} else {
		carried.Like = nil
	}
	return &carried, nil
}
