package vec

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// The known answers of Random123's kat_vectors for philox4x32-10, low words first.
func TestPhiloxKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		block, stream, key uint64
		want               [4]uint32
	}{
		{0, 0, 0, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{math.MaxUint64, math.MaxUint64, math.MaxUint64, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822,
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		var got [4]uint32
		if got[0], got[1], got[2], got[3] = philox(c.block, c.stream, c.key); got != c.want {
			t.Errorf("philox(%#x, %#x, %#x) = %#x, want %#x", c.block, c.stream, c.key, got, c.want)
		}
	}
}

// drawLengths are around the 32 draws made at once.
var drawLengths = []int{0, 1, 3, 4, 5, 31, 32, 33, 56, 63, 64, 65, 100, 672}

// philoxWords fills dst with the generator's words: dst[i] is word i mod 4 of block i/4.
func philoxWords(dst []uint32, key, counter uint64) {
	for i := 0; i < len(dst); i += 4 {
		w0, w1, w2, w3 := philox(uint64(i/4), counter, key)
		copy(dst[i:], []uint32{w0, w1, w2, w3})
	}
}

func TestNormalsGiveTheBitsOfTheirTwin(t *testing.T) {
	const stream, key = 1<<40 + 77, 0xfedcba9876543210
	want := make([]float32, 704)
	for i := 0; i < len(want); i += group {
		normalsGo((*[group]float32)(want[i:]), key, stream, uint64(i/4))
	}
	eachKernel(t, func(t *testing.T) {
		for _, n := range drawLengths {
			got := guarded(n)
			Normals(got[:n], key, stream)
			equalBits(t, "Normals", got, want[:n])
		}
	})
}

// Block numbers continue above 2³².
func TestBlocksCarry(t *testing.T) {
	if !useAVX2 {
		t.Skip("SKIPPED: no assembly kernels on this machine to compare with")
	}
	const block = 1<<32 - 19
	want := make([]float32, 6*group)
	for i := 0; i < len(want); i += group {
		normalsGo((*[group]float32)(want[i:]), 5, 6, block+uint64(i/4))
	}
	for _, k := range kernels()[1:] {
		restore := k.choose()
		got := make([]float32, len(want))
		normalsAVX2(got, 5, 6, block)
		restore()
		equalBits(t, "Normals by "+k.name, got, want)
	}
}

// The same draws by float64 and the standard library; u is rounded to 24 bits.
func TestNormalsWithinTheirBound(t *testing.T) {
	const n = 1 << 18
	got, words := make([]float32, n), make([]uint32, n)
	Normals(got, 3, 4)
	philoxWords(words, 3, 4)
	var worst float64
	for b := range n / 4 {
		g, l := b/8, b%8
		for w := 0; w < 4; w += 2 {
			u := float64(float32(words[4*b+w]>>1)+0.5) / (1 << 31)
			r := math.Sqrt(-2 * math.Log(u))
			// The highest bit rotates by π; the others are an angle from −π/2 to π/2.
			angle := math.Pi / 2 * float64(int32(words[4*b+w+1]<<1)) / (1 << 31)
			sin, cos := math.Sincos(angle + math.Pi*float64(words[4*b+w+1]>>31))
			x, y := float64(got[32*g+8*w+l]), float64(got[32*g+8*(w+1)+l])
			worst = max(worst, math.Max(math.Abs(x-r*cos), math.Abs(y-r*sin))/math.Max(1, r))
		}
	}
	t.Logf("largest error %.3g", worst)
	if worst > 4e-7 {
		t.Errorf("error %.3g, want ≤ 4e-7", worst)
	}
}

func TestNormalsAtTheEndsOfTheirWords(t *testing.T) {
	for _, a := range []uint32{0, 1, 2, 3, 1 << 31, math.MaxUint32 - 1, math.MaxUint32} {
		for _, b := range []uint32{0, 1, 1<<30 - 1, 1 << 30, 1<<31 - 1, 1 << 31, 3 << 30, math.MaxUint32} {
			x, y := boxMuller(a, b)
			if r := math.Hypot(float64(x), float64(y)); !(r <= 6.67) {
				t.Errorf("words %#x and %#x give %v, %v", a, b, x, y)
			}
		}
	}
	// The largest: u = 2⁻³².
	if x, _ := boxMuller(0, 0); math.Abs(float64(x)-math.Sqrt(64*math.Ln2)) > 1e-6 {
		t.Errorf("the largest draw is %v", x)
	}
}

const draws = 1 << 20

func TestNormalsHaveTheirMoments(t *testing.T) {
	x := make([]float32, draws)
	Normals(x, 2026, 0)
	var m [7]float64 // sums of powers
	beyond3, beyond4 := 0, 0
	for _, v := range x {
		p := 1.0
		for k := range m {
			m[k] += p
			p *= float64(v)
		}
		if math.Abs(float64(v)) > 3 {
			beyond3++
		}
		if math.Abs(float64(v)) > 4 {
			beyond4++
		}
	}
	// E x^k and the standard deviation of a mean of x^k, for the normal distribution.
	want, deviation := [7]float64{1, 0, 1, 0, 3, 0, 15},
		[7]float64{1, 1, math.Sqrt(2), math.Sqrt(15), math.Sqrt(96), math.Sqrt(945), math.Sqrt(10170)}
	for k := 1; k < len(m); k++ {
		if z := (m[k]/draws - want[k]) / (deviation[k] / math.Sqrt(draws)); math.Abs(z) > 4 {
			t.Errorf("moment %d is %v, %.1f standard errors off", k, m[k]/draws, z)
		}
	}
	for bound, n := range map[float64]int{3: beyond3, 4: beyond4} {
		p := math.Erfc(bound / math.Sqrt2)
		if z := (float64(n) - draws*p) / math.Sqrt(draws*p); math.Abs(z) > 4 {
			t.Errorf("%d beyond %v, %.1f standard errors off", n, bound, z)
		}
	}
}

// Kolmogorov-Smirnov: the largest distance of the empirical distribution from the normal one. Its value × √n exceeds
// 1.95 once in a thousand samples.
func TestNormalsAreNormal(t *testing.T) {
	x := make([]float32, draws)
	for stream := range uint64(3) {
		Normals(x, 7, stream)
		slices.Sort(x)
		var d float64
		for i, v := range x {
			p := math.Erfc(-float64(v)/math.Sqrt2) / 2
			d = max(d, p-float64(i)/draws, float64(i+1)/draws-p)
		}
		if d *= math.Sqrt(draws); d > 1.95 {
			t.Errorf("stream %d: D·√n = %.2f", stream, d)
		}
	}
}

// Draws, and their squares, are uncorrelated with others of the stream, of the next streams and of the next keys.
func TestNormalsAreIndependent(t *testing.T) {
	draw := func(key, stream uint64) []float32 {
		x := make([]float32, draws)
		Normals(x, key, stream)
		return x
	}
	x := draw(1, 1)
	others := map[string][]float32{
		"the next stream": draw(1, 2), "a far stream": draw(1, 1<<32+1), "the next key": draw(2, 1),
		"a far key":              draw(1<<32+1, 1),
		"key and stream swapped": draw(0, 1),
	}
	for _, lag := range []int{1, 2, 4, 7, 8, 16, 24, 32, 256} { // 8: cosine and sine of an angle
		others[fmt.Sprintf("lag %d", lag)] = append(append([]float32{}, x[lag:]...), x[:lag]...)
	}
	for name, y := range others {
		var xy, squares float64
		for i := range x {
			a, b := float64(x[i]), float64(y[i])
			xy += a * b
			squares += (a*a - 1) * (b*b - 1) / 2
		}
		if z := xy / math.Sqrt(draws); math.Abs(z) > 4 {
			t.Errorf("%s: correlation %.1f standard errors from 0", name, z)
		}
		if z := squares / math.Sqrt(draws); math.Abs(z) > 4 {
			t.Errorf("%s: squares' correlation %.1f standard errors from 0", name, z)
		}
	}
}

func TestUniformsAreUniform(t *testing.T) {
	words := make([]uint32, draws)
	philoxWords(words, 99, 5)
	var ones [32]int
	var bytes [4][256]int
	for _, w := range words {
		for b := range 32 {
			ones[b] += int(w >> b & 1)
		}
		for b := range 4 {
			bytes[b][w>>(8*b)&255]++
		}
	}
	for b, n := range ones {
		if z := (float64(n) - draws/2) / math.Sqrt(draws/4); math.Abs(z) > 4 {
			t.Errorf("bit %d: %.1f standard errors from even", b, z)
		}
	}
	for b := range bytes {
		var chi float64
		for _, n := range bytes[b] {
			d := float64(n) - draws/256
			chi += d * d / (draws / 256)
		}
		// χ² of 255 degrees of freedom: mean 255, standard deviation 22.6.
		if math.Abs(chi-255) > 4*22.6 {
			t.Errorf("byte %d: χ² = %.0f", b, chi)
		}
	}
}

func BenchmarkNormals(b *testing.B) {
	for _, n := range []int{56, 672, 1 << 14} {
		x := make([]float32, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			eachKernelBench(b, func(b *testing.B) {
				perValue(b, n, func() { Normals(x, 1, 2) })
			})
		})
	}
}
