package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/api/apitest"
	"github.com/pmlam/pmlam/server/intake"
)

const shipped = "../../assets/models/movielens.msgpack"

// handler serves the shipped model; most tests share it.
var handler = sync.OnceValues(func() (*Handler, error) {
	return New(shipped, Options{Origins: []string{"https://shop.example"}})
})

func shared(t testing.TB) *Handler {
	t.Helper()
	h, err := handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// document3 is a router for the OpenAPI document.
var document3 = sync.OnceValues(func() (routers.Router, error) {
	d, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, err
	}
	if err := d.Validate(context.Background()); err != nil {
		return nil, err
	}
	return legacy.NewRouter(d)
})

// exchange sends a request to the handler and checks request and answer against the document: it must allow what is
// answered with 200, and forbid what is answered with 400 unless free says that it cannot express the mistake.
func exchange(t *testing.T, h http.Handler, method, target, body string, free bool) (int, []byte) {
	t.Helper()
	request := func() *http.Request {
		r := httptest.NewRequest(method, target, strings.NewReader(body))
		if method == "POST" {
			r.Header.Set("Content-Type", "application/json")
		}
		return r
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request())
	router, err := document3()
	if err != nil {
		t.Fatal(err)
	}
	r := request()
	route, parameters, err := router.FindRoute(r)
	if err != nil {
		if w.Code != http.StatusNotFound && w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s %s: %d, but the document lacks this address: %v", method, target, w.Code, err)
		}
		return w.Code, w.Body.Bytes()
	}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: parameters, Route: route}
	switch err := openapi3filter.ValidateRequest(t.Context(), in); {
	case err != nil && w.Code == http.StatusOK:
		t.Errorf("%s %s %.300s: answered, but the document forbids it: %v", method, target, body, err)
	case err == nil && w.Code == http.StatusBadRequest && !free:
		t.Errorf("%s %s %.300s: the document allows it, but it was rejected: %s", method, target, body, w.Body)
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: w.Code, Header: w.Header(),
		Options: &openapi3filter.Options{IncludeResponseStatus: true}}
	if err := openapi3filter.ValidateResponse(t.Context(), out.SetBodyBytes(w.Body.Bytes())); err != nil {
		t.Errorf("%s %s %.300s: the answer %d does not fit the document: %v\n%.500s", method, target, body, w.Code, err,
			w.Body)
	}
	return w.Code, w.Body.Bytes()
}

// post asks for recommendations.
func post(h http.Handler, body string) (int, []byte) {
	r := httptest.NewRequest("POST", "/v1/recommend", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.Bytes()
}

func decode[T any](t *testing.T, data []byte) (out T) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&out); err != nil {
		t.Fatalf("%v in %.300s", err, data)
	}
	return out
}

