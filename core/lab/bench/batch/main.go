//go:build unix

// Command batch measures how the preparation, neighbours and links of server/batch grow with the data, compared with
// one machine alone, on drawn interactions: core/lab/docs/scale.md, its picture batch.svg, and batch.csv. It also
// compares all rows.
package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/lab/plot"
	"github.com/pmlam/pmlam/core/lab/scale"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// recipe has the links of the preset hybrid.
var recipe = itemlinks.Recipe{Kind: itemlinks.ByRidge, Top: 10, Lambda: 50}

// row is one command, or the same work on one machine.
type row struct {
	where, stage       string
	interactions       int
	seconds, processor float64 // by the clock; of this process, its children and the engine's groups
	bytes              int64   // written by the tasks of Flink, by its own metrics
}

type measurement struct {
	ctx                      context.Context
	pmlam, batch, out, flink string
	flags, groups            []string
	links                    bool
	rows                     []row
}

func main() {
	m := measurement{}
	flag.StringVar(&m.pmlam, "pmlam", "build/measure/pmlam", "the command")
	flag.StringVar(&m.batch, "batch", "build/measure/pmlam-batch", "the command of server/batch")
	flag.StringVar(&m.out, "out", "build/measure/batch", "folder of the figures; data and outputs in it are used again")
	flag.StringVar(&m.flink, "flink", "", "address of Flink's REST API, such as http://localhost:8081, for its metrics")
	groups := flag.String("groups", "", "process groups of the engine, by commas, whose processor time counts")
	flag.BoolVar(&m.links, "links", true, "measure links too")
	flags := flag.String("flags", "", "Beam's flags, separated by blanks; none: Prism")
	sizes := flag.String("sizes", "100000,1000000,10000000", "interactions, smallest first")
	flag.Parse()
	m.flags = strings.Fields(*flags)
	m.groups = strings.FieldsFunc(*groups, func(r rune) bool { return r == ',' })
	var stop func()
	m.ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := os.MkdirAll(m.out, 0o755)
	for _, s := range strings.Split(*sizes, ",") {
		n, wrong := strconv.Atoi(s)
		if err = errors.Join(err, wrong); err == nil {
			err = m.size(n)
		}
	}
	if err := errors.Join(err, m.write()); err != nil {
		fmt.Fprintln(os.Stderr, "batch:", err)
		os.Exit(1)
	}
}

// size measures one number of interactions.
func (m *measurement) size(n int) error {
	name := func(kind string) string { return filepath.Join(m.out, kind+"-"+strconv.Itoa(n)) }
	data, shards := name("data")+".csv", name("shards")
	users, items := scale.Shape(n)
	if _, err := os.Stat(data); err != nil {
		if err := m.run(m.pmlam, "data", "synth", "--out", data, "--interactions", strconv.Itoa(n), "--users",
			strconv.Itoa(users), "--items", strconv.Itoa(items)); err != nil {
			return err
		}
	}
	if _, err := os.Stat(shards); err != nil {
		if err := m.engine("prepare", n, "--data", data, "--out", shards); err != nil {
			return err
		}
	}
	near, links := name("near"), name("links")
	if err := errors.Join(os.RemoveAll(near), os.RemoveAll(links)); err != nil {
		return err
	}
	if err := m.engine("neighbours", n, "--from", shards, "--out", near); err != nil {
		return err
	}
	if !m.links {
		return m.one(n, data, near, "")
	}
	if err := m.engine("links", n, "--from", shards, "--out", links, "--item-top", strconv.Itoa(recipe.Top),
		"--item-lambda", strconv.FormatFloat(recipe.Lambda, 'g', -1, 64)); err != nil {
		return err
	}
	return m.one(n, data, near, links)
}

// run runs a command; its output appears in the error.
func (m *measurement) run(program string, args ...string) error {
	if out, err := exec.CommandContext(m.ctx, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w\n%s", program, args, err, out)
	}
	return nil
}

// timed measures work and adds a row.
func (m *measurement) timed(where, stage string, n int, work func() error) error {
	began, before := time.Now(), m.processor()
	if err := work(); err != nil {
		return fmt.Errorf("%s, %s of %d: %w", where, stage, n, err)
	}
	r := row{where: where, stage: stage, interactions: n, seconds: time.Since(began).Seconds(),
		processor: m.processor() - before}
	if where == "engine" && m.flink != "" {
		var err error
		if r.bytes, err = m.shuffled(began); err != nil {
			return err
		}
	}
	m.rows = append(m.rows, r)
	fmt.Printf("%-12s %-10s %9d: %7.1f s, %7.1f CPU s, %11d B shuffled, %6.1f B an interaction\n", where, stage, n,
		r.seconds, r.processor, r.bytes, float64(r.bytes)/float64(n))
	return nil
}

func (m *measurement) engine(command string, n int, args ...string) error {
	return m.timed("engine", command, n, func() error {
		return m.run(m.batch, append(append([]string{command}, args...), m.flags...)...)
	})
}

