package api

import (
	"net/http/httptest"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Prometheus's own parser reads the metrics, and each has a type.
func TestMetricsAreReadByPrometheus(t *testing.T) {
	h, err := New(shipped, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"/v1/similar/1", "/v1/search?q=heat", "/v1/search"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", target, nil))
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if kind := w.Header().Get("Content-Type"); expfmt.ResponseFormat(w.Header()) != expfmt.NewFormat(expfmt.TypeTextPlain) {
		t.Errorf("the type is %q", kind)
	}
	text := w.Body.String()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(w.Body)
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	for name, f := range families {
		if f.GetType() == dto.MetricType_UNTYPED {
			t.Errorf("%s has no type", name)
		}
		if _, ok := helps[name]; ok != strings.HasPrefix(name, "pmlam_") || ok != (f.GetHelp() != "") {
			t.Errorf("%s: the help is %q", name, f.GetHelp())
		}
	}
	for name, want := range map[string]dto.MetricType{
		"pmlam_questions_worked_on": dto.MetricType_GAUGE, "pmlam_questions_waiting": dto.MetricType_GAUGE,
		"pmlam_model_items": dto.MetricType_GAUGE, "pmlam_model_loads_total": dto.MetricType_COUNTER,
		"pmlam_requests_total": dto.MetricType_COUNTER, "pmlam_request_seconds": dto.MetricType_HISTOGRAM,
		"go_goroutines": dto.MetricType_GAUGE,
	} {
		if f := families[name]; f == nil || f.GetType() != want {
			t.Errorf("%s is %v, want a %v", name, f, want)
		}
	}
	// Two answers and one rejection, in buckets whose last one is cumulative.
	for _, m := range families["pmlam_request_seconds"].GetMetric() {
		b := m.GetHistogram().GetBucket()
		if last := b[len(b)-1]; last.GetCumulativeCount() != m.GetHistogram().GetSampleCount() {
			t.Errorf("%v: the last bucket has %d", m.GetLabel(), last.GetCumulativeCount())
		}
	}
}
