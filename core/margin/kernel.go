package margin

// Kernel is a Folded laid out for matrix products over many triplets: h, w and H are padded with zeros to whole vectors
// of 8 (h′, w′, H′), and P and Q are stored with their transposes. Padding changes no result, because padded inputs and
// weights are 0. Load must fill the zero value.
type Kernel struct {
	input  Input
	H, h   int       // of the network
	hp, wp int       // h′ and w′
	Hp     int       // H′
	p, pt  []float32 // H′×w′ and w′×H′
	q, qt  []float32 // H′×h′ and h′×H′
	b1, w2 []float32 // H′
	b2     float32
	folded Folded
}

// Pad rounds n up to a multiple of 8, the length of a padded row of n values.
func Pad(n int) int { return (n + 7) &^ 7 }

// Load lays out n, reusing k's memory. O(H·h).
func (k *Kernel) Load(n *Network) {
	n.Fold(&k.folded)
	f := &k.folded
	k.input, k.H, k.h = n.Input, n.H, n.Dim()
	k.hp, k.Hp = Pad(k.h), Pad(k.H)
	k.wp = k.input.shared(k.hp)
	w := k.input.shared(k.h)
	k.p, k.pt = zeroed(k.p, k.Hp*k.wp), zeroed(k.pt, k.Hp*k.wp)
	k.q, k.qt = zeroed(k.q, k.Hp*k.hp), zeroed(k.qt, k.Hp*k.hp)
	k.b1, k.w2, k.b2 = zeroed(k.b1, k.Hp), zeroed(k.w2, k.Hp), f.B2
	copy(k.b1, f.B1)
	copy(k.w2, f.W2)
	for j := range k.H {
		for i, v := range f.P[j*w : (j+1)*w] {
			c := k.column(i)
			k.p[j*k.wp+c], k.pt[c*k.Hp+j] = v, v
		}
		for i, v := range f.Q[j*k.h : (j+1)*k.h] {
			k.q[j*k.hp+i], k.qt[i*k.Hp+j] = v, v
		}
	}
}

// column returns the padded position of column i of P. If P has two halves, each is padded separately.
func (k *Kernel) column(i int) int {
	if i >= k.h {
		return i - k.h + k.hp
	}
	return i
}

// Gradient accumulates a gradient by P, Q, b₁, w₂ and b₂ in a Kernel's layout. If only a few columns of Q follow its
// last whole vector of 16, they are accumulated separately, as rows: at the end of every row they would cost as much as
// 16.
type Gradient struct {
	p, q, b1, w2 []float32
	b2           float32
	rest         []float32 // h−main × H′: the columns of Q from main on
	main         int       // columns of Q in q
}

// few is the maximum number of columns accumulated separately.
const few = 4

// Reset sets g to zero, in the shape of k. O(H·h).
func (g *Gradient) Reset(k *Kernel) {
	g.p, g.q = zeroed(g.p, len(k.p)), zeroed(g.q, len(k.q))
	g.b1, g.w2, g.b2 = zeroed(g.b1, k.Hp), zeroed(g.w2, k.Hp), 0
	if g.main = k.h &^ 15; g.main == 0 || k.h-g.main > few {
		g.main = k.h
	}
	g.rest = zeroed(g.rest, (k.h-g.main)*k.Hp)
}

// AddTo adds g, accumulated with k, to the gradient n by Φ: the transpose of Load. O(H·h).
func (g *Gradient) AddTo(n *Network, k *Kernel) {
	h, s, w := k.h, n.Input.Width(k.h), k.input.shared(k.h)
	for j := range k.H {
		row, q := n.W1[j*s:(j+1)*s], g.q[j*k.hp:j*k.hp+h]
		for i := g.main; i < h; i++ {
			q[i] = g.rest[(i-g.main)*k.Hp+j]
		}
		for i := range w {
			p := g.p[j*k.wp+k.column(i)]
			row[i] += p
			if n.Input == Difference {
				row[2*h+i] -= p
			}
		}
		switch n.Input {
		case Difference:
			for i, v := range q {
				row[h+i] += v
				row[2*h+i] += v
			}
		case Cat:
			for i, v := range q {
				row[2*h+i] += v
			}
		case Add:
			for i, v := range q {
				row[i] += v
			}
		}
		n.B1[j] += g.b1[j]
		n.W2[j] += g.w2[j]
	}
	n.B2 += g.b2
}

func zeroed(x []float32, n int) []float32 {
	x = resize(x, n)
	clear(x)
	return x
}
