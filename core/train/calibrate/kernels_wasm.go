//go:build train

package calibrate

import (
	"unsafe"

	"github.com/pmlam/pmlam/core/model"
)

// The kernels of wasm/kernel/training for the regression, with the bits of productsGo and momentsGo. kernels says
// whether the module was loaded.
var kernels = available() != 0

func products(x, b []float64, phi []model.LikeFeatures) {
	if !kernels {
		productsGo(x, b, phi)
		return
	}
	productsOf(unsafe.SliceData(x), unsafe.SliceData(b), unsafe.Pointer(unsafe.SliceData(phi)), uint32(len(phi)),
		model.NumLikeFeatures)
}

func moments(gradient []float64, h *square, phi []model.LikeFeatures, excess, variance []float64) {
	if !kernels {
		momentsGo(gradient, h, phi, excess, variance)
		return
	}
	momentsOf(unsafe.SliceData(gradient), unsafe.Pointer(h), unsafe.Pointer(unsafe.SliceData(phi)),
		unsafe.SliceData(excess), unsafe.SliceData(variance), uint32(len(phi)), model.NumLikeFeatures)
}

//go:wasmimport vec available
func available() uint32

//go:wasmimport vec products
//go:noescape
func productsOf(x, b *float64, phi unsafe.Pointer, n, k uint32)

//go:wasmimport vec moments
//go:noescape
func momentsOf(gradient *float64, h, phi unsafe.Pointer, excess, variance *float64, n, k uint32)
