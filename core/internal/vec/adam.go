package vec

import "math"

// Adam moves x along the gradient g by Kingma and Ba's method (2015) with β₁ = 0.9, β₂ = 0.999:
//
//	m ← β₁m + (1−β₁)g     v ← β₂v + (1−β₂)g²     x ← x − step·m/(√v + eps)
//
// AdamStep returns step and eps, which include the bias corrections. g, m and v must be at least as long as x.
// O(len(x)).
func Adam(x, g, m, v []float32, step, eps float32) {
	g, m, v = g[:len(x)], m[:len(x)], v[:len(x)]
	n := 0
	if useAVX && len(x) >= 8 {
		n = len(x) &^ 7
		adamAVX(&x[0], &g[0], &m[0], &v[0], n, step, eps)
	}
	adamGo(x[n:], g[n:], m[n:], v[n:], step, eps)
}

// Adam's constants, PyTorch's defaults.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// AdamStep returns the parameters of Adam for step n ≥ 1: the step rate·√(1−β₂ⁿ)/(1−β₁ⁿ) and eps = ε·√(1−β₂ⁿ). With
// these, Adam moves a value by rate·m̂/(√v̂+ε), where m̂ and v̂ are the bias-corrected moments. O(1).
func AdamStep(rate float64, n int) (step, eps float32) {
	c2 := math.Sqrt(1 - math.Pow(beta2, float64(n)))
	return float32(rate * c2 / (1 - math.Pow(beta1, float64(n)))), float32(epsilon * c2)
}

func adamGo(x, g, m, v []float32, step, eps float32) {
	g, m, v = g[:len(x)], m[:len(x)], v[:len(x)]
	for i, d := range g {
		m[i] = float32(beta1*m[i]) + float32((1-beta1)*d)
		v[i] = float32(beta2*v[i]) + float32(float32((1-beta2)*d)*d)
		x[i] -= float32(step*m[i]) / (float32(math.Sqrt(float64(v[i]))) + eps)
	}
}

// RMSProp moves x by Adam's rule without a first moment. steps is the number of steps since x was last moved, including
// this one:
//
//	v ← β₂ˢᵗᵉᵖˢ·v + (1−β₂)g²     x ← x − step·g/(√v + eps)
//
// RMSPropStep returns step and eps. If x is one of many rows, g is 0 in most steps. As a mean over all steps, v then
// equals Adam's v in array frameworks, and each g moves x as far as its share of the first moment does there, in that
// step and all later ones. g and v must be at least as long as x. O(len(x)).
//
// Source: Tieleman, Hinton, "Lecture 6.5: RMSProp", 2012; the bias correction is Adam's.
func RMSProp(x, g, v []float32, steps int, step, eps float32) {
	g, v = g[:len(x)], v[:len(x)]
	decay := float32(math.Pow(beta2, float64(steps)))
	for i, d := range g {
		v[i] = float32(decay*v[i]) + float32(float32((1-beta2)*d)*d)
		x[i] -= float32(step*d) / (float32(math.Sqrt(float64(v[i]))) + eps)
	}
}

// RMSPropStep returns the parameters of RMSProp for step n ≥ 1: rate·√(1−β₂ⁿ) and ε·√(1−β₂ⁿ). O(1).
func RMSPropStep(rate float64, n int) (step, eps float32) {
	c2 := math.Sqrt(1 - math.Pow(beta2, float64(n)))
	return float32(rate * c2), float32(epsilon * c2)
}
