package intake

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	v2 "github.com/go-json-experiment/json"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/query"
)

// engine is the recommender of the shipped model.
var engine = sync.OnceValues(func() (*recommend.Recommender, error) {
	m, err := model.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		return nil, err
	}
	return recommend.Open(m, recommend.Options{})
})

// read returns a reader's results for a request, as recommend and as similar, as text; errors are included.
func read(t testing.TB, v query.Value) string {
	t.Helper()
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	r := &query.Reader{Engine: e, Results: 1000, Marks: MaxMarks}
	visit, request, err := r.Read("recommend", v)
	if err == nil {
		_, err = r.Rules(v.Field("rules"))
	}
	s := &query.Reader{Engine: e, Results: 1000, Marks: MaxMarks}
	mentioned, k, similarErr := s.ReadSimilar(v)
	return fmt.Sprintf("%+v %+v %q %v\n%+v %d %q %v", visit, request, r.Unknown, err, mentioned, k, s.Unknown, similarErr)
}

// accepts reports whether a reader accepts the request as recommend.
func accepts(t testing.TB, v query.Value) bool {
	t.Helper()
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	r := &query.Reader{Engine: e, Results: 1000, Marks: MaxMarks}
	if _, _, err = r.Read("recommend", v); err == nil {
		_, err = r.Rules(v.Field("rules"))
	}
	return err == nil
}

// compareDecoders decodes a text by its shape, and fully by two other decoders. If the shape's decoder accepts a text,
// a reader gets the same from all three. If another decoder and the reader accept it, it is accepted unless a part is
// longer than MaxText.
func compareDecoders(t testing.TB, text string) {
	t.Helper()
	got, err := decode([]byte(text), query.RequestShape(), MaxMarks)
	var plain, strict any
	plainErr, strictErr := json.Unmarshal([]byte(text), &plain), v2.Unmarshal([]byte(text), &strict)
	if err == nil {
		if plainErr != nil {
			t.Fatalf("%q is accepted, but encoding/json fails: %v", text, plainErr)
		}
		if want := read(t, query.JSON{V: plain}); read(t, got) != want {
			t.Fatalf("%q means\n%s\nwant\n%s", text, read(t, got), want)
		}
	} else if !utf8.ValidString(err.Error()) || len(err.Error()) > 500 {
		t.Fatalf("the error of %.100q is %q", text, err)
	}
	long := err != nil && strings.Contains(err.Error(), "has a text of more than")
	if err != nil && !long && strictErr == nil && accepts(t, query.JSON{V: strict}) {
		t.Fatalf("%q is rejected: %v", text, err)
	}
}

