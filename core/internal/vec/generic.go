package vec

// Lanes is the number of partial sums in the kernels.
const Lanes = 8

func fold(s *[Lanes]float32) float32 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

func dotGo(x, y []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	n := len(x) &^ (Lanes - 1)
	y = y[:len(x)]
	for i := 0; i < n; i += Lanes {
		a, b := x[i:i+8:i+8], y[i:i+8:i+8]
		s0 += float32(a[0] * b[0])
		s1 += float32(a[1] * b[1])
		s2 += float32(a[2] * b[2])
		s3 += float32(a[3] * b[3])
		s4 += float32(a[4] * b[4])
		s5 += float32(a[5] * b[5])
		s6 += float32(a[6] * b[6])
		s7 += float32(a[7] * b[7])
	}
	s := [Lanes]float32{s0, s1, s2, s3, s4, s5, s6, s7}
	for i := n; i < len(x); i++ {
		s[i-n] += float32(x[i] * y[i])
	}
	return fold(&s)
}

func squaredDistanceGo(x, y []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	n := len(x) &^ (Lanes - 1)
	y = y[:len(x)]
	for i := 0; i < n; i += Lanes {
		a, b := x[i:i+8:i+8], y[i:i+8:i+8]
		d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		d4, d5, d6, d7 := a[4]-b[4], a[5]-b[5], a[6]-b[6], a[7]-b[7]
		s0 += float32(d0 * d0)
		s1 += float32(d1 * d1)
		s2 += float32(d2 * d2)
		s3 += float32(d3 * d3)
		s4 += float32(d4 * d4)
		s5 += float32(d5 * d5)
		s6 += float32(d6 * d6)
		s7 += float32(d7 * d7)
	}
	s := [Lanes]float32{s0, s1, s2, s3, s4, s5, s6, s7}
	for i := n; i < len(x); i++ {
		d := x[i] - y[i]
		s[i-n] += float32(d * d)
	}
	return fold(&s)
}

func axpyGo(alpha float32, x, y []float32) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += float32(alpha * v)
	}
}

func scaleFloorGo(c float32, x []float32, least float32) {
	for i, v := range x {
		v *= c
		if v < least {
			v = least
		}
		x[i] = v
	}
}

func axpyIntoGo(dst []float32, alpha float32, x, y []float32) {
	for i, v := range x {
		dst[i] = y[i] + float32(alpha*v)
	}
}
