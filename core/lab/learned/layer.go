package learned

import (
	"math"
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// layer is a dense layer y = xW + b, applied to n rows at once.
type layer struct {
	in, out int
	w       *Param // in×out
	b       *Param // 1×out
}

// newLayer draws W from U(−a, a), a = √(6/(in+out)) (Glorot and Bengio 2010); b is zero.
func newLayer(name string, in, out int, r *rand.Rand) layer {
	l := layer{in, out, NewParam(name+".W", in, out), NewParam(name+".b", 1, out)}
	a := math.Sqrt(6 / float64(in+out))
	for i := range l.w.Data {
		l.w.Data[i] = float32((2*r.Float64() - 1) * a)
	}
	return l
}

// forward writes y (n×out) for x (n×in). O(n·in·out).
func (l *layer) forward(y, x []float32, n int) {
	for i := range n {
		copy(y[i*l.out:], l.b.Data)
	}
	vec.Gemm(y, l.out, x, l.in, 1, l.w.Data, l.out, n, l.out, l.in)
}

// backward adds the gradient of W and b to g, given y's (n×out), and writes x's (n×in) into dx:
//
//	∂L/∂W = xᵀ ∂L/∂y    ∂L/∂b = Σ_i ∂L/∂y_i    ∂L/∂x = ∂L/∂y Wᵀ
//
// O(n·in·out).
func (l *layer) backward(g *Gradient, dx, dy, x []float32, n int) {
	vec.Gemm(g.All(l.w), l.out, x, 1, l.in, dy, l.out, l.in, l.out, n)
	db := g.Row(l.b, 0)
	for i := range n {
		vec.Axpy(1, dy[i*l.out:(i+1)*l.out], db)
	}
	transposed := make([]float32, l.in*l.out)
	for i := range l.in {
		for o := range l.out {
			transposed[o*l.in+i] = l.w.Data[i*l.out+o]
		}
	}
	clear(dx[:n*l.in])
	vec.Gemm(dx, l.in, dy, l.out, 1, transposed, l.in, n, l.in, l.out)
}

// rectify sets negative elements of x to 0.
func rectify(x []float32) {
	for i, v := range x {
		x[i] = max(v, 0)
	}
}

// unrectify sets elements of the gradient dx to 0 where rectify did so in x.
func unrectify(dx, x []float32) {
	for i, v := range x {
		if v == 0 {
			dx[i] = 0
		}
	}
}
