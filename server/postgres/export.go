package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	pgxvector "github.com/pgvector/pgvector-go/pgx"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// Exported is the result of an export.
type Exported struct {
	Generation   int // 1 for the first export to a schema, then counting up
	Items, Links int
}

// exportLock is the key of the advisory lock that serialises exports to a database.
const exportLock = 0x706d6c616d // "pmlam"

// Export writes a model to the schema, which it creates if necessary, and lets the schema's functions answer from it,
// in one transaction. Until the commit, and after a failure, questions are answered by the previous model. Questions in
// progress finish with the old model, whose tables are dropped by the next export but one. Of two concurrent exports to
// a database the second waits for the first and replaces its model.
//
// The model's users must be composed of items only, because SQL cannot fit a row. h can be at most 1,000, and pgvector
// must be 0.8.0 or newer. conn must not be used concurrently.
//
// It sends O(I·h + links); most of the time is spent on the index (core/lab/docs/server.md).
func Export(ctx context.Context, conn *pgx.Conn, schema string, m *model.Model) (done Exported, err error) {
	if err := checkSchema(schema); err != nil {
		return done, err
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return done, fmt.Errorf("cannot export the model: %w", err)
	}
	f := r.Formula()
	width := 2 * m.Items.Dim()
	switch {
	case f.Composition.Free:
		return done, errors.New("the users of this model have a learned part, which SQL cannot fit: export a model " +
			"whose users are composed of items, such as one trained with the preset best or hybrid")
	case width > maxWidth:
		return done, fmt.Errorf("a row of this model has %d numbers, but pgvector's index supports at most %d: train "+
			"with a dimension of at most %d", width, maxWidth, maxWidth/2)
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		return done, fmt.Errorf("cannot begin the export: %w", err)
	}
	defer func() {
		if err != nil {
			// The connection may be lost, or ctx done; the server then rolls back by itself.
			_ = tx.Rollback(context.WithoutCancel(ctx))
			err = fmt.Errorf("the model was not exported, and the schema %s is unchanged: %w", schema, err)
		}
	}()
	p := newPlacing(m, &f)
	e := exporting{ctx, tx, names{Schema: schema, Width: width, Place: p.width(width), Candidates: candidates,
		MaxK: MaxK, RecentItems: recommend.RecentItems, RecentDecay: recommend.RecentDecay}}
	if err := e.prepare(conn); err != nil {
		return done, err
	}
	if err := e.fill(m, &f, p); err != nil {
		return done, err
	}
	if err := e.swap(m, &f, p); err != nil {
		return done, err
	}
	if err := tx.Commit(ctx); err != nil {
		return done, err
	}
	done = Exported{Generation: e.names.N, Items: m.Items.Len()}
	if m.ItemItem != nil {
		done.Links = m.ItemItem.Links()
	}
	return done, nil
}

// exporting is one run of Export.
type exporting struct {
	ctx   context.Context
	tx    pgx.Tx
	names names
}

// run runs the statements of a file in sql/.
func (e *exporting) run(file string) error { return e.exec(e.names.statement(file)) }

func (e *exporting) exec(text string) error {
	_, err := e.tx.Conn().PgConn().Exec(e.ctx, text).ReadAll()
	return err
}

