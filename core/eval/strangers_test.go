package eval

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// same ranks items by one score for everybody.
type same []float32

func (s same) NumItems() int              { return len(s) }
func (s same) Score(_ int, dst []float32) { copy(dst, s) }

func TestStrangers(t *testing.T) {
	m := func(rows ...[]int32) *dataset.Matrix {
		var pairs []dataset.Pair
		for u, row := range rows {
			for _, i := range row {
				pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
			}
		}
		return dataset.NewMatrix(4, 4, pairs)
	}
	split := dataset.UserSplit{
		Train:      m([]int32{0, 1, 2}),
		Validation: dataset.Split{Train: m(nil, []int32{0}), Test: m(nil, []int32{3})},
		Test: dataset.Split{Train: m(nil, nil, []int32{0}, []int32{0, 1}),
			Test: m(nil, nil, []int32{3}, []int32{2})},
	}
	s := NewStrangers(split, []int{1, 2}, 1, Options{Ks: []int{1, 2}})
	measure := func(method, family string, scores ...float32) *StrangersRow {
		row, err := s.Measure(context.Background(), method, family,
			func(*dataset.Matrix) (Scorer, error) { return same(scores), nil })
		if err != nil {
			t.Fatal(err)
		}
		return row
	}
	poor := measure("plain:x=1", "plain", 4, 3, 2, 1) // item 3 last
	if poor.Told == nil || *poor.Validation != 0 {
		t.Fatalf("%+v", poor)
	}
	good := measure("plain:x=2", "plain", 4, 1, 2, 3) // item 3 first, then 2
	worse := measure("plain:x=3", "plain", 4, 3, 1, 2)
	if poor.Told != nil || worse.Told != nil || good.Told == nil || *good.Validation != 1 {
		t.Fatalf("the validation users did not choose: %+v %+v %+v", poor, good, worse)
	}
	// Test users 2 and 3, given 0 and 0, 1: user 2 finds item 3 first; user 3 finds 2 at the second place.
	second := 1 / math.Log2(3)
	all := good.Told[2]
	if mean := (1 + second) / 2; all.Likes != 0 || all.Users != 2 || math.Abs(all.NDCG-mean) > 1e-7 ||
		math.Abs(all.Error-(1-second)/2) > 1e-7 {
		t.Errorf("%+v", all)
	}
	if two := good.Told[1]; two.Likes != 2 || two.Users != 1 || math.Abs(two.NDCG-second) > 1e-7 || two.Error != 0 {
		t.Errorf("%+v", two)
	}
	if one := good.Told[0]; one.Likes != 1 || one.Users != 2 {
		t.Errorf("%+v", one)
	}
	model := measure("a model", "", 0, 0, 3, 2) // user 2: item 3 second; user 3: item 2 first
	margin := s.Margins(model)[2]
	if want := 0.0; margin.Against != "plain:x=2" || math.Abs(margin.Mean-want) > 1e-7 ||
		math.Abs(margin.Error-(1-second)) > 1e-7 {
		t.Errorf("%+v", margin)
	}
	if of := model.Report.MeanPopularity[0]; of != 1 { // item 2 has one training user, and is given by nobody
		t.Errorf("items shown first have %v training users, want 1: the popularity must come from the training", of)
	}
	text := s.Table()
	for _, want := range []string{"NDCG@2", "plain:x=2", "all given", "a model, likes told: 2: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

func TestStandardError(t *testing.T) {
	for _, c := range []struct {
		values    []float32
		mean, err float64
	}{{nil, 0, 0}, {[]float32{3}, 3, 0}, {[]float32{1, 2, 3, 6}, 3, math.Sqrt(14.0/3) / 2}} {
		if mean, err := StandardError(c.values); math.Abs(mean-c.mean) > 1e-12 || math.Abs(err-c.err) > 1e-12 {
			t.Errorf("%v: %v ± %v", c.values, mean, err)
		}
	}
}