// one does the same on one machine, and compares. Without links it leaves them out.
func (m *measurement) one(n int, data, near, links string) error {
	var d *dataset.Dataset
	if err := m.timed("one machine", "prepare", n, func() (err error) {
		d, err = dataset.Load(data, dataset.Options{})
		return err
	}); err != nil {
		return err
	}
	want := map[nearRow]bool{}
	if err := m.timed("one machine", "neighbours", n, func() error {
		lists, err := baseline.Neighbours(m.ctx, d.Positives, 20, baseline.Cosine, 0)
		for i, list := range lists {
			for r, x := range list {
				want[nearRow{d.Items.ID(i), int32(r + 1), d.Items.ID(int(x.Item)), x.Score}] = true
			}
		}
		return err
	}); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(near, "near-*.parquet"))
	if err != nil {
		return err
	}
	for _, path := range files {
		rows, err := parquet.ReadFile[nearRow](path)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if !want[r] {
				return fmt.Errorf("%s has %v, which one machine has not", path, r)
			}
			delete(want, r)
		}
	}
	if len(want) > 0 {
		return fmt.Errorf("%s lacks %d of the rows of one machine", near, len(want))
	}
	if links == "" {
		return nil
	}
	return m.timed("one machine", "links", n, func() error {
		want, err := recipe.Build(m.ctx, d.Positives, 0)
		if err != nil {
			return err
		}
		got, err := itemlinks.ReadFolder(links, d.Items, d.Positives.Len(), recipe)
		if err == nil && fmt.Sprint(got.Offsets, got.Sources, got.Weights) != fmt.Sprint(want.Offsets, want.Sources,
			want.Weights) {
			err = fmt.Errorf("%s differs from the links of one machine", links)
		}
		return err
	})
}

// nearRow is a row of the files of pmlam-batch neighbours.
type nearRow struct {
	Item      string  `parquet:"item"`
	Rank      int32   `parquet:"rank"`
	Neighbour string  `parquet:"neighbour"`
	Cosine    float32 `parquet:"cosine"`
}

// processor returns the processor seconds of this process and its ended children, and those of the engine's groups.
func (m *measurement) processor() (seconds float64) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if err := syscall.Getrusage(who, &r); err == nil {
			seconds += time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
		}
	}
	if len(m.groups) == 0 {
		return seconds
	}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // a fixed pattern
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended, and counts at its parent
		}
		// After the name: state, parent, group, …; 11 to 14 are hundredths of a second, with ended children.
		f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
		if !slices.Contains(m.groups, f[2]) {
			continue
		}
		for _, x := range f[11:15] {
			n, _ := strconv.Atoi(x) // the kernel's numbers
			seconds += float64(n) / 100
		}
	}
	return seconds
}

// shuffled returns the bytes that the tasks of all Flink jobs since a moment have written.
func (m *measurement) shuffled(since time.Time) (bytes int64, err error) {
	var all struct {
		Jobs []struct {
			ID    string `json:"jid"`
			Start int64  `json:"start-time"`
		} `json:"jobs"`
	}
	if err := m.get("/jobs/overview", &all); err != nil {
		return 0, err
	}
	for _, j := range all.Jobs {
		if j.Start < since.UnixMilli() {
			continue
		}
		var job struct {
			Vertices []struct {
				Metrics struct {
					Written int64 `json:"write-bytes"`
				} `json:"metrics"`
			} `json:"vertices"`
		}
		if err := m.get("/jobs/"+j.ID, &job); err != nil {
			return 0, err
		}
		for _, v := range job.Vertices {
			bytes += v.Metrics.Written
		}
	}
	return bytes, nil
}

func (m *measurement) get(path string, into any) error {
	r, err := http.Get(m.flink + path)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	return json.NewDecoder(r.Body).Decode(into)
}

// write writes the table and the picture.
func (m *measurement) write() error {
	if len(m.rows) == 0 {
		return nil
	}
	lines := map[string]*plot.Line{}
	var order []*plot.Line
	all := [][]string{{"where", "stage", "interactions", "seconds", "processor_seconds", "bytes_shuffled"}}
	for _, r := range m.rows {
		all = append(all, []string{r.where, r.stage, strconv.Itoa(r.interactions), fmt.Sprintf("%.2f", r.seconds),
			fmt.Sprintf("%.2f", r.processor), strconv.FormatInt(r.bytes, 10)})
		name := r.stage + ", " + strings.Replace(r.where, "one machine", "alone", 1) // the legend is narrow
		l := lines[name]
		if l == nil {
			l = &plot.Line{Name: name, Marks: true}
			lines[name], order = l, append(order, l)
		}
		l.X, l.Y = append(l.X, float64(r.interactions)), append(l.Y, max(r.seconds, 1e-3))
	}
	p := plot.Panel{Title: "Prepare, neighbours and links", X: "interactions", Y: "seconds", LogX: true, LogY: true,
		Legend: plot.Beside}
	for _, l := range order {
		p.Lines = append(p.Lines, *l)
		if b, _ := scale.Exponent(l.X, l.Y); b == b {
			fmt.Printf("%-24s seconds grow with N to the %.2f\n", l.Name, b)
		}
	}
	picture := plot.Picture{Name: "batch", Panels: []plot.Panel{p}}
	if _, err := picture.Write(m.out); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(m.out, "batch.csv"))
	if err != nil {
		return err
	}
	return errors.Join(csv.NewWriter(f).WriteAll(all), f.Close())
}
