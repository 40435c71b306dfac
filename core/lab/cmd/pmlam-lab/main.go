// Command pmlam-lab measures: it trains the methods that PMLAM is compared with, makes the paper's tables, searches for
// settings and tests a model's statements of certainty. Code shared with the command pmlam is in core/internal/cli;
// core/lab/docs/cli.md is the manual.
//
//	pmlam-lab reproduce table2 --data d          the paper's tables and figures, from five folds of every method
//	pmlam-lab train-baseline --method lightgcn   train and measure another method
//	pmlam-lab methods                            all methods and their settings
//	pmlam-lab tune --data d                      search for settings that suit some data
//	pmlam-lab unseen --data d                    quality for users outside the training
//	pmlam-lab uncertainty --data d               test a model's statements of certainty
//	pmlam-lab record FILE pmlam evaluate …       keep a command's measurements as records
//	pmlam-lab leaderboard                        the page of all records
//	pmlam-lab curves run                         a picture of a training's learning curves
//	pmlam-lab maps --model m                     compare layouts of a model's map
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(cli.Execute(ctx, newRoot, os.Args[1:], os.Stdout, os.Stderr))
}

func newRoot(stdout, stderr io.Writer) *cobra.Command {
	a := cli.NewApp("pmlam-lab", stdout, stderr)
	root := a.NewCommand(reproduceCommand(a), trainBaselineCommand(a), cli.MethodsCommand(a, listed()), tuneCommand(a),
		unseenCommand(a), uncertaintyCommand(a), recordCommand(a), leaderboardCommand(a), curvesCommand(a),
		mapsCommand(a))
	root.Short = "The laboratory: measure, compare, reproduce"
	root.Long = "pmlam-lab measures recommenders: PMLAM and the methods that it is compared with."
	root.Example = "  pmlam-lab reproduce table2 --data ml-latest-small --known core/lab/results\n" +
		"  pmlam-lab train-baseline --data ml-latest-small --fold 0 --method lightgcn:layers=3"
	return root
}
