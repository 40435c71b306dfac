package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/export"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/scoring"
)

// exporting is one run of the export command.
type exporting struct {
	cli.Work
	model, out string
	formats    []string
	replace    bool
}

func exportCommand(a *cli.App) *cobra.Command {
	var s cli.Source
	e := exporting{Work: cli.Work{App: a}}
	var about strings.Builder
	for _, name := range export.Formats() {
		fmt.Fprintf(&about, "\n  %-8s %s", name, export.Use(name))
	}
	c := &cobra.Command{
		Use:   "export --model FILE --out FOLDER [flags]",
		Short: "Write a model's vectors for other tools: NumPy, Parquet, CSV",
		Long: "Write a model's Gaussians as vectors [mean; stddev] for other tools. The Euclidean distance of\n" +
			"two vectors is the Wasserstein distance, so any L2 index works. Users are written if the model has\n" +
			"them, or if --data has their likes; then each is inferred as a visitor is. Item-item links are not\n" +
			"in the vectors. Each item has its place on the map, x and y in a unit square.\n\n" +
			"Formats:" + about.String(),
		Example: "  pmlam export --model model.msgpack --out vectors\n" +
			"  pmlam export --model model.msgpack --data ratings.csv --as parquet --out vectors",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return e.run(c.Context(), &s) },
	}
	g := cli.NewGroup("Output")
	g.StringVar(&e.model, "model", "", "model file")
	g.StringVar(&e.out, "out", "", "folder for the files; created if missing")
	g.StringSliceVar(&e.formats, "as", export.Formats(), "any of "+strings.Join(export.Formats(), ","))
	g.BoolVar(&e.replace, "replace", false, "overwrite files of an earlier export")
	g.Placeholder("FILE", "model")
	g.Placeholder("FOLDER", "out")
	g.Placeholder("LIST", "as")
	cli.AddGroups(c, g, s.DataGroup(), e.Group())
	cli.CompleteSource(c)
	cli.Complete(c, "as", export.Formats()...)
	return c
}

// check reports wrong flags before anything is read.
func (e *exporting) check(s *cli.Source) error {
	switch {
	case e.model == "":
		return cli.Usagef("--model is missing: pass the model file")
	case e.out == "":
		return cli.Usagef("--out is missing: pass the folder for the files")
	case len(e.formats) == 0:
		return cli.Usagef("--as is empty; choose from %s", strings.Join(export.Formats(), ", "))
	}
	for _, f := range e.formats {
		if !slices.Contains(export.Formats(), f) {
			return cli.Usagef("--as has %q; choose from %s", brief.Text(f), strings.Join(export.Formats(), ", "))
		}
	}
	if s.Data == "" {
		return e.Work.Check()
	}
	return errors.Join(s.Check(), e.Work.Check())
}

// free checks that no existing file is overwritten without --replace.
func (e *exporting) free(s *cli.Source, users bool) error {
	files := export.Files(e.out, "items", e.formats...)
	if users || s.Data != "" {
		files = append(files, export.Files(e.out, "users", e.formats...)...)
	}
	for _, path := range files {
		if _, err := os.Lstat(path); err == nil && !e.replace {
			return fmt.Errorf("%s already exists and is not overwritten; name another folder, or pass --replace",
				path)
		}
	}
	return nil
}

func (e *exporting) run(ctx context.Context, s *cli.Source) error {
	if err := e.check(s); err != nil {
		return err
	}
	m, err := cli.OpenModel(e.model)
	if err != nil {
		return err
	}
	at := m.Layout()
	if err := e.free(s, m.Users != nil); err != nil {
		return err
	}
	items := export.Vectors{Name: "items", Rows: m.Items, X: at.X, Y: at.Y}
	for _, item := range m.Catalogue.Items {
		items.IDs, items.Titles = append(items.IDs, item.ID), append(items.Titles, item.Title)
	}
	all := []export.Vectors{items}
	switch {
	case s.Data != "":
		in, err := s.Read(ctx, e.App)
		if err != nil {
			return err
		}
		to, missing := scoring.Numbers(m, in.Items.Strings())
		if len(missing) == in.Items.Len() {
			return fmt.Errorf("%s knows none of the %d items of %s; check that it was trained on these data", e.model,
				len(missing), in.Name)
		}
		if len(missing) > 0 {
			e.Notef("%d of the %d items are not in the model and are ignored", len(missing),
				in.Items.Len())
		}
		users, _, err := e.Users(ctx, m, in.Dataset, scoring.Renumber(in.Positives, to, m.Items.Len()))
		if err != nil {
			return err
		}
		all = append(all, export.Vectors{Name: "users", IDs: in.Users.Strings(), Rows: users})
	case m.Users != nil:
		all = append(all, export.Vectors{Name: "users", IDs: m.UserIDs, Rows: m.Users})
	default:
		e.Notef("the model has no users; pass --data with their likes to export users too")
	}
	var files []string
	for _, v := range all {
		paths, err := export.Write(e.out, v, e.formats...)
		files = append(files, paths...)
		if err != nil {
			return err
		}
		e.Printf("%d %s of %d numbers each\n", v.Rows.Len(), v.Name, 2*v.Rows.Dim())
	}
	for _, path := range files {
		e.Printf("wrote %s\n", path)
	}
	if !e.JSON {
		return nil
	}
	return e.PrintJSON(map[string]any{"model": e.model, "digest": m.Digest, "dim": m.Items.Dim(), "files": files})
}
