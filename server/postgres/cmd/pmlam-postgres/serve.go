package main

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/postgres"
)

func serveCommand() *cobra.Command {
	var d database
	var address string
	limits := server.DefaultLimits
	c := &cobra.Command{
		Use:   "serve --store URL",
		Short: "Answer recommendations over HTTP from the database",
		Long: "Answer POST /v1/recommend over HTTP from the database, which holds the model: likes, dislikes, seen,\n" +
			"k, genres, fromYear, toYear and where. The lists are the same as from a server with the model.\n" +
			"After an export, the next question uses the new model. GET /healthz and /readyz are probes.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := postgres.Open(c.Context(), d.url, d.schema)
			if err != nil {
				return err
			}
			defer s.Close()
			l, err := server.Listen(address)
			if err != nil {
				return err
			}
			log := slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil))
			fmt.Fprintf(c.OutOrStdout(), "Answering at http://%s/v1/recommend from the schema %s. Ctrl-C stops.\n",
				l.Addr(), d.schema)
			if err := server.Serve(c.Context(), l, postgres.Handler(s, log), limits, log); err != nil {
				return err
			}
			fmt.Fprintln(c.OutOrStdout(), "Stopped.")
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&address, "address", "localhost:8080",
		"host:port to listen on; \":8080\" means all addresses of the machine")
	f.IntVar(&limits.Connections, "connections", limits.Connections, "maximum of open connections, 0 for no limit")
	f.IntVar(&limits.PerAddress, "per-address", limits.PerAddress,
		"maximum of concurrent answers to one address, then 503; 0 for no limit, as needed behind a proxy")
	d.flags(c, "store", "the database")
	return c
}
