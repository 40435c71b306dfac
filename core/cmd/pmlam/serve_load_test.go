package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pmlam/pmlam/server/intake/intaketest"
)

// BenchmarkServe requests the page from a server process with its default limits, by 32 concurrent clients on the
// loopback network, while other clients at one address hold connections:
//
//	kept    the clients keep their connections, or
//	new     open one for each request
//	half    the others send half a request and reconnect when closed, or
//	slow    request the model and do not read it
//
// It reports requests per second, the 99th percentile and maximum of their times, the server's peak memory, and the
// reconnections of the others. It fails if a client is not answered.
func BenchmarkServe(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("SKIPPED: other systems have only one address 127.0.0.x")
	}
	folder := realFolder(b)
	const (
		half = "GET / HTTP/1.1\r\nHo"
		slow = "GET /assets/models/movielens.msgpack HTTP/1.1\r\nHost: h\r\n\r\n"
	)
	for _, c := range []struct {
		name    string
		others  int
		request string
	}{
		{"alone", 0, ""},
		{"1000-half", 1000, half},
		{"6000-half", 6000, half},
		{"1000-slow", 1000, slow},
		{"6000-slow", 6000, slow},
	} {
		for _, kept := range []bool{true, false} {
			name := map[bool]string{true: "kept/", false: "new/"}[kept] + c.name
			b.Run(name, func(b *testing.B) {
				server, address := startServer(b, "--folder", folder)
				defer stopServer(server)
				end := holdConnections(b, address, c.others, c.request)
				defer end()
				times := askPage(b, "http://"+address, kept)
				slices.Sort(times)
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
				b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
				b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, "max-ms")
				b.ReportMetric(intaketest.Peak(b, server.Process.Pid), "peak-MB")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// modelServer starts a server of the shipped model.
func modelServer(t testing.TB) intaketest.Start {
	return func(t testing.TB) (address string, pid int, end func()) {
		server, address := startServer(t, "--model", shipped)
		return address, server.Process.Pid, func() { stopServer(server) }
	}
}

func TestBodiesTakeLittleMemory(t *testing.T) { intaketest.Memory(t, modelServer(t)) }

// The results are in core/lab/docs/server.md.
func BenchmarkBodies(b *testing.B) { intaketest.Benchmark(b, modelServer(b)) }

// realFolder returns a folder with this project's page and model at full size.
func realFolder(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "assets/models"), 0o700); err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"index.html", "assets/models/movielens.msgpack"} {
		data, err := os.ReadFile(filepath.Join("../../..", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// startServer starts the server with the arguments on a free port of 127.0.0.1.
func startServer(b testing.TB, args ...string) (server *exec.Cmd, address string) {
	b.Helper()
	server = serveProcess(b, append(args, "--address", "127.0.0.1:0", "--log", "off")...)
	pipe, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	line, err := bufio.NewReader(pipe).ReadString('\n')
	if address = regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(line); address == "" {
		b.Fatal(line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, pipe) }()
	return server, address
}

func stopServer(server *exec.Cmd) {
	_ = server.Process.Kill()
	_ = server.Wait()
}

// holdConnections opens n connections from another address, sends request on each, and keeps them open without reading;
// connections that the server closes are replaced. It returns when all are open, with a function that ends it.
func holdConnections(b *testing.B, address string, n int, request string) (end func()) {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	var opened, running sync.WaitGroup
	var reopened atomic.Int64
	opened.Add(n)
	for range n {
		running.Go(func() {
			for first := true; ctx.Err() == nil; first = false {
				c, err := dialer.DialContext(ctx, "tcp", address)
				if first {
					opened.Done()
				} else {
					reopened.Add(1)
				}
				if err != nil {
					continue
				}
				_, _ = io.WriteString(c, request)
				ended := context.AfterFunc(ctx, func() { c.Close() })
				if strings.HasSuffix(request, "\r\n\r\n") && !refused(c) {
					<-ctx.Done()
				}
				_, _ = c.Read(make([]byte, 1)) // returns when the server closes it
				ended()
				c.Close()
			}
		})
	}
	opened.Wait()
	return func() {
		cancel()
		running.Wait()
		b.ReportMetric(float64(reopened.Load()), "reopened")
	}
}

// refused reads the status of an answer and reports whether it is not 200.
func refused(c net.Conn) bool {
	status := make([]byte, len("HTTP/1.1 200"))
	_, err := io.ReadFull(c, status)
	return err != nil || string(status) != "HTTP/1.1 200"
}

// askPage requests the page b.N times in total with 32 clients, and returns the times.
func askPage(b *testing.B, url string, kept bool) []time.Duration {
	b.Helper()
	const clients = 32
	var next atomic.Int64
	var all sync.WaitGroup
	times := make([]time.Duration, b.N)
	transport := &http.Transport{DisableKeepAlives: !kept, MaxIdleConnsPerHost: clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	b.ResetTimer()
	for range clients {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(b.N); i = next.Add(1) - 1 {
				began := time.Now()
				resp, err := transport.RoundTrip(httptest.NewRequest("GET", url, nil))
				if err != nil {
					b.Error(err)
					return
				}
				_, err = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != http.StatusOK {
					b.Errorf("got %s, %v", resp.Status, err)
					return
				}
				times[i] = time.Since(began)
			}
		})
	}
	all.Wait()
	b.StopTimer()
	return times
}
