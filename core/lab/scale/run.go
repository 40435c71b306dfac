//go:build unix

package scale

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// Stage is one command on the data of each size.
type Stage struct {
	Name string
	// Args of pmlam; {data} stands for the file of interactions and {model} for the model file, which the stage
	// "default" writes.
	Args []string
	Most int // largest number of interactions that it is run on
}

// Stages are the measured stages. The limits keep a whole run within hours.
var Stages = []Stage{
	{"read and filter", []string{"data", "stats", "{data}"}, 1e9},
	{"itemknn, evaluated", []string{"evaluate", "--data", "{data}", "--by-time", "0.1", "--baselines", "itemknn"},
		1e9},
	{"paper, an epoch", []string{"train", "--data", "{data}", "--preset", "paper", "--epochs", "1"}, 1e7},
	{"composed, an epoch", []string{"train", "--data", "{data}", "--preset", "composed", "--epochs", "1",
		"--user-pairs", "8", "--batch", "2000", "--calibrate=false"}, 1e7},
	{"default", []string{"train", "--data", "{data}", "--out", "{model}"}, 2e7},
	{"recommend", []string{"recommend", "--model", "{model}", "--like", "id:1", "--like", "id:2"}, 2e7},
}

// Row is one stage at one size.
type Row struct {
	Stage        string
	Interactions int
	Seconds      float64 // by the clock
	Processor    float64 // s, of all cores
	Memory       int64   // B: peak of resident memory
	File         int64   // B: the drawn file, or the written model; 0: none
}

// Shape returns users and items for a number of interactions: MovieLens-20M's 138,000 × 27,000 at 20 million, users in
// proportion and items with the square root.
func Shape(interactions int) (users, items int) {
	x := float64(interactions) / 20e6
	return max(1, int(math.Round(138_000*x))), max(40, int(math.Round(27_000*math.Sqrt(x))))
}

// Run draws interactions of each size with the command program, measures the stages on them in folder, and passes each
// row to done. Interactions and models are in a temporary folder inside folder. A failing stage ends the run; the error
// has the command's output.
func Run(ctx context.Context, program, folder string, stages []Stage, sizes []int, done func(Row)) error {
	folder, err := os.MkdirTemp(folder, "scale-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, n := range sizes {
		data := filepath.Join(folder, strconv.Itoa(n)+".csv")
		model := filepath.Join(folder, strconv.Itoa(n)+".msgpack")
		users, items := Shape(n)
		all := append([]Stage{{"draw", []string{"data", "synth", "--out", "{data}", "--interactions",
			strconv.Itoa(n), "--users", strconv.Itoa(users), "--items", strconv.Itoa(items)}, n}}, stages...)
		for _, s := range all {
			if n > s.Most {
				continue
			}
			args := make([]string, len(s.Args))
			writes := ""
			for i, a := range s.Args {
				switch a {
				case "{data}":
					a = data
				case "{model}":
					a = model
				}
				if i > 0 && s.Args[i-1] == "--out" {
					writes = a
				}
				args[i] = a
			}
			r, err := measure(ctx, program, args)
			if err != nil {
				return fmt.Errorf("%s, %d interactions: %w", s.Name, n, err)
			}
			r.Stage, r.Interactions = s.Name, n
			if info, err := os.Stat(writes); err == nil {
				r.File = info.Size()
			}
			done(r)
		}
		if err := os.Remove(data); err != nil {
			return err
		}
	}
	return nil
}

// measure runs one command to its end.
func measure(ctx context.Context, program string, args []string) (Row, error) {
	c := exec.CommandContext(ctx, program, args...)
	var said bytes.Buffer
	c.Stderr = &said
	start := time.Now()
	if err := c.Run(); err != nil {
		return Row{}, fmt.Errorf("%v: %w\n%s", args, err, said.Bytes())
	}
	took := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS != "darwin" { // which counts bytes, others KiB
		took *= 1024
	}
	return Row{
		Seconds:   time.Since(start).Seconds(),
		Processor: (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(),
		Memory:    int64(took),
	}, nil
}
