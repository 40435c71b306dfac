package vec

import (
	"math"
	"testing"

	"github.com/x448/float16"
)

func TestHalvesAreAllHalves(t *testing.T) {
	for bits := range 1 << 16 {
		want := float16.Frombits(uint16(bits)).Float32()
		if math.IsInf(float64(want), 0) || math.IsNaN(float64(want)) {
			continue
		}
		got := []float32{7, 7, 7}
		Halves(got, 2, []byte{byte(bits >> 8), byte(bits >> 8)}, []byte{byte(bits), byte(bits)})
		if math.Float32bits(got[0]) != math.Float32bits(want) || math.Float32bits(got[2]) != math.Float32bits(want) ||
			got[1] != 7 {
			t.Fatalf("%#x: %v, want %v", bits, got, want)
		}
	}
}
