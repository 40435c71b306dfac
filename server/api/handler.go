package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/intake"
)

// Handler answers the API's addresses. It is safe for concurrent use.
type Handler struct {
	prefix   string // begins and ends with "/"
	file     string
	rules    recommend.Rules
	log      *slog.Logger
	mux      *http.ServeMux
	origins  origins
	queue    *intake.Queue
	metrics  *meters
	draining atomic.Bool

	loading  sync.Mutex // held while a model is read
	loadedAs stamp      // the file's state when it was first read
	model    atomic.Pointer[loaded]

	stopDividing context.CancelFunc // of the last large model; guarded by loading
}

// Options of a Handler. The zero value serves at the root of the host and allows no other sites.
type Options struct {
	Prefix  string          // the path of the API; "" and "/" are the root
	Rules   recommend.Rules // the owner's, applied to every answer
	Origins []string        // the sites whose pages may ask, as "https://shop.example"; none: only those of this host
	AtOnce  int             // questions computed in parallel; 0 means one per processor
	Wait    time.Duration   // maximum wait for a turn, then 503; 0 means intake.DefaultWait
	Log     *slog.Logger    // logs changes of the model; nil for none
}

// New reads the model file and returns its handler.
func New(file string, o Options) (*Handler, error) {
	queue, err := intake.New(o.AtOnce, o.Wait)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	allowed, err := newOrigins(o.Origins)
	if err != nil {
		return nil, err
	}
	prefix, err := server.CleanPrefix(o.Prefix)
	if err != nil {
		return nil, err
	}
	if strings.ContainsAny(prefix, "{} ") { // special in patterns of http.ServeMux
		return nil, fmt.Errorf("the prefix %q contains spaces or braces, which the API does not support: write it "+
			"like /demo/", brief.Text(o.Prefix))
	}
	h := &Handler{
		prefix: prefix, file: file, rules: o.Rules, log: o.Log, mux: http.NewServeMux(), origins: allowed,
		queue: queue,
	}
	h.metrics = newMeters(h)
	h.loadedAs = stampOf(file)
	if err := h.Reload(); err != nil {
		return nil, err
	}
	h.question("v1/recommend", "POST", readers{"POST": h.recommend})
	h.question("v1/similar/{id}", "GET, HEAD, POST", readers{"GET": h.similar, "POST": h.similarTold})
	h.question("v1/search", "GET, HEAD", readers{"GET": h.search})
	h.plain("v1/openapi.json", h.openapi)
	h.plain("healthz", h.healthz)
	h.plain("readyz", h.readyz)
	h.plain("metrics", h.metrics.write)
	h.mux.HandleFunc(prefix+"v1/", func(w http.ResponseWriter, _ *http.Request) {
		h.fail(w, "", &problem{http.StatusNotFound, "",
			"this address does not exist; see v1/openapi.json"})
	})
	return h, nil
}

// readers parse the requests of an address, by method. The returned function computes the answer during its turn.
type readers map[string]func(*http.Request) (ask, error)

// question serves an address that queries the model. allow lists its methods for humans.
func (h *Handler) question(route, allow string, by readers) {
	name := strings.SplitN(route, "/", 3)[1]
	for method, read := range by {
		h.mux.HandleFunc(method+" "+h.prefix+route, func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			status := h.answer(w, r, name, read)
			h.metrics.answered(name, status, time.Since(start))
		})
	}
	h.refuseOthers(allow, route)
}

// plain serves an address that does not query the model.
func (h *Handler) plain(route string, f http.HandlerFunc) {
	h.mux.HandleFunc("GET "+h.prefix+route, f)
	h.refuseOthers("GET, HEAD", route)
}

// refuseOthers rejects the other methods of an address.
func (h *Handler) refuseOthers(allow, route string) {
	h.mux.HandleFunc(h.prefix+route, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", allow)
		h.fail(w, "", &problem{http.StatusMethodNotAllowed, "", "this address supports only " + allow})
	})
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header())
	if strings.HasPrefix(r.URL.Path, h.prefix+"v1/") && h.origins.handle(w, r) {
		return
	}
	h.mux.ServeHTTP(w, r)
}

// Or returns a handler that answers the API's addresses itself and passes all others to next, such as a site.
func (h *Handler) Or(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest, ok := strings.CutPrefix(r.URL.Path, h.prefix)
		if ok && (strings.HasPrefix(rest, "v1/") || rest == "healthz" || rest == "readyz" || rest == "metrics") {
			h.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// answer answers a question and returns the status. The body is read before the question's turn and the answer sent
// after it, so slow clients delay nobody.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, name string,
	read func(*http.Request) (ask, error)) int {
	question, err := read(r)
	if err != nil {
		return h.fail(w, name, err)
	}
	turn, err := h.queue.Enter(w, r)
	if err != nil {
		return h.fail(w, name, err)
	}
	body, err := h.work(question, turn)
	if err != nil {
		return h.fail(w, name, err)
	}
	return h.send(w, http.StatusOK, body)
}

// work computes the answer, and ends the turn even if that panics.
func (h *Handler) work(question ask, turn *intake.Turn) ([]byte, error) {
	defer turn.Leave()
	reply, err := question(h.model.Load(), turn)
	if err != nil {
		return nil, err
	}
	return encode(reply)
}

// fail sends an error as JSON and returns its status.
func (h *Handler) fail(w http.ResponseWriter, name string, err error) int {
	p := problemOf(err)
	if p.status == http.StatusInternalServerError {
		h.log.Error("question failed", "route", name, "error", err)
	}
	body, err := encode(p.body())
	if err != nil {
		panic(err) // not reached: two texts
	}
	return h.send(w, p.status, body)
}

// Drain makes readyz report that no more requests should be sent. Requests are still answered.
func (h *Handler) Drain() { h.draining.Store(true) }
