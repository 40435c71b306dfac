package api

import "net/http"

// status is the body of a probe's answer.
type status struct {
	Status string `json:"status"`
	Model  string `json:"model"`
	Items  int    `json:"items"`
}

// healthz reports that the process responds.
func (h *Handler) healthz(w http.ResponseWriter, _ *http.Request) {
	h.sendStatus(w, http.StatusOK, "ok")
}

// readyz reports whether to send requests here: no longer after a stop.
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
		panic(err) // not reached: texts and a number
	}
	h.send(w, code, body)
}
