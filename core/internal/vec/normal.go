package vec

import "math"

// Normals fills dst with draws from the standard normal distribution, from the stream counter of the generator with the
// given key. dst[i] depends only on key, counter and i, so a shorter dst is a prefix of a longer one. Streams are
// independent, with 2⁶⁴ draws each. It applies the Box-Muller method (1958) to the words of Philox4x32-10:
//
//	r = √(−2 ln u), φ ∈ [−π, π)      r·cos φ,  r·sin φ
//
// Words 0 and 1 of a block give two draws, u from the first and φ from the second; words 2 and 3 give two more. Draw w
// of block 8g+l is dst[32g + 8w + l]. u is (½ + the upper 31 bits)/2³¹, rounded to 24 bits: |dst[i]| ≤ 6.67. Compared
// with exact arithmetic on u and φ, the error is ≤ 4e-7·max(1, r). O(n).
func Normals(dst []float32, key, counter uint64) {
	n := len(dst) &^ (group - 1)
	if useAVX2 {
		if n > 0 {
			normalsAVX2(dst[:n], key, counter, 0)
		}
	} else {
		for i := 0; i < n; i += group {
			normalsGo((*[group]float32)(dst[i:]), key, counter, uint64(i/4))
		}
	}
	if n == len(dst) {
		return
	}
	var last [group]float32
	if useAVX2 {
		normalsAVX2(last[:], key, counter, uint64(n/4))
	} else {
		normalsGo(&last, key, counter, uint64(n/4))
	}
	copy(dst[n:], last[:])
}

// group is the number of draws made at once, from 8 blocks.
const group = 32

// normalsGo draws from the blocks block … block+7.
func normalsGo(dst *[group]float32, key, counter, block uint64) {
	for l := range 8 {
		w0, w1, w2, w3 := philox(block+uint64(l), counter, key)
		dst[l], dst[8+l] = boxMuller(w0, w1)
		dst[16+l], dst[24+l] = boxMuller(w2, w3)
	}
}

// −2·log(1+f) = f·L(f) for 1+f in [√½, √2], degree 7, relative error 1.7e-7; sin x = x + x³·S(x²) and cos x = 1 +
// x²·C(x²) for |x| ≤ π/2, errors 5e-9 and 5.3e-8; all before rounding.
const (
	log0, log1, log2, log3 = -1.99999988, 1.00000727, -0.666701198, 0.499398172
	log4, log5, log6, log7 = -0.39800331, 0.345016599, -0.324451685, 0.202137962

	sin0, sin1, sin2, sin3 = -0.166666567, 0.00833301712, -0.000198066147, 2.60005459e-06
	cos0, cos1, cos2, cos3 = -0.499999315, 0.0416639894, -0.00138559274, 2.3194385e-05

	rootHalf  = 0x3f3504f3 // the bits of √½
	mantissa  = 1<<23 - 1
	minus2Ln2 = -1.38629436111989
	angleUnit = math.Pi / 2 / (1 << 31)
)

// boxMuller makes two normal draws from two random words.
func boxMuller(a, b uint32) (x, y float32) {
	// u·2³¹ = m·2^(e+31) with m in [√½, √2).
	d := math.Float32bits(float32(int32(a>>1))+0.5) - (rootHalf + 31<<23)
	e := float32(int32(d) >> 23)
	f := math.Float32frombits(d&mantissa+rootHalf) - 1
	l := float32(log7*f) + log6
	l = float32(l*f) + log5
	l = float32(l*f) + log4
	l = float32(l*f) + log3
	l = float32(l*f) + log2
	l = float32(l*f) + log1
	l = float32(l*f) + log0
	r := float32(math.Sqrt(float64(float32(l*f) + float32(e*minus2Ln2))))

	// 31 bits of b are an angle in [−π/2, π/2); the highest bit rotates it by π.
	v := float32(float32(int32(b<<1)) * angleUnit)
	z := float32(v * v)
	s := float32(sin3*z) + sin2
	s = float32(s*z) + sin1
	s = float32(s*z) + sin0
	s = float32(s*float32(z*v)) + v
	c := float32(cos3*z) + cos2
	c = float32(c*z) + cos1
	c = float32(c*z) + cos0
	c = float32(c*z) + 1
	r = math.Float32frombits(math.Float32bits(r) ^ b&sign)
	return r * c, r * s
}
