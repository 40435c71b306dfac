//go:build !js

package model

import (
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
)

// TestPlaneIsAMap: a plane without a map becomes one by a move and one scale for both axes, as it is and in a file.
func TestPlaneIsAMap(t *testing.T) {
	m := goldenCalibrated(Float32)
	m.Items = gaussian.TableOf(2, []float32{0.5, 3.75, 1, 1, 4.5, -0.25, 1, 1, 2.5, 0.75, 1, 1}) // (0,−4), (4,0), (2,−1)
	want := &Map{X: []float32{0, 1, 0.5}, Y: []float32{0, 1, 0.75}}
	if got := m.Layout(); !reflect.DeepEqual(got, want) {
		t.Errorf("the plane is the map %+v, want %+v", got, want)
	}
	m.Plane.Axes[1] = []float32{0, 0}
	want.Y = []float32{0.5, 0.5, 0.5}
	if got := m.Layout(); !reflect.DeepEqual(got, want) {
		t.Errorf("the line is the map %+v, want %+v", got, want)
	}
	got := decode(t, encode(t, m))
	if got.Plane.Origin != nil || len(got.Map.Regions) != 0 || got.Map.X[0] != 0 || got.Map.X[1] != 1 {
		t.Errorf("the file has the map %+v", got.Map)
	}
	m.Plane = Plane{}
	want.X = []float32{0.5, 0.5, 0.5}
	if got := m.Layout(); !reflect.DeepEqual(got, want) {
		t.Errorf("without a plane the map is %+v", got)
	}
	if got := decode(t, encode(t, m)); got.Map != nil {
		t.Errorf("without a plane the file has the map %+v", got.Map)
	}
}

// TestMapIsKept: positions within half a step of 1/65535, all else exactly; with and without links and calibration.
func TestMapIsKept(t *testing.T) {
	m := goldenMapped(Int8)
	m.Map.X[1], m.Map.Regions[1].Y = 0.123456, 0.987654
	for _, change := range []func(){func() {}, func() { m.ItemItem = nil }, func() { m.Calibration = nil }, func() { m.Map.Regions = nil }} {
		change()
		b := encode(t, m)
		got := decode(t, b).Map
		if b[versionAt] != mapped {
			t.Errorf("version %d", b[versionAt])
		}
		if d := got.X[1] - m.Map.X[1]; d > 0.5001/mapSteps || d < -0.5001/mapSteps {
			t.Errorf("position %v became %v", m.Map.X[1], got.X[1])
		}
		got.X[1] = m.Map.X[1]
		for i := range got.Regions {
			if d := got.Regions[i].Y - m.Map.Regions[i].Y; d > 0.5001/mapSteps || d < -0.5001/mapSteps {
				t.Errorf("centre %v became %v", m.Map.Regions[i].Y, got.Regions[i].Y)
			}
			got.Regions[i].Y = m.Map.Regions[i].Y
		}
		if !reflect.DeepEqual(got, m.Map) {
			t.Errorf("the map became %+v", got)
		}
	}
}
