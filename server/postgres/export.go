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

// Exported says what an export wrote.
type Exported struct {
	Generation   int // 1 for the first export into a schema, and one more with each
	Items, Links int
}

// exportLock is the key of the advisory lock under which exports into a database take their turns.
const exportLock = 0x706d6c616d // "pmlam"

// Export writes a model into the schema, which is made where there is none, and has the functions of the schema answer
// by it. All of it is one transaction. Until it is committed, questions are answered by the model that was there, which
// also stays where anything fails. Questions under way are finished by the old model, whose tables are dropped by the
// next export but one. Of two exports into a database the second waits for the first, and its model is the one that
// stays.
//
// The model's users must be composed of items alone: a row that has to be fitted cannot be made in SQL. h may be 1,000
// at most, and pgvector must be 0.8.0 or newer. conn is not to be used by others meanwhile.
//
// O(I·h + links) is sent; building the index takes most of the time (docs/postgres.md).
func Export(ctx context.Context, conn *pgx.Conn, schema string, m *model.Model) (done Exported, err error) {
	if err := checkSchema(schema); err != nil {
		return done, err
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return done, fmt.Errorf("the model cannot be exported: %w", err)
	}
	f := r.Formula()
	width := 2 * m.Items.Dim()
	switch {
	case f.Composition.Free:
		return done, errors.New("the users of this model have a learned part, which SQL cannot fit: export a model " +
			"whose users are composed of items, as the presets best and hybrid train it")
	case width > maxWidth:
		return done, fmt.Errorf("a row of this model has %d numbers, and pgvector's index takes %d at most: train "+
			"with a dimension of %d or less", width, maxWidth, maxWidth/2)
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		return done, fmt.Errorf("the export cannot begin: %w", err)
	}
	defer func() {
		if err != nil {
			// The connection may be gone, or ctx at its end; the server then rolls back by itself.
			_ = tx.Rollback(context.WithoutCancel(ctx))
			err = fmt.Errorf("the model was not exported, and what was in the schema %s stays: %w", schema, err)
		}
	}()
	e := exporting{ctx, tx, names{Schema: schema, Width: width, Candidates: candidates, MaxK: MaxK}}
	if err := e.prepare(conn); err != nil {
		return done, err
	}
	if err := e.fill(m, &f); err != nil {
		return done, err
	}
	if err := e.swap(m, &f); err != nil {
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

// run runs the statements of a file of sql/, of which there may be several.
func (e *exporting) run(file string) error { return e.exec(e.names.statement(file)) }

func (e *exporting) exec(text string) error {
	_, err := e.tx.Conn().PgConn().Exec(e.ctx, text).ReadAll()
	return err
}

// prepare waits for the turn, checks pgvector and finds the generation's number.
func (e *exporting) prepare(conn *pgx.Conn) error {
	if err := e.exec("SELECT pg_advisory_xact_lock(" + strconv.Itoa(exportLock) + ")"); err != nil {
		return err
	}
	if err := e.exec("CREATE EXTENSION IF NOT EXISTS vector"); err != nil {
		return fmt.Errorf("pgvector is needed in the database: install it, and have an owner of the database run "+
			"CREATE EXTENSION vector: %w", err)
	}
	var version string
	if err := e.tx.QueryRow(e.ctx, `SELECT extversion, quote_ident(nspname) FROM pg_extension x
		JOIN pg_namespace n ON n.oid = x.extnamespace WHERE extname = 'vector'`,
	).Scan(&version, &e.names.Vector); err != nil {
		return err
	}
	if !newEnough(version) {
		return fmt.Errorf("pgvector is %s here, and iterative scans, which this needs, came with 0.8.0: upgrade it, "+
			"and run ALTER EXTENSION vector UPDATE", version)
	}
	// For this transaction: vector and its operators may be in a schema of their own.
	if err := e.exec("SET LOCAL search_path = pg_catalog, " + e.names.Vector); err != nil {
		return err
	}
	if err := pgxvector.RegisterTypes(e.ctx, conn); err != nil {
		return fmt.Errorf("the types of pgvector cannot be found: %w", err)
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

// checkOwner returns an error for a schema that somebody else keeps something in: functions of the same names would be
// replaced.
func (e *exporting) checkOwner() error {
	var found string
	err := e.tx.QueryRow(e.ctx, `SELECT coalesce(min(proname), '') FROM pg_proc
		WHERE pronamespace = to_regnamespace($1) AND proname IN ('compose', 'genre_bonuses', 'visitor', 'recommend')
		AND NOT EXISTS (SELECT FROM pg_attribute
			WHERE attrelid = to_regclass($1 || '.model') AND attname = 'generation')`,
		e.names.Schema).Scan(&found)
	if err == nil && found != "" {
		err = fmt.Errorf("it has a function %s and no model, so somebody else wrote it, and it would be replaced: "+
			"name another schema", found)
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

// swap makes the generation the one that answers, and drops those before the one that did.
func (e *exporting) swap(m *model.Model, f *recommend.Formula) error {
	n := &e.names
	_, err := e.tx.Exec(e.ctx, `INSERT INTO `+n.Schema+`.model (generation, digest, dataset, items, dim, weight,
		prior_likes, radius, min_stddev, push, mean, prior, genre_scale, genre_prior)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		n.N, m.Digest, m.Provenance.Dataset, m.Items.Len(), m.Items.Dim(), float64(f.Composition.Weight),
		float64(f.Composition.Prior), float64(f.Radius), float64(gaussian.MinStddev), float64(f.Push), f.Mean, f.Prior,
		f.GenreScale, f.GenrePrior)
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
		for _, table := range []string{"items", "links", "genres", "genre_sets"} {
			if err := e.exec(fmt.Sprintf("DROP TABLE %s.%s_%d", n.Schema, table, g)); err != nil {
				return err
			}
		}
	}
	return nil
}

// gone reports whether an error is about the connection or a server that is not there, not about the statement.
func gone(err error) bool {
	var refused *pgconn.PgError
	return !errors.As(err, &refused) || strings.HasPrefix(refused.Code, "57P") || strings.HasPrefix(refused.Code, "08")
}
