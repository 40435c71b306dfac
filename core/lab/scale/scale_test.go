//go:build unix

package scale

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The exponent of a power law is found to the last digits; without data to fit there is none.
func TestExponent(t *testing.T) {
	n := []float64{1e3, 1e4, 2e5}
	cost := make([]float64, len(n))
	for i := range n {
		cost[i] = 3e-4 * math.Pow(n[i], 1.3)
	}
	if b, a := Exponent(n, cost); math.Abs(b-1.3) > 1e-12 || math.Abs(a/3e-4-1) > 1e-9 {
		t.Errorf("%g·N^%g", a, b)
	}
	if b, _ := Exponent(n[:1], cost[:1]); !math.IsNaN(b) {
		t.Errorf("one point: %g", b)
	}
}

// MovieLens-20M's shape at its size.
func TestShapeOf(t *testing.T) {
	if users, items := Shape(20_000_000); users != 138_000 || items != 27_000 {
		t.Errorf("%d × %d", users, items)
	}
}

// Every stage runs the real command, on data small enough for seconds, and has figures.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it trains, which takes seconds (-short)")
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "pmlam")
	if out, err := exec.Command("go", "build", "-C", "../../..", "-o", program, "./core/cmd/pmlam").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	stages := slices.Clone(Stages)
	for i, s := range stages {
		if s.Name == "default" { // the choice takes a minute
			stages[i].Args = append(slices.Clone(s.Args), "--auto=false", "--calibrate=false", "--epochs", "1")
		}
	}
	mine := filepath.Join(folder, "20000.csv")
	if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	var rows []Row
	err := Run(context.Background(), program, folder, stages, []int{20000}, func(r Row) { rows = append(rows, r) })
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(Stages)+1 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		if r.Processor <= 0 || r.Memory < 1<<20 || r.Seconds <= 0 || r.Interactions != 20000 {
			t.Errorf("%+v", r)
		}
		if (r.Stage == "draw" || r.Stage == "default") != (r.File > 0) {
			t.Errorf("%s wrote %d bytes", r.Stage, r.File)
		}
	}
	if b, err := os.ReadFile(mine); err != nil || string(b) != "mine" {
		t.Errorf("a foreign file is %q (%v)", b, err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 2 {
		t.Errorf("left are %v (%v), want the program and that file", entries, err)
	}
	var table bytes.Buffer
	if err := WriteTable(&table, rows); err != nil || strings.Count(table.String(), "\n") != len(rows)+2 {
		t.Errorf("%v\n%s", err, table.String())
	}
}

// The error has the output of a failing command.
func TestFailingStage(t *testing.T) {
	err := Run(context.Background(), "false", t.TempDir(), Stages, []int{20000}, func(Row) { t.Error("a row") })
	if err == nil || !strings.Contains(err.Error(), "draw, 20000 interactions") {
		t.Errorf("%v", err)
	}
}
