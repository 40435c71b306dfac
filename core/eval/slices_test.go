package eval

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// partOf returns the entries of m that keep selects.
func partOf(m *dataset.Matrix, keep func(u int, i int32) bool) *dataset.Matrix {
	var pairs []dataset.Pair
	for u := range m.Rows() {
		for _, i := range m.Row(u) {
			if keep(u, i) {
				pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
			}
		}
	}
	return dataset.NewMatrix(m.Rows(), m.Cols, pairs)
}

// A slice equals an evaluation of only its own test items, by users or by items, with the same lists.
func TestSlicesAreEvaluationsOfTheirOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	seen := map[string]int{}
	for range 40 {
		s, train, test := drawProblem(r, 30, 12)
		cold := int32(r.IntN(14)) // without likes in training; 12 and 13 are not items
		train = partOf(train, func(_ int, i int32) bool { return i != cold })
		report, err := Evaluate(context.Background(), s, train, test, Options{Ks: []int{1, 5}, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		popularity := columnCounts(train)
		users := 0
		for _, slice := range report.Slices {
			seen[slice.Name]++
			in := func(u int, i int32) bool {
				n := len(train.Row(u))
				return n >= slice.From && n <= slice.To
			}
			switch slice.Name {
			case WarmItems:
				in = func(_ int, i int32) bool { return popularity[i] > 0 }
			case ColdItems:
				in = func(_ int, i int32) bool { return popularity[i] == 0 }
			default:
				users += slice.Users
			}
			part := partOf(test, in)
			want, err := Evaluate(context.Background(), s, train, part, Options{Ks: []int{1, 5}})
			if err != nil {
				t.Fatal(err)
			}
			if slice.Users != want.Users || slice.Pairs != part.Len() ||
				!reflect.DeepEqual(slice.Recall, want.Recall) || !reflect.DeepEqual(slice.NDCG, want.NDCG) ||
				!reflect.DeepEqual(slice.HitRate, want.HitRate) || !reflect.DeepEqual(slice.MRR, want.MRR) ||
				!reflect.DeepEqual(slice.MAP, want.MAP) {
				t.Fatalf("%+v\nwant %v", slice, want)
			}
			if m := slice.Map(report.Ks); m["recall@5"] != slice.Recall[1] || len(m) != 10 {
				t.Errorf("%v", m)
			}
		}
		if users != report.Users {
			t.Fatalf("the groups have %d users of %d: %+v", users, report.Users, report.Slices)
		}
	}
	for _, name := range []string{ColdUsers, LeastActive, Medium, MostActive, WarmItems, ColdItems} {
		if seen[name] == 0 {
			t.Errorf("there never was a slice of %s", name)
		}
	}
}

// Nine users with 1 to 9 likes: three in each group.
func TestActivityGroups(t *testing.T) {
	var train, test []dataset.Pair
	for u := range int32(9) {
		for i := range u + 1 {
			train = append(train, dataset.Pair{Row: u, Col: i})
		}
		test = append(test, dataset.Pair{Row: u, Col: 10})
	}
	a, b := dataset.NewMatrix(9, 11, train), dataset.NewMatrix(9, 11, test)
	f := fixed{items: 11, scores: make([][]float32, 9)}
	for u := range f.scores {
		f.scores[u] = make([]float32, 11)
		f.scores[u][10] = 1
	}
	report, err := Evaluate(context.Background(), f, a, b, Options{Ks: []int{3}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Slice{{Name: LeastActive, Users: 3, From: 1, To: 3}, {Name: Medium, Users: 3, From: 4, To: 6},
		{Name: MostActive, Users: 3, From: 7, To: 9}, {Name: ColdItems, Users: 9}}
	for i, s := range report.Slices {
		if w := want[i]; s.Name != w.Name || s.Users != w.Users || s.From != w.From || s.To != w.To ||
			math.Abs(s.Recall[0]-1) > 0 {
			t.Errorf("%+v, want %+v", s, w)
		}
	}
	if len(report.Slices) != len(want) {
		t.Errorf("%d slices", len(report.Slices))
	}
}
