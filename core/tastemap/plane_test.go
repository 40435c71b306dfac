package tastemap

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func dot(a, b []float32) float64 {
	s := 0.0
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

func TestFindsThePlaneThatTheItemsLieIn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const h = 7
	u := []float32{0, 0.6, 0, 0, -0.8, 0, 0}
	v := []float32{0, 0, 0, 0, 0, 0, 1}
	items := gaussian.NewTable(500, h)
	for i := range items.Len() {
		a, b := float32(3*r.NormFloat64()), float32(r.NormFloat64())
		for d := range h {
			items.Mean(i)[d] = 5 + a*u[d] + b*v[d]
		}
	}
	p, err := FitPlane(items)
	if err != nil {
		t.Fatal(err)
	}
	// The largest component of u is negative, so the axis must be −u.
	if c := dot(p.Axes[0], u); math.Abs(c+1) > 1e-3 {
		t.Errorf("first axis %v, want the direction −%v", p.Axes[0], u)
	}
	if c := dot(p.Axes[1], v); math.Abs(c-1) > 1e-3 {
		t.Errorf("second axis %v, want the direction %v", p.Axes[1], v)
	}
	if s := p.Shares[0] + p.Shares[1]; math.Abs(s-1) > 1e-6 {
		t.Errorf("the shares of items in a plane must sum to 1, got %v", s)
	}
	if p.Shares[0] < 0.85 || p.Shares[0] > 0.95 {
		t.Errorf("the first share is %v, want about 9 of 10", p.Shares[0])
	}
}

func TestAgreesWithGonumsPrincipalComponents(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n, h = 300, 20
	items := gaussian.NewTable(n, h)
	a := mat.NewDense(n, h, nil)
	for i := range n {
		for d := range h {
			x := float32(r.NormFloat64() / float64(d+1))
			items.Mean(i)[d] = x
			a.Set(i, d, float64(x))
		}
	}
	p, err := FitPlane(items)
	if err != nil {
		t.Fatal(err)
	}
	var pc stat.PC
	if !pc.PrincipalComponents(a, nil) {
		t.Fatal("gonum found no components")
	}
	var vectors mat.Dense
	pc.VectorsTo(&vectors)
	vars := pc.VarsTo(nil)
	total := 0.0
	for _, v := range vars {
		total += v
	}
	for k := range 2 {
		want := narrow(mat.Col(nil, k, &vectors))
		if c := math.Abs(dot(p.Axes[k], want)); math.Abs(c-1) > 1e-5 {
			t.Errorf("axis %d: |cos| to gonum's is %v", k, c)
		}
		if math.Abs(p.Shares[k]-vars[k]/total) > 1e-6 {
			t.Errorf("share %d is %v, gonum has %v", k, p.Shares[k], vars[k]/total)
		}
	}
	if c := dot(p.Axes[0], p.Axes[1]); math.Abs(c) > 1e-6 {
		t.Errorf("the axes must be orthogonal, their product is %v", c)
	}
	again, _ := FitPlane(items)
	if !reflect.DeepEqual(p, again) {
		t.Error("the same items gave two planes")
	}
}

func TestSameItemsInOnePlaceGiveSomePlane(t *testing.T) {
	p, err := FitPlane(gaussian.NewTable(5, 3))
	if err != nil {
		t.Fatal(err)
	}
	if p.Shares != [2]float64{} || dot(p.Axes[0], p.Axes[0]) != 1 || dot(p.Axes[0], p.Axes[1]) != 0 {
		t.Errorf("got %+v", p)
	}
}

func TestErrorsSayWhatIsMissing(t *testing.T) {
	bad := gaussian.NewTable(3, 4)
	bad.Mean(2)[1] = float32(math.NaN())
	for want, items := range map[string]*gaussian.Table{
		"at least 2 items":                   gaussian.NewTable(1, 4),
		"latent dimension of at least 2":     gaussian.NewTable(9, 1),
		"item 2 is NaN in dimension 1; a pl": bad,
	} {
		if _, err := FitPlane(items); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
