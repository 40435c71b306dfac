package intaketest

import (
	"net/http"
	"runtime"
	"testing"
)

const (
	flooders  = 500 // clients that send bodies of 1 MiB
	maxMemory = 128 // MB that the server may use
)

// Start starts a server that answers POST /v1/recommend, in a process of its own at an address of 127.0.0.1.
type Start func(t testing.TB) (address string, pid int, stop func())

// Memory checks that a server uses less than 128 MB while 500 clients repeatedly send bodies of 1 MiB, of any content
// and speed, and that another client is answered.
func Memory(t *testing.T, start Start) {
	linux(t)
	for i, body := range Bodies() {
		for _, slow := range []bool{false, true}[:max(1, 2-i)] {
			address, pid, stop := start(t)
			end := Flood(t, address, flooders, body, slow)
			Ask(t, address, 20)
			statuses := end()
			if peak := Peak(t, pid); peak > maxMemory {
				t.Errorf("%s, slow %v: the server used %.0f MB", body.Name, slow, peak)
			}
			stop()
			for status := range statuses {
				// 0: closed while the client was still sending
				if status != body.Status && status != http.StatusServiceUnavailable && status != 0 {
					t.Errorf("%s, slow %v: got statuses %v", body.Name, slow, statuses)
				}
			}
		}
	}
}

// Benchmark sends small questions to a server while other clients send the most expensive bodies, quickly or slowly. It
// reports the client's times and the server's peak memory. It fails if the client is not answered.
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
		t.Skip("SKIPPED: other systems have only one address 127.0.0.x, and no /proc")
	}
}
