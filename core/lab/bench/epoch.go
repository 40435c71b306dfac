//go:build unix

// Command bench trains like `pmlam train --preset paper --fold 0` and prints the figures that epoch.sh compares: a line
// of JSON about the data, and one for each epoch.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/training"
)

func main() {
	data := flag.String("data", "",
		"file or folder with the interactions; books: synthetic data of the size of the paper's Books")
	folder := flag.String("write", "",
		"write the training pairs and initial values to this folder, and stop")
	epochs := flag.Int("epochs", 3, "epochs to train")
	seed := flag.Uint64("seed", 1, "seed of the training; that of the split is 1")
	workers := flag.Int("workers", 2, "cores to use; 0: all")
	device := flag.String("device", "cpu", "where to train: cpu, or cuda:0 if built with -tags gpu")
	flag.Parse()
	if err := run(*data, *folder, *epochs, *seed, *workers, *device); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(data, folder string, epochs int, seed uint64, workers int, device string) error {
	on, err := pmlam.OpenDevice(device)
	if err != nil {
		return err
	}
	defer on.Close()
	train, err := interactions(data)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	cfg, err := pmlam.Preset("paper")
	if err != nil {
		return err
	}
	cfg.Epochs, cfg.Seed = epochs, seed
	if folder != "" {
		cfg.Epochs = 0
	}
	at := now()
	t, err := pmlam.New(context.Background(), train, cfg, workers)
	if err != nil {
		return err
	}
	// spent returns wall-clock and CPU seconds since its last call.
	spent := func() (wall, cpu float64) {
		before := at
		at = now()
		return at.wall.Sub(before.wall).Seconds(), at.cpu - before.cpu
	}
	if folder != "" {
		start, err := t.Run(context.Background(), nil)
		if err != nil {
			return err
		}
		if err := write(folder, train, start); err != nil {
			return err
		}
		return out.Encode(map[string]int{"users": train.Rows(), "items": train.Cols, "pairs": train.Len()})
	}
	wall, cpu := spent()
	if err := out.Encode(map[string]any{"by": "pmlam", "on": on.String(), "preparing": wall, "cpu": cpu}); err != nil {
		return err
	}
	t.Use(on)
	_, err = t.Run(context.Background(), func(e training.Epoch) {
		wall, cpu := spent()
		if err := out.Encode(epoch{e.Number, wall, cpu, [3]float64(e.Figures[pmlam.FigureInner:]),
			e.Figures[pmlam.FigureMargin]}); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
	})
	return err
}

// interactions returns the training data: fold 0 of the data, or for "books" synthetic interactions of the size of the
// paper's Books: 77,754 users, 66,963 items and 2.5 million. Users and items belong to one of 300 tastes, and half of a
// user's likes have the user's taste; within and outside of a taste, few items are liked by many.
func interactions(data string) (*dataset.Matrix, error) {
	if data != "books" {
		d, err := dataset.Load(data, dataset.Options{})
		if err != nil {
			return nil, err
		}
		return d.Fold(5, 0, 1).Train, nil
	}
	const users, items, wanted, tastes = 77_754, 66_963, 2_500_000, 300
	r := rand.New(rand.NewPCG(1, 2))
	pairs := make([]dataset.Pair, 0, wanted)
	for n := range wanted {
		u := n % users
		x := r.Float64()
		i := int(x * x * x * items)
		if n/users%2 == 0 {
			i = i/tastes*tastes + u%tastes
		}
		pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32(min(i, items-1))})
	}
	return dataset.NewMatrix(users, items, pairs), nil
}

// epoch is a line of the output, in the format of epoch.py.
type epoch struct {
	Epoch   int        `json:"epoch"`
	Seconds float64    `json:"seconds"`
	CPU     float64    `json:"cpu"`    // user and system, of all threads
	Inner   [3]float64 `json:"inner"`  // mean inner loss of a pair: user-item, user-user, item-item
	Margin  float64    `json:"margin"` // mean user-item margin of the last batch
}

// write writes numbers, little-endian, one after another: pairs.i4 user and item of each training pair; theta.f4 the
// rows [μ; s] of users and items; phi.f4 W1, b1, w2, b2 of the networks for user-item, user-user and item-item.
func write(folder string, m *dataset.Matrix, start *pmlam.Result) error {
	var pairs, theta, phi []byte
	for u := range m.Rows() {
		for _, i := range m.Row(u) {
			pairs = binary.LittleEndian.AppendUint32(pairs, uint32(u))
			pairs = binary.LittleEndian.AppendUint32(pairs, uint32(i))
		}
	}
	floats := func(b []byte, values []float32) []byte {
		for _, x := range values {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b
	}
	theta = floats(floats(theta, start.Users.Data()), start.Items.Data())
	for _, net := range []*margin.Network{start.UserItem, start.UserUser, start.ItemItem} {
		net.Parameters(func(_ string, values []float32) { phi = floats(phi, values) })
	}
	return errors.Join(
		os.WriteFile(filepath.Join(folder, "pairs.i4"), pairs, 0o644),
		os.WriteFile(filepath.Join(folder, "theta.f4"), theta, 0o644),
		os.WriteFile(filepath.Join(folder, "phi.f4"), phi, 0o644),
	)
}

// moment is a point in wall-clock and CPU time.
type moment struct {
	wall time.Time
	cpu  float64
}

func now() moment {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // fails only for impossible arguments
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return moment{time.Now(), seconds(u.Utime) + seconds(u.Stime)}
}
