package api

import (
	"errors"
	"net/http"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/server/intake"
)

// problem is an error as an answer.
type problem struct {
	status   int
	field    string // the invalid field of the request, or ""
	sentence string
}

func (p *problem) Error() string { return p.sentence }

// problemJSON is the body of a problem.
type problemJSON struct {
	Error string `json:"error"`
	Field string `json:"field,omitempty"`
}

// body returns the body, which is short even if the sentence repeats a long text.
func (p *problem) body() problemJSON {
	return problemJSON{brief.Message(p.sentence), brief.Text(p.field)}
}

// problemOf converts an error. Internal errors are not shown to the client.
func problemOf(err error) *problem {
	var p *problem
	var q *query.Error
	var i *intake.Error
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &q):
		return &problem{http.StatusBadRequest, q.Field, q.Sentence}
	case errors.As(err, &i):
		return &problem{i.Status, "", i.Sentence}
	}
	return &problem{http.StatusInternalServerError, "", "the server failed; see its log"}
}

// badField returns the problem of an invalid field.
func badField(field, sentence string) *problem {
	return &problem{http.StatusBadRequest, field, sentence}
}
