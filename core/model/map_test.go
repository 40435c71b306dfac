//go:build !js

package model

import (
	"reflect"
	"testing"
)

// TestLayoutWithoutMap checks that all titles lie in the middle, and that the file has no map.
func TestLayoutWithoutMap(t *testing.T) {
	m := golden(Float32)
	want := &Map{X: []float32{0.5, 0.5, 0.5}, Y: []float32{0.5, 0.5, 0.5}}
	if got := m.Layout(); !reflect.DeepEqual(got, want) {
		t.Errorf("the map is %+v, want %+v", got, want)
	}
	if got := decode(t, encode(t, m)); got.Map != nil {
		t.Errorf("the file has the map %+v", got.Map)
	}
}

// TestMapIsKept checks that positions are kept within half a step of 1/65535 and the rest exactly, with and without
// links and calibration.
func TestMapIsKept(t *testing.T) {
	m := goldenMapped(Int8)
	m.Map.X[1], m.Map.Regions[1].Y = 0.123456, 0.987654
	for _, change := range []func(){func() {}, func() { m.ItemItem = nil }, func() { m.Calibration = nil }, func() { m.Map.Regions = nil }} {
		change()
		got := decode(t, encode(t, m)).Map
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