// Random requests are answered bit for bit as by core/recommend: 300, or 10,000 with PMLAM_BIG. The document's
// validator, which is much slower than the answers, checks the first 20.
func TestAnswersMatchTheRecommender(t *testing.T) {
	h := shared(t)
	engine := h.model.Load().engine
	n := 300
	if os.Getenv("PMLAM_BIG") != "" {
		n = 10_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	items := 0
	for i := range n {
		q := apitest.Random(r, engine)
		body, err := json.Marshal(q.JSON)
		if err != nil {
			t.Fatal(err)
		}
		var code int
		var data []byte
		if i < 20 {
			code, data = exchange(t, h, "POST", "/v1/recommend", string(body), false)
		} else {
			code, data = post(h, string(body))
		}
		if code != 200 {
			t.Fatalf("%s: %d %s", body, code, data)
		}
		by, _, err := engine.WithRules(q.Rules)
		if err != nil {
			t.Fatal(err)
		}
		want := by.Recommend(q.Visit, by.Taste(q.Visit, nil), q.Request)
		compare(t, engine, string(body), decode[suggestions](t, data), want)
		items += len(want)
	}
	if items < 5*n {
		t.Errorf("%d requests returned only %d items, too few to compare", n, items)
	}
}

func compare(t *testing.T, engine *recommend.Recommender, question string, got suggestions,
	want []recommend.Suggestion) {
	t.Helper()
	if len(got.Items) != len(want) {
		t.Fatalf("%s: %d items, want %d", question, len(got.Items), len(want))
	}
	if got.Model != engine.About().Digest || len(got.Unknown) != 0 {
		t.Errorf("%s: model %s, unknown %v", question, got.Model, got.Unknown)
	}
	for i, s := range want {
		g, it := got.Items[i], engine.Item(s.Item)
		if g.ID != it.ID || g.Title != it.Title || (g.Year == nil) != (it.Year == 0) ||
			g.Year != nil && *g.Year != it.Year || strings.Join(g.Genres, "|") != strings.Join(it.Genres, "|") {
			t.Errorf("%s, place %d: %+v, want %+v", question, i+1, g.Item, it)
		}
		if g.Pinned != s.Pinned || g.Distance != s.Distance || g.Match != s.Match || g.Spread != s.Spread ||
			g.General != s.General || len(g.Because) != len(s.Reasons) {
			t.Fatalf("%s, place %d: %+v, want %+v", question, i+1, g, s)
		}
		word, said := s.Certainty.String(), s.Certainty != recommend.Unsaid
		if said != (g.Certainty != nil) || said != (g.Chance != nil) ||
			said && (*g.Certainty != word || *g.Chance != s.Chance) {
			t.Errorf("%s, place %d: chance or certainty differ from %+v", question, i+1, s)
		}
		for j, because := range s.Reasons {
			if g.Because[j].ID != engine.Item(because.Item).ID || g.Because[j].Share != because.Share {
				t.Errorf("%s, place %d: because %+v, want %+v", question, i+1, g.Because, s.Reasons)
			}
		}
	}
}

func TestSimilarAndSearchAreThoseOfTheRecommender(t *testing.T) {
	h := shared(t)
	engine := h.model.Load().engine
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		i := r.IntN(engine.Len())
		target := "/v1/similar/" + engine.Item(i).ID
		_, data := exchange(t, h, "GET", target+"?k=7", "", false)
		compare(t, engine, target, decode[suggestions](t, data), engine.Similar(i, recommend.Visit{}, 7))
		q := apitest.Random(r, engine)
		told := map[string]any{"k": q.Request.K}
		for _, name := range []string{"likes", "dislikes", "seen", "rules"} {
			if v, ok := q.JSON[name]; ok {
				told[name] = v
			}
		}
		body, err := json.Marshal(told)
		if err != nil {
			t.Fatal(err)
		}
		by, _, err := engine.WithRules(q.Rules)
		if err != nil {
			t.Fatal(err)
		}
		_, data = exchange(t, h, "POST", target, string(body), false)
		compare(t, engine, target+string(body), decode[suggestions](t, data), by.Similar(i, q.Visit, q.Request.K))
	}
	_, data := exchange(t, h, "GET", "/v1/search?q=godfathr&limit=3", "", false)
	got := decode[finds](t, data)
	want := engine.Search("godfathr", 3)
	if len(got.Items) != len(want) || len(want) == 0 {
		t.Fatalf("%s", data)
	}
	for i, f := range want {
		if got.Items[i].ID != engine.Item(f.Item).ID || got.Items[i].Score != f.Score {
			t.Errorf("search, place %d: %+v, want %+v", i+1, got.Items[i], f)
		}
	}
	if _, data := exchange(t, h, "GET", "/v1/search?q=", "", false); len(decode[finds](t, data).Items) != 0 {
		t.Errorf("an empty search found %s", data)
	}
}

// Ids that the model does not have are skipped and reported.
func TestUnknownIDsAreSkippedAndReported(t *testing.T) {
	h := shared(t)
	_, with := exchange(t, h, "POST", "/v1/recommend",
		`{"likes": ["1", "gone", 6, "gone"], "seen": [{"id": "50"}, {"id": "old"}], "instead": [-7]}`, false)
	_, without := exchange(t, h, "POST", "/v1/recommend", `{"likes": ["1", "6"], "seen": ["50"], "mode": null}`, false)
	a, b := decode[suggestions](t, with), decode[suggestions](t, without)
	if strings.Join(a.Unknown, " ") != "gone old -7" {
		t.Errorf("unknown: %q", a.Unknown)
	}
	a.Unknown = b.Unknown
	first, _ := json.Marshal(a)
	second, _ := json.Marshal(b)
	if !bytes.Equal(first, second) || len(a.Items) != 10 {
		t.Errorf("with unknown ids: %s\nwithout: %s", first, second)
	}
}

