package api

import "net/http"

// status is the body of a probe's answer.
type status struct {
	Status string `json:"status"`
	Model  string `json:"model"`
	Items  int    `json:"items"`
}

// healthz says that the process answers.
func (h *Handler) healthz(w http.ResponseWriter, _ *http.Request) {
	h.sendStatus(w, http.StatusOK, "ok")
}

// readyz says whether requests should be sent here: not any more once a stop was asked for.
func (h *Handler) readyz(w http.ResponseWriter, _ *http.Request) {
	if h.draining.Load() {
		h.sendStatus(w, http.StatusServiceUnavailable, "stopping")
		return
	}
	h.sendStatus(w, http.StatusOK, "ready")
}

func (h *Handler) sendStatus(w http.ResponseWriter, code int, text string) {
	m := h.model.Load()
	body, err := encode(status{text, m.digest, m.engine.Len()})
	if err != nil {
		panic(err) // texts and a number can be written
	}
	h.send(w, code, body)
}
