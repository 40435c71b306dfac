//go:build !js

package model

import (
	"errors"
	"math"
	"reflect"
	"testing"
)

// TestCalibrationIsKept checks that covariances are kept within 2^-8 of themselves, rates within 1/32 up to their
// limit, and the rest exactly, with and without links, ratings and bins.
func TestCalibrationIsKept(t *testing.T) {
	for name, change := range map[string]func(m *Model){
		"whole":     func(*Model) {},
		"no links":  func(m *Model) { m.ItemItem = nil },
		"no like":   func(m *Model) { m.Calibration.Like = nil },
		"no bands":  func(m *Model) { m.Calibration.Map = MapRegion{} },
		"no bins":   func(m *Model) { m.Calibration.Like.Bins = nil },
		"odd rates": func(m *Model) { m.Calibration.Like.Rates = []float32{9, -0.3, 1.01} },
		"odd covariance": func(m *Model) {
			m.Calibration.Posterior.Within = []float32{0.123456789, -1e-30, float32(math.Pi)}
		},
	} {
		m := goldenMapped(Float16)
		change(m)
		d := decode(t, encode(t, m))
		got, want := d.Calibration, m.Calibration
		if (d.ItemItem == nil) != (m.ItemItem == nil) || (got.Like == nil) != (want.Like == nil) {
			t.Fatalf("%s: a part was added or lost", name)
		}
		for i, v := range want.Posterior.Within {
			if g := got.Posterior.Within[i]; math.Abs(float64(g-v)) > math.Abs(float64(v))/256 {
				t.Errorf("%s: covariance %v became %v", name, v, g)
			}
		}
		if want.Like != nil {
			for i, v := range want.Like.Rates {
				if g := got.Like.Rates[i]; math.Abs(float64(g-min(v, 127.0/16))) > 1.0/32 {
					t.Errorf("%s: rate %v became %v", name, v, g)
				}
			}
			got.Like.Rates = want.Like.Rates
			if want.Like.Bins == nil {
				want.Like.Bins = []LikeBin{}
			}
		}
		got.Posterior.Within = want.Posterior.Within
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got\n%+v\nwant\n%+v", name, got, want)
		}
	}
}

// TestImpossibleCalibrationsAreRefused checks that invalid calibrations are not written.
func TestImpossibleCalibrationsAreRefused(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		change func(c *Calibration)
		reason Reason
		field  string
	}{
		"covariance of another size": {func(c *Calibration) { c.Posterior.Within = make([]float32, 2) }, WrongShape, "within"},
		"covariance NaN":             {func(c *Calibration) { c.Posterior.Within[1] = nan }, NotFinite, "within"},
		"covariance too large":       {func(c *Calibration) { c.Posterior.Within[1] = math.MaxFloat32 }, NotFinite, "within"},
		"variance that vanishes":     {func(c *Calibration) { c.Posterior.Within[0] = 1e-45 }, OutOfRange, "within"},
		"rate NaN":                   {func(c *Calibration) { c.Like.Rates[0] = nan }, OutOfRange, "like.rates"},
		"a rate too few":             {func(c *Calibration) { c.Like.Rates = c.Like.Rates[1:] }, WrongShape, "like.rates"},
		"negative count":             {func(c *Calibration) { c.Like.Bins[0].Count = -1 }, OutOfRange, "like.statements"},
		"radii that descend":         {func(c *Calibration) { c.Posterior.Full.Few[5] = 0 }, OutOfRange, "fullFew"},
	} {
		m := goldenMapped(Float32)
		c.change(m.Calibration)
		b, err := Encode(m)
		var e *Error
		if b != nil || !errors.As(err, &e) || e.Reason != c.reason || e.Field != "content.calibration."+c.field {
			t.Errorf("%s: %v, want %v in %s", name, err, c.reason, c.field)
		}
	}
}

// TestMapRadii checks that each number of likes has the radii of its band, and that without bands the radii are the
// normal distribution's.
func TestMapRadii(t *testing.T) {
	if got := new(MapRegion).Radius(0.5, 7); got != EllipseRadius(0.5) {
		t.Errorf("the uncalibrated radius is %v", got)
	}
	bands := goldenMapped(Int8).Calibration.Map
	for n, want := range map[int]float64{1: 1, 5: 1, 6: 5, 69: 5, 70: 1, 1000: 1} {
		if got := bands.Radius(0.5, n); got != want {
			t.Errorf("%d likes: radius %v, want %v", n, got, want)
		}
	}
}
