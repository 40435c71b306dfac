package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/recommend"
	shape "github.com/pmlam/pmlam/core/recommend/answer"
	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/server/intake"
)

// maxYear bounds the years of a filter, as server/api does.
const maxYear = 10_000

// patience is the maximum time of the database for an answer.
const patience = 10 * time.Second

// Handler answers POST /v1/recommend from a store, with the requests and lists of the server that holds the model, for
// catalogues that are only in the database; GET /healthz while the process responds, and GET /readyz while the database
// does. An answer has the ids, titles and W2 of the items, but no values that need the whole model: reasons, chances,
// match, spread. It computes as many questions in parallel as the store has connections; their bodies and answers are
// bounded by server/intake. log records failures, but no content of requests.
func Handler(s *Store, log *slog.Logger) http.Handler {
	queue, err := intake.New(int(s.pool.Config().MaxConns), 0)
	if err != nil {
		panic(err) // not reached: a pool has connections
	}
	h := &handler{s, queue, make(chan struct{}, 1), log}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/recommend", h.recommend)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		h.send(w, http.StatusOK, map[string]string{"status": "alive"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		digest, err := h.digest(ctx)
		if err != nil {
			h.fail(w, err)
			return
		}
		h.send(w, http.StatusOK, map[string]string{"status": "ready", "model": digest})
	})
	return mux
}

type handler struct {
	store   *Store
	queue   *intake.Queue
	probing chan struct{} // lets only one readyz at a time query the database
	log     *slog.Logger
}

