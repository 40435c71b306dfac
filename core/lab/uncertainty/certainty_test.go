package uncertainty

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// Statements of certainty are true for people left out of training and calibration: chances of liking and of staying
// come true as stated, words keep their ranges, and more certain recommendations are hit more often.
func TestCertaintiesAreTrue(t *testing.T) {
	ctx := context.Background()
	d, held := trained(t, "composed", func(c *pmlam.Config) { c.Dim, c.Epochs = 16, 6 })
	var cases []Case
	for k, h := range held {
		// Calibrated by the other training and its left-out people.
		o := held[(k+1)%len(held)]
		p, err := calibrate.NewPeople(d, o.Model, o.LeftOut, 1)
		if err != nil {
			t.Fatal(err)
		}
		c := &model.Calibration{Users: len(o.LeftOut)}
		if c.Posterior, err = calibrate.Posterior(ctx, []*calibrate.People{p}, 0); err != nil {
			t.Fatal(err)
		}
		if c.Like, err = calibrate.Like(ctx, []*calibrate.People{p}, 0); err != nil {
			t.Fatal(err)
		}
		m := *h.Model
		if m.Calibration, err = calibrate.Transfer(c, d.Without(h.LeftOut), h.Model, 0); err != nil {
			t.Fatal(err)
		}
		r, err := recommend.Open(&m, recommend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, Case{Model: &m, Engine: r, LeftOut: h.LeftOut})
	}
	r := &Report{}
	var err error
	if r.Reliability, err = Reliability(ctx, d, cases, 1); err != nil {
		t.Fatal(err)
	}
	if r.Stability, err = Stability(ctx, d, cases, 1); err != nil {
		t.Fatal(err)
	}
	if r.Selective, err = Selective(ctx, d, cases, 1); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", r)
	for name, of := range map[string]*Reliable{"all": &r.Reliability.All, "first": &r.Reliability.First} {
		if of.ECE.Value > 0.04 || of.OverBase.Low <= 0 || of.OverPopularity.Low <= 0 {
			t.Errorf("%s: calibration error %v, Brier below the base rate's by %v, below popularity's by %v", name,
				of.ECE, of.OverBase, of.OverPopularity)
		}
	}
	for _, row := range r.Stability.ByLikes {
		if row.Likes >= 8 && row.ECE.Value > 0.08 {
			t.Errorf("after %d likes the chance to stay is off by %v", row.Likes, row.ECE)
		}
	}
	for _, all := range [][]Word{r.Reliability.Words, r.Stability.Words} {
		for k, w := range all {
			if w.Count < 100 || w.Observed.High < w.From || w.Observed.Low > w.To || k > 0 &&
				w.Observed.Value <= all[k-1].Observed.Value {
				t.Errorf("%+v", w)
			}
		}
	}
	s := r.Selective
	chosen := s.Curves[slices.IndexFunc(s.Curves, func(c RiskCurve) bool { return c.Name == s.Chosen })]
	if !(chosen.Hits[1].Value > chosen.Hits[4].Value && chosen.Hits[4].Value > chosen.Hits[9].Value) ||
		s.OverPopularity.Value <= 0 || s.OverDistance.Value <= 0 {
		t.Errorf("%s: %v; above popularity by %v, distance by %v", s.Chosen, chosen.Hits, s.OverPopularity,
			s.OverDistance)
	}
	// A repetition gives the same result.
	again, err := Selective(ctx, d, cases, 1)
	if err != nil || again.OverDistance != s.OverDistance {
		t.Errorf("%v, %v; before %v", again, err, s.OverDistance)
	}
	if len(r.Pictures()) != 3 || !strings.Contains(r.String(), "very sure") {
		t.Errorf("%d pictures, %s", len(r.Pictures()), r)
	}
}

// With true chances the calibration error is noise; with chances off by a fifth it is a fifth.
func TestCalibrationErrorIsWhatItIsOffBy(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var fair, off []claim
	for k := range 20000 {
		p := r.Float64()
		fair = append(fair, claim{k % 100, p, r.Float64() < p})
		off = append(off, claim{k % 100, 0.2 + 0.8*p, r.Float64() < 0.8*p})
	}
	if e, bins := calibrated(fair, 1); e.Value > 0.02 || len(bins) != reliabilityBins || bins[0].Count != 2000 {
		t.Errorf("true chances: %v, %v", e, bins)
	}
	if e, _ := calibrated(off, 1); math.Abs(e.Value-0.2) > 0.01 || e.Low > e.Value || e.High < e.Value {
		t.Errorf("chances too high by .2: %v", e)
	}
}

// Four recommendations by hand, two of them of equal certainty.
func TestAreaUnderARiskCurve(t *testing.T) {
	all := []recommendation{
		{1, true, []float64{0.9}, model.LikeFeatures{}},
		{1, true, []float64{0.5}, model.LikeFeatures{}},
		{2, false, []float64{0.5}, model.LikeFeatures{}},
		{2, false, []float64{0.1}, model.LikeFeatures{}},
	}
	people := newPeopleIndex(4, func(i int) int { return all[i].person })
	rates := func(at ...int) (out [1 + len(Shares)]float64) {
		curve(all, people, 0)(at, out[:])
		return out
	}
	// Hit rates of the first 1, 2, 3, 4: 1, (1 + ½)/2, 2/3, 2/4.
	got := rates(0, 1)
	if want := (1 + 0.75 + 2.0/3 + 0.5) / 4; math.Abs(got[0]-want) > 1e-12 || math.Abs(got[5]-0.75) > 1e-12 ||
		math.Abs(got[10]-0.5) > 1e-12 {
		t.Errorf("area and hit rates are %v", got)
	}
	// The first person alone, twice, is always hit; the second never.
	for _, r := range rates(0, 0) {
		if math.Abs(r-1) > 1e-12 {
			t.Errorf("a person who is always hit: %v", r)
		}
	}
	for _, r := range rates(1, 1) {
		if r != 0 {
			t.Errorf("a person who is never hit: %v", r)
		}
	}
}
