// Package intaketest floods a server with bodies that need much memory, for tests and benchmarks of the servers that
// answer questions.
package intaketest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pmlam/pmlam/server/intake"
)

// Body is a request body of intake.MaxBody bytes.
type Body struct {
	Name   string
	Text   []byte
	Status int // of the answer if the server is not busy
}

// Bodies returns the bodies that stress each part of a server most.
func Bodies() []Body {
	fill := func(head, entry, tail string) []byte {
		n := (intake.MaxBody - len(head) - len(tail)) / len(entry)
		text := head + strings.TrimSuffix(strings.Repeat(entry, n), ",") + tail
		return []byte(text + strings.Repeat(" ", intake.MaxBody-len(text)))
	}
	var lists []string
	for _, name := range []string{"likes", "dislikes", "seen"} {
		ids := make([]string, intake.MaxMarks)
		for i := range ids {
			ids[i] = fmt.Sprintf(`{"id": "an item that no model knows, number %d of %s"}`, i, name)
		}
		lists = append(lists, fmt.Sprintf("%q: [%s]", name, strings.Join(ids, ",")))
	}
	return []Body{
		{"objects", fill(`{"likes":[`, `{"":0},`, `]}`), http.StatusBadRequest},
		{"entries", fill(`{"likes":[`, `0,`, `]}`), http.StatusBadRequest},
		{"names", fill(`{"likes":[{"a":{`, `"":0,`, `}}]}`), http.StatusBadRequest},
		{"deep", []byte(strings.Repeat("[", intake.MaxBody)), http.StatusBadRequest},
		{"text", fill(`{"likes":["`, `x`, `"]}`), http.StatusBadRequest},
		{"lists", fill("{"+strings.Join(lists, ","), " ", "}"), http.StatusOK},
	}
}

// plan is the job of a Flood's clients. It is passed to their process in planName.
type plan struct {
	Address, Body string // the body's name
	Clients       int
	Slow          bool
}

const planName = "PMLAM_TEST_FLOOD"

// Main must be called first by a TestMain: in the process of a Flood it runs the clients and does not return.
func Main() {
	text, ok := os.LookupEnv(planName)
	if !ok {
		return
	}
	var p plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		panic(err)
	}
	i := slices.IndexFunc(Bodies(), func(b Body) bool { return b.Name == p.Body })
	end := p.run(Bodies()[i].Text)
	fmt.Println("begun")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := json.NewEncoder(os.Stdout).Encode(end()); err != nil {
		panic(err)
	}
	os.Exit(0)
}

// Flood makes clients at another address send the body repeatedly: the whole body or, if slow, all but its last byte,
// until the server gives up. They run in a process of their own, so that they do not slow down others. It returns after
// each was answered or, if slow, has sent a header, with a function that ends it and returns the number of answers by
// status; 0 stands for none. The package's TestMain must call Main. Linux only.
func Flood(t testing.TB, address string, clients int, body Body, slow bool) (end func() map[int]int) {
	t.Helper()
	p, err := json.Marshal(plan{address, body.Name, clients, slow})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), planName+"="+string(p), "GOMAXPROCS=1") // leaves the other processors to the server
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "begun\n" {
		t.Fatalf("the flood printed %q: %v", line, err)
	}
	return sync.OnceValue(func() (statuses map[int]int) {
		_ = in.Close()
		if err := json.NewDecoder(lines).Decode(&statuses); err != nil {
			t.Error(err)
		}
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
		return statuses
	})
}

// run is Flood in its process.
func (p *plan) run(body []byte) (end func() map[int]int) {
	ctx, cancel := context.WithCancel(context.Background())
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	head := fmt.Sprintf("POST /v1/recommend HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\n\r\n", len(body))
	if p.Slow {
		body = body[:len(body)-1]
	}
	var mu sync.Mutex
	statuses := map[int]int{}
	var begun, running sync.WaitGroup
	begun.Add(p.Clients)
	for range p.Clients {
		running.Go(func() {
			for first := true; ctx.Err() == nil; first = false {
				status := 0
				c, err := dialer.DialContext(ctx, "tcp", p.Address)
				if err == nil {
					stop := context.AfterFunc(ctx, func() { c.Close() })
					_, _ = io.WriteString(c, head)
					if first && p.Slow {
						begun.Done()
					}
					_, _ = c.Write(body)
					if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
						status = resp.StatusCode
					}
					stop()
					c.Close()
				}
				if first && (!p.Slow || err != nil) {
					begun.Done()
				}
				if ctx.Err() == nil {
					mu.Lock()
					statuses[status]++
					mu.Unlock()
				}
			}
		})
	}
	begun.Wait()
	return func() map[int]int {
		cancel()
		running.Wait()
		return statuses
	}
}

// Ask makes an honest client send n small questions in sequence, and returns their times, sorted. Answers other than
// 200 fail the test.
func Ask(t testing.TB, address string, n int) []time.Duration {
	t.Helper()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport}
	times := make([]time.Duration, n)
	for i := range times {
		began := time.Now()
		resp, err := client.Post("http://"+address+"/v1/recommend", "application/json",
			strings.NewReader(`{"likes": ["1", "6", "260"], "k": 10}`))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("question %d: %d %.200s, %v", i, resp.StatusCode, answer, err)
		}
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	return times
}

// Peak returns a process's peak memory (VmHWM) in MB. Linux only.
func Peak(t testing.TB, pid int) float64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	kB, err := strconv.Atoi(regexp.MustCompile(`VmHWM:\s+(\d+)`).FindStringSubmatch(string(status))[1])
	if err != nil {
		t.Fatal(err)
	}
	return float64(kB) / 1000
}
