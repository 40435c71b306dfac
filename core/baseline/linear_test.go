package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// linearNaive returns B of FitLinear by a dense inverse in float64, column by column as the papers write it: the
// Lagrangian of RLAE, then the powers of DAN.
func linearNaive(t *testing.T, m *dataset.Matrix, s LinearSettings) *mat.Dense {
	n := m.Cols
	x, weighted := mat.NewDense(m.Rows(), n, nil), mat.NewDense(m.Rows(), n, nil)
	users := make([]float64, n) // n_i
	for u := range m.Rows() {
		for _, i := range m.Row(u) {
			users[i]++
			x.Set(u, int(i), 1)
			weighted.Set(u, int(i), math.Pow(float64(len(m.Row(u))), -s.Beta))
		}
	}
	var gram, p mat.Dense
	gram.Mul(weighted.T(), x)
	penalty := make([]float64, n)
	for i := range n {
		penalty[i] = s.Lambda + s.Dropout/(1-s.Dropout)*users[i]
		gram.Set(i, i, gram.At(i, i)+penalty[i])
	}
	if err := p.Inverse(&gram); err != nil {
		t.Fatal(err)
	}
	b := mat.NewDense(n, n, nil)
	for i := range n {
		lagrangian := 0.0
		if free := 1 - penalty[i]*p.At(i, i); free > s.Relax { // B_ii without a constraint
			lagrangian = (1-s.Relax)/p.At(i, i) - penalty[i]
		}
		for j := range n {
			if j != i {
				b.Set(j, i, -p.At(j, i)*(penalty[i]+lagrangian)*
					math.Pow(max(users[j], 1), s.Alpha)*math.Pow(max(users[i], 1), -s.Alpha))
			}
		}
	}
	return b
}

func TestLinearAutoencoders(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 4))
	between := 0 // settings whose relaxed diagonal is at the limit for some items only
	for range 40 {
		m := drawMatrix(r, 1+r.IntN(25), 1+r.IntN(18))
		s := LinearSettings{Lambda: .5 + 3*r.Float64(), Dropout: .8 * r.Float64(), Relax: r.Float64() * .6,
			Alpha: r.Float64(), Beta: r.Float64()}
		if r.IntN(4) == 0 {
			s.Relax = 1
		}
		l, err := FitLinear(background, m, s, 0)
		if err != nil {
			t.Fatal(err)
		}
		limited := 0
		for i, d := range l.diagonal {
			if 1-s.Penalty(l.degree[i])*float64(d) > s.Relax {
				limited++
			}
		}
		if 0 < limited && limited < m.Cols {
			between++
		}
		for _, l := range []*Linear{l, l.With(s.Relax, s.Alpha/2).With(s.Relax, s.Alpha)} {
			compareLinear(t, l, linearNaive(t, m, s), m)
		}
		compareInverses(t, m, s)
		compareLinear(t, l.With(0, 0), linearNaive(t, m, LinearSettings{Lambda: s.Lambda, Dropout: s.Dropout,
			Beta: s.Beta}), m)
	}
	if between < 5 {
		t.Errorf("only %d of the draws have items on both sides of the relaxed limit", between)
	}
}

// compareInverses compares P by the matrices of items and of users.
func compareInverses(t *testing.T, m *dataset.Matrix, s LinearSettings) {
	t.Helper()
	n := m.Cols
	items := &Linear{settings: s, inverse: make([]float32, n*n), degree: degrees(m)}
	users := &Linear{settings: s, inverse: make([]float32, n*n), degree: degrees(m)}
	if err := errors.Join(items.invertItems(background, m, 2), users.invertUsers(background, m, 2)); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for j := range i + 1 {
			if a, b := items.inverse[i*n+j], users.inverse[i*n+j]; math.Abs(float64(a-b)) > 1e-5*float64(1+a) {
				t.Fatalf("%+v: P(%d,%d) is %v by items and %v by users", s, i, j, a, b)
			}
		}
	}
}

func TestFewUsersAreInverted(t *testing.T) {
	wide := drawMatrix(rand.New(rand.NewPCG(3, 4)), 1, 1500)
	if !cheaperByUsers(wide) || cheaperByUsers(wide.Transpose()) {
		t.Error("the smaller matrix is not the one inverted")
	}
	l, err := FitLinear(background, wide, LinearSettings{Lambda: 3}, 0)
	if err != nil {
		t.Fatal(err)
	}
	// All columns are equal, so P = (I − 11ᵀ/(3 + n))/3 over the n items that the user has.
	row := wide.Row(0)
	n := float64(len(row))
	want := (1 / (3 * (3 + n))) / ((1 - 1/(3+n)) / 3)
	if got := float64(l.Weight(int(row[0]), int(row[1]))); math.Abs(got-want) > 1e-5*want {
		t.Errorf("B is %v, want %v", got, want)
	}
}

