package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/training"
)

// Exit codes.
const (
	ExitOK          = 0
	ExitFailed      = 1   // the work failed: a file, its content, a training that diverged or collapsed
	ExitUsage       = 2   // the command line is wrong
	ExitInterrupted = 130 // stopped by Ctrl-C or SIGTERM; what could be saved was saved
)

// UsageError marks an error in the command line.
type UsageError struct{ error }

// Unwrap returns the marked error.
func (e UsageError) Unwrap() error { return e.error }

// AsUsage marks err as an error in the command line.
func AsUsage(err error) error { return UsageError{err} }

// Usagef returns an error in the command line.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Execute runs the command line of the program that newRoot builds and returns the exit code. If it is not 0, the last
// line of standard error says why.
func Execute(ctx context.Context, newRoot func(stdout, stderr io.Writer) *cobra.Command, args []string, stdout,
	stderr io.Writer) int {
	out, errs := &screen{w: stdout}, &screen{w: stderr}
	defer errs.close()
	root := newRoot(out, errs)
	root.SetArgs(args)
	c, err := root.ExecuteContextC(ctx)
	out.close()
	if err == nil && out.err != nil {
		err = fmt.Errorf("the output could not be written: %w", out.err)
	}
	if err == nil {
		return ExitOK
	}
	text := brief.Message(strings.TrimSpace(err.Error()))
	switch {
	case errors.Is(err, context.Canceled):
		text = strings.TrimSuffix(text, context.Canceled.Error())
		if text = strings.TrimSuffix(text, ": "); text == "" {
			text = "stopped"
		}
		fmt.Fprintf(errs, "%s: %s\n", root.Name(), text)
		return ExitInterrupted
	case errors.As(err, new(UsageError)):
		fmt.Fprintf(errs, "%[1]s: %[2]s\n%[1]s: see %[3]s --help\n", root.Name(), text, c.CommandPath())
		return ExitUsage
	}
	fmt.Fprintf(errs, "%s: %s%s\n", root.Name(), text, flagFor(err))
	return ExitFailed
}

// flagFor returns the flags that help with an error of the readers, in brackets, or "".
func flagFor(err error) string {
	var column *dataset.ColumnError
	var question *dataset.QuestionError
	var format *dataset.FormatError
	switch {
	case errors.As(err, new(*dataset.EmptyError)):
		return " (--min-rating, --min-user, --min-item)"
	case errors.As(err, new(*dataset.ParseError)):
		return " (--skip-bad-lines)"
	case errors.As(err, new(*dataset.ScaleError)):
		return " (--min-rating, --no-ratings)"
	case errors.As(err, new(*training.CheckpointError)), errors.As(err, new(*train.ChoiceError)):
		return " (--checkpoint, --fresh)"
	case errors.As(err, &question) && question.Role == "rating":
		return fmt.Sprintf(" (--rating-column %q or --no-ratings)", question.Column)
	case errors.As(err, &question) && question.Role == "event":
		return fmt.Sprintf(" (--event-column %q --events LIST, or --event-column -)", question.Column)
	case errors.As(err, &question):
		return fmt.Sprintf(" (--%s-column %q or --%[1]s-column -)", question.Role, question.Column)
	case errors.As(err, &format) && format.Ask != "":
		return " (--" + format.Ask + ")"
	case errors.As(err, &column) && column.Role == "page":
		return " (--columns)"
	case errors.As(err, &column) && column.Role != "id":
		return fmt.Sprintf(" (--%s-column)", column.Role)
	}
	return ""
}
