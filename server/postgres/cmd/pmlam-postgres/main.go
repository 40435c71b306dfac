// Command pmlam-postgres exports a model to PostgreSQL with pgvector, queries it there, and measures speed and accuracy
// of the answers.
//
//	pmlam-postgres export --model model.msgpack --to postgres://localhost/shop
//	pmlam-postgres recommend --from postgres://localhost/shop --like 1 --like 6
//	pmlam-postgres serve --store postgres://localhost/shop
//
// Exit codes: 0 done, 1 with an error on standard error.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/postgres"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	if err := newRoot().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "pmlam-postgres:", brief.Message(err.Error()))
		os.Exit(1)
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use: "pmlam-postgres", Short: "Recommendations from PostgreSQL with pgvector",
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.AddCommand(exportCommand(), recommendCommand(), serveCommand(), measureCommand())
	return root
}

// database holds the flags of a database schema.
type database struct{ url, schema string }

func (d *database) flags(c *cobra.Command, name, use string) {
	c.Flags().StringVar(&d.url, name, "", use+", as postgres://user@host/database; missing parts, such as the "+
		"password, come from libpq's environment variables and ~/.pgpass")
	c.Flags().StringVar(&d.schema, "schema", postgres.DefaultSchema, "the schema of the model")
	if err := c.MarkFlagRequired(name); err != nil {
		panic(err) // not reached: the flag is defined above
	}
}

func exportCommand() *cobra.Command {
	var d database
	var file string
	c := &cobra.Command{
		Use:   "export --model FILE --to URL",
		Short: "Copy a model to a schema, build its index and let the schema's functions use it",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := model.ReadFile(file)
			if err != nil {
				return fmt.Errorf("cannot read the model: %w", err)
			}
			began := time.Now()
			done, err := export(c.Context(), &d, m)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "Exported %d items and %d links to the schema %s, generation %d, in %.1f s\n",
				done.Items, done.Links, d.schema, done.Generation, time.Since(began).Seconds())
			return nil
		},
	}
	c.Flags().StringVar(&file, "model", "", "the model file")
	if err := c.MarkFlagRequired("model"); err != nil {
		panic(err) // not reached: the flag is defined above
	}
	d.flags(c, "to", "the database")
	return c
}

// export connects and exports.
func export(ctx context.Context, d *database, m *model.Model) (postgres.Exported, error) {
	conn, err := pgx.Connect(ctx, d.url)
	if err != nil {
		return postgres.Exported{}, fmt.Errorf("cannot open the database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return postgres.Export(ctx, conn, d.schema, m)
}

func recommendCommand() *cobra.Command {
	var d database
	var visit postgres.Visit
	var filter recommend.Filter
	var k int
	c := &cobra.Command{
		Use:   "recommend --from URL --like ID …",
		Short: "Print recommendations: id, title and W2 of each, best first",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := postgres.Open(c.Context(), d.url, d.schema)
			if err != nil {
				return err
			}
			defer s.Close()
			list, err := s.Recommend(c.Context(), visit, k, filter)
			if err != nil {
				return err
			}
			if len(list) == 0 {
				return errors.New("no item is left: use fewer seen items or a wider filter")
			}
			for _, x := range list {
				fmt.Fprintf(c.OutOrStdout(), "%s\t%s\t%.4f\n", x.ID, x.Title, x.Distance)
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringArrayVar(&visit.Likes, "like", nil, "id of an item that the visitor likes; repeatable")
	f.StringArrayVar(&visit.Dislikes, "dislike", nil, "id of an item that the visitor dislikes; repeatable")
	f.StringArrayVar(&visit.Seen, "seen", nil, "id of an item to leave out; repeatable")
	f.StringArrayVar(&filter.Genres, "genre", nil, "a genre; with several, items need one of them")
	f.IntVar(&filter.FromYear, "from-year", 0, "the earliest year; 0 for any")
	f.IntVar(&filter.ToYear, "to-year", 0, "the latest year; 0 for any")
	f.IntVarP(&k, "number", "k", 10, "maximum number of items")
	d.flags(c, "from", "the database")
	return c
}
