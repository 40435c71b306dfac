package vec

import "slices"

// Row returns row r of x, which holds contiguous rows of width values. It shares x's memory.
func Row(x []float32, r, width int) []float32 { return x[r*width : (r+1)*width : (r+1)*width] }

// Resize returns x with length n and undefined content, in its own memory if that is large enough.
func Resize[T any](x []T, n int) []T { return slices.Grow(x[:0], n)[:n] }

// Dot returns Σ x_i·y_i. y must be at least as long as x. O(n).
func Dot(x, y []float32) float32 {
	y = y[:len(x)]
	if useAVX && len(x) > 0 {
		return dotAVX(&x[0], &y[0], len(x))
	}
	return dotGo(x, y)
}

// SquaredDistance returns Σ (x_i−y_i)². y must be at least as long as x. O(n).
func SquaredDistance(x, y []float32) float32 {
	y = y[:len(x)]
	if useAVX && len(x) > 0 {
		return squaredDistanceAVX(&x[0], &y[0], len(x))
	}
	return squaredDistanceGo(x, y)
}

// SquaredDistances writes ‖query − row_i‖² to dst[i] for the contiguous rows in rows, len(dst)×len(query).
// O(len(rows)).
func SquaredDistances(dst, query, rows []float32) {
	w := len(query)
	rows = rows[:len(dst)*w]
	n := 0
	if useAVX && w > 0 && len(dst) >= 4 {
		n = len(dst) &^ 3
		squaredDistances4AVX(&dst[0], &query[0], w, &rows[0], n/4)
	}
	for i := n; i < len(dst); i++ {
		dst[i] = SquaredDistance(query, rows[i*w:(i+1)*w])
	}
}

// Axpy adds alpha·x to y. y must be at least as long as x. O(n).
func Axpy(alpha float32, x, y []float32) {
	y = y[:len(x)]
	if useAVX && len(x) > 0 {
		axpyAVX(alpha, &x[0], &y[0], len(x))
		return
	}
	axpyGo(alpha, x, y)
}

// ScaleFloor replaces every x_i by max(c·x_i, least). O(n).
func ScaleFloor(c float32, x []float32, least float32) {
	if useAVX && len(x) > 0 {
		scaleFloorAVX(c, &x[0], least, len(x))
		return
	}
	scaleFloorGo(c, x, least)
}

// AxpyInto writes y + alpha·x to dst, with the same bits as Axpy. x and y must be at least as long as dst. O(n).
func AxpyInto(dst []float32, alpha float32, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	if useAVX && len(dst) > 0 {
		axpyIntoAVX(&dst[0], alpha, &x[0], &y[0], len(dst))
		return
	}
	axpyIntoGo(dst, alpha, x, y)
}

// MatVec writes W·x to dst: W is len(dst)×len(x), row-major. O(len(w)).
func MatVec(dst, w, x []float32) {
	width := len(x)
	w = w[:len(dst)*width]
	n := 0
	if useAVX && width > 0 && len(dst) >= 4 {
		n = len(dst) &^ 3
		dots4AVX(&dst[0], &x[0], width, &w[0], n/4)
	}
	for i := n; i < len(dst); i++ {
		dst[i] = Dot(x, w[i*width:(i+1)*width])
	}
}

// Kernel names the version in use for the kernels of this file: "avx" or "go".
func Kernel() string {
	if useAVX {
		return "avx"
	}
	return "go"
}
