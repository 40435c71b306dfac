package api

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/pmlam/pmlam/core/recommend/query"
)

// Bounds of a request. With 200,000 items, the longest lists that they allow take about a second.
const (
	MaxBody    = 1 << 20 // bytes
	MaxResults = 1000    // k, skip, limit
	MaxMarks   = 4096    // entries of a list
	MaxQuery   = 256     // bytes of a search
)

// readJSON reads a request's body.
func readJSON(r *http.Request) (query.JSON, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return query.JSON{}, &problem{http.StatusUnsupportedMediaType, "",
			"the body must be JSON and say so: Content-Type: application/json"}
	}
	body, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return query.JSON{}, &problem{http.StatusRequestEntityTooLarge, "",
			fmt.Sprintf("the body is longer than %d bytes", large.Limit)}
	case err != nil:
		return query.JSON{}, badField("", "the body did not come whole")
	}
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return query.JSON{}, badField("", "the body is not JSON: "+err.Error())
	}
	return query.JSON{V: v}, nil
}
