package margin

import "fmt"

// Input names what the network sees of a triplet: the form of s_ijk.
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

// ParseInput returns the input form of that name.
func ParseInput(name string) (Input, error) {
	for _, in := range []Input{Difference, Cat, Add} {
		if in.String() == name {
			return in, nil
		}
	}
	return 0, fmt.Errorf("unknown margin input %q: it must be difference, cat or add", name)
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
	W1    []float32 // H×S, row after row
	B1    []float32 // H
	W2    []float32 // H
	B2    float32
}
