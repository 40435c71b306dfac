package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pmlam/pmlam/core/recommend"
)

// Store calls the functions of a schema filled by Export. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	schema string
}

// Visit holds a visitor's marks, by item id. Ids that the model does not have are skipped; an id in several lists
// counts in the first.
type Visit struct {
	Likes, Dislikes, Seen []string
	Recent                []string // the latest last; they raise what people choose next. Without likes they are likes
	Again                 *bool    // recent items may be listed; nil: as the model says
}

// Suggestion is a recommended item.
type Suggestion struct {
	ID, Title string
	Cost      float64 // the ranking criterion: W2² minus the bonus of links and genres
	Distance  float64 // W2 between the visitor and the item
}

// ErrUnavailable is wrapped by errors of a Store if the database could not be reached or did not finish. The next
// question tries again.
var ErrUnavailable = errors.New("the database did not answer")

// Open connects to the database at the URL (libpq's keywords and environment variables work too) and checks that the
// schema has a model. The URL's pool_max_conns bounds the connections.
func Open(ctx context.Context, url, schema string) (*Store, error) {
	if err := checkSchema(schema); err != nil {
		return nil, err
	}
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("cannot open the database: %w", err)
	}
	s := &Store{pool, schema}
	if _, err := s.Digest(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return s, nil
}

// Close closes the connections after questions in progress are answered.
func (s *Store) Close() { s.pool.Close() }

// Digest returns the SHA-256 of the model in use.
func (s *Store) Digest(ctx context.Context) (digest string, err error) {
	err = s.pool.QueryRow(ctx, "SELECT digest FROM "+s.schema+".model ORDER BY generation DESC LIMIT 1").Scan(&digest)
	return digest, s.explain(err)
}

// Recommend returns at most k items that the visitor has not mentioned and that pass the filter, best first: the list
// of recommend.Recommender.Recommend in the mode ForYou. k is from 1 to MaxK − recommend.SeriesSlack. Regions of the
// map are not supported.
func (s *Store) Recommend(ctx context.Context, v Visit, k int, f recommend.Filter) ([]Suggestion, error) {
	const most = MaxK - recommend.SeriesSlack
	switch {
	case k < 1 || k > most:
		return nil, fmt.Errorf("k is %d; it must be between 1 and %d", k, most)
	case f.Region != 0:
		return nil, errors.New("the database does not support regions of the map: leave the region out")
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
			return nil, fmt.Errorf("invalid columns: %w", err)
		}
	}
	b := &pgx.Batch{}
	b.Queue("SELECT id, title, cost, distance FROM "+s.schema+".recommend($1, $2, $3, $4, $5, $6, $7, $8::jsonb, "+
		"$9, $10)", list(v.Likes), k+recommend.SeriesSlack, list(v.Seen), list(v.Dislikes), list(f.Genres), from, to,
		string(columns), list(v.Recent), v.Again)
	b.Queue("SELECT title FROM "+s.schema+".items WHERE id = ANY ($1)", slices.Concat([]string{}, v.Likes, v.Recent))
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

// texts queries a column of texts, given one list.
func (s *Store) texts(ctx context.Context, query string, given []string) ([]string, error) {
	rows, err := s.pool.Query(ctx, query, list(given))
	if err != nil {
		return nil, s.explain(err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return list(out), s.explain(err)
}

// list returns a non-nil list, because nil would be NULL.
func list(x []string) []string { return append([]string{}, x...) }

// explain adds the meaning of an error.
func (s *Store) explain(err error) error {
	var refused *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows),
		errors.As(err, &refused) && (refused.Code == "42P01" || refused.Code == "3F000" || refused.Code == "42883"):
		return fmt.Errorf("the schema %s has no model: export one with pmlam-postgres export: %w", s.schema, err)
	case gone(err):
		return fmt.Errorf("%w, ask again: %w", ErrUnavailable, err)
	}
	return fmt.Errorf("cannot answer the question: %w", err)
}
