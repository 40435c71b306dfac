package calibrate

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// normalPeople returns users whose likes are the items around a centre of their own, all with the covariance diag(1²,
// 0.5², 0.25², …), and a model whose item means are exactly these places, in a ball large enough not to matter.
func normalPeople(t *testing.T, users int) (Data, *model.Model) {
	t.Helper()
	const dim, each = 4, 40
	r := rand.New(rand.NewPCG(5, 5))
	items := gaussian.NewTable(users*each, dim)
	var pairs []dataset.Pair
	for u := range users {
		place := [dim]float64{}
		for d := range place {
			place[d] = r.NormFloat64()
		}
		for k := range each {
			i := u*each + k
			for d := range dim {
				items.Mean(i)[d] = float32(place[d] + math.Pow(0.5, float64(d))*r.NormFloat64())
				items.Stddev(i)[d] = 0.1
			}
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32(i)})
		}
	}
	m := &model.Model{
		Items: items, Catalogue: &catalogue.Catalogue{Items: make([]catalogue.Item, items.Len())},
		Objective: model.Objective{
			Loss: gaussian.Loss{Kind: gaussian.Softmax, Temperature: 1}, Composition: gaussian.Composition{Weight: 1},
			Radius: 1000,
		},
	}
	for i := range m.Catalogue.Items {
		m.Catalogue.Items[i].Count = 1
	}
	return Data{Likes: dataset.NewMatrix(users, items.Len(), pairs)}, m
}

// For users who follow the theory, W is their covariance and the radii are the normal distribution's.
func TestNormalPeopleHaveNormalRadii(t *testing.T) {
	d, m := normalPeople(t, 200)
	w := within(m.Items, d.Likes, nil, 3)
	at := 0
	for row := range 4 {
		for col := range row + 1 {
			want := 0.0
			if row == col {
				want = math.Pow(0.25, float64(row))
			}
			if math.Abs(float64(w[at])-want) > 0.05*math.Pow(0.5, float64(row+col)) {
				t.Errorf("covariance of dimensions %d and %d: %v, want %v", row, col, w[at], want)
			}
			at++
		}
	}
	var left []int
	for u := range 200 {
		left = append(left, u)
	}
	p, err := NewPeople(d, m, left, 3)
	if err != nil {
		t.Fatal(err)
	}
	p.Seen = left // nobody's likes influenced the places
	post, err := Posterior(context.Background(), []*People{p}, 1)
	if err != nil {
		t.Fatal(err)
	}
	normal := Normal(4)
	for k, level := range model.Levels {
		if got, want := float64(post.Full.Many[k]), float64(normal.Many[k]); math.Abs(got-want) > 0.06*want+0.02 {
			t.Errorf("%.0f%% within %v, want %v", 100*level, got, want)
		}
	}
	if post.Strength < 5 {
		t.Errorf("all users share one covariance, but its strength is only %v likes", post.Strength)
	}
	again, err := Posterior(context.Background(), []*People{p}, 3)
	if err != nil || !reflect.DeepEqual(again, post) {
		t.Errorf("the same users give another posterior, %v", err)
	}
}

// Normal's approximation is close to tabulated quantiles of chi (Abramowitz and Stegun, 26.8: h = 10 and 50).
func TestNormalRegion(t *testing.T) {
	for h, want := range map[int][3]float64{2: {1.3863, 3.2189, 5.9915}, 10: {9.342, 13.442, 18.307},
		50: {49.335, 58.164, 67.505}} {
		region := Normal(h)
		for k, level := range []float64{0.5, 0.8, 0.95} {
			if got := region.Radius(level, 7); math.Abs(got*got-want[k]) > 0.002*want[k] {
				t.Errorf("h = %d: %v within %v, want √%v", h, level, got, want[k])
			}
		}
	}
}

// With too few users the calibration is the theoretical one, and a model of other items is refused.
func TestFewPeopleAndOthers(t *testing.T) {
	d, m := normalPeople(t, 8)
	var folds []Fold
	for _, left := range Folds(d.Likes, 1) {
		folds = append(folds, Fold{m, left})
	}
	c, err := Calibrate(context.Background(), d, folds, m, 1, 0)
	if err != nil || c.Users != 8 || c.Like != nil || c.Posterior.Full != Normal(4) {
		t.Errorf("%+v, %v", c, err)
	}
	other := &model.Model{Items: gaussian.NewTable(3, 4), Catalogue: &catalogue.Catalogue{Items: make([]catalogue.Item,
		3)}}
	if _, err := NewPeople(d, other, nil, 1); err == nil {
		t.Error("a fold's model of other items is accepted")
	}
	if _, err := Transfer(c, d, other, 0); err == nil {
		t.Error("a final model of other items is accepted")
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Calibrate(stopped, d, folds, m, 1, 0); err == nil {
		t.Error("the canceled context is ignored")
	}
}

// A refit deviates by the sampling variance of the likes, damped by the prior. Without a prior, half of the likes
// deviate by the posterior's standard deviation.
func TestDeviationsOfRefits(t *testing.T) {
	_, m := normalPeople(t, 2)
	for prior, want := range map[float32][2]float64{0: {1, math.Sqrt2}, 3: {0.4 * math.Sqrt(7.0/4), math.Sqrt(8.0 / 7)}} {
		m.Objective.Composition.Prior = prior
		f, err := recommend.NewInferrer(recommend.InferenceSettingsOf(m))
		if err != nil {
			t.Fatal(err)
		}
		if half, other := HalfDeviation(f, 4, 2), OtherDeviation(f, 4); math.Abs(half-want[0]) > 1e-6 ||
			math.Abs(other-want[1]) > 1e-6 {
			t.Errorf("with a prior of %v likes: %v and %v, want %v", prior, half, other, want)
		}
	}
}
