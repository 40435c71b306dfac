package recommend

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// At each level an item belongs to the region of the nearest centre, ties to the first. Lists, counts and Keeps agree,
// and an unknown region is empty.
func TestRegions(t *testing.T) {
	m := linked(40)
	m.Map = &model.Map{X: make([]float32, 40), Y: make([]float32, 40), Regions: []model.Region{
		{X: 0.25}, {X: 0.75}, {Level: 1, X: 0.25}, {Level: 1, X: 0.5}, {Level: 1, X: 1}, {Level: 1, X: 1}}}
	for i := range 40 {
		m.Map.X[i] = float32(i) / 40 // item 20 is equally near to both of the first level
	}
	r := open(t, m)
	for region, want := range map[int][2]int{
		1: {0, 21}, 2: {21, 40}, 3: {0, 16}, 4: {16, 31}, 5: {31, 40}, 6: {}, 7: {}, -1: {},
	} {
		var in []int
		keep := r.Keeps(Filter{Region: region})
		for i := range 40 {
			if keep.Has(i) {
				in = append(in, i)
			}
		}
		if len(in) != want[1]-want[0] || len(in) > 0 && (in[0] != want[0] || in[len(in)-1] != want[1]-1) {
			t.Errorf("region %d holds %v, want %v", region, in, want)
		}
		if n := r.Count(Visit{}, Filter{Region: region}); n != len(in) {
			t.Errorf("region %d has %d titles, but Count says %d", region, len(in), n)
		}
		likes := Visit{Likes: []int{3, 25}}
		list := items(r.Recommend(likes, r.Taste(likes, nil), Request{K: 40, Filter: Filter{Region: region}}))
		slices.Sort(list)
		in = slices.DeleteFunc(in, func(i int) bool { return i == 3 || i == 25 })
		if !slices.Equal(list, in) {
			t.Errorf("region %d lists %v, want %v", region, list, in)
		}
	}
	if n := r.Count(Visit{}, Filter{}); n != 40 {
		t.Errorf("anywhere there are %d titles", n)
	}
}
