package recommend

import (
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
)

// What it costs to say how likely ten titles stay on the list, of 10,000.
func BenchmarkStay(b *testing.B) {
	m := linked(10000)
	wide := gaussian.NewTable(10000, 50)
	for i := range 10000 {
		for d := range 50 {
			wide.Mean(i)[d], wide.Stddev(i)[d] = m.Items.Mean(i)[d%12]/2, m.Items.Stddev(i)[d%12]
		}
	}
	m.Items = wide
	m.Plane.Origin, m.Plane.Axes[0], m.Plane.Axes[1] = nil, nil, nil
	r := open(b, m)
	v := Visit{Likes: []int{3, 77, 200, 501, 999, 1200, 4000, 8000}}
	taste := r.Taste(v, nil)
	var items []int
	for _, s := range r.Recommend(v, taste, Request{K: Top, Bare: true}) {
		items = append(items, s.Item)
	}
	for b.Loop() {
		r.Stability(v, taste, Request{}, items)
	}
}
