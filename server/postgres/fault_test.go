package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// shorten keeps the first n items of a model, and the links among them.
func shorten(m *model.Model, n int) {
	rows := gaussian.NewTable(n, m.Items.Dim())
	copy(rows.Data(), m.Items.Data())
	m.Items, m.Map, m.Calibration = rows, nil, nil
	m.Catalogue.Items = slices.Clone(m.Catalogue.Items[:n])
	m.ItemItem, m.Next = among(m.ItemItem, n), among(m.Next, n)
}

// among returns the links among the first n items.
func among(of *model.ItemLinks, n int) *model.ItemLinks {
	links := &model.ItemLinks{Gamma: of.Gamma, Offsets: []int32{0}}
	for i := range n {
		sources, weights := of.Row(i)
		for at, j := range sources {
			if int(j) < n {
				links.Sources, links.Weights = append(links.Sources, j), append(links.Weights, weights[at])
			}
		}
		links.Offsets = append(links.Offsets, int32(len(links.Sources)))
	}
	return links
}

// small returns a model of a few items with this digest.
func small(t testing.TB, items int, digest string) *model.Model {
	m := movielens(t)
	shorten(m, items)
	m.Digest = digest
	return m
}

// tables returns the tables of a schema, sorted.
func tables(t *testing.T, conn *pgx.Conn, schema string) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), "SELECT tablename::text FROM pg_tables WHERE schemaname = $1 ORDER BY 1", schema)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func of(generations ...string) (names []string) {
	for _, g := range generations {
		for _, table := range []string{"genre_sets_", "genres_", "items_", "links_", "next_"} {
			names = append(names, table+g)
		}
	}
	names = append(names, "model")
	slices.Sort(names)
	return names
}

