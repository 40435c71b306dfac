//go:build train

package calibrate

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The kernels give the bits of Go's loops.
func TestKernelsGiveTheBitsOfGo(t *testing.T) {
	if !kernels {
		t.Skip("SKIPPED: this run deliberately has no kernels")
	}
	r := rand.New(rand.NewPCG(7, 8))
	b := weights(r)
	phi, _ := drawn(r, 333, b)
	x, want := make([]float64, len(phi)), make([]float64, len(phi))
	products(x, b, phi)
	productsGo(want, b, phi)
	if !slices.Equal(x, want) {
		t.Error("the products differ")
	}
	var h, wantH square
	gradient, wantGradient := weights(r), []float64(nil)
	wantGradient = append(wantGradient, gradient...)
	moments(gradient, &h, phi, x, want)
	momentsGo(wantGradient, &wantH, phi, x, want)
	if !slices.Equal(gradient, wantGradient) || h != wantH {
		t.Errorf("the moments differ: %v, %v, want %v, %v", gradient, h, wantGradient, wantH)
	}
}
