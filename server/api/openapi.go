package api

import (
	_ "embed"
	"net/http"
)

// document describes the API. Tests check every answer and every rejection against it.
//
//go:embed openapi.json
var document []byte

// openapi answers GET /v1/openapi.json.
func (h *Handler) openapi(w http.ResponseWriter, _ *http.Request) { h.send(w, http.StatusOK, document) }
