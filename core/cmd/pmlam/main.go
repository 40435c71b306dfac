// Command pmlam trains, evaluates and queries Gaussian recommenders: PMLAM from ratings to recommendations.
//
//	pmlam data stats ratings.csv          what is in a file, as the paper's Table 1
//	pmlam data formats                    which files can be read
//	pmlam train --data ratings.csv        learn a model and write it to a file
//	pmlam evaluate --model m --data d     its quality on held-out items, and that of plain methods
//	pmlam methods                         the plain methods and their settings
//	pmlam recommend --like "Toy Story"    ask a model
//	pmlam export --model m …              a model's vectors for other tools
//	pmlam compare logs/                   which variant of a site's lists visitors chose more from
//	pmlam inspect model                   what a model file holds and where it comes from
//	pmlam version, pmlam completion       the program itself
//
// Every command takes --json, which makes the last line of standard output one JSON object. Progress and notices go
// to standard error. An impossible command line is refused before data are read, as far as it can be known
// without them. The exit codes are in exit.go; docs/cli.md is the manual, and a test runs its examples.
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
