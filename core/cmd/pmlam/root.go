package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"
)

// version is the program's; the linker sets it for releases (-X main.version=…). It is written into models, so it
// must not depend on the checkout: the same seed would no longer give the same file.
var version = "0.1.0"

// app is what all commands share.
type app struct {
	out, err io.Writer
	json     bool
}

func newRoot(stdout, stderr io.Writer) *cobra.Command {
	a := &app{out: stdout, err: stderr}
	root := &cobra.Command{
		Use:   "pmlam",
		Short: "Recommendations from Gaussians: train, measure, ask",
		Long: "pmlam trains Probabilistic Metric Learning with Adaptive Margin (Ma et al., KDD 2020) on a file of ratings\n" +
			"and writes one small model file, which the same program asks natively and the website in the browser.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.PersistentFlags().BoolVar(&a.json, "json", false, "end standard output with one JSON object, for machines")
	root.AddCommand(a.dataCommand(), a.trainCommand(), a.evaluateCommand(), a.unseenCommand(), a.recommendCommand(), a.inspectCommand(), a.versionCommand())
	return root
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the program's version", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.printJSON(map[string]any{"version": version, "go": runtime.Version()})
			}
			fmt.Fprintf(a.out, "pmlam %s (%s, %s/%s)\n",
				version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// marshal is json.Marshal, which every command writes with.
func marshal(v any) ([]byte, error) { return json.Marshal(v) }

// printJSON writes v as one line.
func (a *app) printJSON(v any) error {
	b, err := marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s\n", b)
	return err
}

// printf writes for people, and nothing where a machine reads.
func (a *app) printf(format string, args ...any) {
	if !a.json {
		fmt.Fprintf(a.out, format, args...)
	}
}

// notef writes a notice to standard error.
func (a *app) notef(format string, args ...any) { fmt.Fprintf(a.err, format+"\n", args...) }

// noArgs and exactArgs are cobra's, with usage errors.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, but %q was given", c.CommandPath(), args[0])
	}
	return nil
}

func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("%s takes %s, but %d arguments were given", c.CommandPath(), what, len(args))
		}
		return nil
	}
}
