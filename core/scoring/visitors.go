package scoring

import (
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// Visitors ranks by a model for people whom it has not seen, exactly as the page does: their Gaussian is inferred from
// their likes, with the visitors' prior, and recommend.Recommender makes the list. Users stored in the model do not
// matter.
type Visitors struct {
	r       *recommend.Recommender
	to      []int32 // the model's number of every item of the data, −1: unknown
	from    []int32 // the data's number of every item of the model, −1: unknown
	surplus int     // items of the model that the data do not have
}

// NewVisitors returns the rankings by m of the data's items, and the number of items that the model does not know,
// which are never listed. It fails if it knows none of them.
func NewVisitors(m *model.Model, items []string) (v *Visitors, missing int, err error) {
	v = &Visitors{from: make([]int32, m.Items.Len()), surplus: m.Items.Len()}
	for i := range v.from {
		v.from[i] = -1
	}
	to, unknown := Numbers(m, items)
	if len(unknown) == len(items) {
		return nil, 0, fmt.Errorf("the model knows none of the %d items; check that it was trained on these data",
			len(items))
	}
	for i, at := range to {
		if at >= 0 {
			v.from[at] = int32(i)
			v.surplus--
		}
	}
	v.to = to
	v.r, err = recommend.Open(m, recommend.Options{})
	return v, len(unknown), err
}

// Scorer returns the scorer of visitors with these likes (U×I, numbered as the data). Evaluations must leave out the
// same likes. A visitor costs as much as on the page.
func (v *Visitors) Scorer(likes *dataset.Matrix) eval.Scorer { return visitors{v, likes} }

type visitors struct {
	*Visitors
	likes *dataset.Matrix
}

var _ eval.Lister = visitors{}

func (v visitors) NumItems() int { return len(v.to) }

// Score implements eval.Scorer by the places in the complete list.
func (v visitors) Score(user int, dst []float32) {
	for i := range dst {
		dst[i] = float32(math.Inf(-1))
	}
	for place, i := range v.list(user, len(v.from)) {
		dst[i] = float32(-place)
	}
}

// Lists implements eval.Lister.
func (v visitors) Lists(users []int32, _ *dataset.Matrix, depth int, lists [][]int32) error {
	for at, u := range users {
		lists[at] = v.list(int(u), depth)
	}
	return nil
}

// list returns the first items of a visitor's list.
func (v visitors) list(user, depth int) []int32 {
	var visit recommend.Visit
	for _, i := range v.likes.Row(user) {
		if at := v.to[i]; at >= 0 {
			visit.Likes = append(visit.Likes, int(at))
		}
	}
	list := make([]int32, 0, depth)
	for _, s := range v.r.Recommend(visit, v.r.Taste(visit, nil), recommend.Request{K: depth + v.surplus, Bare: true}) {
		if i := v.from[s.Item]; i >= 0 && len(list) < depth {
			list = append(list, i)
		}
	}
	return list
}
