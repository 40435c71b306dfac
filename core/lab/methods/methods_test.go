package methods

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/oddtest"
)

// quick returns settings with which a method takes no time.
func quick(m *Method) baseline.Values {
	v := baseline.Values{}
	for _, s := range m.Settings {
		if x, ok := map[string]float64{"epochs": 2, "dim": 3, "batch": 4, "outer": 4}[s.Name]; ok {
			v[s.Name] = x
		}
	}
	return v
}

func TestLearnedMethodsOnOddData(t *testing.T) {
	for _, m := range All() {
		if m.Learned() {
			oddtest.Check(t, m.Name, true, func(train *dataset.Matrix) (eval.Scorer, error) {
				return m.Fit(t.Context(), train, quick(m), 2)
			})
		}
	}
}

// docs/baselines.md on users without training items: DeepAE gives all of them one list, and other learned methods have
// a row for each.
func TestUsersWithoutItems(t *testing.T) {
	train := oddtest.Matrix(6, []int32{0, 1, 2}, nil, []int32{0, 2, 3}, []int32{0, 3, 4}, nil)
	for _, m := range All() {
		if !m.Learned() {
			continue
		}
		s, err := m.Fit(t.Context(), train, quick(m), 1)
		if err != nil {
			t.Fatal(err)
		}
		one, other := scores(s, 1), scores(s, 4)
		if slices.Min(one) == slices.Max(one) || slices.Equal(one, other) != (m.Name == "deepae") {
			t.Errorf("%s: %v and %v", m.Name, one, other)
		}
	}
}

func TestEmptyShapes(t *testing.T) {
	for _, d := range []*dataset.Matrix{{}, dataset.NewMatrix(2, 0, nil), dataset.NewMatrix(2, 3, nil),
		dataset.NewMatrix(1, 1, []dataset.Pair{{}})} {
		for _, m := range All() {
			if !m.Learned() {
				continue
			}
			s, err := m.Fit(t.Context(), d, nil, 0)
			if s != nil || err == nil || !strings.Contains(err.Error(), "nothing to learn from") {
				t.Errorf("%s on %d×%d: %v, want an error about missing training data", m.Name, d.Rows(),
					d.Cols, err)
			}
		}
	}
}

func scores(s eval.Scorer, user int) []float32 {
	dst := make([]float32, s.NumItems())
	s.Score(user, dst)
	return dst
}

func TestNamesAndErrors(t *testing.T) {
	want := append(baseline.Names(), "bprmf", "ncf", "deepae", "lightgcn", "simplex", "bsl", "cml", "lrml", "transcf",
		"sml")
	if !slices.Equal(Names(), want) {
		t.Errorf("names %v, want %v", Names(), want)
	}
	if _, _, err := Parse("oracle"); err == nil || !strings.Contains(err.Error(), strings.Join(want, ", ")) {
		t.Errorf("oracle: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range All() {
		if m.Title == "" || m.Summary == "" || m.Source == "" {
			t.Errorf("%s lacks a title, a summary or a source", m.Name)
		}
		if !m.Learned() {
			continue
		}
		train := oddtest.Matrix(6, []int32{0, 1, 2}, []int32{0, 2, 3}, []int32{0, 3, 4})
		if s, err := m.Fit(ctx, train, nil, 0); s != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s in an ended context: %v, want context.Canceled", m.Name, err)
		}
		if _, err := m.Trainer(train, baseline.Values{"dim": 0}, 1); !errors.As(err, new(baseline.OptionError)) {
			t.Errorf("%s of dimension 0: %v, want an OptionError", m.Name, err)
		}
	}
}

// The bounds are wide: they catch a wrong method, not an unlucky split.
func TestLearnedMethodsOnMovieLens(t *testing.T) {
	d, err := dataset.Load("../../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	split := d.Fold(5, 0, 1)
	for _, c := range []struct {
		spec                string
		least, most         float64 // of Recall@10
		leastNDCG, mostNDCG float64
	}{
		{"cml:epochs=15:lr=0.02", .13, .20, .17, .27},
		{"lightgcn:epochs=30:lr=0.02:negatives=2:batch=2000", .14, .20, .17, .27},
		{"bsl:epochs=8:negatives=100:batch=500", .14, .20, .19, .28},
		{"simplex:epochs=12:negatives=100:batch=500", .13, .20, .18, .28},
		{"deepae:epochs=25:lr=0.005:batch=64:regularizer=0.0001", .11, .20, .15, .27},
	} {
		m, v, err := Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		s, err := m.Fit(t.Context(), split.Train, v, 0)
		if err != nil {
			t.Fatal(err)
		}
		r, err := eval.Evaluate(t.Context(), s, split.Train, split.Test, eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s:\n%s", c.spec, r)
		r10, _ := r.At(eval.Recall, 10)
		n10, _ := r.At(eval.NDCG, 10)
		if r10 < c.least || r10 > c.most || n10 < c.leastNDCG || n10 > c.mostNDCG {
			t.Errorf("%s: recall@10 %.4f, ndcg@10 %.4f; want within [%g, %g] and [%g, %g]", c.spec, r10, n10, c.least,
				c.most, c.leastNDCG, c.mostNDCG)
		}
	}
}
