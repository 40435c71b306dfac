package calibrate

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// The radii hold the stated shares of the other likes, here of the users that they were fitted on. Bands without visits
// are merged into the one before.
func TestRegionHoldsItsLevels(t *testing.T) {
	d, m := normalPeople(t, 60)
	m.Map = &model.Map{X: make([]float32, m.Items.Len()), Y: make([]float32, m.Items.Len())}
	for i := range m.Items.Len() {
		m.Map.X[i] = min(max(0.5+0.1*m.Items.Mean(i)[0], 0), 1)
		m.Map.Y[i] = min(max(0.5+0.1*m.Items.Mean(i)[1], 0), 1)
	}
	var left []int
	for u := range 60 {
		left = append(left, u)
	}
	p, err := NewPeople(d, m, left, 3)
	if err != nil {
		t.Fatal(err)
	}
	p.Seen = left
	post, err := Posterior(context.Background(), []*People{p}, 0)
	if err != nil {
		t.Fatal(err)
	}
	region, err := mapRegion(context.Background(), []*People{p}, post, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(region.Likes, []int{1, 3, 6, 11, 21}) {
		t.Errorf("the bands start at %v", region.Likes)
	}
	if again, err := mapRegion(context.Background(), []*People{p}, post, 3); err != nil ||
		!reflect.DeepEqual(again, region) {
		t.Errorf("three workers find %+v, %v; one found %+v", again, err, region)
	}
	r, err := p.placed(post, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]int{{3, 5}, {11, 20}} {
		held := [3]float64{}
		for _, u := range left {
			told, others := SplitLikes(d.Likes.Row(u), c[0], c[1], UserRand(99, u))
			if len(told) < c[0] || len(told) > c[1] || len(told)+len(others) != 40 {
				t.Fatalf("%d likes stated, %d others", len(told), len(others))
			}
			for _, x := range distances(r, told, others) {
				for k, level := range recommend.Probabilities {
					if x <= region.Radius(level, len(told)) {
						held[k] += 1 / float64(len(others)*len(left))
					}
				}
			}
		}
		for k, level := range recommend.Probabilities {
			if math.Abs(held[k]-level) > 0.06 {
				t.Errorf("%v likes: the region for %[3]v holds %.3[2]f", c, held[k], level)
			}
		}
	}
	if told, _ := SplitLikes([]int32{1, 2, 3}, 3, 5, UserRand(1, 1)); told != nil {
		t.Error("a visitor stated all their likes")
	}
	none, err := mapRegion(context.Background(), nil, post, 1)
	if err != nil || none.Likes != nil {
		t.Errorf("no users: %+v, %v", none, err)
	}
}

// Visits weigh the same, however many other likes they have.
func TestQuantilesWeighVisits(t *testing.T) {
	got := quantiles([][]weighed{{{2, 0.5}, {1, 0.5}}, {{3, 1}}})
	if want := (model.Radii{1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
