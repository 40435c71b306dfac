package margin

import "slices"

// Folded is a Network rearranged for one pair (a,p) with many negatives q. All input forms are linear in a part r that
// depends only on the pair, and a part z_q that depends on the negative, so with matrices P and Q
//
//	a₁ = b₁ + P·r + Q·z_q
//
//	Difference   r = y² ∈ R^h            P = A − C      z_q = z²    Q = B + C     (W₁ = [A|B|C], as s₃ = s₂ − s₁)
//	Cat          r = [x_a; x_p] ∈ R^{2h} P = [A|B]      z_q = x_q   Q = C
//	Add          r = x_a + x_p ∈ R^h     P = A          z_q = x_q   Q = A
//
// P·r is computed once per pair, and a negative costs H·h multiplications instead of H·3h. Network.Fold must fill the
// zero value. Inference uses it directly, training through Kernel.
type Folded struct {
	Input  Input
	H      int       // hidden width
	P      []float32 // H×w, w the width of r
	Q      []float32 // H×h
	B1, W2 []float32 // H
	B2     float32
}

// Fold rearranges n into f, reusing f's memory. O(H·h).
func (n *Network) Fold(f *Folded) {
	h := n.Dim()
	f.Input, f.H = n.Input, n.H
	w := n.Input.shared(h)
	f.P, f.Q = resize(f.P, n.H*w), resize(f.Q, n.H*h)
	s := n.Input.Width(h)
	for j := range n.H {
		row, p, q := n.W1[j*s:(j+1)*s], f.P[j*w:(j+1)*w], f.Q[j*h:(j+1)*h]
		switch n.Input {
		case Difference:
			for i := range h {
				p[i], q[i] = row[i]-row[2*h+i], row[h+i]+row[2*h+i]
			}
		case Cat:
			copy(p, row)
			copy(q, row[2*h:])
		case Add:
			copy(p, row)
			copy(q, row)
		}
	}
	f.B1, f.W2, f.B2 = n.B1, n.W2, n.B2
}

// shared returns w, the width of the part r that a pair's triplets share.
func (in Input) shared(h int) int {
	if in == Cat {
		return 2 * h
	}
	return h
}

func resize(x []float32, n int) []float32 { return slices.Grow(x[:0], n)[:n] }
