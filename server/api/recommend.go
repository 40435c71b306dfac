package api

import (
	"fmt"
	"net/http"

	"github.com/pmlam/pmlam/core/recommend/query"
)

// recommend answers POST /v1/recommend.
func (h *Handler) recommend(r *http.Request) (ask, error) {
	if err := noParameters(r); err != nil {
		return nil, err
	}
	body, err := readJSON(r)
	if err != nil {
		return nil, err
	}
	return func(m *loaded) (any, error) {
		unknown := unknownIDs{listed: map[string]bool{}}
		reader := query.Reader{
			Results: MaxResults, Marks: MaxMarks, Columns: m.engine.Columns(),
			Item: func(v query.Value) (item int, skip bool, err error) {
				id, ok := query.Name(v)
				if !ok {
					return 0, false, fmt.Errorf("an item is named by its id, a text or a number")
				}
				i, ok := m.byID[id]
				if !ok {
					unknown.add(id)
				}
				return i, !ok, nil
			},
		}
		visit, request, err := reader.Read("recommend", body)
		if err != nil {
			return nil, err
		}
		list := m.engine.Recommend(visit, m.engine.Taste(visit, nil), request)
		return suggestions{m.digest, m.suggestions(list), unknown.ids}, nil
	}, nil
}

// unknownIDs are the ids that a model does not have, each once, in the order they were named.
type unknownIDs struct {
	ids    []string
	listed map[string]bool
}

func (u *unknownIDs) add(id string) {
	if !u.listed[id] {
		u.listed[id] = true
		u.ids = append(u.ids, id)
	}
}
