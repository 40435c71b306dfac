//go:build linux

// Command serving asks `pmlam serve` with a large catalogue from several clients, and watches its memory:
// core/lab/docs/server.md has the results. The catalogue has copies of a model's items, each moved at random.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

func main() {
	program := flag.String("pmlam", "build/measure/pmlam", "the command")
	from := flag.String("model", "assets/models/movielens.msgpack", "the model whose items are copied")
	out := flag.String("out", "build/measure/serving", "folder of the model file")
	items := flag.Int("items", 1_000_000, "items of the catalogue")
	span := flag.Duration("for", 30*time.Second, "time for each number of clients")
	clients := flag.String("clients", "1,2,4", "numbers of clients at once")
	address := flag.String("address", "localhost:18761", "where the server listens")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *program, *from, *out, *address, *items, *span, *clients); err != nil {
		fmt.Fprintln(os.Stderr, "serving:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, program, from, out, address string, items int, span time.Duration, clients string) error {
	path := filepath.Join(out, strconv.Itoa(items)+".msgpack")
	if _, err := os.Stat(path); err != nil {
		m, err := model.ReadFile(from)
		if err != nil {
			return err
		}
		if err := errors.Join(os.MkdirAll(out, 0o755), model.WriteFile(path, enlarge(m, items))); err != nil {
			return err
		}
	}
	server := exec.CommandContext(ctx, program, "serve", "--model", path, "--address", address, "--log", "off")
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		return err
	}
	defer func() { server.Process.Kill(); server.Wait() }()
	for {
		r, err := http.Get("http://" + address + "/readyz")
		if err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				break
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	fmt.Printf("%d items\n\n| clients | requests a second | 50%% ms | 99%% ms | processor ms a request | "+
		"memory MB, first and last quarter |\n| ---: | ---: | ---: | ---: | ---: | ---: |\n", items)
	for _, s := range strings.Split(clients, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			return fmt.Errorf("-clients: %w", err)
		}
		if err := load(ctx, server.Process.Pid, address, items, n, span); err != nil {
			return err
		}
	}
	return nil
}

// load asks from n clients, each its next question after the answer, and prints a row.
func load(ctx context.Context, pid int, address string, items, n int, span time.Duration) error {
	ctx, stop := context.WithTimeout(ctx, span)
	defer stop()
	before, began := processor(pid), time.Now()
	var lock sync.Mutex
	var all []time.Duration
	var failed error
	var work sync.WaitGroup
	for c := range n {
		work.Go(func() {
			x := rand.New(rand.NewPCG(uint64(c), uint64(n)))
			for ctx.Err() == nil {
				took, err := ask(ctx, address, items, x)
				lock.Lock()
				if err == nil {
					all = append(all, took)
				} else if ctx.Err() == nil {
					failed = err
				}
				lock.Unlock()
			}
		})
	}
	var memory []float64
	for ctx.Err() == nil {
		memory = append(memory, resident(pid))
		select {
		case <-ctx.Done():
		case <-time.After(span / 100):
		}
	}
	work.Wait()
	if failed != nil || len(all) == 0 {
		return fmt.Errorf("%d clients: %d answers: %w", n, len(all), failed)
	}
	took := time.Since(began).Seconds()
	slices.Sort(all)
	ms := func(q float64) float64 { return all[int(q*float64(len(all)-1))].Seconds() * 1000 }
	quarter := max(len(memory)/4, 1)
	fmt.Printf("| %d | %.1f | %.1f | %.1f | %.1f | %.0f, %.0f |\n", n, float64(len(all))/took, ms(.5), ms(.99),
		(processor(pid)-before)*1000/float64(len(all)), slices.Max(memory[:quarter]),
		slices.Max(memory[len(memory)-quarter:]))
	return nil
}

// ask asks for ten items for a visitor with 1 to 12 likes.
func ask(ctx context.Context, address string, items int, x *rand.Rand) (time.Duration, error) {
	likes := make([]string, 1+x.IntN(12))
	for i := range likes {
		likes[i] = strconv.Quote(strconv.Itoa(x.IntN(items)))
	}
	body := fmt.Sprintf(`{"likes": [%s], "k": 10}`, strings.Join(likes, ","))
	began := time.Now()
	to := "http://" + address + "/v1/recommend"
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	q.Header.Set("Content-Type", "application/json")
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	answer, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", r.Status, answer)
	}
	return time.Since(began), err
}

// enlarge returns a model of n items: copies of m's, with normal noise of half each coordinate's standard deviation.
func enlarge(m *model.Model, n int) *model.Model {
	size, width := m.Items.Len(), 2*m.Items.Dim()
	x := rand.New(rand.NewPCG(3, 5))
	noise := make([]float64, width)
	for d := range noise {
		var sum, square float64
		for i := range size {
			v := float64(m.Items.Row(i)[d])
			sum, square = sum+v, square+v*v
		}
		mean := sum / float64(size)
		noise[d] = math.Sqrt(max(square/float64(size)-mean*mean, 0)) / 2
	}
	out := *m
	out.Items, out.Map, out.Calibration, out.ItemItem = gaussian.NewTable(n, m.Items.Dim()), nil, nil, nil
	out.Catalogue = &catalogue.Catalogue{Items: make([]catalogue.Item, n)}
	for k := range n {
		row := out.Items.Row(k)
		for d, v := range m.Items.Row(k % size) {
			row[d] = v + float32(noise[d]*x.NormFloat64())
		}
		gaussian.Bound(row, m.Objective.Radius)
		it := m.Catalogue.Items[k%size]
		it.ID, it.Title, it.Values = strconv.Itoa(k), "Title "+strconv.Itoa(k), nil
		out.Catalogue.Items[k] = it
	}
	return &out
}

// processor returns the processor seconds of a process.
func processor(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return math.NaN()
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	user, _ := strconv.Atoi(string(fields[11]))
	system, _ := strconv.Atoi(string(fields[12]))
	return float64(user+system) / 100
}

// resident returns the memory of a process in MB.
func resident(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return math.NaN()
	}
	pages, _ := strconv.Atoi(string(bytes.Fields(text)[1]))
	return float64(pages*os.Getpagesize()) / 1e6
}
