package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/pmlam/pmlam/core/dataset"
)

// interactive reports whether a person can answer: input and standard error are a terminal. An input that is no file
// (in tests) counts as a person.
func (a *app) interactive() bool {
	switch in := a.in.(type) {
	case nil:
		return false
	case *os.File:
		return term.IsTerminal(int(in.Fd())) && a.terminal()
	}
	return true
}

// ask asks a person for what the readers could not find out, and sets the flag that says it. It returns err itself
// where there is nobody to ask, no answer, or no flag for it.
func (s *source) ask(ctx context.Context, a *app, err error) error {
	var column *dataset.ColumnError
	var recommendRun *dataset.QuestionError
	prompt, into := "", (*string)(nil)
	switch {
	case !a.interactive():
	case errors.As(err, &column) && column.Wanted == "" && s.column(column.Role) != nil:
		prompt, into = fmt.Sprintf("which column is the %s?", column.Role), s.column(column.Role)
	case errors.As(err, &recommendRun):
		prompt, into = fmt.Sprintf("which column is the %s? %q, or - for none", recommendRun.Role, recommendRun.Column),
			s.column(recommendRun.Role)
	}
	if into == nil {
		return err
	}
	fmt.Fprintf(a.err, "%s: %v\n%s ", a.name, err, prompt)
	answer, failed := a.answerLine(ctx)
	if failed != nil || answer == "" {
		return err
	}
	*into = answer
	return nil
}

// column returns what a flag says of a role; nil where there is no such flag.
func (s *source) column(role string) *string { return columnOf(&s.columns, role) }

// columnOf is where columns name that of a role; nil where they do not.
func columnOf(c *dataset.Columns, role string) *string {
	return map[string]*string{"user": &c.User, "item": &c.Item, "rating": &c.Rating, "time": &c.Time,
		"title": &c.Title}[role]
}

// answerLine reads a line, or stops with ctx.
func (a *app) answerLine(ctx context.Context) (string, error) {
	if a.answers == nil {
		a.answers = bufio.NewReader(a.in)
	}
	type answer struct {
		text string
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		text, err := a.answers.ReadString('\n')
		got <- answer{strings.Trim(strings.TrimSpace(text), `"`), err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case x := <-got:
		return x.text, x.err
	}
}