// digest queries the model's digest, one call at a time.
func (h *handler) digest(ctx context.Context) (string, error) {
	select {
	case h.probing <- struct{}{}:
		defer func() { <-h.probing }()
		return h.store.Digest(ctx)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// recommend answers POST /v1/recommend.
func (h *handler) recommend(w http.ResponseWriter, r *http.Request) {
	var turn *intake.Turn
	err := check(r)
	if err == nil {
		turn, err = h.queue.Enter(w, r)
	}
	if err != nil {
		h.fail(w, err)
		return
	}
	list, err := h.work(r.Context(), turn)
	if err != nil {
		h.fail(w, err)
		return
	}
	h.send(w, http.StatusOK, list)
}

// work answers a question, and ends its turn even if that panics.
func (h *handler) work(ctx context.Context, turn *intake.Turn) (*answers, error) {
	defer turn.Leave()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return answer(ctx, h.store, turn)
}

// answers is the answer to a question.
type answers = shape.Served[shape.Nearest]

// refusal is a request that cannot be answered.
type refusal struct {
	status   int
	field    string // "" for the request as a whole
	sentence string
}

func (r *refusal) Error() string { return r.sentence }

func refuse(field, format string, args ...any) error {
	return &refusal{http.StatusBadRequest, field, fmt.Sprintf(format, args...)}
}

// question is a request's body.
type question struct {
	visit  Visit
	filter recommend.Filter
	k      int
}

// answer reads a request and queries the store.
func answer(ctx context.Context, s *Store, t *intake.Turn) (*answers, error) {
	q, err := readQuestion(t)
	if err != nil {
		return nil, err
	}
	var a answers
	if a.Model, err = s.Digest(ctx); err != nil {
		return nil, err
	}
	list, err := s.Recommend(ctx, q.visit, q.k, q.filter)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		if err := s.checkFilter(ctx, q.filter); err != nil {
			return nil, err
		}
	}
	if a.Unknown, err = s.unknown(ctx, slices.Concat(q.visit.Likes, q.visit.Dislikes, q.visit.Seen,
		q.visit.Recent)); err != nil {
		return nil, err
	}
	a.Items = make([]shape.Nearest, len(list))
	for i, x := range list {
		a.Items[i] = shape.Nearest{ID: x.ID, Title: x.Title, Distance: x.Distance}
	}
	return &a, nil
}

// check rejects invalid requests before their body is read.
func check(r *http.Request) error {
	if r.URL.RawQuery != "" {
		return refuse("", "this address has no parameters: put the request into the body")
	}
	return nil
}

// questionShape is the shape of a question. Unknown names are errors, so that a typing mistake is not silently ignored.
var questionShape = query.ShapeOf(options, func(name string) *query.Error {
	return &query.Error{Field: brief.Text(name), Sentence: fmt.Sprintf("the database supports %s; %q is unknown, or "+
		"needs a server that holds the model (serve --model)", strings.Join(options, ", "), brief.Text(name))}
})

// readQuestion reads a body.
func readQuestion(t *intake.Turn) (*question, error) {
	v, err := t.Request(questionShape)
	if err != nil {
		return nil, err
	}
	if v.Kind() != query.Object {
		return nil, refuse("", "the body must be a JSON object")
	}
	var q question
	reader := &query.Reader{Marks: intake.MaxMarks}
	for _, part := range []struct {
		name string
		to   *[]string
		read func(string, query.Value) ([]string, error)
	}{
		{"likes", &q.visit.Likes, reader.IDs}, {"dislikes", &q.visit.Dislikes, reader.IDs},
		{"seen", &q.visit.Seen, reader.IDs}, {"recent", &q.visit.Recent, reader.IDs},
		{"genres", &q.filter.Genres, reader.Texts},
	} {
		if *part.to, err = part.read(part.name, v.Field(part.name)); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(*part.to, hasZero) {
			return nil, refuse(part.name, zeroByte, part.name)
		}
	}
	for _, part := range []struct {
		name           string
		to             *int
		min, max, zero float64
	}{
		{"k", &q.k, 1, MaxK - recommend.SeriesSlack, query.DefaultResults},
		{"fromYear", &q.filter.FromYear, -maxYear, maxYear, 0}, {"toYear", &q.filter.ToYear, -maxYear, maxYear, 0},
	} {
		x, err := query.Bounded(part.name, v.Field(part.name), part.min, part.max, part.zero, true)
		if err != nil {
			return nil, err
		}
		*part.to = int(x)
	}
	switch again := v.Field("again"); again.Kind() {
	case query.Absent:
	case query.Bool:
		said := again.Bool()
		q.visit.Again = &said
	default:
		return nil, refuse("again", "again must be true or false")
	}
	q.filter.Columns, err = readWhere(v.Field("where"))
	return &q, err
}

// options are the fields of a question.
var options = []string{"likes", "dislikes", "seen", "k", "genres", "fromYear", "toYear", "where", "recent", "again"}

// readWhere reads the columns of a filter and the texts that they must equal.
func readWhere(v query.Value) (map[string]string, error) {
	if v.Kind() == query.Absent {
		return nil, nil
	}
	if v.Kind() != query.Object {
		return nil, refuse("where", "where must be an object of columns and texts")
	}
	out := map[string]string{}
	for _, name := range v.Names() {
		text, ok := query.Plain(v.Field(name))
		switch {
		case !ok:
			return nil, refuse("where", "where: %q must be a text", brief.Text(name))
		case hasZero(name + text):
			return nil, refuse("where", zeroByte, "where")
		}
		out[name] = text
	}
	return out, nil
}

const zeroByte = "%s has a text with a zero byte, which databases do not store"

func hasZero(s string) bool { return strings.Contains(s, "\x00") }

// unknown returns the ids that the model does not have, without duplicates, in order.
func (s *Store) unknown(ctx context.Context, ids []string) ([]string, error) {
	return s.texts(ctx, "SELECT id FROM unnest($1::text[]) WITH ORDINALITY AS given (id, place) WHERE NOT EXISTS "+
		"(SELECT FROM "+s.schema+".items i WHERE i.id = given.id) GROUP BY id ORDER BY min(place)", ids)
}

// checkFilter finds the genre or column of a filter that no item has.
func (s *Store) checkFilter(ctx context.Context, f recommend.Filter) error {
	names := make([]string, 0, len(f.Columns))
	for name := range f.Columns {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, part := range []struct {
		field, what, has string
		names            []string
	}{
		{"genres", "genre", "name = ANY (i.genres)", f.Genres},
		{"where", "column", "jsonb_exists(i.columns, name)", names},
	} {
		missing, err := s.texts(ctx, "SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (SELECT FROM "+
			s.schema+".items i WHERE "+part.has+")", part.names)
		if err != nil {
			return err
		}
		if len(missing) > 0 {
			return refuse(part.field, "no item has the %s %q", part.what, brief.Text(missing[0]))
		}
	}
	return nil
}

// problem is an error as an answer.
type problem struct {
	Error string `json:"error"`
	Field string `json:"field,omitempty"`
}

// fail sends an error.
func (h *handler) fail(w http.ResponseWriter, err error) {
	var refused *refusal
	var wrong *query.Error
	var kept *intake.Error
	switch {
	case errors.As(err, &wrong):
		h.send(w, http.StatusBadRequest, problem{wrong.Sentence, wrong.Field})
	case errors.As(err, &refused):
		h.send(w, refused.status, problem{refused.sentence, refused.field})
	case errors.As(err, &kept):
		h.send(w, kept.Status, problem{Error: kept.Sentence})
	case errors.Is(err, ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		h.log.Warn("the database did not answer", "error", err)
		w.Header().Set("Retry-After", "1")
		h.send(w, http.StatusServiceUnavailable, problem{Error: ErrUnavailable.Error() + ", ask again"})
	default:
		h.log.Error("question failed", "error", err)
		h.send(w, http.StatusInternalServerError, problem{Error: "the server failed; see its log"})
	}
}

// send sends an answer, which caches must not store, because it belongs to one visitor.
func (h *handler) send(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err) // not reached: texts and finite numbers
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	h.queue.Send(w, status, body)
}
