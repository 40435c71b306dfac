package vec

import (
	"math"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/internal/vec/peak"
)

// eachKernel runs test once for each version of this package that this machine supports.
func eachKernel(t *testing.T, test func(t *testing.T)) {
	for _, k := range kernels() {
		t.Run(k.name, func(t *testing.T) {
			defer k.choose()()
			test(t)
		})
	}
}

func eachKernelBench(b *testing.B, bench func(b *testing.B)) {
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			defer k.choose()()
			bench(b)
		})
	}
}

// perValue benchmarks f, which computes n values. In addition to the testing package's mean, which depends on the load
// of the machine, it reports the best of short rounds.
func perValue(b *testing.B, n int, f func()) {
	b.ReportMetric(bestSeconds(b, f)*1e9/float64(n), "best-ns/value")
}

// gflops benchmarks f, which does the given number of floating-point operations. It reports the speed of the best
// round, and its share of the core's peak, measured in the same way with the widest vectors in use.
func gflops(b *testing.B, operations int, f func()) {
	speed := float64(operations) / bestSeconds(b, f) / 1e9
	b.ReportMetric(speed, "GFLOP/s")
	if best := peak.GFlops(peak.Vectors(vectorLanes()), 100); best > 0 {
		b.ReportMetric(100*speed/best, "%peak")
	}
}

// bestSeconds runs f as often as b wants, and then returns the time of one run in the best of 50 rounds of about 0.3
// ms, short enough to fit between two interruptions by the scheduler.
func bestSeconds(b *testing.B, f func()) float64 {
	for b.Loop() {
		f()
	}
	runs := 1 + int(300e3/(float64(b.Elapsed().Nanoseconds())/float64(b.N)))
	best := time.Duration(math.MaxInt64)
	for range 50 {
		start := time.Now()
		for range runs {
			f()
		}
		best = min(best, time.Since(start))
	}
	return best.Seconds() / float64(runs)
}

// everyRow lists all rows of a table of n.
func everyRow(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}