// prepare waits for the lock, checks pgvector and determines the generation.
func (e *exporting) prepare(conn *pgx.Conn) error {
	if err := e.exec("SELECT pg_advisory_xact_lock(" + strconv.Itoa(exportLock) + ")"); err != nil {
		return err
	}
	if err := e.exec("CREATE EXTENSION IF NOT EXISTS vector"); err != nil {
		return fmt.Errorf("the database needs pgvector: install it, and let an owner of the database run "+
			"CREATE EXTENSION vector: %w", err)
	}
	var version string
	if err := e.tx.QueryRow(e.ctx, `SELECT extversion, quote_ident(nspname) FROM pg_extension x
		JOIN pg_namespace n ON n.oid = x.extnamespace WHERE extname = 'vector'`,
	).Scan(&version, &e.names.Vector); err != nil {
		return err
	}
	if !newEnough(version) {
		return fmt.Errorf("pgvector %s is too old: upgrade it to 0.8.0 or newer, which has iterative scans, and run "+
			"ALTER EXTENSION vector UPDATE", version)
	}
	// For this transaction only: vector and its operators may be in another schema.
	if err := e.exec("SET LOCAL search_path = pg_catalog, " + e.names.Vector); err != nil {
		return err
	}
	if err := pgxvector.RegisterTypes(e.ctx, conn); err != nil {
		return fmt.Errorf("cannot find the types of pgvector: %w", err)
	}
	if err := e.checkOwner(); err != nil {
		return err
	}
	if err := e.run("model.sql"); err != nil {
		return err
	}
	return e.tx.QueryRow(e.ctx, "SELECT coalesce(max(generation), 0) + 1 FROM "+e.names.Schema+".model").Scan(
		&e.names.N)
}

// checkOwner returns an error if the schema has functions of the same names but no model, since they would be replaced.
func (e *exporting) checkOwner() error {
	var found string
	err := e.tx.QueryRow(e.ctx, `SELECT coalesce(min(proname), '') FROM pg_proc
		WHERE pronamespace = to_regnamespace($1)
			AND proname IN ('compose', 'genre_weights', 'genre_bonuses', 'niche', 'visitor', 'recommend')
		AND NOT EXISTS (SELECT FROM pg_attribute
			WHERE attrelid = to_regclass($1 || '.model') AND attname = 'generation')`,
		e.names.Schema).Scan(&found)
	if err == nil && found != "" {
		err = fmt.Errorf("it has a function %s but no model, so it belongs to something else: choose another schema",
			found)
	}
	return err
}

// newEnough reports whether a version of pgvector is 0.8 or newer.
func newEnough(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, err1 := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	return err1 == nil && err2 == nil && (a > 0 || b >= 8)
}

// swap makes the generation answer, and drops those before the previous one.
func (e *exporting) swap(m *model.Model, f *recommend.Formula, p *placing) error {
	n := &e.names
	_, err := e.tx.Exec(e.ctx, `INSERT INTO `+n.Schema+`.model (generation, digest, dataset, items, dim, weight,
		prior_likes, radius, min_stddev, push, mean, prior, genre_scale, genre_prior, unit, niche_most, niche_genres,
		rarity, few_know, again, link_prior, placed_genres, levels, genre_size, level_size)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
			$23, $24, $25)`,
		n.N, m.Digest, m.Provenance.Dataset, m.Items.Len(), m.Items.Dim(), float64(f.Composition.Weight),
		float64(f.Composition.Prior), float64(f.Radius), float64(gaussian.MinStddev), float64(f.Push), f.Mean, f.Prior,
		f.GenreScale, f.GenrePrior, f.Unit, f.NicheMost, f.NicheGenres, f.Rarity, f.FewKnow,
		m.Again, float64(f.LinkPrior), append([]string{}, p.genres...), p.levels, p.genreSize, p.level)
	if err != nil {
		return err
	}
	if err := e.run("functions.sql"); err != nil {
		return err
	}
	rows, err := e.tx.Query(e.ctx, "DELETE FROM "+n.Schema+".model WHERE generation < $1 RETURNING generation", n.N-1)
	if err != nil {
		return err
	}
	old, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return err
	}
	for _, g := range old {
		for _, table := range []string{"items", "links", "next", "genres", "genre_sets"} {
			if err := e.exec(fmt.Sprintf("DROP TABLE IF EXISTS %s.%s_%d", n.Schema, table, g)); err != nil {
				return err
			}
		}
	}
	return nil
}

// gone reports whether an error is about the connection or an unavailable server, not about the statement.
func gone(err error) bool {
	var refused *pgconn.PgError
	return !errors.As(err, &refused) || strings.HasPrefix(refused.Code, "57P") || strings.HasPrefix(refused.Code, "08")
}
