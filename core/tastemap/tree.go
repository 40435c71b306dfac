package tastemap

import "github.com/pmlam/pmlam/core/internal/vec"

// tree is a quadtree over points in the plane, for the Barnes-Hut sums (1986). Its cells are in depth-first order, so a
// walk needs no stack: it goes to the next cell, or skips the cells inside.
type tree struct {
	cells []cell
	order []int32   // the points along the Morton curve (1966), so a cell's points are contiguous
	x, y  []float64 // their coordinates in that order
	codes []coded
	other []coded // scratch memory of sort
}

// cell is a square with the points order[from:to].
type cell struct {
	x, y     float64 // mean of its points
	mass     float64 // number of its points
	size     float64 // square of its side length
	from, to int32
	skip     int32 // the next cell outside of this one
	leaf     bool  // no cells inside: its points are summed one by one
}

type coded struct {
	code  uint64
	point int32
}

const (
	codeBits = 24 // of one axis
	leafSize = 8  // most points of a leaf, unless they coincide
)

// build makes the tree of the points (xy[2i], xy[2i+1]). O(n log n).
func (t *tree) build(xy []float64) {
	n := len(xy) / 2
	lowX, lowY, side := frame(xy)
	t.codes = t.codes[:0]
	for i := range n {
		t.codes = append(t.codes, coded{
			spread(cellOf(xy[2*i]-lowX, side)) | spread(cellOf(xy[2*i+1]-lowY, side))<<1, int32(i),
		})
	}
	t.sort()
	t.order, t.x, t.y, t.cells = t.order[:0], t.x[:0], t.y[:0], t.cells[:0]
	for _, c := range t.codes {
		t.order = append(t.order, c.point)
		t.x, t.y = append(t.x, xy[2*c.point]), append(t.y, xy[2*c.point+1])
	}
	t.split(0, int32(n), codeBits, side*side)
}

// sort sorts codes, points of the same code by their index, which is their order before: by the digits of the codes,
// the lowest first. O(n).
func (t *tree) sort() {
	const digit, digits = 12, 2 * codeBits / 12
	var counts [digits][1 << digit]int32
	for _, c := range t.codes {
		for d := range counts {
			counts[d][c.code>>(d*digit)%(1<<digit)]++
		}
	}
	t.other = vec.Resize(t.other, len(t.codes))
	for d := range counts {
		at, next := &counts[d], int32(0)
		for v, n := range at {
			at[v] = next
			next += n
		}
		for _, c := range t.codes {
			to := &at[c.code>>(d*digit)%(1<<digit)]
			t.other[*to] = c
			*to++
		}
		t.codes, t.other = t.other, t.codes
	}
}

// frame returns the corner and the side of the smallest square with all points.
func frame(xy []float64) (lowX, lowY, side float64) {
	lowX, lowY = xy[0], xy[1]
	highX, highY := lowX, lowY
	for i := 0; i < len(xy); i += 2 {
		lowX, highX = min(lowX, xy[i]), max(highX, xy[i])
		lowY, highY = min(lowY, xy[i+1]), max(highY, xy[i+1])
	}
	return lowX, lowY, max(highX-lowX, highY-lowY)
}

// cellOf returns the index of the cell, of 2^codeBits along an axis, that contains a coordinate in [0,side].
func cellOf(v, side float64) uint64 {
	const cells = 1 << codeBits
	if !(side > 0) {
		return 0
	}
	return min(uint64(v/side*cells), cells-1)
}

// spread inserts a zero between the bits of the lower half.
func spread(v uint64) uint64 {
	v = (v | v<<16) & 0x0000ffff0000ffff
	v = (v | v<<8) & 0x00ff00ff00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f0f0f0f0f
	v = (v | v<<2) & 0x3333333333333333
	return (v | v<<1) & 0x5555555555555555
}

// split appends the cell of the points [from, to), and the cells inside it. bits is the number of code bits left to
// split on.
func (t *tree) split(from, to int32, bits uint, size float64) {
	at := len(t.cells)
	c := cell{mass: float64(to - from), size: size, from: from, to: to, leaf: to-from <= leafSize || bits == 0}
	for i := from; i < to; i++ {
		c.x += t.x[i]
		c.y += t.y[i]
	}
	c.x /= c.mass
	c.y /= c.mass
	t.cells = append(t.cells, c)
	if !c.leaf {
		shift := 2 * (bits - 1)
		for first := from; first < to; {
			quarter, last := t.codes[first].code>>shift, first+1
			for last < to && t.codes[last].code>>shift == quarter {
				last++
			}
			t.split(first, last, bits-1, size/4)
			first = last
		}
	}
	t.cells[at].skip = int32(len(t.cells))
}

// repulsion returns Σ_j w² (y − y_j) and Σ_j w over all points j, w = 1/(1 + ‖y − y_j‖²), for the point order[i]. A
// cell whose side is below opening times its distance counts as points at its mean. The point itself adds 1 to the sum
// of weights.
func (t *tree) repulsion(i int, opening float64) (fx, fy, weights float64) {
	x, y := t.x[i], t.y[i]
	opening *= opening
	for at := 0; at < len(t.cells); {
		c := &t.cells[at]
		dx, dy := x-c.x, y-c.y
		square := float64(dx*dx) + float64(dy*dy)
		switch {
		case c.size < float64(opening*square):
			w := 1 / (1 + square)
			m := float64(c.mass * w)
			weights += m
			m *= w
			fx += float64(m * dx)
			fy += float64(m * dy)
			at = int(c.skip)
		case c.leaf:
			for j := c.from; j < c.to; j++ {
				dx, dy := x-t.x[j], y-t.y[j]
				w := 1 / (1 + (float64(dx*dx) + float64(dy*dy)))
				weights += w
				w *= w
				fx += float64(w * dx)
				fy += float64(w * dy)
			}
			at = int(c.skip)
		default:
			at++
		}
	}
	return fx, fy, weights
}

// repulsionsGo writes the repulsion of the points order[from:to] to push and returns the sum of their weights, of which
// the own weight of each, 1, is left out.
func (t *tree) repulsionsGo(push []float64, from, to int, opening float64) (sum float64) {
	for at := from; at < to; at++ {
		fx, fy, weights := t.repulsion(at, opening)
		i := t.order[at]
		push[2*i], push[2*i+1] = fx, fy
		sum += weights - 1
	}
	return sum
}
