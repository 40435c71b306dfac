package vec

import "strconv"

// Kernels over rows of a table selected by number. x holds rows of the same length as the kernel's other rows; numbers
// are only checked against x's length. The results have the same bits as a call for each row.

// AccumulateRows adds Σ_i c_i·x[rows_i] to y, where row r of x is x[r·n:(r+1)·n], n = len(y). Every element is summed
// in the order of i, exactly like len(rows) calls of Axpy, but y is read and written only once. O(n·len(rows)).
func AccumulateRows(y, c, x []float32, rows []int32) {
	n := len(y)
	c = c[:len(rows)]
	if useAVX512 && n > 0 && len(rows) > 0 {
		inside(rows, n, len(x))
		accumulateRows512(&y[0], n, &c[0], &x[0], &rows[0], len(rows), 1)
		return
	}
	for i, r := range rows {
		Axpy(c[i], x[int(r)*n:(int(r)+1)*n], y)
	}
}

// SumRows is AccumulateRows from zero: it writes Σ_i c_i·x[rows_i] to y.
func SumRows(y, c, x []float32, rows []int32) {
	n := len(y)
	if useAVX512 && n > 0 && len(rows) > 0 {
		c = c[:len(rows)]
		inside(rows, n, len(x))
		accumulateRows512(&y[0], n, &c[0], &x[0], &rows[0], len(rows), 0)
		return
	}
	clear(y)
	AccumulateRows(y, c, x, rows)
}

// inside panics if a row of n values is not within size.
func inside(rows []int32, n, size int) {
	top := uint32(size / n)
	for _, r := range rows {
		if uint32(r) >= top {
			panic(RowError{r, int(top)})
		}
	}
}

// RowError is the panic value of the kernels over lists for a row outside the table.
type RowError struct {
	Row  int32
	Rows int
}

func (e RowError) Error() string {
	return "vec: a list names row " + strconv.Itoa(int(e.Row)) + " of a table of " + strconv.Itoa(e.Rows)
}

// Prefetch asks the CPU to load rows of x, n values each, into its caches. Without it, loading a row from main memory
// takes as long as several kernels' work on it. It changes no data. O(n·len(rows)).
func Prefetch(x []float32, n int, rows []int32) {
	if len(x) > 0 && len(rows) > 0 {
		prefetchRows(&x[0], n, &rows[0], len(rows))
	}
}

// SquaredDistancesOf writes ‖query − x[rows_i]‖² to dst_i, for rows of len(query) values. It prefetches the rows in
// ahead, which has the same length or is empty, for the caller's next call. O(len(query)·len(rows)).
func SquaredDistancesOf(dst, query, x []float32, rows, ahead []int32) {
	w := len(query)
	dst = dst[:len(rows)]
	if fast(w) && len(rows) > 0 {
		inside(rows, w, len(x))
		squaredDistancesOf(&dst[0], &query[0], &x[0], &rows[0], &near(rows, ahead)[0], w, len(rows))
		return
	}
	for i, r := range rows {
		dst[i] = SquaredDistance(query, x[int(r)*w:(int(r)+1)*w])
	}
}

// near returns the rows to prefetch: ahead or, if that is too short, the rows themselves, which are loaded anyway.
func near(rows, ahead []int32) []int32 {
	if len(ahead) < len(rows) {
		return rows
	}
	return ahead
}

// SampleDiffs is SampleDiff for every row of the list. The i-th result and noise are the i-th rows of h values in diff,
// z and eps. h = len(xa), and x has rows of 2h. O(h·len(rows)).
func SampleDiffs(diff, z, xa, x []float32, rows []int32, eps []float32) {
	h, n := len(xa), len(rows)
	diff, z = diff[:n*h], z[:n*h]
	if eps != nil && fast(h) && n > 0 {
		_ = eps[n*h-1]
		inside(rows, 2*h, len(x))
		sampleDiffs(&diff[0], &z[0], &xa[0], &x[0], &rows[0], &eps[0], h, n, wideBlocks(h))
		return
	}
	for i, r := range rows {
		SampleDiff(diff[i*h:(i+1)*h], z[i*h:], xa, x[int(r)*2*h:(int(r)+1)*2*h], noiseOf(eps, i, h))
	}
}

// noiseOf returns row i of eps; nil stays nil.
func noiseOf(eps []float32, i, h int) []float32 {
	if eps == nil {
		return nil
	}
	return eps[i*h : (i+1)*h]
}

// The following kernels process only some rows of a list, at the positions k = at_i. Data of the whole list are in row
// k of their table, data of the chosen rows alone in row i.

