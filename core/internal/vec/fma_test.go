package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// sameBits reports whether a and b have the same bits; all NaN are equal.
func sameBits(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// exactFMA computes x·y + z by exact arithmetic, for finite values.
func exactFMA(x, y, z float32) float32 {
	bx, by, bz := big.NewFloat(float64(x)), big.NewFloat(float64(y)), big.NewFloat(float64(z))
	p := new(big.Float).SetPrec(64).Mul(bx, by)
	s := new(big.Float).SetPrec(1000).Add(p, bz)
	f, _ := s.Float32()
	return f
}

// fmaOperands draws difficult operands: any bits; close to each other's negative; with few bits set; of any exponent,
// so that sums are subnormal or cancel; and with sums halfway between two float32, normal and subnormal, or close to
// that.
func fmaOperands(r *rand.Rand) (x, y, z float32) {
	few := func() float32 { // a few leading ones and a few trailing ones
		return math.Float32frombits(r.Uint32()&0xff800000 | r.Uint32()&r.Uint32()&r.Uint32()&0x7fffff)
	}
	switch r.IntN(7) {
	case 0:
		return math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
	case 1:
		x, y = float32(r.NormFloat64()), float32(r.NormFloat64())
		return x, y, -float32(x*y) * float32(1+r.IntN(2))
	case 2:
		return few(), few(), few()
	case 3: // subnormal and barely normal results
		x = float32(math.Ldexp(r.NormFloat64(), -60-r.IntN(15)))
		y = float32(math.Ldexp(r.NormFloat64(), -60-r.IntN(30)))
		return x, y, math.Float32frombits(r.Uint32()&0x80ffffff) * float32(r.IntN(2))
	case 4: // z = 24 bits, x·y = half of its last bit, and a bit more or less far below
		e := r.IntN(240) - 130
		z = float32(math.Ldexp(float64(1<<23+r.IntN(1<<23)), e))
		x = float32(int(1)<<r.IntN(20)) + float32(r.IntN(3)-1)*float32(math.Ldexp(1, -1-r.IntN(23)))
		y = float32(math.Ldexp(0.5, e)) / float32(math.Exp2(float64(r.IntN(20))))
		if r.IntN(2) == 0 {
			y = -y
		}
		return x, y, z
	case 5: // a subnormal sum just off a midpoint: ±2⁻¹⁵⁰·(1 ± d²) next to z
		d := math.Ldexp(float64(r.IntN(64)), -6-r.IntN(17))
		x = float32(math.Ldexp(float64(2*r.IntN(2)-1)*(1+d), -75))
		y = float32(math.Ldexp(1+d*float64(2*r.IntN(2)-1), -75))
		return x, y, math.Float32frombits(r.Uint32() & 0x80ffffff)
	default: // a product exactly at a midpoint; z is tiny
		x = float32(1<<12+2*r.IntN(1<<11)+1) * float32(math.Exp2(float64(r.IntN(60)-30)))
		y = float32(1<<12+2*r.IntN(1<<11)+1) * float32(math.Exp2(float64(r.IntN(60)-30)))
		return x, y, float32(math.Ldexp(float64(r.IntN(3)-1), -60-r.IntN(80)))
	}
}

func TestFMAIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	finite := func(x float32) bool { return x-x == 0 }
	for range 400_000 {
		x, y, z := fmaOperands(r)
		if !finite(x) || !finite(y) || !finite(z) {
			continue
		}
		got, want := FMA(x, y, z), exactFMA(x, y, z)
		// big.Float has its own rule for the sign of x − x; the instruction's is tested below.
		if got != want || want != 0 && !sameBits(got, want) {
			t.Fatalf("FMA(%g, %g, %g) = %g (%#x), want %g (%#x)", x, y, z, got, math.Float32bits(got), want,
				math.Float32bits(want))
		}
	}
}

func TestFMAOfSpecialValues(t *testing.T) {
	inf, nan, zero := float32(math.Inf(1)), float32(math.NaN()), float32(0)
	negative := float32(math.Copysign(0, -1))
	tiny := float32(math.SmallestNonzeroFloat32)
	for _, c := range []struct{ x, y, z, want float32 }{
		{inf, 1, -inf, nan}, {inf, 0, 1, nan}, {nan, 1, 1, nan}, {1, 1, nan, nan}, {inf, -1, 1, -inf}, {1, 1, inf, inf},
		{math.MaxFloat32, 2, -inf, -inf}, {math.MaxFloat32, 2, -math.MaxFloat32, math.MaxFloat32},
		{math.MaxFloat32, math.MaxFloat32, 1, inf}, {math.MaxFloat32, 1, math.MaxFloat32 / (1 << 24), inf},
		{zero, 1, negative, zero}, {zero, -1, negative, negative}, {1, 1, -1, zero}, {-1, 1, 1, zero},
		{tiny, 0.5, 0, 0}, {tiny, 0.5, tiny, 2 * tiny}, {tiny, -0.5, 0, negative}, {tiny, 0.50001, 0, tiny},
		{tiny, -0.5, tiny, 0},
		{tiny, tiny, tiny, tiny}, {tiny, tiny, 0, 0}, {tiny, -tiny, 0, negative},
	} {
		if got := FMA(c.x, c.y, c.z); !sameBits(got, c.want) {
			t.Errorf("FMA(%g, %g, %g) = %g (%#x), want %g", c.x, c.y, c.z, got, math.Float32bits(got), c.want)
		}
	}
}

func FuzzFMA(f *testing.F) {
	f.Add(uint32(0x3f800001), uint32(0x3f800001), uint32(0xbf800002))
	f.Fuzz(func(t *testing.T, a, b, c uint32) {
		x, y, z := math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c)
		if x-x != 0 || y-y != 0 || z-z != 0 {
			return
		}
		if got, want := FMA(x, y, z), exactFMA(x, y, z); got != want {
			t.Errorf("FMA(%g, %g, %g) = %g, want %g", x, y, z, got, want)
		}
	})
}