// Each mistake gives a sentence that names its field, and the document forbids it.
func TestMistakesAreSentences(t *testing.T) {
	h := shared(t)
	long := `{"likes": [` + strings.Repeat(`"1",`, intake.MaxMarks) + `"1"]}`
	for _, c := range []struct {
		method, target, body string
		code                 int
		field, part          string
		free                 bool
	}{
		{"POST", "/v1/recommend", `{"likes": "1"}`, 400, "likes", "likes must be an array", false},
		{"POST", "/v1/recommend", `{"likes": [true]}`, 400, "likes", "likes, entry 1: give an item's id", false},
		{"POST", "/v1/recommend", `{"likes": [{"title": "Heat"}]}`, 400, "likes", "entry 1", false},
		{"POST", "/v1/recommend", long, 400, "likes", "at most 4096", false},
		{"POST", "/v1/recommend", `{"like": ["1"]}`, 400, "like", `no option "like"; choose from likes`, false},
		{"POST", "/v1/recommend", `{"k": 0}`, 400, "k", "between 1 and 1000", false},
		{"POST", "/v1/recommend", `{"k": 1001}`, 400, "k", "between 1 and 1000", false},
		{"POST", "/v1/recommend", `{"k": 2.5}`, 400, "k", "whole", false},
		{"POST", "/v1/recommend", `{"k": "5"}`, 400, "k", "whole", false},
		{"POST", "/v1/recommend", `{"skip": 1001}`, 400, "skip", "between 0 and 1000", false},
		{"POST", "/v1/recommend", `{"diversity": 1.5}`, 400, "diversity", "between 0 and 1", false},
		{"POST", "/v1/recommend", `{"exploration": -1}`, 400, "exploration", "between 0 and 1", false},
		{"POST", "/v1/recommend", `{"seed": -1}`, 400, "seed", "whole", false},
		{"POST", "/v1/recommend", `{"mode": "sideways"}`, 400, "mode", `"outside-bubble"`, false},
		{"POST", "/v1/recommend", `{"order": 3}`, 400, "order", `order is "3"`, false},
		{"POST", "/v1/recommend", `{"genres": [1]}`, 400, "genres", "entry 1 must be a text", false},
		{"POST", "/v1/recommend", `{"where": []}`, 400, "where", "object of columns", false},
		{"POST", "/v1/recommend", `{"where": {"colour": "red"}}`, 400, "where", `no column "colour"`, true},
		{"POST", "/v1/recommend", `{"rules": []}`, 400, "rules", "rules must be an object of inStock", false},
		{"POST", "/v1/recommend", `{"rules": {"instock": "a"}}`, 400, "rules", `no field "instock"; choose from inStock`, false},
		{"POST", "/v1/recommend", `{"rules": {"inStock": "stock"}}`, 400, "rules", `no column "stock"; it has imdbId`, true},
		{"POST", "/v1/recommend", `{"rules": {"inStock": 3}}`, 400, "rules", "inStock must be a text", false},
		{"POST", "/v1/recommend", `{"rules": {"pinned": "1"}}`, 400, "rules", "pinned must be an array of ids", false},
		{"POST", "/v1/recommend", `{"rules": {"pinned": [[]]}}`, 400, "rules", "pinned, entry 1", false},
		{"POST", "/v1/recommend", `{"rules": {"boost": {}}}`, 400, "rules", "boost must be an array", false},
		{"POST", "/v1/recommend", `{"rules": {"boost": [null]}}`, 400, "rules", "boost must be an object", false},
		{"POST", "/v1/recommend", `{"rules": {"boost": [{"column": "imdbId"}]}}`, 400, "rules", "weight must be a number", false},
		{"POST", "/v1/recommend", `{"rules": {"boost": [{"column": "imdbId", "weight": 101}]}}`, 400, "rules", "between", false},
		{"POST", "/v1/recommend", `{"rules": {"boost": [{"column": "imdbId", "weight": 1, "value": ""}]}}`, 400, "rules",
			"non-empty", false},
		{"POST", "/v1/recommend", `{"rules": {"atMost": {"n": 0, "column": "imdbId"}}}`, 400, "rules", "between 1", false},
		{"POST", "/v1/recommend", `{"rules": {"atMost": {"n": 2}}}`, 400, "rules", "needs n and column", false},
		{"POST", "/v1/recommend", `[]`, 400, "", "recommend takes an object", false},
		{"POST", "/v1/recommend", `null`, 400, "", "recommend takes an object", false},
		{"POST", "/v1/recommend", `{"k": 1`, 400, "", "the body is not JSON", false},
		{"POST", "/v1/recommend", `{"k": 1, "k": 2}`, 400, "k", "duplicate", true},
		{"POST", "/v1/recommend", ``, 400, "", "the body is not JSON", false},
		{"POST", "/v1/recommend", `{}` + strings.Repeat(" ", intake.MaxBody), 413, "", "longer than 1048576 bytes", true},
		{"POST", "/v1/recommend?k=3", `{}`, 400, "k", "options go into the body", true},
		{"GET", "/v1/recommend", ``, 405, "", "supports only POST", true},
		{"GET", "/v1/similar/1?k=0", ``, 400, "k", "between 1 and 1000", false},
		{"GET", "/v1/similar/1?k=x", ``, 400, "k", "whole", false},
		{"GET", "/v1/similar/1?k=1&k=2", ``, 400, "k", "2 times", true},
		{"GET", "/v1/similar/1?n=3", ``, 400, "n", "choose from k", true},
		{"POST", "/v1/similar/1", `{"mode": "for-you"}`, 400, "mode", `similar has no option "mode"`, false},
		{"POST", "/v1/similar/1", `{"k": 0}`, 400, "k", "between 1 and 1000", false},
		{"POST", "/v1/similar/1", `3`, 400, "", "similar takes an object", false},
		{"POST", "/v1/similar/nobody", `{}`, 404, "id", `no item "nobody"`, true},
		{"PUT", "/v1/similar/1", ``, 405, "", "supports only GET, HEAD, POST", true},
		{"GET", "/v1/similar/nobody", ``, 404, "id", `no item "nobody"`, true},
		{"GET", "/v1/search", ``, 400, "q", "search needs a text", false},
		{"GET", "/v1/search?q=%zz", ``, 400, "", "parameters after ? are invalid", true},
		{"GET", "/v1/search?q=" + strings.Repeat("x", MaxQuery+1), ``, 400, "q", "longer than 256", false},
		{"GET", "/v1/nothing", ``, 404, "", "this address does not exist", true},
		{"DELETE", "/healthz", ``, 405, "", "GET, HEAD", true},
	} {
		code, data := exchange(t, h, c.method, c.target, c.body, c.free)
		p := decode[problemJSON](t, data)
		if code != c.code || p.Field != c.field || !strings.Contains(p.Error, c.part) {
			t.Errorf("%s %s %.100s: %d %s, want %d, field %q, %q", c.method, c.target, c.body, code, data, c.code, c.field,
				c.part)
		}
	}
	r := httptest.NewRequest("POST", "/v1/recommend", strings.NewReader(`{}`))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("a body without a type: %d %s", w.Code, w.Body)
	}
}

