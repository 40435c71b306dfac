package api

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/go-json-experiment/json"
)

// Bounds of a request. With 200,000 items, the longest lists that they allow take about a second.
const (
	MaxBody    = 1 << 20 // bytes
	MaxResults = 1000    // k, skip, limit
	MaxMarks   = 4096    // entries of a list
	MaxQuery   = 256     // bytes of a search
)

// readJSON reads a request's body.
func readJSON(r *http.Request) (value, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return value{}, &problem{http.StatusUnsupportedMediaType, "",
			"the body must be JSON and say so: Content-Type: application/json"}
	}
	body, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return value{}, &problem{http.StatusRequestEntityTooLarge, "",
			fmt.Sprintf("the body is longer than %d bytes", large.Limit)}
	case err != nil:
		return value{}, badField("", "the body did not come whole")
	}
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return value{}, badField("", "the body is not JSON: "+err.Error())
	}
	return value{v}, nil
}
