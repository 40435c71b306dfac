package recommend

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// The bounds of numbers in a model file: core/model/bounds.go.
const (
	number  = 1 << 20
	divisor = 1.0 / number
	square  = number * number
)

// drawnTo fills x with numbers between −most and most, most of them at one of the two bounds.
func drawnTo(r *rand.Rand, x []float32, most float32) {
	for i := range x {
		x[i] = most * (2*r.Float32() - 1)
		if r.IntN(4) > 0 {
			x[i] = most * float32(2*r.IntN(2)-1)
		}
	}
}

// extremes returns models with numbers at the bounds of a file.
func extremes(n int) map[string]*model.Model {
	out := map[string]*model.Model{}
	for _, rows := range []float32{1, number} {
		for _, temperature := range []float32{divisor, square} {
			for _, radius := range []float32{divisor, 1, number, float32(math.Inf(1))} {
				for name, m := range fixtures(n) {
					out[fmt.Sprintf("%s, rows to %g, temperature %g, radius %g", name, rows, temperature, radius)] = extreme(
						m,
						rows,
						temperature,
						radius,
					)
				}
				m := extreme(linked(n), rows, temperature, radius)
				m.ItemItem.Gamma = model.MaxGamma
				for i := range m.ItemItem.Weights {
					m.ItemItem.Weights[i] = model.MaxWeight
				}
				out[fmt.Sprintf("linked, rows to %g, temperature %g, radius %g", rows, temperature, radius)] = m
			}
		}
	}
	return out
}

// extreme moves a model's numbers to their bounds.
func extreme(m *model.Model, rows, temperature, radius float32) *model.Model {
	r := rand.New(rand.NewPCG(1, 2))
	h := m.Items.Dim()
	for i := range m.Items.Len() {
		drawnTo(r, m.Items.Mean(i), rows)
		for d := range h {
			m.Items.Stddev(i)[d] = max(0.001, rows*r.Float32())
		}
	}
	o := &m.Objective
	o.Loss.Temperature, o.Radius = temperature, radius
	if o.Composition.Weight > 0 {
		o.Composition.Weight = rows
	}
	if net := m.Margins.UserItem; net != nil {
		for _, x := range [][]float32{net.W1, net.B1, net.W2} {
			drawnTo(r, x, number)
		}
	}
	// Not a covariance that training can give.
	c := &model.Calibration{
		Users: 1,
		Like: &model.LikeRegression{
			Weights: make([]float32, model.NumLikeFeatures),
			Rates:   make([]float32, m.Items.Len()),
		},
	}
	c.Posterior.Within, c.Posterior.Strength = make([]float32, h*(h+1)/2), divisor
	drawnTo(r, c.Posterior.Within, square)
	for d := range h {
		c.Posterior.Within[d*(d+3)/2] = []float32{1e-38, square}[d%2]
	}
	for _, of := range []*model.Radii{&c.Posterior.Full.Many} {
		of[len(of)-1] = number
	}
	c.Map = model.MapRegion{Likes: []int{1}, Radii: make([]model.Radii, 1)}
	c.Map.Radii[0][len(model.Levels)-1] = number
	drawnTo(r, c.Like.Weights, number)
	drawnTo(r, c.Like.Rates, 127.0/16)
	m.Calibration = c
	return m
}

// finite returns an error if a number anywhere in x is NaN or infinite.
func finite(what string, x reflect.Value) error {
	switch x.Kind() {
	case reflect.Float32, reflect.Float64:
		if v := x.Float(); math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s is %v", what, v)
		}
	case reflect.Slice, reflect.Array:
		for i := range x.Len() {
			if err := finite(fmt.Sprintf("%s[%d]", what, i), x.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range x.NumField() {
			if x.Type().Field(i).IsExported() {
				if err := finite(what+"."+x.Type().Field(i).Name, x.Field(i)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// TestNumbersAtTheirBoundsGiveFiniteAnswers: every answer of a model that the decoder accepts is finite, so the page
// can draw its map and its lists. That is the purpose of the bounds in core/model.
func TestNumbersAtTheirBoundsGiveFiniteAnswers(t *testing.T) {
	visits := []Visit{{}, {Likes: []int{3}}, {Likes: []int{0, 1, 2, 3}, Dislikes: []int{7, 8}}, {Dislikes: []int{5}}}
	for name, m := range extremes(60) {
		b, err := model.Encode(m)
		if err != nil {
			t.Fatalf("%s: beyond the bounds: %v", name, err)
		}
		if m, err = model.Decode(b); err != nil {
			t.Fatal(err)
		}
		r := open(t, m)
		for _, v := range visits {
			if err := finiteAnswers(r, v); err != nil {
				t.Errorf("%s, %+v: %v", name, v, err)
			}
		}
	}
}

func finiteAnswers(r *Recommender, v Visit) error {
	taste := r.Taste(v, nil)
	answers := map[string]any{
		"taste": []([]float32){taste.Row, taste.Spread}, "radii": r.Radii(v, taste), "places": r.Places(v, taste),
		"distance": r.Distance(taste, 4), "similar": r.Similar(3, Visit{}, 10), "change": r.Change(v, taste, Request{K: 10}, 9),
		"stay":     r.Stability(v, taste, Request{K: 10}, []int{9, 10}),
		"together": r.Together(v, Visit{Likes: []int{11}}, taste, r.Taste(Visit{Likes: []int{11}}, nil), Request{K: 5}),
	}
	for mode := ForYou; mode <= OutsideBubble; mode++ {
		answers[fmt.Sprintf("list of mode %d", mode)] = r.Recommend(v, taste, Request{K: 10, Mode: mode})
		answers[fmt.Sprintf("varied list of mode %d", mode)] = r.Recommend(
			v,
			taste,
			Request{K: 10, Mode: mode, Diversity: 0.7, Exploration: 1, Seed: 3},
		)
	}
	var all error
	for what, x := range answers {
		all = errors.Join(all, finite(what, reflect.ValueOf(x)))
	}
	for i := range r.Len() {
		x, y := r.Point(i)
		all = errors.Join(all, finite("point", reflect.ValueOf([]float64{x, y})))
	}
	return all
}
