package vec

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"
)

// TestBitsAreTheSameEverywhere compares the results of every kernel on fixed input with those recorded on amd64. On
// another architecture, with every kernel, this shows that nothing is fused or reordered there. A deliberate change of
// a kernel's bits changes its word here, and models trained with it.
func TestBitsAreTheSameEverywhere(t *testing.T) {
	const h, rows, q = 56, 24, 40
	want := map[string]uint64{
		"words":      0x7c7d28fe382bf75c,
		"normals":    0x5aef9b1677c5a785,
		"gemm":       0xd2a0f554864cc882,
		"fma":        0x4213af1f0511f483,
		"exps":       0x8dc148b8923bc6cf,
		"tanhs":      0x2a7e17af75a9bce,
		"softplus":   0x1082771220318174,
		"sigmoid":    0x5b3186f6f30c746b,
		"single":     0x82e8392d84b89306,
		"sums":       0x3b3bb99820247730,
		"accumulate": 0x250081aab3a65f71,
		"rows":       0x456f6b31e8f9e7bd,
		"second":     0xd2fe2bc7b637a1c0,
		"adam":       0x5fe920ce05e038e7,
	}
	eachKernel(t, func(t *testing.T) {
		stream := uint64(0)
		draw := func(n int) []float32 {
			x := make([]float32, n)
			stream++
			Normals(x, 1, stream)
			return x
		}
		check := func(name string, outputs ...[]float32) {
			t.Helper()
			sum := fnv.New64a()
			for _, x := range outputs {
				for _, v := range x {
					sum.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
				}
			}
			if sum.Sum64() != want[name] {
				t.Errorf("%q: %#x", name, sum.Sum64())
			}
		}
		words := make([]uint32, 100)
		philoxWords(words, 2, 3)
		asFloats := make([]float32, len(words))
		for i, w := range words {
			asFloats[i] = math.Float32frombits(w &^ (1 << 30)) // no NaN, whose bits may differ
		}
		check("words", asFloats)
		check("normals", draw(1000))

		c := draw(rows * h)
		Gemm(c, h, draw(rows*q), q, 1, draw(q*h), h, rows, h, q)
		check("gemm", c)
		fused, x := make([]float32, 300), draw(900)
		for i := range fused {
			fused[i] = FMA(x[3*i], x[3*i+1], x[3*i+2]*x[3*i+2]*1e-7)
		}
		check("fma", fused)

		x = draw(1000)
		for i := range x {
			x[i] = float32(x[i]*x[i]) * x[i] * 4
		}
		y, z := make([]float32, len(x)), make([]float32, len(x))
		Exps(y, x)
		check("exps", y)
		Tanhs(y, x)
		check("tanhs", y)
		SoftplusSigmoids(y, z, x)
		check("softplus", y)
		check("sigmoid", z)
		for i, v := range x {
			y[i], z[i] = Exp(v), Tanh(v)
		}
		check("single", y, z)

		query, table, sums := draw(101), draw(rows*101), make([]float32, 2*rows)
		SquaredDistances(sums[:rows], query, table)
		MatVec(sums[rows:], table, query)
		check("sums", sums)
		acc := draw(101)
		AccumulateRows(acc, draw(rows), table, everyRow(rows))
		Axpy(0.3, query, acc)
		check("accumulate", acc)

		diff, squares, moved, scaled, lowered := draw(h), draw(h), draw(h), draw(h), draw(h)
		row, eps := draw(2*h), draw(h)
		SampleDiff(diff, squares, draw(h), row, eps)
		TwoDiff(moved, diff, draw(h), row, eps)
		grad, accD, accX := draw(2*h), draw(2*h), draw(h)
		TripletBackward(grad, accD, accX, draw(2*h), row, diff, moved, eps, 0.7)
		SlopeScale(scaled, lowered, moved, 0.3)
		Lower(lowered, row, eps)
		check("rows", diff, squares, moved, grad, accD, accX, scaled, lowered)
		da, dt, gw := draw(h), draw(h), draw(h)
		rho := SecondOrder(da, dt, gw, draw(h), draw(h), draw(h), 0.7, 0.4)
		check("second", da, dt, gw, []float32{rho})

		v := draw(101)
		for i := range v {
			v[i] *= v[i]
		}
		p, m := draw(101), draw(101)
		Adam(p, draw(101), m, v, 1e-3, 1e-8)
		check("adam", p, m, v)
	})
}
