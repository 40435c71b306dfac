package coldstart

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

const (
	aloneDim    = 50  // h, or fewer where there are fewer features
	aloneStddev = 0.1 // s of every item: nothing tells them apart
)

// Alone returns a model of items without ratings, made only from their features. The mean of item i is the direction of
// its features in the h directions V of largest variance (latent semantic analysis),
//
//	μ_i = z_i/‖z_i‖        z_i = Vᵀ(x_i − x̄)
//
// so W2² of two items is 2 − 2·cos(z_i, z_j). Visitors are composed from their likes. The model has no links, no map
// yet, and no calibration. It keeps the named columns of about. Items without a feature that another item has are left
// out. Alone returns an error if fewer than 20 items remain, if all have the same features, or if ctx ends. O(Σ nnz_i²
// + f³ + Σ nnz_i·h).
func Alone(ctx context.Context, about Items, columns []string) (*model.Model, *Report, error) {
	if err := about.check(); err != nil {
		return nil, nil, err
	}
	known := make([]described, about.Len())
	for i := range known {
		known[i] = about.item(i)
	}
	f := newFeatures(known)
	r := &Report{Features: f.count}
	m := &model.Model{
		Catalogue: &catalogue.Catalogue{Columns: columns},
		Objective: model.Objective{Loss: gaussian.Loss{Kind: gaussian.Softmax, Margin: 1, Temperature: 1},
			Composition: gaussian.Composition{Weight: 2}, Radius: 1, LearnRate: 0.01},
		Precision: model.Float16,
	}
	m.Provenance.Preset, m.Provenance.Config = "content", "{}"
	var rows []row
	var weights []float64
	for i := range known {
		x := f.row(&known[i])
		if len(x.at) == 0 {
			r.Blank++
			continue
		}
		rows, weights = append(rows, x), append(weights, 1)
		it := about.Items[i]
		it.Count, it.Values = 0, nil
		for _, c := range columns {
			it.Values = append(it.Values, known[i].value(c))
		}
		m.Catalogue.Items = append(m.Catalogue.Items, it)
	}
	if r.Added = len(rows); r.Added < leastWarm {
		return nil, nil, fmt.Errorf("only %d items have features in common with others; a model without ratings needs "+
			"%d", r.Added, leastWarm)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s := newSystem(rows, weights, f.count)
	var eigen mat.EigenSym
	if !eigen.Factorize(s.gram, true) {
		return nil, nil, errDependent
	}
	values := eigen.Values(nil) // ascending
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	h, all, held := 0, 0.0, 0.0
	for k := len(values) - 1; k >= 0; k-- {
		all += max(values[k], 0)
		if h < aloneDim && values[k] > 1e-9*values[len(values)-1] {
			held += values[k]
			h++
		}
	}
	if !(held > 0) {
		return nil, nil, fmt.Errorf("the %d items all have the same features", r.Added)
	}
	r.Explained = held / all
	center := make([]float64, h) // Vᵀx̄
	for d := range center {
		for k, v := range s.mean {
			center[d] += v * vectors.At(k, len(values)-1-d)
		}
	}
	m.Items = gaussian.NewTable(r.Added, h)
	for i, x := range rows {
		mean, stddev := m.Items.Mean(i), m.Items.Stddev(i)
		z, square := make([]float64, h), 0.0
		for d := range h {
			for k, at := range x.at {
				z[d] += x.value[k] * vectors.At(int(at), len(values)-1-d)
			}
			z[d] -= center[d]
			square += z[d] * z[d]
		}
		for d := range h {
			mean[d], stddev[d] = float32(z[d]/math.Sqrt(max(square, math.SmallestNonzeroFloat64))), aloneStddev
		}
		gaussian.Bound(m.Items.Row(i), 1)
	}
	return m, r, nil
}
