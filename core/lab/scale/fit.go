package scale

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Exponent returns b of cost ≈ a·Nᵇ, fitted to the logarithms by least squares, and a; NaN for fewer than two points.
// All values must be positive.
func Exponent(n, cost []float64) (b, a float64) {
	if len(n) < 2 {
		return math.NaN(), math.NaN()
	}
	x, y := make([]float64, len(n)), make([]float64, len(n))
	for i := range n {
		x[i], y[i] = math.Log(n[i]), math.Log(cost[i])
	}
	alpha, beta := stat.LinearRegression(x, y, nil, false)
	return beta, math.Exp(alpha)
}
