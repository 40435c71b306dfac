package eval

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// fixed is a Scorer with given scores: U×I.
type fixed struct {
	items  int
	scores [][]float32
}

func (f fixed) NumItems() int                 { return f.items }
func (f fixed) Score(user int, dst []float32) { copy(dst, f.scores[user]) }

func pairsOf(row int, cols []int32) []dataset.Pair {
	var p []dataset.Pair
	for _, c := range cols {
		p = append(p, dataset.Pair{Row: int32(row), Col: c})
	}
	return p
}

// drawProblem draws a scorer with ties and a split with every kind of user: without training items, without test items,
// without either, and with all items seen.
func drawProblem(r *rand.Rand, users, items int) (Scorer, *dataset.Matrix, *dataset.Matrix) {
	f := fixed{items: items}
	var train, test []dataset.Pair
	for u := range users {
		row := make([]float32, items)
		for i := range row {
			row[i] = float32(r.IntN(8))
		}
		f.scores = append(f.scores, row)
		share, testShare := r.Float64(), r.Float64()
		switch r.IntN(6) {
		case 0:
			share = 1
		case 1:
			testShare = 0
		case 2:
			testShare = 1
		}
		for i := range items {
			if r.Float64() >= share {
				continue
			}
			p := dataset.Pair{Row: int32(u), Col: int32(i)}
			if r.Float64() < testShare {
				test = append(test, p)
			} else {
				train = append(train, p)
			}
		}
	}
	return f, dataset.NewMatrix(users, items, train), dataset.NewMatrix(users, items, test)
}

// recallNDCGNaive follows the package comment literally, with sets and sorting.
func recallNDCGNaive(s Scorer, train, test *dataset.Matrix, k int) (recall, ndcg float64, users int) {
	scores := make([]float32, s.NumItems())
	for u := range test.Rows() {
		relevant := map[int32]bool{}
		for _, i := range test.Row(u) {
			relevant[i] = true
		}
		if len(relevant) == 0 {
			continue
		}
		users++
		s.Score(u, scores)
		var dcg, idcg, hits float64
		for r, item := range topKNaive(scores, train.Row(u), k) {
			if relevant[item] {
				hits++
				dcg += 1 / math.Log2(float64(r+2))
			}
		}
		for r := range min(k, len(relevant)) {
			idcg += 1 / math.Log2(float64(r+2))
		}
		recall += hits / float64(len(relevant))
		ndcg += dcg / idcg
	}
	return recall / float64(max(users, 1)), ndcg / float64(max(users, 1)), users
}

