// Command compare measures pmlam compare on simulated visitors.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/pmlam/pmlam/core/lab/experiments"
)

func main() {
	runs := flag.Int("runs", 1000, "simulated experiments of each kind")
	seed := flag.Uint64("seed", 1, "seed of all draws")
	workers := flag.Int("workers", 0, "goroutines; 0: all processors")
	alike := flag.Bool("alike", false, "only experiments without a difference")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *runs, *workers, *seed, *alike); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, runs, workers int, seed uint64, alike bool) error {
	table, err := experiments.Alike(ctx, runs, workers, seed)
	if err != nil {
		return err
	}
	fmt.Println(table)
	if alike {
		return nil
	}
	if table, err = experiments.Planted(ctx, runs, workers, seed); err != nil {
		return err
	}
	fmt.Print(table)
	return nil
}
