//go:build !(wasm && train)

package calibrate

import "github.com/pmlam/pmlam/core/model"

func products(x, b []float64, phi []model.LikeFeatures) { productsGo(x, b, phi) }

func moments(gradient []float64, h *square, phi []model.LikeFeatures, excess, variance []float64) {
	momentsGo(gradient, h, phi, excess, variance)
}
