package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// fill creates the generation's tables, copies the model into them and builds the indexes.
func (e *exporting) fill(m *model.Model, f *recommend.Formula, p *placing) error {
	if err := e.run("tables.sql"); err != nil {
		return err
	}
	sets := genreSets{number: map[string]int{}}
	cat := m.Catalogue
	if err := e.copy("items", []string{"item", "id", "title", "year", "genres", "columns", "count", "genre_set", "row",
		"place"},
		pgx.CopyFromSlice(cat.Len(), func(i int) ([]any, error) {
			it := &cat.Items[i]
			var year any
			if it.Year != 0 {
				year = it.Year
			}
			columns := map[string]string{}
			for c, name := range cat.Columns {
				if c < len(it.Values) {
					columns[name] = it.Values[c]
				}
			}
			genres := distinct(it.Genres)
			return []any{i, it.ID, it.Title, year, genres, columns, it.Count, sets.add(genres),
				pgvector.NewVector(m.Items.Row(i)), pgvector.NewVector(p.of(m.Items.Row(i), it))}, nil
		})); err != nil {
		return err
	}
	if err := e.copy("genre_sets", []string{"genre_set", "genres"},
		pgx.CopyFromSlice(len(sets.all), func(i int) ([]any, error) { return []any{i + 1, sets.all[i]}, nil }),
	); err != nil {
		return err
	}
	genres := make([][]any, 0, len(f.GenreShares))
	for name, share := range f.GenreShares {
		genres = append(genres, []any{name, share})
	}
	if err := e.copy("genres", []string{"genre", "share"}, pgx.CopyFromRows(genres)); err != nil {
		return err
	}
	if m.ItemItem != nil {
		if err := e.copy("links", []string{"source", "target", "bonus"}, linksOf(m.ItemItem)); err != nil {
			return err
		}
	}
	if m.Next != nil {
		if err := e.copy("next", []string{"source", "target", "bonus"}, linksOf(m.Next)); err != nil {
			return err
		}
	}
	n := &e.names
	for _, text := range []string{
		"CREATE INDEX ON %[1]s.items_%[2]d USING hnsw (place vector_l2_ops) WITH (m = 24, ef_construction = 256)",
		"CREATE INDEX ON %[1]s.items_%[2]d USING gin (genres)",
		"ANALYZE %[1]s.items_%[2]d", "ANALYZE %[1]s.links_%[2]d", "ANALYZE %[1]s.next_%[2]d",
	} {
		if err := e.exec(fmt.Sprintf(text, n.Schema, n.N)); err != nil {
			return err
		}
	}
	return nil
}

// copy fills a table of the generation by COPY.
func (e *exporting) copy(table string, columns []string, rows pgx.CopyFromSource) error {
	table = fmt.Sprintf("%s_%d", table, e.names.N)
	if _, err := e.tx.CopyFrom(e.ctx, pgx.Identifier{e.names.Schema, table}, columns, rows); err != nil {
		return fmt.Errorf("cannot fill %s.%s: %w", e.names.Schema, table, err)
	}
	return nil
}

// linksOf returns the links by target, with γ·B as the bonus.
func linksOf(p *model.ItemLinks) pgx.CopyFromSource {
	target, at := 0, 0
	return pgx.CopyFromFunc(func() ([]any, error) {
		for target < p.Len() && int(p.Offsets[target+1]) == at {
			target++
		}
		if target == p.Len() {
			return nil, nil
		}
		row := []any{p.Sources[at], target, p.Gamma * p.Weights[at]}
		at++
		return row, nil
	})
}

// distinct returns the distinct non-empty genres of an item, sorted.
func distinct(genres []string) []string {
	out := slices.DeleteFunc(slices.Clone(genres), func(g string) bool { return g == "" })
	slices.Sort(out)
	return append([]string{}, slices.Compact(out)...)
}

// genreSets numbers combinations of genres from 1.
type genreSets struct {
	number map[string]int
	all    [][]string
}

// add returns the number of a combination; 0 for no genres.
func (s *genreSets) add(genres []string) int {
	if len(genres) == 0 {
		return 0
	}
	key := strings.Join(genres, "\x00") // texts of a model contain no NUL
	n, ok := s.number[key]
	if !ok {
		s.all = append(s.all, genres)
		n = len(s.all)
		s.number[key] = n
	}
	return n
}
