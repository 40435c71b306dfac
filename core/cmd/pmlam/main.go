//go:build !js

// Command pmlam trains, evaluates and queries Gaussian recommenders: PMLAM from ratings to recommendations.
//
//	pmlam data stats ratings.csv          statistics of a file, as the paper's Table 1
//	pmlam train --data ratings.csv        learn a model and write it to a file
//	pmlam evaluate --model m --data d     measure it and plain methods on held-out items
//	pmlam recommend --like "Toy Story"    query a model
//
// pmlam help lists all commands. With --json the last line of standard output is one JSON object. Progress and notices
// go to standard error. A wrong command line is refused before data are read, if it can be detected without them. The
// exit codes are in package cli; docs/cli.md is the manual, and a test runs its examples.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/pmlam/pmlam/core/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(cli.Execute(ctx, newRoot, os.Args[1:], os.Stdout, os.Stderr))
}