// A failed export leaves the old tables and answers, and the next export works.
func TestFailedCopyLeavesTheOldModel(t *testing.T) {
	url := database(t)
	conn := connect(t, url)
	schema := schemaOf(t, conn)
	if _, err := Export(t.Context(), conn, schema, small(t, 60, "first")); err != nil {
		t.Fatal(err)
	}
	s := open(t, url, schema)
	ask := func() []Suggestion {
		list, err := s.Recommend(t.Context(), Visit{Likes: []string{"1"}}, 5, recommend.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	before := ask()
	bad := small(t, 80, "second")
	bad.Catalogue.Items[70].Title = "not UTF-8: \xff" // which the server rejects in the middle of the COPY
	_, err := Export(t.Context(), conn, schema, bad)
	if err == nil || !strings.Contains(err.Error(), "cannot fill "+schema+".items_2") ||
		!strings.Contains(err.Error(), "the schema "+schema+" is unchanged") {
		t.Errorf("a failing COPY: %v", err)
	}
	if got := tables(t, conn, schema); !slices.Equal(got, of("1")) {
		t.Errorf("a failed export left %q", got)
	}
	if got := ask(); !slices.Equal(got, before) {
		t.Errorf("after a failed export the answer is %v, before it %v", got, before)
	}
	if digest, err := s.Digest(t.Context()); err != nil || digest != "first" {
		t.Errorf("the digest is %q, %v", digest, err)
	}
	for _, digest := range []string{"second", "third"} {
		if _, err := Export(t.Context(), conn, schema, small(t, 80, digest)); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Digest(t.Context()); err != nil || got != digest {
			t.Errorf("the digest is %q, %v, want %q", got, err, digest)
		}
	}
	if got := tables(t, conn, schema); !slices.Equal(got, of("2", "3")) {
		t.Errorf("after three exports the tables are %q", got)
	}
}

// Two concurrent exports succeed, and one complete model remains. Meanwhile, answers come from one of these models, or
// from the previous one.
func TestTwoExportsAtOnce(t *testing.T) {
	url := database(t)
	conn := connect(t, url)
	schema := schemaOf(t, conn)
	if _, err := Export(t.Context(), conn, schema, small(t, 50, "50")); err != nil {
		t.Fatal(err)
	}
	s := open(t, url, schema)
	exporting, ended := context.WithCancel(t.Context())
	var exports, questions sync.WaitGroup
	for _, m := range []*model.Model{small(t, 90, "90"), small(t, 130, "130")} {
		other := connect(t, url)
		exports.Go(func() {
			if _, err := Export(t.Context(), other, schema, m); err != nil {
				t.Error(err)
			}
		})
	}
	questions.Go(func() {
		for exporting.Err() == nil {
			// All items but the like, that is, the model's number of items.
			list, err := s.Recommend(t.Context(), Visit{Likes: []string{"1"}}, 200, recommend.Filter{})
			if n := len(list) + 1; err != nil || n != 50 && n != 90 && n != 130 {
				t.Errorf("%d items, %v", n, err)
				return
			}
		}
	})
	exports.Wait()
	ended()
	questions.Wait()
	if t.Failed() {
		return
	}
	list, err := s.Recommend(t.Context(), Visit{Likes: []string{"1"}}, 200, recommend.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	digest, err := s.Digest(t.Context())
	if err != nil || digest == "50" || map[string]int{"90": 89, "130": 129}[digest] != len(list) {
		t.Errorf("the model %s returned %d items, %v", digest, len(list), err)
	}
	if got := tables(t, conn, schema); !slices.Equal(got, of("2", "3")) {
		t.Errorf("the tables are %q", got)
	}
}

// An unavailable server is reported as such, and the same store works again once it is back.
func TestDatabaseGoneAndBack(t *testing.T) {
	folder := t.TempDir()
	first, err := startServer(folder, "")
	if err != nil {
		t.Skipf("SKIPPED: %v; run make test-postgres", err)
	}
	url := first.url()
	conn := connect(t, url)
	if _, err := Export(t.Context(), conn, "pmlam", small(t, 60, "first")); err != nil {
		t.Fatal(err)
	}
	s := open(t, url, "pmlam")
	ask := func() ([]Suggestion, error) {
		return s.Recommend(t.Context(), Visit{Likes: []string{"1"}}, 5, recommend.Filter{})
	}
	before, err := ask()
	if err != nil {
		t.Fatal(err)
	}
	first.stop()
	if _, err := ask(); !errors.Is(err, ErrUnavailable) {
		t.Errorf("while unavailable: %v", err)
	}
	if _, err := Export(t.Context(), conn, "pmlam", small(t, 60, "second")); err == nil {
		t.Error("an export to an unavailable server succeeded")
	}
	second, err := startServer(folder, first.port)
	if err != nil {
		t.Fatal(err)
	}
	defer second.kill()
	if after, err := ask(); err != nil || !slices.Equal(after, before) {
		t.Errorf("once back: %v, %v, want %v", after, err, before)
	}
}

// Invalid questions and exports give clear errors.
func TestRefusals(t *testing.T) {
	url := database(t)
	conn := connect(t, url)
	schema := schemaOf(t, conn)
	refused := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("got the error %v, want %q", err, what)
		}
	}
	_, err := Open(t.Context(), url, schema)
	refused("export one with pmlam-postgres export", err)
	_, err = Open(t.Context(), url, `x"; DROP`)
	refused("cannot be used", err)
	fitted := small(t, 20, "")
	fitted.Objective.Composition.Free, fitted.Objective.Composition.Prior = true, 0
	_, err = Export(t.Context(), conn, schema, fitted)
	refused("a learned part", err)
	if _, err := Export(t.Context(), conn, schema, small(t, 20, "")); err != nil {
		t.Fatal(err)
	}
	s := open(t, url, schema)
	_, err = s.Recommend(t.Context(), Visit{}, 0, recommend.Filter{})
	refused("k is 0", err)
	_, err = s.Recommend(t.Context(), Visit{}, 1, recommend.Filter{Region: 1})
	refused("regions", err)
	_, err = conn.Exec(t.Context(), "SELECT "+schema+".recommend('{}', 0)")
	refused("between 1 and 1000", err)
	list, err := s.Recommend(t.Context(), Visit{Likes: []string{"no such id"}}, 3, recommend.Filter{
		Columns: map[string]string{"imdbId": "none"}})
	if err != nil || len(list) != 0 {
		t.Errorf("a filter without matches: %v, %v", list, err)
	}
	for version, want := range map[string]bool{"0.8.0": true, "0.10": true, "1.0": true, "0.7.4": false, "x": false} {
		if newEnough(version) != want {
			t.Errorf("%s is new enough: %v", version, !want)
		}
	}
}

// Functions of others in a schema are not replaced.
func TestForeignSchema(t *testing.T) {
	url := database(t)
	conn := connect(t, url)
	schema := schemaOf(t, conn)
	mine := "CREATE SCHEMA " + schema + "; CREATE FUNCTION " + schema +
		".genre_bonuses(likes integer[]) RETURNS double precision[] LANGUAGE sql AS 'SELECT ARRAY[42.0::float8]'"
	if _, err := conn.Exec(t.Context(), mine); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(t.Context(), conn, schema, small(t, 60, "first")); err == nil ||
		!strings.Contains(err.Error(), "it has a function genre_bonuses but no model") {
		t.Errorf("over somebody's function: %v", err)
	}
	var n []float64
	if err := conn.QueryRow(t.Context(), "SELECT "+schema+".genre_bonuses('{}')").Scan(&n); err != nil || len(n) != 1 {
		t.Errorf("the function returns %v, %v", n, err)
	}
	if got := tables(t, conn, schema); len(got) > 0 {
		t.Errorf("the tables are %q", got)
	}
}
