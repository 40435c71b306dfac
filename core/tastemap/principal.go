package tastemap

import "math"

// principal returns the mean of the rows, their two directions (unit vectors) of largest variance, and the shares of
// the variance along them. The component of largest magnitude of each direction (the first on a tie) is positive. If
// all rows are equal, it returns the first two axes and shares of 0. The rows need at least two dimensions. The same
// bits everywhere. O(n·width² + width³).
func principal(rows Rows) (mean []float64, axes [2][]float64, shares [2]float64) {
	n, w := rows.Len(), rows.Width
	mean = make([]float64, w)
	for i := range n {
		for d, v := range rows.Row(i) {
			mean[d] += float64(v)
		}
	}
	for d := range mean {
		mean[d] /= float64(n)
	}
	cov, dev := make([]float64, w*w), make([]float64, w)
	for i := range n {
		for d, v := range rows.Row(i) {
			dev[d] = float64(v) - mean[d]
		}
		for a, v := range dev {
			row := cov[a*w : (a+1)*w]
			for b := a; b < w; b++ {
				row[b] += float64(v * dev[b])
			}
		}
	}
	total := 0.0
	for a := range w {
		for b := range a {
			cov[a*w+b] = cov[b*w+a]
		}
		total += cov[a*w+a]
	}
	values, vectors := leading(cov, w)
	for a := range axes {
		turn(vectors[a])
		axes[a] = vectors[a]
		if total > 0 {
			shares[a] = max(values[a], 0) / total
		}
	}
	return mean, axes, shares
}

// components returns the rows' first two principal components, interleaved as x and y.
func components(rows Rows) []float64 {
	mean, axes, _ := principal(rows)
	xy := make([]float64, 2*rows.Len())
	for i := range rows.Len() {
		for d, v := range rows.Row(i) {
			dev := float64(v) - mean[d]
			xy[2*i] += float64(dev * axes[0][d])
			xy[2*i+1] += float64(dev * axes[1][d])
		}
	}
	return xy
}

// Parameters of the iteration in leading: more vectors than needed make it converge faster.
const (
	spanned    = 8
	iterations = 300
)

// leading returns the two largest eigenvalues of the symmetric positive semidefinite matrix a (w×w) and their unit
// eigenvectors. It applies powers of a to a space of eight dimensions, and solves that by Jacobi rotations. It stops
// when the values no longer change, or after 300 rounds. O(w²) a round.
func leading(a []float64, w int) (values [2]float64, vectors [2][]float64) {
	k := min(spanned, w)
	space := make([][]float64, k)
	for v := range space {
		space[v] = make([]float64, w)
		for d := v; d < w; d += k {
			space[v][d] = 1 + float64(d%13)/16 // not orthogonal to any direction found in data
		}
	}
	orthonormal(space)
	image, inner := make([][]float64, k), make([]float64, k*k)
	for v := range image {
		image[v] = make([]float64, w)
	}
	for range iterations {
		for v, x := range space {
			for d := range w {
				image[v][d] = inner64(a[d*w:(d+1)*w], x)
			}
		}
		for p := range k {
			for q := range k {
				inner[p*k+q] = inner64(space[min(p, q)], image[max(p, q)])
			}
		}
		found, turned := eigen(inner, k)
		first, second := largest(found)
		before := values
		values = [2]float64{found[first], found[second]}
		for at, v := range [2]int{first, second} {
			vectors[at] = make([]float64, w)
			for p, x := range space {
				for d := range x {
					vectors[at][d] += float64(turned[p*k+v] * x[d])
				}
			}
		}
		if math.Abs(values[0]-before[0])+math.Abs(values[1]-before[1]) <= 1e-15*values[0] {
			break
		}
		space, image = image, space
		orthonormal(space)
	}
	return values, vectors
}

// largest returns the indices of the two largest numbers, ties to the first.
func largest(x []float64) (first, second int) {
	first, second = 0, 1
	if x[1] > x[0] {
		first, second = 1, 0
	}
	for d := 2; d < len(x); d++ {
		switch {
		case x[d] > x[first]:
			first, second = d, first
		case x[d] > x[second]:
			second = d
		}
	}
	return first, second
}

func inner64(x, y []float64) (sum float64) {
	for d, v := range x {
		sum += float64(v * y[d])
	}
	return sum
}

// orthonormal replaces the vectors by an orthonormal basis of their span (Gram-Schmidt, twice for accuracy). A vector
// that depends on earlier ones is replaced by the first axis that does not.
func orthonormal(vectors [][]float64) {
	for v, x := range vectors {
		for axis := -1; ; axis++ {
			if axis >= 0 {
				clear(x)
				x[axis] = 1
			}
			length := math.Sqrt(inner64(x, x))
			for range 2 {
				for _, y := range vectors[:v] {
					along := inner64(x, y)
					for d := range x {
						x[d] -= float64(along * y[d])
					}
				}
			}
			if left := math.Sqrt(inner64(x, x)); left > 1e-9*length {
				for d := range x {
					x[d] /= left
				}
				break
			}
		}
	}
}

// eigen returns the eigenvalues of the symmetric matrix a (w×w), which it overwrites, and its eigenvectors as columns,
// by Jacobi rotations. O(w³) per sweep; about eight sweeps.
func eigen(a []float64, w int) (values, vectors []float64) {
	vectors = make([]float64, w*w)
	for d := range w {
		vectors[d*w+d] = 1
	}
	rotate := func(m []float64, i, j int, c, s float64) {
		x, y := m[i], m[j]
		m[i], m[j] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	const sweeps = 30
	for range sweeps {
		off, on := 0.0, 0.0
		for p := range w {
			on += float64(a[p*w+p] * a[p*w+p])
			for q := p + 1; q < w; q++ {
				off += float64(a[p*w+q] * a[p*w+q])
			}
		}
		if off <= 1e-30*on {
			break
		}
		for p := range w {
			for q := p + 1; q < w; q++ {
				if a[p*w+q] == 0 {
					continue
				}
				theta := (a[q*w+q] - a[p*w+p]) / (2 * a[p*w+q])
				t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
				if theta < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(float64(t*t)+1)
				s := t * c
				for k := range w {
					rotate(a, k*w+p, k*w+q, c, s)
				}
				for k := range w {
					rotate(a, p*w+k, q*w+k, c, s)
				}
				for k := range w {
					rotate(vectors, k*w+p, k*w+q, c, s)
				}
			}
		}
	}
	values = make([]float64, w)
	for d := range values {
		values[d] = a[d*w+d]
	}
	return values, vectors
}

// turn flips the axis if its largest component is negative.
func turn(axis []float64) {
	best := 0
	for i, v := range axis {
		if math.Abs(v) > math.Abs(axis[best]) {
			best = i
		}
	}
	if axis[best] < 0 {
		for i := range axis {
			axis[i] = -axis[i]
		}
	}
}
