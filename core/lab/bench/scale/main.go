//go:build unix

// Command scale measures how the cost of each stage grows with the data: docs/scale.md, its picture, and scale.csv.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/lab/scale"
)

func main() {
	program := flag.String("pmlam", "build/measure/pmlam", "the command")
	out := flag.String("out", "build/measure/scale", "folder of the figures and of the drawn interactions")
	list := flag.String("sizes", "100000,316000,1000000,3160000,10000000,20000000,100000000",
		"interactions, smallest first")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *program, *out, *list); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, program, out, list string) error {
	var sizes []int
	for _, s := range strings.Split(list, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			return fmt.Errorf("-sizes: %w", err)
		}
		sizes = append(sizes, n)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var rows []scale.Row
	err := scale.Run(ctx, program, out, scale.Stages, sizes, func(r scale.Row) {
		rows = append(rows, r)
		fmt.Printf("%-20s %11d: %8.1f s, %8.1f CPU s, %7.1f MiB of memory, %d B written\n", r.Stage,
			r.Interactions, r.Seconds, r.Processor, float64(r.Memory)/(1<<20), r.File)
	})
	if len(rows) == 0 {
		return err
	}
	picture := scale.Picture("scale", rows)
	if _, err := picture.Write(out); err != nil {
		return err
	}
	f, ferr := os.Create(filepath.Join(out, "scale.csv"))
	if ferr != nil {
		return ferr
	}
	defer f.Close()
	if err := scale.WriteCSV(f, rows); err != nil {
		return err
	}
	if err := scale.WriteTable(os.Stdout, rows); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return err
}
