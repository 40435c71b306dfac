//go:build linux

// Command serving asks `pmlam serve`, or another server, with a large catalogue from several clients, and watches its
// memory: core/lab/docs/server.md has the results. The catalogue has copies of a model's items, each moved at random.
package main

import (
	"bufio"
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
	clients := flag.String("clients", "1,2,4,8,16", "clients at once, some for a time of their own: 1,4:10m")
	address := flag.String("address", "localhost:18761", "where the server listens")
	command := flag.String("server", "", "the command line of a server of such a catalogue, instead of pmlam serve")
	parent := flag.Int("and", 0, "a process that does part of the server's work, such as PostgreSQL's first")
	compared := flag.Int("recall", 0, "instead of serving, compare this many lists of each kind with the full scan")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *command != "" {
		if err := run(ctx, strings.Fields(*command), *address, *items, *parent, *span, *clients); err != nil {
			fmt.Fprintln(os.Stderr, "serving:", err)
			os.Exit(1)
		}
		return
	}
	path, err := enlarged(*from, *out, *items)
	if err == nil && *compared > 0 {
		var m *model.Model
		if m, err = model.ReadFile(path); err == nil {
			err = recall(ctx, os.Stdout, m, *compared)
		}
	} else if err == nil {
		err = run(ctx, []string{*program, "serve", "--model", path}, *address, *items, *parent, *span, *clients)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "serving:", err)
		os.Exit(1)
	}
}

// enlarged returns the path of the model file with this number of items, which it writes if it is missing; 0: the model
// itself.
func enlarged(from, out string, items int) (path string, err error) {
	if items == 0 {
		return from, nil
	}
	path = filepath.Join(out, strconv.Itoa(items)+".msgpack")
	if _, err := os.Stat(path); err != nil {
		m, err := model.ReadFile(from)
		if err != nil {
			return "", err
		}
		return path, errors.Join(os.MkdirAll(out, 0o755), model.WriteFile(path, enlarge(m, items)))
	}
	return path, nil
}

func run(ctx context.Context, command []string, address string, items, parent int, span time.Duration,
	clients string) error {
	server := exec.CommandContext(ctx, command[0], append(command[1:], "--address", address)...)
	log, err := server.StderrPipe()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := server.Start(); err != nil {
		return err
	}
	defer func() { server.Process.Kill(); server.Wait() }()
	divided := make(chan bool)
	go func() {
		for lines := bufio.NewScanner(log); lines.Scan(); {
			if strings.Contains(lines.Text(), "lists come from cells") {
				close(divided)
			}
		}
	}()
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
	opened := time.Since(began)
	if items >= 400_000 && parent == 0 {
		select {
		case <-divided:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	p := processes{server.Process.Pid, parent}
	fmt.Printf("%d items, opened in %.0f s and divided in %.0f (%.0f of a processor in all)\n\n", items,
		opened.Seconds(), (time.Since(began) - opened).Seconds(), p.processor())
	fmt.Print("| clients | requests a second | 50% ms | 99% ms | processor ms a request | " +
		"memory MB, first and last quarter |\n| ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, s := range strings.Split(clients, ",") {
		s, long, own := strings.Cut(s, ":")
		n, err := strconv.Atoi(s)
		span := span
		if err == nil && own {
			span, err = time.ParseDuration(long)
		}
		if err != nil {
			return fmt.Errorf("-clients: %w", err)
		}
		if err := load(ctx, p, address, items, n, span); err != nil {
			return err
		}
	}
	return nil
}

// load asks from n clients, each its next question after the answer, and prints a row.
func load(ctx context.Context, p processes, address string, items, n int, span time.Duration) error {
	ctx, stop := context.WithTimeout(ctx, span)
	defer stop()
	before, began := p.processor(), time.Now()
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
		memory = append(memory, p.memory())
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
		(p.processor()-before)*1000/float64(len(all)), slices.Max(memory[:quarter]),
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

// enlarge returns a model of n items: copies of m's, with normal noise of half each coordinate's standard deviation,
// and links within each copy. The columns price (0 to 999), stock (a quarter has some) and shelf (0 to 9) are drawn.
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
	out.Items, out.Map, out.Calibration = gaussian.NewTable(n, m.Items.Dim()), nil, nil
	out.Catalogue = &catalogue.Catalogue{Items: make([]catalogue.Item, n),
		Columns: []string{"price", "stock", "shelf"}}
	out.ItemItem, out.Next = copies(m.ItemItem, n), copies(m.Next, n)
	for k := range n {
		row := out.Items.Row(k)
		for d, v := range m.Items.Row(k % size) {
			row[d] = v + float32(noise[d]*x.NormFloat64())
		}
		gaussian.Bound(row, m.Objective.Radius)
		it := m.Catalogue.Items[k%size]
		it.ID, it.Title = strconv.Itoa(k), "Title "+strconv.Itoa(k)
		it.Values = []string{strconv.Itoa(x.IntN(1000)), strconv.Itoa(max(x.IntN(4)-2, 0)), strconv.Itoa(x.IntN(10))}
		out.Catalogue.Items[k] = it
	}
	return &out
}

// copies returns the links of n items, within each copy.
func copies(of *model.ItemLinks, n int) *model.ItemLinks {
	if of == nil {
		return nil
	}
	out, size := &model.ItemLinks{Gamma: of.Gamma, Offsets: []int32{0}}, of.Len()
	for k := range n {
		sources, weights := of.Row(k % size)
		for at, j := range sources {
			if from := k - k%size + int(j); from < n {
				out.Sources, out.Weights = append(out.Sources, int32(from)), append(out.Weights, weights[at])
			}
		}
		out.Offsets = append(out.Offsets, int32(len(out.Sources)))
	}
	return out
}

// processes are a server and the parent of processes that do part of its work; 0: there is no parent.
type processes struct{ server, parent int }

// processor returns their processor seconds, with the parent's ended children.
func (p processes) processor() float64 {
	sum := p.ticks(p.server, 2)
	if p.parent != 0 {
		sum += p.ticks(p.parent, 4)
		for _, pid := range p.children() {
			sum += p.ticks(pid, 2)
		}
	}
	return float64(sum) / 100
}

// ticks returns hundredths of a second: user and system time, and with n = 4 that of ended children. It returns 0 for a
// process that has ended.
func (p processes) ticks(pid, n int) (sum int) {
	if f := stat(pid); f != nil {
		for _, x := range f[11 : 11+n] {
			t, _ := strconv.Atoi(x) // the kernel's numbers
			sum += t
		}
	}
	return sum
}

// children returns the parent's children.
func (p processes) children() (pids []int) {
	folders, _ := filepath.Glob("/proc/[0-9]*") // a fixed pattern
	for _, folder := range folders {
		pid, _ := strconv.Atoi(filepath.Base(folder))
		if f := stat(pid); f != nil && f[1] == strconv.Itoa(p.parent) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// stat returns the fields of /proc/PID/stat after the name, or nil.
func stat(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}

// memory returns their memory in MB. What children share counts once, as large as the largest.
func (p processes) memory() float64 {
	own, shared := kilobytes(p.server)
	if p.parent != 0 {
		for _, pid := range p.children() {
			o, s := kilobytes(pid)
			own, shared = own+o, max(shared, s)
		}
	}
	return float64(own+shared) * 1024 / 1e6
}

// kilobytes returns a process's memory of its own, and shared memory.
func kilobytes(pid int) (own, shared int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // 0 for one that has ended
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
		switch name {
		case "RssAnon":
			own = n
		case "RssShmem":
			shared = n
		}
	}
	return own, shared
}
