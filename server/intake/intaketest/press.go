package intaketest

import (
	"net/http"
	"runtime"
	"testing"
)

const (
	flooders  = 500 // clients that press on a server with bodies of 1 MiB
	maxMemory = 128 // MB that the server may take meanwhile
)

// Start starts a server in a process of its own, on an address of 127.0.0.1, that answers POST /v1/recommend.
type Start func(t testing.TB) (address string, pid int, stop func())

// Memory checks that a server takes less than 128 MB while 500 clients send bodies of 1 MiB again and again, whatever
// these hold and however slowly they come, and that another client is answered.
func Memory(t *testing.T, start Start) {
	linux(t)
	for i, body := range Bodies() {
		for _, slow := range []bool{false, true}[:max(1, 2-i)] {
			address, pid, stop := start(t)
			end := Flood(t, address, flooders, body, slow)
			Ask(t, address, 20)
			statuses := end()
			if peak := Peak(t, pid); peak > maxMemory {
				t.Errorf("%s, slow %v: the server took %.0f MB", body.Name, slow, peak)
			}
			stop()
			for status := range statuses {
				// 0: the connection was closed while the client still sent
				if status != body.Status && status != http.StatusServiceUnavailable && status != 0 {
					t.Errorf("%s, slow %v: answered with %v", body.Name, slow, statuses)
				}
			}
		}
	}
}

// Benchmark has a client ask a server small questions while others send the bodies that take the most memory again and
// again, or slowly. It reports the client's times and the server's peak of memory. It fails where the client is not
// answered.
func Benchmark(b *testing.B, start Start) {
	linux(b)
	type flood struct {
		name    string
		body    Body
		clients int
		slow    bool
	}
	floods := []flood{{"alone", Bodies()[0], 0, false}}
	for _, body := range Bodies() {
		floods = append(floods, flood{body.Name, body, flooders, false},
			flood{body.Name + "-slow", body, flooders, true})
	}
	for _, f := range floods {
		b.Run(f.name, func(b *testing.B) {
			address, pid, stop := start(b)
			defer stop()
			end := Flood(b, address, f.clients, f.body, f.slow)
			b.ResetTimer()
			times := Ask(b, address, b.N)
			b.StopTimer()
			end()
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, "max-ms")
			b.ReportMetric(Peak(b, pid), "peak-MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func linux(t testing.TB) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: other systems have no addresses 127.0.0.x but one, and no /proc")
	}
}
