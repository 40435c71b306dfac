package eval

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

func nearly(got, want, relative float64) bool {
	return got == want || math.Abs(got-want) <= relative*math.Abs(want)
}

func TestAgainstSciPy(t *testing.T) {
	b, err := os.ReadFile("testdata/paired.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name string
		D    []float64
		T    float64
		TP   float64 `json:"t_p"`
		W    float64
		WP   float64 `json:"w_p"`
	}
	if err := json.Unmarshal(b, &cases); err != nil || len(cases) < 8 {
		t.Fatal(err, len(cases))
	}
	for _, c := range cases {
		if got := PairedT(c.D); !nearly(got.Statistic, c.T, 1e-10) || !nearly(got.P, c.TP, 1e-8) || got.N != len(c.D) {
			t.Errorf("%s: %+v, want t = %v with p = %v", c.Name, got, c.T, c.TP)
		}
		if got := Wilcoxon(c.D); !nearly(got.Statistic, c.W, 1e-12) || !nearly(got.P, c.WP, 1e-8) {
			t.Errorf("%s: %+v, want W = %v with p = %v", c.Name, got, c.W, c.WP)
		}
	}
}

// With one degree of freedom Student's distribution is Cauchy's; with two it also has a closed form.
func TestPairedTClosedForms(t *testing.T) {
	for _, d := range [][]float64{{3, 1}, {-2, 5}, {0.125, 0.25}} {
		want := (d[0] + d[1]) / math.Abs(d[0]-d[1])
		got := PairedT(d)
		if !nearly(got.Statistic, want, 1e-12) || !nearly(got.P, 1-2/math.Pi*math.Atan(math.Abs(want)), 1e-9) {
			t.Errorf("%v: %+v", d, got)
		}
	}
	got := PairedT([]float64{1, 2, 3}) // t = 2/(1/√3)
	if s := 2 * math.Sqrt(3); !nearly(got.Statistic, s, 1e-12) || !nearly(got.P, 1-s/math.Sqrt(2+s*s), 1e-9) {
		t.Errorf("%+v", got)
	}
}

// The exact distribution equals the one over all sign patterns, also with ties.
func TestWilcoxonCountsAllSigns(t *testing.T) {
	for _, d := range [][]float64{{1}, {-1, 2}, {3, -1, 2, 5}, {1, 1, -1, 2, -2, 3}, {2, 2, 2, 2, -2},
		{0, 0, 4, -3, 3, 1, 1, -7, 5, 6}} {
		got := Wilcoxon(d)
		var rest []float64
		for _, x := range d {
			if x != 0 {
				rest = append(rest, x)
			}
		}
		n := len(rest)
		centre := float64(n*(n+1)) / 4
		far := 0
		signed := make([]float64, n)
		for pattern := range 1 << n {
			for i, x := range rest {
				signed[i] = math.Abs(x)
				if pattern>>i&1 == 1 {
					signed[i] = -signed[i]
				}
			}
			if math.Abs(Wilcoxon(signed).Statistic-centre) >= math.Abs(got.Statistic-centre) {
				far++
			}
		}
		if want := float64(far) / float64(int(1)<<n); !nearly(got.P, want, 1e-12) || got.N != n {
			t.Errorf("%v: %+v, want p = %v", d, got, want)
		}
	}
}

// At the threshold, the exact and the normal distribution agree.
func TestWilcoxonIsOfOnePiece(t *testing.T) {
	d := make([]float64, exactUpTo)
	for i := range d {
		d[i] = float64(i + 1)
		if i%3 == 0 {
			d[i] = -d[i]
		}
	}
	counted, next := Wilcoxon(d), Wilcoxon(append(d, 1000))
	n := float64(exactUpTo)
	z := (counted.Statistic - n*(n+1)/4) / math.Sqrt(n*(n+1)*(2*n+1)/24)
	if normal := math.Erfc(math.Abs(z) / math.Sqrt2); math.Abs(counted.P-normal) > 0.01 || next.P > counted.P {
		t.Errorf("exact %v, normal %v, one more difference %v", counted.P, normal, next.P)
	}
}

func TestNothingToTell(t *testing.T) {
	for name, c := range map[string]struct {
		d    []float64
		t, w float64
	}{
		"none":      {nil, 1, 1},
		"one":       {[]float64{3}, 1, 1},
		"zeros":     {make([]float64, 100), 1, 1},
		"all equal": {[]float64{0.1, 0.1, 0.1}, 0, 0.25},
	} {
		if got := PairedT(c.d).P; got != c.t {
			t.Errorf("%s: t-test %v", name, got)
		}
		if got := Wilcoxon(c.d).P; got != c.w {
			t.Errorf("%s: signed ranks %v", name, got)
		}
	}
	// Opposite signs mirror the statistic and keep p.
	d := []float64{0.5, -0.25, 1, 2, 0.125}
	var minus []float64
	for _, x := range d {
		minus = append(minus, -x)
	}
	if a, b := PairedT(d), PairedT(minus); a.P != b.P || a.Statistic != -b.Statistic {
		t.Errorf("%+v and %+v", a, b)
	}
	if a, b := Wilcoxon(d), Wilcoxon(minus); a.P != b.P || a.Statistic+b.Statistic != 15 {
		t.Errorf("%+v and %+v", a, b)
	}
	for _, f := range []func([]float64) Test{PairedT, Wilcoxon} {
		func() {
			defer func() {
				if e, ok := recover().(FiniteError); !ok || e.At != 1 {
					t.Errorf("NaN gave %v", e)
				}
			}()
			f([]float64{1, math.NaN()})
		}()
	}
}

func TestStars(t *testing.T) {
	for p, want := range map[float64]string{0: "***", 0.001: "***", 0.0011: "**", 0.01: "**", 0.02: "*", 0.05: "*",
		0.051: "", 1: ""} {
		if got := Stars(p); got != want {
			t.Errorf("p = %v: %q", p, got)
		}
	}
}
