package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pmlam/pmlam/core/recommend"
)

// Store asks the functions of a schema that Export has filled. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	schema string
}

// Visit is what a visitor has said, by the items' ids. Ids that the model does not have are passed over; an id counts
// in the first of the lists that it stands in.
type Visit struct {
	Likes, Dislikes, Seen []string
}

// Suggestion is a recommended item.
type Suggestion struct {
	ID, Title string
	Cost      float64 // what it is ranked by: W2² less what links and genres add
	Distance  float64 // W2 between the visitor and the item
}

// ErrUnavailable is what errors of a Store wrap where the database could not be reached or did not finish. The next
// question tries again.
var ErrUnavailable = errors.New("the database did not answer")

// Open connects to the database of the URL (libpq's keywords work too, and so do its environment variables) and checks
// that the schema has a model. The connections that it holds are pool_max_conns of the URL at most.
func Open(ctx context.Context, url, schema string) (*Store, error) {
	if err := checkSchema(schema); err != nil {
		return nil, err
	}
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("the database cannot be opened: %w", err)
	}
	s := &Store{pool, schema}
	if _, err := s.Digest(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return s, nil
}

// Close closes the connections once the questions under way are answered.
func (s *Store) Close() { s.pool.Close() }

// Digest returns the SHA-256 of the model that answers.
func (s *Store) Digest(ctx context.Context) (digest string, err error) {
	err = s.pool.QueryRow(ctx, "SELECT digest FROM "+s.schema+".model ORDER BY generation DESC LIMIT 1").Scan(&digest)
	return digest, s.explain(err)
}

// Recommend returns at most k items that the visitor has not mentioned and that pass the filter, best first: the list
// of recommend.Recommender.Recommend for the mode ForYou. k is from 1 to MaxK − recommend.SeriesSlack. A region of the
// map cannot be asked for.
func (s *Store) Recommend(ctx context.Context, v Visit, k int, f recommend.Filter) ([]Suggestion, error) {
	const most = MaxK - recommend.SeriesSlack
	switch {
	case k < 1 || k > most:
		return nil, fmt.Errorf("k is %d, it must be between 1 and %d", k, most)
	case f.Region != 0:
		return nil, errors.New("the database does not know the map's regions: ask without one")
	}
	var from, to *int
	if f.FromYear != 0 {
		from = &f.FromYear
	}
	if f.ToYear != 0 {
		to = &f.ToYear
	}
	columns := []byte("{}")
	if f.Columns != nil {
		var err error
		if columns, err = json.Marshal(f.Columns); err != nil {
			return nil, fmt.Errorf("the columns cannot be asked for: %w", err)
		}
	}
	b := &pgx.Batch{}
	b.Queue("SELECT id, title, cost, distance FROM "+s.schema+".recommend($1, $2, $3, $4, $5, $6, $7, $8::jsonb)",
		list(v.Likes), k+recommend.SeriesSlack, list(v.Seen), list(v.Dislikes), list(f.Genres), from, to,
		string(columns))
	b.Queue("SELECT title FROM "+s.schema+".items WHERE id = ANY ($1)", list(v.Likes))
	answers := s.pool.SendBatch(ctx, b)
	defer answers.Close()
	rows, err := answers.Query()
	if err != nil {
		return nil, s.explain(err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Suggestion])
	if err != nil {
		return nil, s.explain(err)
	}
	rows, err = answers.Query()
	if err != nil {
		return nil, s.explain(err)
	}
	likes, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, s.explain(err)
	}
	recommend.CapSeries(out, func(x Suggestion) string { return x.Title }, likes)
	return out[:min(k, len(out))], nil
}

// texts asks for a column of texts, with one list.
func (s *Store) texts(ctx context.Context, query string, given []string) ([]string, error) {
	rows, err := s.pool.Query(ctx, query, list(given))
	if err != nil {
		return nil, s.explain(err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return list(out), s.explain(err)
}

// list returns a list that is not nil, which would be NULL.
func list(x []string) []string { return append([]string{}, x...) }

// explain says what an error means.
func (s *Store) explain(err error) error {
	var refused *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows),
		errors.As(err, &refused) && (refused.Code == "42P01" || refused.Code == "3F000" || refused.Code == "42883"):
		return fmt.Errorf("the schema %s has no model: export one first (pmlam-postgres export): %w", s.schema, err)
	case gone(err):
		return fmt.Errorf("%w, ask again: %w", ErrUnavailable, err)
	}
	return fmt.Errorf("the question cannot be answered: %w", err)
}