// compareLinear compares weights and scores with B.
func compareLinear(t *testing.T, l *Linear, b *mat.Dense, m *dataset.Matrix) {
	t.Helper()
	for j := range m.Cols {
		for i := range m.Cols {
			if got, want := float64(l.Weight(j, i)), b.At(j, i); math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
				t.Fatalf("%+v: B(%d,%d) is %v, want %v", l.settings, j, i, got, want)
			}
		}
	}
	for u := range m.Rows() {
		for i, got := range scoresOf(l, u) {
			var want float64
			for _, j := range m.Row(u) {
				want += b.At(int(j), i)
			}
			if math.Abs(float64(got)-want) > 2e-5*(1+math.Abs(want)) {
				t.Fatalf("%+v: user %d, item %d: %v, want %v", l.settings, u, i, got, want)
			}
		}
	}
}

func TestFitLinearRefuses(t *testing.T) {
	m := drawMatrix(rand.New(rand.NewPCG(1, 4)), 6, 5)
	for name, s := range map[string]LinearSettings{
		"lambda": {Dropout: .5}, "dropout": {Lambda: 1, Dropout: 1}, "relax": {Lambda: 1, Relax: 1.1},
		"alpha": {Lambda: 1, Alpha: math.NaN()}, "beta": {Lambda: 1, Beta: -.1},
	} {
		var option OptionError
		if l, err := FitLinear(background, m, s, 0); l != nil || !errors.As(err, &option) ||
			option.Option != name {
			t.Errorf("%s: %v, want an OptionError", name, err)
		}
	}
}

// TestFoldIn checks for every method that a training user, folded in by the same likes as somebody new, has the scores
// of the fit. User-KNN then finds the user among the neighbours, so the user is left out of its training.
func TestFoldIn(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	train := drawMatrix(r, 30, 20)
	shifted := func(rows ...int) *dataset.Matrix { // of other users, in another order
		var pairs []dataset.Pair
		for at, u := range rows {
			for _, i := range train.Row(u) {
				pairs = append(pairs, dataset.Pair{Row: int32(at), Col: i})
			}
		}
		return dataset.NewMatrix(len(rows), train.Cols, pairs)
	}
	rows := []int{7, 3, 29}
	for _, spec := range append(Names(), "ease:dropout=.5:alpha=.2:beta=.3", "itemknn:centre=1", "turbocf:order=2") {
		fit, err := New(background, spec, train, 0)
		if err != nil {
			t.Fatal(err)
		}
		unseen, err := FoldIn(background, fit, shifted(rows...), 0)
		if err != nil {
			t.Fatalf("%s: %v", spec, err)
		}
		for at, u := range rows {
			want := scoresOf(fit, u)
			if spec == "userknn" {
				// The likes of all others, and of the user without any.
				var pairs []dataset.Pair
				for v := range train.Rows() {
					for _, i := range train.Row(v) {
						if v != u {
							pairs = append(pairs, dataset.Pair{Row: int32(v), Col: i})
						}
					}
				}
				without, err := New(background, spec, dataset.NewMatrix(train.Rows(), train.Cols, pairs), 0)
				if err != nil {
					t.Fatal(err)
				}
				if unseen, err = FoldIn(background, without, shifted(rows...), 0); err != nil {
					t.Fatal(err)
				}
			}
			tolerance := 1e-6
			if spec == "ials" { // its last pass moved the items after the users
				tolerance = .05
			}
			for i, got := range scoresOf(unseen, at) {
				if math.Abs(float64(got-want[i])) > tolerance {
					t.Errorf("%s: user %d, item %d: %v, want %v", spec, u, i, got, want[i])
				}
			}
		}
		if _, err := FoldIn(background, fit, dataset.NewMatrix(1, 3, nil), 0); err == nil {
			t.Errorf("%s took likes of another catalogue", spec)
		}
	}
	if _, err := FoldIn(background, other{}, train, 0); err == nil {
		t.Error("a scorer of another package was folded in")
	}
}

var background = context.Background()

type other struct{ eval.Scorer }
