package main

import (
	"errors"
	"strconv"

	"github.com/pmlam/pmlam/core/dataset"
)

// question is an error of the readers as a question that a form can ask. Each answer is a flag of "pmlam init".
type question struct {
	Kind    string   `json:"kind"` // "column", "use", "events", "ratings", "bad-lines", "format" or "delimiter"
	Role    string   `json:"role,omitempty"`
	File    string   `json:"file,omitempty"`
	Columns []string `json:"columns,omitempty"` // to choose from
	Column  string   `json:"column,omitempty"`  // that is asked about
	Values  []string `json:"values,omitempty"`  // examples; of "events", all
	Why     string   `json:"why,omitempty"`
}

// plain returns columns without the quotes of a sentence. A number with examples stays: its first word is the answer.
func plain(columns []string) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c
		if name, err := strconv.Unquote(c); err == nil {
			out[i] = name
		}
	}
	return out
}

// questionOf returns the question that an error asks, or nil for an error that no answer helps.
func questionOf(err error) *question {
	var column *dataset.ColumnError
	var use *dataset.QuestionError
	var format *dataset.FormatError
	var line *dataset.ParseError
	switch {
	case errors.As(err, &column) && column.Role != "page" && column.Role != "id":
		return &question{Kind: "column", Role: column.Role, File: column.File, Columns: plain(column.Have),
			Why: column.Wanted}
	case errors.As(err, &use) && use.Role == "event":
		return &question{Kind: "events", Role: use.Role, File: use.File, Column: use.Column, Values: use.Values,
			Why: use.Unknown}
	case errors.As(err, &use):
		return &question{Kind: "use", Role: use.Role, File: use.File, Column: use.Column, Values: use.Values,
			Why: use.Why}
	case errors.As(err, new(*dataset.ScaleError)):
		return &question{Kind: "ratings", Role: "rating"}
	case errors.As(err, &format) && format.Ask != "":
		return &question{Kind: format.Ask, File: format.Path, Why: format.Reason}
	case errors.As(err, &line):
		return &question{Kind: "bad-lines", File: line.File, Values: []string{line.Value}, Why: line.Rule}
	}
	return nil
}
