package margin

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Input names the network's input of a triplet: the form of s_ijk.
type Input uint8

// The input forms. x are the sampled embeddings, y = x_a−x_p, z = x_a−x_q.
const (
	Difference Input = iota // s = [y²; z²; z²−y²] ∈ R^{3h}, the paper's (Eq. 13)
	Cat                     // s = [x_a; x_p; x_q] ∈ R^{3h}, ablation (4)
	Add                     // s = x_a + x_p + x_q ∈ R^h, ablation (5)
)

func (in Input) String() string {
	switch in {
	case Difference:
		return "difference"
	case Cat:
		return "cat"
	case Add:
		return "add"
	}
	return fmt.Sprintf("margin.Input(%d)", uint8(in))
}

// ParseInput returns the named input form.
func ParseInput(name string) (Input, error) {
	for _, in := range []Input{Difference, Cat, Add} {
		if in.String() == name {
			return in, nil
		}
	}
	return 0, fmt.Errorf("unknown margin input %q: it must be difference, cat or add", brief.Text(name))
}

// Width returns S, the length of s for latent dimension h.
func (in Input) Width(h int) int {
	if in == Add {
		return h
	}
	return 3 * h
}

// Network is the margin network f(i,j,k;Φ) with Φ = (W1, b1, w2, b2) (Eq. 12).
type Network struct {
	Input Input
	H     int       // hidden width
	W1    []float32 // H×S, row by row
	B1    []float32 // H
	W2    []float32 // H
	B2    float32
}

// NewNetwork returns a network for latent dimension h with weights drawn uniformly within ±1/√fan-in, like PyTorch's
// Linear; the paper leaves the initialisation open. It panics if h or hidden is not positive.
func NewNetwork(in Input, h, hidden int, r *rand.Rand) *Network {
	n := Zero(in, h, hidden)
	fill := func(x []float32, fanIn int) {
		bound := 1 / math.Sqrt(float64(fanIn))
		for i := range x {
			x[i] = float32((2*r.Float64() - 1) * bound)
		}
	}
	s := in.Width(h)
	fill(n.W1, s)
	fill(n.B1, s)
	fill(n.W2, hidden)
	b2 := []float32{0}
	fill(b2, hidden)
	n.B2 = b2[0]
	return n
}

// Zero returns a network of that shape with all parameters 0, which also represents a zero gradient by Φ.
func Zero(in Input, h, hidden int) *Network {
	if h < 1 || hidden < 1 {
		panic(ShapeError{h, hidden})
	}
	return &Network{
		Input: in,
		H:     hidden,
		W1:    make([]float32, hidden*in.Width(h)),
		B1:    make([]float32, hidden),
		W2:    make([]float32, hidden),
	}
}

// ShapeError is the panic value for impossible shapes.
type ShapeError struct{ Dim, Hidden int }

func (e ShapeError) Error() string {
	return fmt.Sprintf("margin: dimension %d and %d hidden units must both be positive", e.Dim, e.Hidden)
}

// Dim returns h, the latent dimension of the network.
func (n *Network) Dim() int { return len(n.W1) / n.H / n.Input.Width(1) }

// Parameters calls f for each parameter tensor of Φ, in the fixed order W1, b1, w2, b2.
func (n *Network) Parameters(f func(name string, values []float32)) {
	f("W1", n.W1)
	f("b1", n.B1)
	f("w2", n.W2)
	b2 := [1]float32{n.B2}
	f("b2", b2[:])
	n.B2 = b2[0]
}

// Clone returns a deep copy of n.
func (n *Network) Clone() *Network {
	c := *n
	c.W1, c.B1, c.W2 = slices.Clone(n.W1), slices.Clone(n.B1), slices.Clone(n.W2)
	return &c
}

// State writes s_ijk (Eq. 13) of the embeddings x_a, x_p, x_q ∈ R^h to s ∈ R^S. O(h).
func (n *Network) State(s, xa, xp, xq []float32) {
	h := len(xa)
	switch n.Input {
	case Difference:
		for i := range h {
			y, z := xa[i]-xp[i], xa[i]-xq[i]
			y2, z2 := float32(y*y), float32(z*z)
			s[i], s[h+i], s[2*h+i] = y2, z2, z2-y2
		}
	case Cat:
		copy(s, xa)
		copy(s[h:], xp)
		copy(s[2*h:], xq)
	case Add:
		for i := range h {
			s[i] = xa[i] + xp[i] + xq[i]
		}
	}
}

// Margin returns m for one triplet, directly by definition (Eqs. 12 to 14). With x = μ it is the margin at the means.
// Folded computes the same for many triplets at a fraction of the cost. O(H·S).
func (n *Network) Margin(xa, xp, xq []float32) float32 {
	s := make([]float32, n.Input.Width(len(xa)))
	n.State(s, xa, xp, xq)
	o := n.B2
	for j := range n.H {
		o += float32(n.W2[j] * vec.Tanh(vec.Dot(s, n.W1[j*len(s):])+n.B1[j]))
	}
	return vec.Softplus(o)
}
