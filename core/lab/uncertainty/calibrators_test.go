package uncertainty

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/train/calibrate"
)

// Each calibrator recovers the curve that the answers were drawn from, if it can express it.
func TestCalibratorsFindTheirCurve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 22))
	truth := map[string]func(s float64) float64{
		"Platt":    func(s float64) float64 { return 1 / (1 + math.Exp(-1-2*s)) },
		"Gaussian": func(s float64) float64 { return 1 / (1 + math.Exp(-1-s-s*s/2)) },
		"Gamma":    func(s float64) float64 { return 1 / (1 + math.Exp(-s-0.5*math.Log(s+2.01))) },
		"isotonic": func(s float64) float64 {
			if s < 0 {
				return 0.3
			}
			return 0.8
		},
	}
	for _, c := range calibrators {
		var answers []calibrate.Answer
		for k := range 40000 {
			s := -2 + 4*float64(k)/40000
			answers = append(answers, calibrate.Answer{Score: s, Liked: r.Float64() < truth[c.name](s)})
		}
		chance, err := c.fit(answers)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []float64{-1.5, -0.7, 0.6, 1.4} {
			if got, want := chance(s), truth[c.name](s); math.Abs(got-want) > 0.02 {
				t.Errorf("%s: the chance at %v is %.3f, want %.3f", c.name, s, got, want)
			}
		}
	}
}

// Three answers by hand: the surest is liked; of two with equal chance one is.
func TestRiskArea(t *testing.T) {
	got := riskArea([]claim{{1, 0.5, false}, {1, 0.9, true}, {2, 0.5, true}})
	if want := (0 + 0.25 + 1.0/3) / 3; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
}
