package api

import (
	"errors"
	"net/http"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/server/intake"
)

// problem is an answer that is an error.
type problem struct {
	status   int
	field    string // of the request that is wrong, "" for none
	sentence string
}

func (p *problem) Error() string { return p.sentence }

// problemJSON is what is sent of it.
type problemJSON struct {
	Error string `json:"error"`
	Field string `json:"field,omitempty"`
}

// body returns what is sent, which is short whatever the sentence repeats.
func (p *problem) body() problemJSON {
	return problemJSON{brief.Message(p.sentence), brief.Text(p.field)}
}

// problemOf returns what is sent of an error. One that is nobody's mistake but ours is not told to the client.
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
	return &problem{http.StatusInternalServerError, "", "the server failed; its log says why"}
}

// badField returns the problem of a wrong field.
func badField(field, sentence string) *problem {
	return &problem{http.StatusBadRequest, field, sentence}
}
