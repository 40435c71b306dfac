package vec

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The kernels over lists give the same bits as the row kernels in Go, called one after the other.
func TestListKernelsGiveTheBitsOfTheRowKernels(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(51, 52))
		for _, h := range []int{1, 7, 8, 16, 24, 50, 56, 64, 104, 112, 250} {
			for _, n := range []int{0, 1, 3, 10, 37} {
				listKernels(t, r, h, n)
			}
		}
	})
}

func listKernels(t *testing.T, r *rand.Rand, h, n int) {
	const table = 9
	rows, at := make([]int32, n), []int32{}
	for i := range rows {
		rows[i] = int32(r.IntN(table))
		if r.IntN(4) > 0 {
			at = append(at, int32(i))
		}
	}
	ahead := slices.Clone(rows)
	slices.Reverse(ahead)
	cut := func(x []float32, i, w int) []float32 { return x[i*w : (i+1)*w] }
	name := func(s string) string { return fmt.Sprintf("%s, h = %d, %d of %d rows", s, h, len(at), n) }
	a := len(at)

	both(t, name("AccumulateRows"), r, []int{h, n, table * h},
		func(x [][]float32) { AccumulateRows(x[0], x[1], x[2], rows) },
		func(x [][]float32) {
			for i, k := range rows {
				axpyGo(x[1][i], cut(x[2], int(k), h), x[0])
			}
		})
	both(t, name("SumRows"), r, []int{h, n, table * h},
		func(x [][]float32) { SumRows(x[0], x[1], x[2], rows) },
		func(x [][]float32) {
			clear(x[0])
			for i, k := range rows {
				axpyGo(x[1][i], cut(x[2], int(k), h), x[0])
			}
		})
	both(t, name("SquaredDistancesOf"), r, []int{n, h, table * h},
		func(x [][]float32) { SquaredDistancesOf(x[0], x[1], x[2], rows, ahead) },
		func(x [][]float32) {
			for i, k := range rows {
				x[0][i] = squaredDistanceGo(x[1], cut(x[2], int(k), h))
			}
		})
	both(t, name("Spread"), r, []int{n * h, h},
		func(x [][]float32) { Spread(x[0], x[1]) },
		func(x [][]float32) {
			for i := range n {
				copy(cut(x[0], i, h), x[1])
			}
		})
	both(t, name("SlopesScale"), r, []int{a * h, h, n * h, h, n},
		func(x [][]float32) { SlopesScale(x[0], x[1], x[2], x[3], x[4], at) },
		func(x [][]float32) {
			for i, k := range at {
				slopeScaleGo(cut(x[0], i, h), cut(x[2], int(k), h), x[3], x[4][k])
				axpyGo(1, cut(x[0], i, h), x[1])
			}
		})
	var got, want float32
	both(t, name("SecondOrders"), r, []int{a * h, a * h, h, h, h, n * h, h, n, n},
		func(x [][]float32) {
			got = SecondOrders(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], at, 0.1)
		},
		func(x [][]float32) {
			want = 0.1
			for i, k := range at {
				da, dt, g, ws := cut(x[0], i, h), cut(x[1], i, h), cut(x[5], int(k), h), x[7][k]*x[8][k]
				rho := ws * (1 - x[8][k]) * slopeDotGo(g, da, x[6])
				secondOrderGo(da, dt, x[2], g, da, x[6], rho, ws)
				axpyGo(1, da, x[3])
				axpyGo(1, dt, x[4])
				want += rho
			}
		})
	if !sameBits(got, want) {
		t.Errorf("%s: Σρ = %v, want %v", name("SecondOrders"), got, want)
	}
	for _, eps := range []int{n * h, -1} {
		both(t, name("SampleDiffs"), r, []int{n * h, n * h, h, table * 2 * h, eps},
			func(x [][]float32) { SampleDiffs(x[0], x[1], x[2], x[3], rows, x[4]) },
			func(x [][]float32) {
				for i, k := range rows {
					sampleDiffGo(cut(x[0], i, h), cut(x[1], i, h), x[2], cut(x[3], int(k), 2*h), noiseOf(x[4], i, h))
				}
			})
		both(t, name("TwoDiffs"), r, []int{a * h, a * h, n * h, h, table * 2 * h, eps},
			func(x [][]float32) { TwoDiffs(x[0], x[1], x[2], x[3], x[4], rows, ahead, x[5], at) },
			func(x [][]float32) {
				for i, k := range at {
					d := cut(x[2], int(k), h)
					twoDiffGo(cut(x[0], i, h), d, x[3], cut(x[4], int(rows[k]), 2*h), noiseOf(x[5], int(k), h))
					for j, v := range d {
						cut(x[1], i, h)[j] = v * v
					}
				}
			})
		both(t, name("TripletsBackward"), r, []int{n * 2 * h, 2 * h, h, 2 * h, table * 2 * h, n * h, a * h, eps, n},
			func(x [][]float32) {
				TripletsBackward(x[0], x[1], x[2], x[3], x[4], rows, x[5], x[6], x[7], x[8], at)
			},
			func(x [][]float32) {
				for i, at := range at {
					k := int(at)
					tripletBackwardGo(cut(x[0], k, 2*h), x[1], x[2], x[3], cut(x[4], int(rows[k]), 2*h),
						cut(x[5], k, h),
						cut(x[6], i, h), noiseOf(x[7], k, h), 2*x[8][k])
				}
			})
	}
}

// A row or position out of range must be noticed before it is read.
func TestListKernelsPanicOutside(t *testing.T) {
	full := func(n int) []float32 { return make([]float32, n) }
	for name, f := range map[string]func(){
		"AccumulateRows":        func() { AccumulateRows(full(8), full(1), full(16), []int32{2}) },
		"AccumulateRows, below": func() { AccumulateRows(full(8), full(1), full(16), []int32{-1}) },
		"AccumulateRows, c":     func() { AccumulateRows(full(8), full(1), full(16), []int32{0, 1}) },
		"SquaredDistancesOf":    func() { SquaredDistancesOf(full(1), full(8), full(16), []int32{2}, nil) },
		"SampleDiffs":           func() { SampleDiffs(full(8), full(8), full(8), full(16), []int32{1}, full(8)) },
		"SampleDiffs, eps":      func() { SampleDiffs(full(16), full(16), full(8), full(16), []int32{0, 0}, full(15)) },
		"TwoDiffs, at": func() {
			TwoDiffs(full(8), full(8), full(8), full(8), full(16), []int32{0}, nil,
				full(8), []int32{1})
		},
		"TripletsBackward, at": func() {
			TripletsBackward(full(16), full(16), full(8), full(16), full(16), []int32{0}, full(8), full(8), full(8),
				full(1), []int32{1})
		},
		"TripletsBackward, beta": func() {
			TripletsBackward(full(16), full(16), full(8), full(16), full(16), []int32{0}, full(8), full(7), full(8),
				full(1), []int32{0})
		},
		"SlopesScale, g": func() { SlopesScale(full(8), full(8), full(8), full(8), full(2), []int32{1}) },
		"SecondOrders, dt": func() {
			SecondOrders(full(8), full(7), full(8), full(8), full(8), full(8), full(8), full(1), full(1), []int32{0}, 0)
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
