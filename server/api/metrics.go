package api

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// meters count answers. Labels contain only the route and the status.
type meters struct {
	set           *metrics.Set
	loads, failed *metrics.Counter
}

// seconds are the upper bounds of the histogram's buckets.
var seconds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5}

// helps describes the metrics. The process's own metrics have no text.
var helps = map[string]string{
	"pmlam_questions_worked_on": "Questions being computed.",
	"pmlam_questions_waiting":   "Questions that wait for a turn or for memory.",
	"pmlam_model_items":         "Items of the model in use.",
	"pmlam_model_loads_total":   "Models read, by whether they were accepted.",
	"pmlam_requests_total":      "Questions answered, by route and status.",
	"pmlam_request_seconds":     "Time from the end of a question's header to its answer.",
}

func newMeters(h *Handler) *meters {
	metrics.ExposeMetadata(true) // for all sets of the program: # HELP and # TYPE
	set := metrics.NewSet()
	set.NewGauge("pmlam_questions_worked_on", func() float64 { return float64(h.queue.Working()) })
	set.NewGauge("pmlam_questions_waiting", func() float64 { return float64(h.queue.Waiting()) })
	set.NewGauge("pmlam_model_items", func() float64 { return float64(h.model.Load().engine.Len()) })
	return &meters{
		set:    set,
		loads:  set.NewCounter(`pmlam_model_loads_total{result="taken"}`),
		failed: set.NewCounter(`pmlam_model_loads_total{result="refused"}`),
	}
}

// answered counts an answer and its duration, including reading the request and waiting.
func (m *meters) answered(route string, status int, took time.Duration) {
	m.set.GetOrCreateCounter(fmt.Sprintf(`pmlam_requests_total{route=%q,code="%d"}`, route, status)).Inc()
	m.set.GetOrCreatePrometheusHistogramExt(fmt.Sprintf(`pmlam_request_seconds{route=%q}`, route), seconds).
		Update(took.Seconds())
}

// write answers GET /metrics, including the process's own metrics.
func (m *meters) write(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	var text bytes.Buffer
	m.set.WritePrometheus(&text)
	metrics.WriteProcessMetrics(&text)
	for line := range bytes.Lines(text.Bytes()) {
		if name, ok := bytes.CutPrefix(line, []byte("# HELP ")); ok {
			if help, ok := helps[string(bytes.TrimSpace(name))]; ok {
				line = fmt.Appendf(nil, "%s %s\n", bytes.TrimSpace(line), help)
			}
		}
		_, _ = w.Write(line) // fails if the client has left
	}
}