func evaluate(t *testing.T, s Scorer, train, test *dataset.Matrix, o Options) *Report {
	t.Helper()
	r, err := Evaluate(context.Background(), s, train, test, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEvaluateAgreesWithTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 60 {
		s, train, test := drawProblem(r, 1+r.IntN(60), 1+r.IntN(25))
		ks := []int{10, 1, 3, 40}
		got := evaluate(t, s, train, test, Options{Ks: ks, Workers: 3})
		for j, k := range ks {
			recall, ndcg, users := recallNDCGNaive(s, train, test, k)
			if got.Users != users || got.Users+got.Skipped != test.Rows() {
				t.Fatalf("%d users and %d skipped of %d, want %d", got.Users, got.Skipped, test.Rows(), users)
			}
			if math.Abs(got.Recall[j]-recall) > 1e-6 || math.Abs(got.NDCG[j]-ndcg) > 1e-6 {
				t.Fatalf("k=%d: recall %v, NDCG %v; want %v, %v", k, got.Recall[j], got.NDCG[j], recall, ndcg)
			}
		}
	}
}

func TestTheFiguresDoNotDependOnTheWorkers(t *testing.T) {
	s, train, test := drawProblem(rand.New(rand.NewPCG(6, 6)), 500, 60)
	want := evaluate(t, s, train, test, Options{Ks: []int{5, 20}, Workers: 1})
	for _, workers := range []int{0, 2, 3, 8, 1000} {
		if got := evaluate(t, s, train, test, Options{Ks: []int{5, 20}, Workers: workers}); !reflect.DeepEqual(got,
			want) {
			t.Errorf("%d workers give another report than one", workers)
		}
	}
}

func TestPerUserValuesMeanTheMeans(t *testing.T) {
	s, train, test := drawProblem(rand.New(rand.NewPCG(7, 7)), 100, 30)
	r := evaluate(t, s, train, test, Options{Ks: []int{5, 10}})
	for _, metric := range []string{Recall, NDCG, HitRate, MRR, MAP} {
		for _, k := range r.Ks {
			v, ok := r.PerUser.Values(metric, k)
			if !ok || len(v) != r.Users {
				t.Fatalf("%s@%d: %d values for %d users", metric, k, len(v), r.Users)
			}
			var sum float64
			for _, x := range v {
				sum += float64(x)
			}
			if mean, _ := r.At(metric, k); mean != sum/float64(r.Users) {
				t.Errorf("%s@%d is %v, the values' mean is %v", metric, k, mean, sum/float64(r.Users))
			}
		}
	}
	if _, ok := r.PerUser.Values(Coverage, 5); ok {
		t.Error("coverage is not a per-user metric")
	}
}

func TestCoverageAndPopularity(t *testing.T) {
	// Three users, four items; item 0 has 2 training users, item 1 has 1, items 2 and 3 none.
	train := dataset.NewMatrix(3, 4, []dataset.Pair{{Row: 0, Col: 0}, {Row: 2, Col: 0}, {Row: 2, Col: 1}})
	test := dataset.NewMatrix(3, 4, []dataset.Pair{{Row: 0, Col: 1}, {Row: 1, Col: 3}})
	s := fixed{4, [][]float32{{9, 8, 7, 0}, {9, 8, 7, 0}, {0, 0, 0, 0}}}
	r := evaluate(t, s, train, test, Options{Ks: []int{1, 2}})
	// Lists: user 0: 1 2; user 1: 0 1. User 2 has no test items.
	if !slices.Equal(r.Coverage, []float64{2. / 4, 3. / 4}) {
		t.Errorf("coverage %v, want [.5 .75]", r.Coverage)
	}
	if !slices.Equal(r.MeanPopularity, []float64{(1 + 2) / 2., (1 + 0 + 2 + 1) / 4.}) {
		t.Errorf("mean popularity %v, want [1.5 1]", r.MeanPopularity)
	}
	if r.Skipped != 1 || r.Users != 2 {
		t.Errorf("%d users, %d skipped; want 2 and 1", r.Users, r.Skipped)
	}
}

func TestSmallCases(t *testing.T) {
	one := dataset.NewMatrix(1, 1, pairsOf(0, []int32{0}))
	none := dataset.NewMatrix(1, 1, nil)
	s := fixed{1, [][]float32{{3}}}
	for _, c := range []struct {
		name           string
		s              Scorer
		train, test    *dataset.Matrix
		users, overlap int
		recall         float64
	}{
		{"one user, one item, found", s, none, one, 1, 0, 1},
		{"everything seen", s, one, one, 1, 1, 0},
		{"nothing to test", s, one, none, 0, 0, 0},
		{"no users, no items", fixed{}, new(dataset.Matrix), new(dataset.Matrix), 0, 0, 0},
		{"no items", fixed{0, [][]float32{{}}}, dataset.NewMatrix(1, 0, nil), dataset.NewMatrix(1, 0, nil), 0, 0, 0},
		{"all scores −Inf", fixed{2, [][]float32{{float32(math.Inf(-1)), float32(math.Inf(-1))}}},
			dataset.NewMatrix(1, 2, pairsOf(0, []int32{0})), dataset.NewMatrix(1, 2, pairsOf(0, []int32{1})), 1, 0, 1},
	} {
		r := evaluate(t, c.s, c.train, c.test, Options{Ks: []int{1, 1 << 40}})
		if r.Users != c.users || r.Overlap != c.overlap || r.Recall[0] != c.recall || r.Recall[1] != c.recall ||
			r.NDCG[1] != c.recall {
			t.Errorf("%s: %+v", c.name, r)
		}
		for key, v := range r.Map() {
			if v != v {
				t.Errorf("%s: %s is not a number", c.name, key)
			}
		}
	}
}

func TestNaNIsAnErrorThatNamesUserAndItem(t *testing.T) {
	s, train, test := drawProblem(rand.New(rand.NewPCG(8, 8)), 400, 20)
	f := s.(fixed)
	first := -1
	for u := 100; u < 400; u++ {
		if len(test.Row(u)) > 0 {
			f.scores[u][7], f.scores[u][11] = float32(math.NaN()), float32(math.NaN())
			if first < 0 {
				first = u
			}
		}
	}
	for _, workers := range []int{1, 2, 7} {
		for range 10 {
			r, err := Evaluate(context.Background(), f, train, test, Options{Workers: workers})
			var nan *NaNError
			if !errors.As(err, &nan) || nan.User != first || nan.Item != 7 || r != nil {
				t.Fatalf("%d workers: report %v, error %v; want a NaNError for user %d, item 7", workers, r, err, first)
			}
		}
	}
}

func TestAnEndedContextStopsTheEvaluation(t *testing.T) {
	s, train, test := drawProblem(rand.New(rand.NewPCG(9, 9)), 1000, 20)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Evaluate(ctx, s, train, test, Options{Workers: 2, Progress: func(done, total int) { cancel() }})
	if r != nil || !errors.Is(err, context.Canceled) {
		t.Fatalf("report %v, error %v; want context.Canceled", r, err)
	}
	if !strings.Contains(err.Error(), "users") {
		t.Errorf("the error does not state the progress: %v", err)
	}
}

func TestProgressCountsEveryUserOnce(t *testing.T) {
	s, train, test := drawProblem(rand.New(rand.NewPCG(10, 10)), 333, 20)
	last := 0
	r := evaluate(t, s, train, test, Options{Workers: 4, Progress: func(done, total int) {
		if done <= last || done > total {
			t.Errorf("progress went from %d to %d of %d", last, done, total)
		}
		last = done
	}})
	if last != r.Users {
		t.Errorf("progress ended at %d of %d", last, r.Users)
	}
}

func TestShapesThatDoNotFitAreErrors(t *testing.T) {
	s := fixed{3, [][]float32{{1, 2, 3}}}
	m := dataset.NewMatrix(1, 3, nil)
	for _, c := range []struct {
		train, test *dataset.Matrix
		ks          []int
		word        string
	}{
		{m, dataset.NewMatrix(2, 3, nil), nil, "split"},
		{m, dataset.NewMatrix(1, 4, nil), nil, "split"},
		{dataset.NewMatrix(1, 4, nil), dataset.NewMatrix(1, 4, nil), nil, "has 3 items"},
		{m, m, []int{10, 0}, "at least 1"},
	} {
		r, err := Evaluate(context.Background(), s, c.train, c.test, Options{Ks: c.ks})
		if r != nil || err == nil || !strings.Contains(err.Error(), c.word) {
			t.Errorf("error %v, want one with %q", err, c.word)
		}
	}
}

func TestReportTextAndKeys(t *testing.T) {
	s, train, test := drawProblem(rand.New(rand.NewPCG(11, 11)), 50, 30)
	r := evaluate(t, s, train, test, Options{})
	if !slices.Equal(r.Ks, []int{10, 20}) {
		t.Fatalf("lists of %v, want 10 and 20", r.Ks)
	}
	m := r.Map()
	if len(m) != 2*len(Metrics()) {
		t.Errorf("%d metrics, want %d", len(m), 2*len(Metrics()))
	}
	if v, ok := r.At(Recall, 20); !ok || v != m["recall@20"] || v != r.Recall[1] {
		t.Errorf("At(recall, 20) = %v, %v; the map has %v", v, ok, m["recall@20"])
	}
	if _, ok := r.At(Recall, 7); ok {
		t.Error("At answers for a k that was not measured")
	}
	if _, ok := r.At("precision", 10); ok {
		t.Error("At answers for a metric that does not exist")
	}
	table := r.Table()
	if len(table) != 3 || len(table[0]) != 1+len(Metrics()) || len(table[2]) != len(table[0]) {
		t.Errorf("table %v", table)
	}
	if text := r.String(); strings.Count(text, "\n") != 4 || !strings.Contains(text, "left out") {
		t.Errorf("report prints as\n%s", text)
	}
}

// rowsFrom is the part of a scorer's users from a first one on.
type rowsFrom struct {
	Scorer
	first int
}

func (r rowsFrom) Score(user int, dst []float32) { r.Scorer.Score(r.first+user, dst) }

// TestPartsJoinToTheWhole checks that joining the reports of parts gives the report of all users, bit for bit, and that
// Lists equals TopK.
func TestPartsJoinToTheWhole(t *testing.T) {
	s, train, test := drawProblem(rand.New(rand.NewPCG(12, 12)), 203, 40)
	o := Options{Ks: []int{3, 17}}
	want := evaluate(t, s, train, test, o)
	want.Beyond, want.Slices = nil, nil
	cut := func(m *dataset.Matrix, from, to int) *dataset.Matrix {
		var pairs []dataset.Pair
		for u := from; u < to; u++ {
			pairs = append(pairs, pairsOf(u-from, m.Row(u))...)
		}
		return dataset.NewMatrix(to-from, m.Cols, pairs)
	}
	var parts []*Part
	for from := 0; from < 203; from += 50 {
		to := min(from+50, 203)
		p, err := EvaluatePart(t.Context(), rowsFrom{s, from}, cut(train, from, to), cut(test, from, to),
			columnCounts(train), o)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, p)
	}
	if got := Join(parts...); !reflect.DeepEqual(got, want) {
		t.Errorf("joined\n%+v, want\n%+v", got, want)
	}
	lists, err := Lists(t.Context(), s, train, 7, 3)
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float32, 40)
	for u, list := range lists {
		s.Score(u, scores)
		if want := TopK(scores, train.Row(u), 7); !slices.Equal(list, want) {
			t.Fatalf("the list of user %d is %v, want %v", u, list, want)
		}
	}
	some := []int32{150, 3, 77}
	if got, err := ListsFor(t.Context(), s, train, some, 7, 2); err != nil ||
		!reflect.DeepEqual(got, [][]int32{lists[150], lists[3], lists[77]}) {
		t.Errorf("the lists of some users are %v, %v", got, err)
	}
}
