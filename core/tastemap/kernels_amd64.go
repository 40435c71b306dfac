package tastemap

import "golang.org/x/sys/cpu"

// useAVX512 says whether this CPU walks the tree for eight points at once. Tests switch it off.
var useAVX512 = cpu.X86.HasAVX512F

// repulsions8 writes fx, fy and the weights of repulsion for eight points, with the square of its opening; xs and ys
// have the coordinates of all points.
//
//go:noescape
func repulsions8(cells *cell, count int, x, y, xs, ys *float64, opening float64, out *[24]float64)

// repulsions gives the bits of repulsionsGo. Points adjacent on the Morton curve walk nearly the same cells.
func (t *tree) repulsions(push []float64, from, to int, opening float64) (sum float64) {
	if !useAVX512 || len(t.order) < 8 {
		return t.repulsionsGo(push, from, to, opening)
	}
	var out [24]float64
	for at := from; at < to; at += 8 {
		first := max(min(at, to-8), 0) // the last eight may include earlier points again
		repulsions8(&t.cells[0], len(t.cells), &t.x[first], &t.y[first], &t.x[0], &t.y[0], opening*opening, &out)
		for k := at - first; k < 8 && first+k < to; k++ {
			i := t.order[first+k]
			push[2*i], push[2*i+1] = out[k], out[8+k]
			sum += out[16+k] - 1
		}
	}
	return sum
}
