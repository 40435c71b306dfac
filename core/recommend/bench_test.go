package recommend

import (
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

// widened returns m with its items in h dimensions.
func widened(m *model.Model, h int) *model.Model {
	wide := gaussian.NewTable(m.Items.Len(), h)
	for i := range wide.Len() {
		for d := range h {
			wide.Mean(i)[d], wide.Stddev(i)[d] = m.Items.Mean(i)[d%12]/2, m.Items.Stddev(i)[d%12]
		}
	}
	m.Items = wide
	return m
}

var likesOfMany = []int{3, 77, 200, 501, 999, 1200, 4000, 8000}

// BenchmarkStay computes how likely ten titles are to stay on the list, with 10,000 titles.
func BenchmarkStay(b *testing.B) {
	r := open(b, widened(linked(10000), 50))
	v := Visit{Likes: likesOfMany}
	taste := r.Taste(v, nil)
	var items []int
	for _, s := range r.Recommend(v, taste, Request{K: Top, Bare: true}) {
		items = append(items, s.Item)
	}
	for b.Loop() {
		r.Stability(v, taste, Request{}, items)
	}
}

// BenchmarkPlaces finds a visitor's tastes on a map of 10,000 titles.
func BenchmarkPlaces(b *testing.B) {
	r := open(b, widened(mapped(10000), 100))
	v := Visit{Likes: likesOfMany}
	taste := r.Taste(v, nil)
	b.ReportAllocs()
	for b.Loop() {
		r.Places(v, taste)
	}
}
