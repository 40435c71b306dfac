package vec

import (
	"testing"

	"github.com/pmlam/pmlam/core/internal/vec/peak"
)

// eachKernel runs test once for each way through this package that this machine can go.
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

// perValue benchmarks f, which makes n values. Beside the testing package's time, which the load of the machine enters,
// it reports the processor's own.
func perValue(b *testing.B, n int, f func()) {
	b.ReportMetric(cpuSeconds(b, f)*1e9/float64(n), "cpu-ns/value")
}

// gflops benchmarks f, which does so many floating-point operations: their speed in processor time, and its share of the
// core's peak with the widest vectors in use, measured right after, since the clock moves with the load.
func gflops(b *testing.B, operations int, f func()) {
	speed := float64(operations) / cpuSeconds(b, f) / 1e9
	b.ReportMetric(speed, "GFLOP/s")
	if best := peak.GFlops(peak.Vectors(vectorLanes()), 50); best > 0 {
		b.ReportMetric(100*speed/best, "%peak")
	}
}

// cpuSeconds runs f as often as b wants and returns the processor time of one run.
func cpuSeconds(b *testing.B, f func()) float64 {
	n, start := 0, processTime()
	for b.Loop() {
		f()
		n++
	}
	return (processTime() - start).Seconds() / float64(n)
}
