package peak

import "testing"

func BenchmarkPeak(b *testing.B) {
	for name, v := range map[string]Vectors{"avx2": AVX2, "avx512": AVX512} {
		if !has(v) {
			continue
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run(v, turns)
			}
			b.ReportMetric(2*float64(v)*chains*turns*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}

// A core does at least one operation per nanosecond and at most 64 lanes per cycle at 8 GHz.
func TestPeakIsPossible(t *testing.T) {
	for _, v := range []Vectors{AVX2, AVX512} {
		if g := GFlops(v, 3); has(v) && (g < 1 || g > 2*64*8) || !has(v) && g != 0 {
			t.Errorf("vectors of %d: %v GFLOP/s", v, g)
		}
	}
}
