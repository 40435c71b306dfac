package rank

import (
	"cmp"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// lens is the map f of Sieve, and the grid that its numbers are rounded to.
type lens struct {
	w, p   int
	centre []float64 // w
	axes   []float32 // p×w: orthonormal axes, each of length size
	norms  []float64 // p: ‖axis‖² as it is kept
	size   float64   // how long rows are from the centre, typically
	grid   [vec.Codes]struct{ low, step, perStep float64 }
}

// looking is the working memory of look.
type looking struct {
	numbers   [vec.Codes]float64
	from      []float32 // w: the row from the centre
	distances []float32 // p
}

func (l *lens) looking() looking {
	return looking{from: make([]float32, l.w), distances: make([]float32, l.p)}
}

// newLens fits a lens to a sample of rows that lie one after the other. O(sample·w² + w²·p).
func newLens(w int, sample []float32, scan Scan, rest func()) lens {
	l := lens{w: w, p: min(w, vec.Codes-1), centre: make([]float64, w)}
	x, count := make([]float64, w), float64(len(sample)/w)
	for at := 0; at < len(sample); at += w {
		for d, v := range sample[at : at+w] {
			l.centre[d] += float64(v)
		}
	}
	for d := range l.centre {
		l.centre[d] /= max(count, 1)
	}
	covariance := make([]float64, w*w)
	for at := 0; at < len(sample); at += w {
		for d, v := range sample[at : at+w] {
			x[d] = float64(v) - l.centre[d]
		}
		for d, v := range x {
			v /= count
			for e, u := range x[:d+1] {
				covariance[d*w+e] += v * u
			}
		}
		if at/w&63 == 63 {
			rest()
		}
	}
	square := 0.0
	for d := range w {
		for e := range d {
			covariance[e*w+d] = covariance[d*w+e]
		}
		square += covariance[d*w+d]
	}
	// Whatever size is, the bounds hold; it only must not be 0, nor beyond what float32 holds.
	l.size = max(min(math.Sqrt(square), 1e15), 1e-15)
	if l.size != l.size {
		l.size = 1
	}
	l.axes, l.norms = make([]float32, l.p*w), make([]float64, l.p)
	for j, v := range principal(covariance, w, l.p, rest) {
		v *= l.size
		l.axes[j] = float32(v)
		l.norms[j/w] += float64(l.axes[j]) * float64(l.axes[j])
	}
	// The grid: sixteen steps of a third of a standard deviation, the best for what is normally distributed (Max 1960).
	var sum, sumSquares [vec.Codes]float64
	look := l.looking()
	for at := 0; at < len(sample); at += w {
		l.look(&look, sample[at:at+w], scan)
		for j, v := range look.numbers {
			sum[j] += v
			sumSquares[j] += v * v
		}
		if at/w&255 == 255 {
			rest()
		}
	}
	for j := range l.grid {
		g, mean := &l.grid[j], sum[j]/max(count, 1)
		g.step = 0.335 * math.Sqrt(max(sumSquares[j]/max(count, 1)-mean*mean, 0))
		if !(g.step > 1e-15 && g.step < 1e15) {
			g.step = 0
		} else {
			g.perStep = 1 / g.step
		}
		g.low = mean - 7.5*g.step
		if !(math.Abs(g.low) < 1e15) {
			g.low = 0
		}
	}
	return l
}

// look writes f(row) to own.numbers and returns how far off it may be, as a whole. An axis a of length s takes part by
//
//	a·x = (‖x‖² + ‖a‖² − ‖x−a‖²)/2
//
// whose last term is a scan's and off by ε of it (scanError). So the coordinate, that over s, is off by δ = ε(‖x‖+s)²/2s, all of them by 8δ; r², the difference of two squares, by
// E = 16δ‖x‖ + 64δ², and r by the lesser of √E and E/r.
func (l *lens) look(own *looking, row []float32, scan Scan) float64 {
	square := 0.0
	for d, v := range row {
		x := float32(float64(v) - l.centre[d])
		own.from[d] = x
		square += float64(x) * float64(x)
	}
	scan(own.distances, own.from, l.axes)
	left, half := square, 0.5/l.size
	for j, d := range own.distances {
		x := (square + l.norms[j] - float64(d)) * half
		own.numbers[j] = x
		left -= x * x
	}
	length := math.Sqrt(square)
	off := scanError(l.w)*(length+l.size)*(length+l.size)*half + 0x1p-20*length + 1e-30
	wrong := 8 * off
	if l.p < l.w { // else the axes leave nothing
		e, r := 16*off*length+64*off*off, math.Sqrt(max(left, 0))
		own.numbers[l.p] = r
		wrong += min(math.Sqrt(e), e/r)
	}
	return wrong
}

// turn writes the query for Sift to own.query. Returned are how far f(query) may be off, its square from the lowest codes, and
// what a unit of the query stands for.
func (l *lens) turn(own *sieving, query []float32, scan Scan) (off, norm, step float64) {
	off = l.look(&own.look, query, scan)
	most := 0.0
	numbers := &own.look.numbers
	for j, x := range numbers {
		x -= l.grid[j].low
		norm += x * x
		numbers[j] = x * l.grid[j].step
		most = max(most, math.Abs(numbers[j]))
	}
	step = float64(float32(most / 32767))
	for j, x := range numbers {
		own.query[j] = 0
		if step > 0 {
			own.query[j] = int16(max(-32767, min(32767, math.RoundToEven(x/step))))
		}
	}
	return off, norm, step
}

// principal returns p orthonormal axes (p×w) that lie near the leading principal ones of a covariance (w×w): subspace iteration
// from the coordinates that vary most. Where few directions vary, the rest are whatever is orthogonal to them. O(w²·p).
func principal(covariance []float64, w, p int, rest func()) []float64 {
	order := make([]int, w)
	for d := range order {
		order[d] = d
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(covariance[b*w+b], covariance[a*w+a]) })
	axes, next := make([]float64, p*w), make([]float64, p*w)
	for j := range p {
		axes[j*w+order[j]] = 1
	}
	for range 8 {
		for j := range p {
			for d := range w {
				next[j*w+d] = dot(covariance[d*w:(d+1)*w], axes[j*w:(j+1)*w])
			}
			rest()
		}
		axes, next = next, axes
		orthonormal(axes, w, order)
		rest()
	}
	return axes
}

// orthonormal makes rows of width w orthonormal one after the other (Gram and Schmidt, twice, which is enough). A row of which
// nothing is left becomes a coordinate's, of those in order the first of which something is left.
func orthonormal(rows []float64, w int, order []int) {
	spare := 0
	for j := 0; j < len(rows); j += w {
		row := rows[j : j+w]
		for {
			before := math.Sqrt(dot(row, row))
			for range 2 {
				for i := 0; i < j; i += w {
					c := dot(row, rows[i:i+w])
					for d, x := range rows[i : i+w] {
						row[d] -= c * x
					}
				}
			}
			if after := math.Sqrt(dot(row, row)); after > 1e-6*before && after > 1e-150 {
				for d := range row {
					row[d] /= after
				}
				break
			}
			clear(row)
			row[order[spare]] = 1
			spare++
		}
	}
}

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var even, odd float64
	i := 0
	for ; i+1 < len(a); i += 2 {
		even += a[i] * b[i]
		odd += a[i+1] * b[i+1]
	}
	if i < len(a) {
		even += a[i] * b[i]
	}
	return even + odd
}
