package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1   // the work failed: a file, its content, a training that diverged
	exitUsage       = 2   // the command line asks for something that cannot be
	exitInterrupted = 130 // stopped by Ctrl-C or SIGTERM; what could be saved was saved
)

// usageError marks an error as the command line's.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// execute runs the command line and returns the exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot(stdout, stderr)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	text := err.Error()
	fmt.Fprintf(stderr, "pmlam: %s\n", strings.TrimSpace(text))
	var usage usageError
	switch {
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage), strings.HasPrefix(text, "unknown command"), strings.HasPrefix(text, "required flag"):
		fmt.Fprintln(stderr, "pmlam: see --help for how it is used")
		return exitUsage
	}
	return exitFailed
}
