package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/query"
)

// Bounds of a request to a Handler: those of the server that holds the model (server/api).
const (
	maxBody  = 1 << 20 // bytes
	maxMarks = 4096    // entries of a list
	maxYear  = 10_000
)

// patience is how long the database may take for an answer.
const patience = 10 * time.Second

// Handler answers POST /v1/recommend by a store, in the words and with the lists of the server that holds the model,
// for catalogues that lie in the database alone; GET /healthz while the process answers, and GET /readyz while the
// database does. An answer has the ids, titles and W2 of the items, and none of what takes the whole model: reasons,
// chances, match, spread. log hears of failures; it hears nothing of what was asked.
func Handler(s *Store, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/recommend", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		list, err := answer(ctx, s, r)
		if err != nil {
			fail(w, log, err)
			return
		}
		send(w, http.StatusOK, list)
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		send(w, http.StatusOK, map[string]string{"status": "alive"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		digest, err := s.Digest(ctx)
		if err != nil {
			fail(w, log, err)
			return
		}
		send(w, http.StatusOK, map[string]string{"status": "ready", "model": digest})
	})
	return mux
}

// answers are what a question is answered with.
type answers struct {
	Model   string       `json:"model"` // the digest
	Items   []answerItem `json:"items"`
	Unknown []string     `json:"unknown"` // ids that the model does not have, in the order of the request
}

type answerItem struct {
	ID       string  `json:"id"`
	Title    string  `json:"title"`
	Distance float64 `json:"distance"`
}

// refusal is a request that cannot be answered as it is.
type refusal struct {
	status   int
	field    string // "": the request as a whole
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

// answer reads a request and asks the store.
func answer(ctx context.Context, s *Store, r *http.Request) (*answers, error) {
	q, err := readQuestion(r)
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
	if a.Unknown, err = s.unknown(ctx, slices.Concat(q.visit.Likes, q.visit.Dislikes, q.visit.Seen)); err != nil {
		return nil, err
	}
	a.Items = make([]answerItem, len(list))
	for i, x := range list {
		a.Items[i] = answerItem{x.ID, x.Title, x.Distance}
	}
	return &a, nil
}

// readQuestion reads a body. A name that it does not know is an error, so that a typing mistake is no silent default.
func readQuestion(r *http.Request) (*question, error) {
	if r.URL.RawQuery != "" {
		return nil, refuse("", "the address takes no parameters: what is asked for goes into the body")
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return nil, &refusal{http.StatusUnsupportedMediaType, "",
			"the body must be JSON and say so: Content-Type: application/json"}
	}
	body, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &refusal{http.StatusRequestEntityTooLarge, "",
			fmt.Sprintf("the body is longer than %d bytes", large.Limit)}
	case err != nil:
		return nil, refuse("", "the body did not come whole")
	}
	var given any
	if err := json.Unmarshal(body, &given); err != nil {
		return nil, refuse("", "the body is not JSON: %v", err)
	}
	v := query.JSON{V: given}
	if v.Kind() != query.Object {
		return nil, refuse("", "the body must be an object in JSON")
	}
	for _, name := range v.Names() {
		if !slices.Contains(options, name) {
			return nil, refuse(name, "the database answers %s; %q is unknown, or needs the server that holds the "+
				"model (serve --model)", strings.Join(options, ", "), name)
		}
	}
	var q question
	reader := &query.Reader{Marks: maxMarks}
	for _, part := range []struct {
		name string
		to   *[]string
		read func(string, query.Value) ([]string, error)
	}{
		{"likes", &q.visit.Likes, reader.IDs}, {"dislikes", &q.visit.Dislikes, reader.IDs},
		{"seen", &q.visit.Seen, reader.IDs}, {"genres", &q.filter.Genres, reader.Texts},
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
	q.filter.Columns, err = readWhere(v.Field("where"))
	return &q, err
}

// options are what a question may hold.
var options = []string{"likes", "dislikes", "seen", "k", "genres", "fromYear", "toYear", "where"}

// readWhere reads the columns of a filter, and the text that each must equal.
func readWhere(v query.Value) (map[string]string, error) {
	if v.Kind() == query.Absent {
		return nil, nil
	}
	if v.Kind() != query.Object {
		return nil, refuse("where", "where must be an object of columns and the text that each must equal")
	}
	out := map[string]string{}
	for _, name := range v.Names() {
		text, ok := query.Plain(v.Field(name))
		switch {
		case !ok:
			return nil, refuse("where", "where: %q must be a text", name)
		case hasZero(name + text):
			return nil, refuse("where", zeroByte, "where")
		}
		out[name] = text
	}
	return out, nil
}

const zeroByte = "%s has a text with a zero byte, which no database keeps"

func hasZero(s string) bool { return strings.Contains(s, "\x00") }

// unknown returns which of the ids the model does not have, each once, in their order.
func (s *Store) unknown(ctx context.Context, ids []string) ([]string, error) {
	return s.texts(ctx, "SELECT id FROM unnest($1::text[]) WITH ORDINALITY AS given (id, place) WHERE NOT EXISTS "+
		"(SELECT FROM "+s.schema+".items i WHERE i.id = given.id) GROUP BY id ORDER BY min(place)", ids)
}

// checkFilter says which genre or column of a filter that leaves nothing no item has.
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
			return refuse(part.field, "no item has the %s %q", part.what, missing[0])
		}
	}
	return nil
}

// problem is how an error is told.
type problem struct {
	Error string `json:"error"`
	Field string `json:"field,omitempty"`
}

// fail answers with an error.
func fail(w http.ResponseWriter, log *slog.Logger, err error) {
	var refused *refusal
	var wrong *query.Error
	switch {
	case errors.As(err, &wrong):
		send(w, http.StatusBadRequest, problem{wrong.Sentence, wrong.Field})
	case errors.As(err, &refused):
		send(w, refused.status, problem{refused.sentence, refused.field})
	case errors.Is(err, ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		log.Warn("the database did not answer", "error", err)
		w.Header().Set("Retry-After", "1")
		send(w, http.StatusServiceUnavailable, problem{Error: ErrUnavailable.Error() + ", ask again"})
	default:
		log.Error("a question failed", "error", err)
		send(w, http.StatusInternalServerError, problem{Error: "the question cannot be answered; the log says why"})
	}
}

// send writes an answer, which no cache may keep: it is one visitor's.
func send(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts and finite numbers can always be written
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone away hears nothing
}