// TwoDiffs is TwoDiff for the chosen rows: dst_i from diff_k, x[rows_k] and eps_k. It also writes the square of diff_k
// to square_i. ahead is as in SquaredDistancesOf. O(h·len(at)).
func TwoDiffs(dst, square, diff, va, x []float32, rows, ahead []int32, eps []float32, at []int32) {
	h, n := len(va), len(at)
	dst, square = dst[:n*h], square[:n*h]
	if eps != nil && fast(h) && n > 0 {
		chosen(at, len(rows))
		_, _ = eps[len(rows)*h-1], diff[len(rows)*h-1]
		inside(rows, 2*h, len(x))
		twoDiffs(&dst[0], &square[0], &diff[0], &va[0], &x[0], &rows[0], &near(rows, ahead)[0], &eps[0], &at[0], h, n,
			wideBlocks(h))
		return
	}
	for i, k := range at {
		d := diff[int(k)*h : (int(k)+1)*h]
		TwoDiff(dst[i*h:(i+1)*h], d, va, x[int(rows[k])*2*h:(int(rows[k])+1)*2*h], noiseOf(eps, int(k), h))
		for j, v := range d {
			square[i*h+j] = v * v
		}
	}
}

// TripletsBackward is TripletBackward for the chosen rows, with grad_k, x[rows_k], diff_k, beta_i, eps_k and c_k; accD
// and accX accumulate over the chosen rows. O(h·len(at)).
func TripletsBackward(grad, accD, accX, anchor, x []float32, rows []int32, diff, beta, eps, c []float32, at []int32) {
	h, n, all := len(accX), len(at), len(rows)
	accD, anchor = accD[:2*h], anchor[:2*h]
	if eps != nil && fast(h) && n > 0 {
		chosen(at, all)
		_, _, _, _, _ = grad[all*2*h-1], diff[all*h-1], beta[n*h-1], eps[all*h-1], c[all-1]
		inside(rows, 2*h, len(x))
		tripletsBackward(&grad[0], &accD[0], &accX[0], &anchor[0], &x[0], &rows[0], &diff[0], &beta[0], &eps[0], &c[0],
			&at[0], h, n, wideBlocks(h))
		return
	}
	for i, at := range at {
		k := int(at)
		r := int(rows[k])
		TripletBackward(grad[k*2*h:(k+1)*2*h], accD, accX, anchor, x[r*2*h:(r+1)*2*h], diff[k*h:(k+1)*h],
			beta[i*h:(i+1)*h], noiseOf(eps, k, h), c[k])
	}
}

// SlopesScale is SlopeScale for the chosen rows: e_i from g_k and c_k. It also adds every e_i to sum. O(h·len(at)).
func SlopesScale(e, sum, g, w2, c []float32, at []int32) {
	h, n := len(w2), len(at)
	e, sum = e[:n*h], sum[:h]
	if fast(h) && n > 0 {
		chosen(at, min(len(c), len(g)/h))
		slopesScale(&e[0], &sum[0], &g[0], &w2[0], &c[0], &at[0], h, n, wideBlocks(h))
		return
	}
	for i, k := range at {
		SlopeScale(e[i*h:(i+1)*h], g[int(k)*h:(int(k)+1)*h], w2, c[k])
		Axpy(1, e[i*h:(i+1)*h], sum)
	}
}

// SecondOrders is SecondOrder for the chosen rows, with weight_k, s_k and g_k. It replaces t_i by da_i, and writes
// dt_i. It adds every da_i to sumA and every dt_i to sumT, and returns Σρ, summed starting from b. O(h·len(at)).
func SecondOrders(t, dt, gw, sumA, sumT, g, w2, weight, s []float32, at []int32, b float32) float32 {
	h, n := len(w2), len(at)
	t, dt, gw, sumA, sumT = t[:n*h], dt[:n*h], gw[:h], sumA[:h], sumT[:h]
	for fast(h) && len(at) > 0 {
		n = min(len(at), 32)
		var kappa, ws [32]float32
		chosen(at[:n], min(len(weight), len(s), len(g)/h))
		slopeDots(&kappa[0], &g[0], &t[0], &w2[0], &at[0], h, n)
		for i, k := range at[:n] {
			ws[i] = weight[k] * s[k]
			kappa[i] *= ws[i] * (1 - s[k]) // now ρ
			b += kappa[i]
		}
		secondOrders(&t[0], &dt[0], &gw[0], &sumA[0], &sumT[0], &g[0], &w2[0], &kappa[0], &ws[0], &at[0], h, n,
			wideBlocks(h))
		at, t, dt = at[n:], t[n*h:], dt[n*h:]
	}
	for i, k := range at {
		da, dt := t[i*h:(i+1)*h], dt[i*h:(i+1)*h]
		b += SecondOrder(da, dt, gw, g[int(k)*h:(int(k)+1)*h], da, w2, weight[k], s[k])
		Axpy(1, da, sumA)
		Axpy(1, dt, sumT)
	}
	return b
}

// chosen panics if a position in at is outside a list of n.
func chosen(at []int32, n int) {
	for _, k := range at {
		if uint32(k) >= uint32(n) {
			panic(RowError{k, n})
		}
	}
}

// Spread writes n copies of row to dst, n = len(dst)/len(row). O(len(dst)).
func Spread(dst, row []float32) {
	h := len(row)
	if fast(h) && len(dst) >= h {
		spread(&dst[0], &row[0], h, len(dst)/h)
		return
	}
	for i := 0; i+h <= len(dst) && h > 0; i += h {
		copy(dst[i:i+h], row)
	}
}