func TestOtherAddresses(t *testing.T) {
	h, err := New(shipped, Options{Prefix: "/shop/"})
	if err != nil {
		t.Fatal(err)
	}
	both := h.Or(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "site") }))
	for target, part := range map[string]string{
		"/shop/healthz":         `"ok"`,
		"/shop/readyz":          `"ready"`,
		"/shop/v1/openapi.json": `"openapi"`,
		"/shop/metrics":         "pmlam_model_items",
		"/shop/v1/search?q=a":   `"items"`,
		"/shop/v1/x":            "this address does not exist",
		"/shop/index.html":      "site",
		"/v1/search?q=a":        "site",
		"/":                     "site",
	} {
		w := httptest.NewRecorder()
		both.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		if !strings.Contains(w.Body.String(), part) {
			t.Errorf("%s: %d %.200s, want %q", target, w.Code, w.Body, part)
		}
	}
	h.Drain()
	w := httptest.NewRecorder()
	both.ServeHTTP(w, httptest.NewRequest("GET", "/shop/readyz", nil))
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("readyz while draining: %d", w.Code)
	}
	for _, target := range []string{"/healthz", "/readyz", "/metrics", "/v1/openapi.json"} {
		if code, data := exchange(t, shared(t), "GET", target, "", false); code != 200 {
			t.Errorf("%s: %d %s", target, code, data)
		}
	}
}

