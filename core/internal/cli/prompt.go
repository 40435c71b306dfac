package cli

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

// Interactive reports whether a person can answer: input and standard error are a terminal. An input that is not a
// file, as in tests, counts as a person.
func (a *App) Interactive() bool {
	switch in := a.In.(type) {
	case nil:
		return false
	case *os.File:
		return term.IsTerminal(int(in.Fd())) && a.Terminal()
	}
	return true
}

// ask asks a person for a column that the readers could not identify, and sets its flag. It returns err itself if
// nobody can answer, the answer is empty, or no flag exists for it.
func (s *Source) ask(ctx context.Context, a *App, err error) error {
	var column *dataset.ColumnError
	var question *dataset.QuestionError
	prompt, into := "", (*string)(nil)
	switch {
	case !a.Interactive():
	case errors.As(err, &column) && column.Wanted == "" && s.column(column.Role) != nil:
		prompt, into = fmt.Sprintf("which column is the %s?", column.Role), s.column(column.Role)
	case errors.As(err, &question) && question.Role == "event":
		return s.askEvents(ctx, a, question)
	case errors.As(err, &question):
		prompt, into = fmt.Sprintf("which column is the %s? %q, or - for none", question.Role, question.Column),
			s.column(question.Role)
	}
	if into == nil {
		return err
	}
	fmt.Fprintf(a.Err, "%s: %v\n%s ", a.Name, err, prompt)
	answer, failed := a.answerLine(ctx)
	if failed != nil || answer == "" {
		return err
	}
	*into = answer
	return nil
}

// askEvents asks which values of a column of events are likes.
func (s *Source) askEvents(ctx context.Context, a *App, q *dataset.QuestionError) error {
	fmt.Fprintf(a.Err, "%s: %v\n which values are likes? a list such as view,purchase, or - if all lines are ", a.Name,
		q)
	answer, failed := a.answerLine(ctx)
	switch {
	case failed != nil || answer == "":
		return q
	case answer == "-":
		s.EventColumn = "-"
		return nil
	}
	s.EventColumn, s.Events = q.Column, nil
	for v := range strings.SplitSeq(answer, ",") {
		s.Events = append(s.Events, strings.TrimSpace(v))
	}
	return nil
}

// column returns the flag's value for a role; nil if the role has no flag.
func (s *Source) column(role string) *string { return ColumnOf(&s.Columns, role) }

// ColumnOf returns a pointer to the column with that role; nil for an unknown role.
func ColumnOf(c *dataset.Columns, role string) *string {
	return map[string]*string{"user": &c.User, "item": &c.Item, "rating": &c.Rating, "time": &c.Time,
		"title": &c.Title}[role]
}

// answerLine reads a line, or returns when ctx ends.
func (a *App) answerLine(ctx context.Context) (string, error) {
	if a.answers == nil {
		a.answers = bufio.NewReader(a.In)
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
