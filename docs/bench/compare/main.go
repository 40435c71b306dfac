// Command compare measures pmlam compare on simulated visitors.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/pmlam/pmlam/core/study/experiments"
)

func main() {
	runs := flag.Int("runs", 1000, "simulated experiments of each kind")
	seed := flag.Uint64("seed", 1, "of all draws")
	workers := flag.Int("workers", 0, "goroutines; 0: as many as there are processors")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	tables, err := experiments.Measure(ctx, *runs, *workers, *seed)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
	fmt.Print(tables)
}