var texts = []string{
	``, ` `, `{}`, `[]`, `null`, `3`, `"likes"`, `{"likes": null}`, `{"likes": ["1", 6, {"id": "50"}, -0, 1e2, 1.50]}`,
	`{"likes": [{"id": "1", "title": "Heat", "because": [{"id": "2"}]}, {"title": "x", "id": "6"}], "k": 3}`,
	`{"likes": [{}]}`, `{"likes": [{"id": null}]}`, `{"likes": [{"id": 3}]}`, `{"likes": [{"id": ["1"]}]}`,
	`{"likes": [{"id": ""}]}`, `{"likes": [[]]}`, `{"likes": {}}`, `{"likes": {"id": "1"}}`, `{"likes": "1"}`,
	`{"likes": [true]}`, `{"likes": [null]}`, `{"likes": ["\u00e9\ud83d\ude00\u0000"]}`, `{"likes": ["\ud800"]}`,
	"{\"likes\": [\"\xff\"]}", `{"lik\u0065s": ["1"]}`, `{"k": 1e400}`, `{"k": 1.0}`, `{"k": 3e0}`, `{"k": "3"}`, `{"k": [3]}`,
	`{"k": {"": 3}}`, `{"k": 01}`, `{"mode": "hidden-gems", "order": "new"}`, `{"mode": true}`, `{"mode": []}`,
	`{"genres": ["Drama", "Comedy"], "fromYear": 1990, "toYear": 2e3}`, `{"genres": [{"id": "Drama"}]}`, `{"genres": [1]}`,
	`{"where": {"imdbId": "1"}}`, `{"where": {"imdbId": 114709}}`, `{"where": {"imdbId": true, "none": {}}}`,
	`{"where": {"imdbId": null}}`, `{"where": {"imdbId": []}}`, `{"where": []}`, `{"where": {"id": "1"}}`,
	`{"rules": {"inStock": "imdbId", "excluded": ["1", {"id": "6"}], "pinned": [50], "boost":
		[{"column": "imdbId", "weight": 1}, {"column": "imdbId", "value": 3, "weight": -1}],
		"atMost": {"n": 2, "column": "imdbId"}}}`,
	`{"rules": null}`, `{"rules": {"boost": [{}]}}`, `{"rules": {"boost": [3]}}`, `{"rules": {"boost": {"column": "a"}}}`,
	`{"rules": {"boost": [{"colour": "a"}]}}`, `{"rules": {"atMost": []}}`, `{"rules": {"atMost": {"m": 1}}}`, `{"rules": []}`,
	`{"seed": 9007199254740992, "diversity": 0.5, "exploration": 1, "skip": 3, "instead": ["1"]}`,
	`{"likes": ["1"], "likes": ["2"]}`, `{"where": {"a": "1", "a": "2"}}`, `{"likes": [{"id": "1", "id": "2"}]}`,
	`{"likes": [{"a": 1, "a": 2, "id": "1"}]}`, `{"like": ["1"]}`, `{"": 0}`, `{} {}`, `{}]`, `{"likes": [1,]}`, `{"likes": [1}`,
	`{"likes"}`, `{"likes":}`, `{"likes": [`, `{"likes": ["1"`, `{"likes": [nul`, `{likes: []}`, `{"k": 1}x`, "\ufeff{}",
	strings.Repeat("[", 20_000), `{"likes": [{"a": ` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}]}`,
	`{"likes": [` + strings.Repeat(`"1",`, MaxMarks-1) + `"1"]}`, `{"likes": [` + strings.Repeat(`"1",`, MaxMarks) + `"1"]}`,
	`{"where": {"` + strings.Repeat("x", 2000) + `": "1"}}`, `{"` + strings.Repeat("x", 2000) + `": "1"}`,
	`{"likes": ["` + strings.Repeat("x", MaxText) + `"]}`, `{"likes": ["` + strings.Repeat("x", MaxText+1) + `"]}`,
	`{"` + strings.Repeat("\x7f", 2000) + `": 1}`, `{"mode": "` + strings.Repeat("é", 2000) + `"}`, `{"` + strings.Repeat("x", 2000) + `": x}`,
}

func TestDecodersAgree(t *testing.T) {
	for _, text := range texts {
		compareDecoders(t, text)
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { compareDecoders(t, text) })
}

// Invalid text is rejected where the error begins; the rest is not read.
func TestDecodeStops(t *testing.T) {
	for _, c := range []struct{ text, field, part string }{
		{`{"likes": [` + strings.Repeat(`{"":0},`, MaxMarks) + `{"":0} not JSON`, "likes",
			"likes has more than 4096 entries; at most 4096 are allowed"},
		{`{"rules": {"pinned": [` + strings.Repeat(`1,`, MaxMarks) + `1 not JSON`, "rules", "pinned has more than 4096 entries"},
		{`{"like": not JSON`, "like", `recommend has no option "like"; choose from likes`},
		{`{"rules": {"pin": not JSON`, "rules", `rules has no field "pin"; choose from inStock`},
		{`{"k": 1, "k" not JSON`, "k", `"k" is a duplicate`},
		{`{"rules": {"inStock": "` + strings.Repeat("x", MaxText+1) + `" not JSON`, "rules",
			"rules has a text of more than 4096 bytes"},
	} {
		_, err := decode([]byte(c.text), query.RequestShape(), MaxMarks)
		wrong, ok := err.(*query.Error)
		if !ok || wrong.Field != c.field || !strings.Contains(wrong.Sentence, c.part) {
			t.Errorf("%.60s: %v, want field %q, %q", c.text, err, c.field, c.part)
		}
	}
	var where strings.Builder
	for i := range MaxMarks + 1 {
		fmt.Fprintf(&where, `"%d": 0,`, i)
	}
	if _, err := decode([]byte(`{"where": {`+where.String()), query.RequestShape(), MaxMarks); err == nil ||
		!strings.Contains(err.Error(), "where has more than 4096 entries") {
		t.Errorf("many columns: %v", err)
	}
}

// Of an object in a list only the id is kept.
func TestDecodeKeepsOnlyIDs(t *testing.T) {
	got, err := decode([]byte(`{"likes": [{"id": "1", "title": ["Heat"]}, {"":0}, "6"], "k": {"a": 1}, "mode": [1]}`),
		query.RequestShape(), MaxMarks)
	want := map[string]any{"likes": []any{query.Item{ID: "1"}, map[string]any(nil), "6"}, "k": map[string]any(nil),
		"mode": []any(nil)}
	if err != nil || !reflect.DeepEqual(got.V, any(want)) {
		t.Errorf("%#v, %v", got.V, err)
	}
}

// BenchmarkDecode shows that a body's memory is a small multiple of its bytes, for any content.
func BenchmarkDecode(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"usual", `{"likes": ["1", "6", "260"], "k": 10}`},
		{"objects", `{"likes": [` + strings.Repeat(`{"":0},`, MaxBody/7)},
		{"lists", `{"likes": [` + strings.Repeat(`{"id":"12"},`, MaxMarks-1) + `1], "seen": [` +
			strings.Repeat(`"12",`, MaxMarks-1) + `1]}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				_, _ = decode([]byte(c.text), query.RequestShape(), MaxMarks)
			}
		})
	}
}
