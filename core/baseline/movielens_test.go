package baseline

import (
	"context"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// MovieLens latest small as reported by the project: ratings of 4 or more, 10 per user and 5 per item, fold 0 of 5.
const movieLensSeed = 1

var movieLens = sync.OnceValues(func() (dataset.Split, error) {
	d, err := dataset.Load("../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		return dataset.Split{}, err
	}
	return d.Fold(5, 0, movieLensSeed), nil
})

func measure(t testing.TB, spec string, s dataset.Split) *eval.Report {
	t.Helper()
	scorer, err := New(context.Background(), spec, s.Train, 0)
	if err != nil {
		t.Fatal(err)
	}
	r, err := eval.Evaluate(context.Background(), scorer, s.Train, s.Test, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The bounds are wide, to catch wrong methods but not unlucky splits. Measured elsewhere on such a split, Recall@10 /
// NDCG@10: popularity .098/.145, item-KNN .183/.239, EASE^R .205/.275.
func TestBaselinesOnMovieLens(t *testing.T) {
	s, err := movieLens()
	if err != nil {
		t.Fatal(err)
	}
	recall := map[string]float64{}
	for _, c := range []struct {
		name                string
		least, most         float64 // of Recall@10
		leastNDCG, mostNDCG float64
	}{
		{"popularity", .07, .13, .11, .18},
		{"itemknn", .15, .21, .21, .28},
		{"userknn", .15, .22, .21, .30},
		{"weighted", .17, .23, .24, .31},
		{"rp3beta", .15, .22, .21, .30},
		{"ease", .17, .23, .24, .32},
		{"ials", .15, .23, .20, .31},
	} {
		r := measure(t, c.name, s)
		t.Logf("%s:\n%s", c.name, r)
		r10, _ := r.At(eval.Recall, 10)
		n10, _ := r.At(eval.NDCG, 10)
		recall[c.name] = r10
		if r10 < c.least || r10 > c.most || n10 < c.leastNDCG || n10 > c.mostNDCG {
			t.Errorf("%s: recall@10 %.4f, ndcg@10 %.4f; want within [%g, %g] and [%g, %g]", c.name, r10, n10, c.least,
				c.most, c.leastNDCG, c.mostNDCG)
		}
		if r.Users < 500 || r.Overlap != 0 {
			t.Errorf("%s: %d users evaluated, %d test items in training; want over 500 and 0", c.name, r.Users,
				r.Overlap)
		}
	}
	if recall["itemknn"] < 1.4*recall["popularity"] || recall["ease"] < recall["itemknn"] {
		t.Errorf("recall@10 %v: want item-KNN well above popularity, and EASE above item-KNN", recall)
	}
}
