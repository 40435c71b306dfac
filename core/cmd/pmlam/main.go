// Command pmlam trains, measures and asks Gaussian recommenders: PMLAM from ratings to recommendations.
//
//	pmlam data stats ratings.csv          what is in a file, as the paper's Table 1
//	pmlam train --data ratings.csv        learn a model and write it to a file
//	pmlam evaluate --model m --data d     its quality on held-out items
//	pmlam recommend --like "Toy Story"    ask it
//	pmlam inspect model                   what a model file holds
//
// Every command takes --json, which makes the last line of standard output one JSON object. Progress and notices go
// to standard error. The exit codes are in exit.go.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
