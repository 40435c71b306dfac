//go:build gpu && linux

package main

import (
	"context"
	"encoding/csv"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/cuda/standin"
)

// rowsOf returns the rows of a CSV file by their columns' names.
func rowsOf(t *testing.T, path string) (rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(string(read(t, path)))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// Table 3 has the same figures on the device, by two jobs at once. Published results name the device, also in a later
// run on the processor.
func TestDeviceReproducesTable3(t *testing.T) {
	driver := standin.Use(t)
	data, folder := blocks(t), t.TempDir()
	public := filepath.Join(folder, "public")
	args := []string{"reproduce", "table3", "--data", data, "--folds", "1", "--trials", "1", "--epochs", "20", "--out"}
	ok(t, append(args, filepath.Join(folder, "cpu"))...)
	if driver.Get("launches") > 0 {
		t.Fatal("the device was used without being named")
	}
	r := ok(t, append(args, filepath.Join(folder, "gpu"), "--device", "cuda:0", "--jobs", "2", "--publish", public)...)
	const note = "Devices of the 8 results: 8 on cuda:0 (Stand-in)."
	if !strings.Contains(r.out, note) {
		t.Errorf("%q is missing in\n%s", note, r.out)
	}
	cpu := rowsOf(t, filepath.Join(folder, "cpu", "table3-folds.csv"))
	gpu := rowsOf(t, filepath.Join(folder, "gpu", "table3-folds.csv"))
	if len(cpu) != 8 || len(gpu) != 8 {
		t.Fatalf("%d and %d rows", len(cpu), len(gpu))
	}
	for i := range cpu {
		if cpu[i]["device"] != "cpu" || gpu[i]["device"] != "cuda:0 (Stand-in)" {
			t.Errorf("learned on %q and %q", cpu[i]["device"], gpu[i]["device"])
		}
		for _, key := range []string{"recall@10", "ndcg@10"} {
			a, err := strconv.ParseFloat(cpu[i][key], 64)
			b, failed := strconv.ParseFloat(gpu[i][key], 64)
			if err != nil || failed != nil || math.Abs(a-b) > 0.005 {
				t.Errorf("%s: %s is %s on the device and %s on the processor", cpu[i]["method"], key, gpu[i][key],
					cpu[i][key])
			}
		}
	}
	if blocks := driver.Get("blocks"); blocks > 0 {
		t.Errorf("%d blocks of memory are left on the device", blocks)
	}
	for _, row := range slices.Concat(rowsOf(t, filepath.Join(public, "table2.csv")),
		rowsOf(t, filepath.Join(public, "table3.csv"))) {
		if row["device"] != "cuda:0 (Stand-in)" || row["bytes"] != "0" {
			t.Errorf("%s is published as learned on %q with %s bytes", row["method"], row["device"], row["bytes"])
		}
	}
	again := ok(t, append(args, filepath.Join(folder, "known"), "--known", public, "--max-time", "1ns")...)
	if again.out != r.out {
		t.Errorf("published results give\n%s\nwant\n%s", again.out, r.out)
	}
}

// Ctrl-C frees the device and leaves checkpoints, from which the processor resumes.
func TestDeviceStopsReproducing(t *testing.T) {
	driver := standin.Use(t)
	data, out := blocks(t), filepath.Join(t.TempDir(), "out")
	args := []string{"reproduce", "table3", "--data", data, "--folds", "2", "--trials", "1", "--out", out}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		for ctx.Err() == nil && driver.Get("launches") < 5000 {
			time.Sleep(time.Millisecond)
		}
		stop()
	}()
	r := within(ctx, append(args, "--device", "cuda:0", "--jobs", "3")...)
	underWay := filepath.Join(out, "measured", "*", "under-way-*", "*")
	if left, err := filepath.Glob(underWay); r.code != cli.ExitInterrupted || err != nil || len(left) == 0 {
		t.Errorf("exit code %d, with the checkpoints %v (%v): %s", r.code, left, err, r.errors)
	}
	if blocks := driver.Get("blocks"); blocks > 0 {
		t.Errorf("%d blocks of memory are left on the device", blocks)
	}
	r = ok(t, args...)
	left, err := filepath.Glob(underWay)
	if err != nil || len(left) > 0 || strings.Contains(r.out, "1 of 5") {
		t.Errorf("the checkpoints %v are left (%v), after\n%s", left, err, r.out)
	}
}

// A failing device ends the run with its error, leaves no result, and is released; an unusable one is refused before
// the data are read.
func TestDeviceThatFailsReproducing(t *testing.T) {
	driver := standin.Use(t)
	data, out := blocks(t), filepath.Join(t.TempDir(), "out")
	args := []string{"reproduce", "table3", "--folds", "1", "--trials", "1", "--epochs", "10", "--out", out, "--jobs",
		"2", "--device", "cuda:0", "--data"}
	driver.Set("lost_after", 2000)
	r := command(append(args, data)...)
	if r.code != cli.ExitFailed || !strings.Contains(r.errors, " on blocks, fold 0: ") ||
		!strings.Contains(r.errors, "CUDA_ERROR_ILLEGAL_ADDRESS") || !strings.HasSuffix(r.errors, "results so far "+
		"are in "+out+", and the same command resumes from there\n") {
		t.Fatalf("exit code %d, %s", r.code, r.errors)
	}
	if kept, err := filepath.Glob(filepath.Join(out, "measured", "*", "trial-*")); err != nil || len(kept) == 0 {
		t.Errorf("earlier measurements are lost (%v)", err)
	}
	driver.Set("reset", 0)
	if r := ok(t, append(args, data)...); strings.Contains(r.out, "0 of 5") {
		t.Error(r.out)
	}
	driver.Set("devices", 0)
	if r := command(append(args, "no-such-data")...); r.code != cli.ExitFailed || !strings.Contains(r.errors,
		"cannot use the device cuda:0: cannot start NVIDIA's driver: ") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}
