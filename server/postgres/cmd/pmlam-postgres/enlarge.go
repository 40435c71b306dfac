package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

// enlarge returns a model of n items: item c·I + i is the c-th copy of item i of I, with normal noise of half the
// coordinate's standard deviation over the items. Copies keep genres, years and counts, and an item's links lead to the
// same copy. O(n·h).
func enlarge(m *model.Model, n int) *model.Model {
	size, width := m.Items.Len(), 2*m.Items.Dim()
	x := rand.New(rand.NewPCG(3, 5))
	noise := make([]float32, width)
	for d := range noise {
		var sum, square float64
		for i := range size {
			v := float64(m.Items.Row(i)[d])
			sum, square = sum+v, square+v*v
		}
		mean := sum / float64(size)
		noise[d] = float32(0.5 * math.Sqrt(max(square/float64(size)-mean*mean, 0)))
	}
	out := *m
	out.Items, out.Map, out.Calibration = gaussian.NewTable(n, m.Items.Dim()), nil, nil
	out.Catalogue = &catalogue.Catalogue{Items: make([]catalogue.Item, n)}
	out.ItemItem, out.Next = copies(m.ItemItem, n), copies(m.Next, n)
	for k := range n {
		i := k % size
		row := out.Items.Row(k)
		for d, v := range m.Items.Row(i) {
			row[d] = v + noise[d]*float32(x.NormFloat64())
		}
		gaussian.Bound(row, m.Objective.Radius)
		it := m.Catalogue.Items[i]
		it.ID, it.Title, it.Values = fmt.Sprint(k), fmt.Sprintf("Title %d", k), nil
		out.Catalogue.Items[k] = it
	}
	return &out
}

// copies returns the links of n items, each within its copy.
func copies(of *model.ItemLinks, n int) *model.ItemLinks {
	if of == nil {
		return nil
	}
	out, size := &model.ItemLinks{Gamma: of.Gamma, Offsets: []int32{0}}, of.Len()
	for k := range n {
		sources, weights := of.Row(k % size)
		for at, j := range sources {
			if from := k - k%size + int(j); from < n {
				out.Sources, out.Weights = append(out.Sources, int32(from)), append(out.Weights, weights[at])
			}
		}
		out.Offsets = append(out.Offsets, int32(len(out.Sources)))
	}
	return out
}
