package eval

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
)

func drawTable(r *rand.Rand, n, h int) *gaussian.Table {
	t := gaussian.NewTable(n, h)
	for i := range t.Data() {
		t.Data()[i] = float32(r.NormFloat64())
	}
	return t
}

func TestW2ScoresAreNegatedDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	users, items := drawTable(r, 5, 7), drawTable(r, 11, 7)
	s := NewW2(users, items)
	dst := make([]float32, s.NumItems())
	some := []int32{7, 0, 10, 7}
	few := make([]float32, len(some)+1)
	for u := range users.Len() {
		s.Score(u, dst)
		for i, got := range dst {
			if want := -gaussian.W2Squared(users.Row(u), items.Row(i)); got != want {
				t.Fatalf("score(%d,%d) = %v, want %v", u, i, got, want)
			}
		}
		s.ScoreSome(u, some, few)
		for k, i := range some {
			if few[k] != dst[i] {
				t.Errorf("user %d, item %d: %v alone, %v among all", u, i, few[k], dst[i])
			}
		}
	}
	if few[len(some)] != 0 {
		t.Error("ScoreSome writes past its items")
	}
}

// A user at the place of an item finds that item first.
func TestW2FindsTheItemAUserLiesOn(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 13))
	items := drawTable(r, 40, 6)
	test := make([]dataset.Pair, 40)
	for i := range test {
		test[i] = dataset.Pair{Row: int32(i), Col: int32(i)}
	}
	report, err := Evaluate(context.Background(), NewW2(items.Clone(), items), dataset.NewMatrix(40, 40, nil),
		dataset.NewMatrix(40, 40, test), Options{Ks: []int{1}})
	if err != nil || report.Recall[0] != 1 || report.MRR[0] != 1 || report.Coverage[0] != 1 {
		t.Errorf("report %v, error %v; want ones", report, err)
	}
}

func TestW2RefusesTwoSpaces(t *testing.T) {
	defer func() {
		err, _ := recover().(error)
		var want DimensionError
		if !errors.As(err, &want) {
			t.Errorf("panicked with %v, want a DimensionError", err)
		}
	}()
	NewW2(gaussian.NewTable(1, 3), gaussian.NewTable(1, 4))
}

// BenchmarkEvaluate ranks all items for all users of Gowalla, h = 50, by blocks and by definition, and with a sparse
// part added to the distance:
//
//	PMLAM_DATA=… go test -run '^$' -bench Evaluate -benchtime 1x ./core/eval
//
// Without PMLAM_DATA it is 1,920 users of the same number of items.
func BenchmarkEvaluate(b *testing.B) {
	r := rand.New(rand.NewPCG(14, 14))
	var split dataset.Split
	if folder := os.Getenv("PMLAM_DATA"); folder != "" {
		var err error
		if _, split, err = dataset.LoadFixed(filepath.Join(folder, "gowalla-lightgcn"), "",
			dataset.Options{}); err != nil {
			b.Fatal(err)
		}
	} else {
		split = dataset.HoldOut(drawMatrix(r, 1920, 40981, 0.002), 0.2, 1)
	}
	w := place(r, split.Train, 50)
	for _, c := range []struct {
		name string
		s    Scorer
	}{{"blocks", w}, {"amended", drawOverlay(r, w, split.Train.Rows(), 0)}, {"scan", plain{w}}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Evaluate(context.Background(), c.s, split.Train, split.Test, Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*split.Train.Rows()), "µs/user")
		})
	}
}