func TestMetricsCountAnswers(t *testing.T) {
	h, err := New(shipped, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"/v1/similar/1", "/v1/similar/1", "/v1/similar/SECRET", "/v1/search?q=SECRET"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", target, nil))
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text := w.Body.String()
	for _, line := range []string{
		`pmlam_requests_total{route="similar",code="200"} 2`,
		`pmlam_requests_total{route="similar",code="404"} 1`,
		`pmlam_request_seconds_count{route="search"} 1`,
		`pmlam_model_loads_total{result="taken"} 1`,
		`pmlam_questions_worked_on 0`,
		"go_goroutines",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("the metrics lack %s:\n%s", line, text)
		}
	}
	if strings.Contains(text, "SECRET") {
		t.Errorf("the metrics contain parts of requests:\n%s", text)
	}
}

func TestOnlyAllowedSitesMayRead(t *testing.T) {
	h := shared(t)
	for _, c := range []struct {
		method, origin, target string
		code                   int
		allowed                bool
	}{
		{"GET", "https://shop.example", "/v1/search?q=heat", 200, true},
		{"GET", "https://shop.example.evil", "/v1/search?q=heat", 200, false},
		{"GET", "null", "/v1/search?q=heat", 200, false},
		{"OPTIONS", "https://shop.example", "/v1/recommend", 204, true},
		{"OPTIONS", "https://other.example", "/v1/recommend", 204, false},
		{"GET", "https://shop.example", "/metrics", 200, false},
	} {
		r := httptest.NewRequest(c.method, c.target, nil)
		r.Header.Set("Origin", c.origin)
		if c.method == "OPTIONS" {
			r.Header.Set("Access-Control-Request-Method", "POST")
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		got := w.Header().Get("Access-Control-Allow-Origin")
		if w.Code != c.code || (got == c.origin) != c.allowed || !c.allowed && got != "" {
			t.Errorf("%+v: %d, allows %q", c, w.Code, got)
		}
		if c.method == "OPTIONS" && (w.Header().Get("Access-Control-Allow-Methods") != "") != c.allowed {
			t.Errorf("%+v: %v", c, w.Header())
		}
	}
	none, err := New(shipped, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("GET", "/v1/search?q=heat", nil)
	r.Header.Set("Origin", "https://shop.example")
	w := httptest.NewRecorder()
	none.ServeHTTP(w, r)
	if w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error("a site is allowed to read although none was configured")
	}
	for _, bad := range []string{"*", "shop.example", "https://shop.example/", "https://Shop.example", "ftp://a", "null"} {
		if _, err := newOrigins([]string{bad}); err == nil || !strings.Contains(err.Error(), "origin") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// other returns the shipped model with another digest: its catalogue has a changed title.
func other(t testing.TB, title string) []byte {
	t.Helper()
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	items := append([]catalogue.Item(nil), m.Catalogue.Items...)
	items[0].Title = title
	m.Catalogue = &catalogue.Catalogue{Items: items, Columns: m.Catalogue.Columns}
	data, err := model.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// place replaces a file atomically.
func place(t testing.TB, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file+".new", content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

func modelFile(t testing.TB, content []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "model.msgpack")
	place(t, file, content)
	return file
}

// The owner's rules apply to every answer, in addition to the request's, and after a new model.
func TestOwnersRulesHold(t *testing.T) {
	rules := recommend.Rules{Pinned: []string{"50", "gone"}, Excluded: []string{"1"},
		Boosts: []recommend.Boost{{Column: "imdbId", Weight: 1}}}
	var log bytes.Buffer
	h, err := New(shipped, Options{Rules: rules, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "id=gone") {
		t.Errorf("the log is %s", &log)
	}
	plain := shared(t).model.Load().engine
	by, _, err := plain.WithRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	x := rand.New(rand.NewPCG(6, 6))
	for range 40 {
		q := apitest.Random(x, plain)
		both, _, err := by.WithRules(q.Rules)
		if err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(q.JSON)
		if err != nil {
			t.Fatal(err)
		}
		_, data := post(h, string(body))
		compare(t, plain, string(body), decode[suggestions](t, data), both.Recommend(q.Visit, both.Taste(q.Visit, nil), q.Request))
	}
	_, data := exchange(t, h, "GET", "/v1/similar/6?k=5", "", false)
	got := decode[suggestions](t, data)
	if len(got.Items) != 5 || got.Items[0].ID != "50" || !got.Items[0].Pinned || got.Items[1].Pinned {
		t.Errorf("similar to 6: %s", data)
	}
	if _, err := New(shipped, Options{Rules: recommend.Rules{InStock: "stock"}}); err == nil ||
		!strings.Contains(err.Error(), `no column "stock"`) {
		t.Errorf("a missing column: %v", err)
	}
}
