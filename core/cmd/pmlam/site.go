package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/siteconfig"
	"github.com/pmlam/pmlam/server/site"
)

// pageModel is the model's address in the page's tree.
const pageModel = "assets/models/movielens.msgpack"

// openPage unpacks a page into a folder: page.Config, or a small page in tests.
type openPage func(folder string, quality int) (site.Config, error)

// siteRun is one run of the command site.
type siteRun struct {
	*cli.App
	open openPage
	of   *siteconfig.Project // nil: read from the file project

	project, model, out, previous string
	copies                        []string // ADDRESS=FILE
	quality                       int
	cache                         string // folder that keeps compressed files for later runs; "": none
	sizes, budget                 bool
}

func siteCommand(a *cli.App, open openPage) *cobra.Command {
	r := siteRun{App: a, open: open}
	c := &cobra.Command{
		Use:   "site [flags]",
		Short: "Write the website: a folder that any static host can serve",
		Long: "Write the website: the page, its program, the model, and the package for other pages. Any static\n" +
			"host can serve the folder. pmlam.toml in this folder names the model and the page's texts; flags\n" +
			"override it. Without pmlam.toml, --model names the model.\n\n" +
			"Only files that an earlier run wrote are replaced or deleted. The table shows the sizes.",
		Example: "  pmlam site\n  pmlam site --model model.msgpack --out public",
		Args:    cli.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			report, out, err := r.build(c.Flags().Changed)
			if err != nil {
				return err
			}
			if r.budget {
				if err := report.Over(); err != nil {
					return err
				}
			}
			if r.JSON {
				return r.PrintJSON(map[string]any{"out": out, "files": report.Files, "notes": report.Notes})
			}
			if err := report.Print(r.Out, r.sizes); err != nil {
				return err
			}
			r.Printf("The site is in %s. To look at it: pmlam serve --folder %[1]s\n", out)
			return nil
		},
	}
	g := cli.NewGroup("Site")
	g.StringVar(&r.project, "project", siteconfig.Name, "project file, which \"pmlam init\" writes")
	g.StringVar(&r.model, "model", "", "model file to publish, instead of the project's")
	g.StringVar(&r.out, "out", "site", "folder to write; default: the project's, else site")
	g.StringVar(&r.previous, "previous", "", "the site that visitors have now, which --out may be: their browsers "+
		"fetch only the difference")
	g.IntVar(&r.quality, "quality", 11, "of brotli compression, 0 (at once) to 11 (smallest)")
	g.StringArrayVar(&r.copies, "copy", nil, "ADDRESS=FILE: publish a file under this name, for example "+
		"terms.txt=legal/terms.txt")
	g.BoolVar(&r.sizes, "sizes", false, "print the size of every file, not only the totals")
	g.BoolVar(&r.budget, "budget", false, "fail if a size exceeds its budget")
	g.StringVar(&r.cache, "cache", "", "folder that keeps compressed files for later runs")
	g.Placeholder("FILE", "project", "model")
	g.Placeholder("N", "quality")
	g.Placeholder("ADDRESS=FILE", "copy")
	g.Placeholder("FOLDER", "out", "previous")
	cli.AddGroups(c, g)
	if err := c.Flags().MarkHidden("cache"); err != nil { // it is for make
		panic(err)
	}
	return c
}

// build writes the site and returns its report and folder. given tells which flags were given.
func (r *siteRun) build(given func(flag string) bool) (*site.Report, string, error) {
	if r.quality < 0 || r.quality > 11 {
		return nil, "", cli.Usagef("--quality is %d; brotli has qualities 0 to 11", r.quality)
	}
	p, err := r.of, error(nil)
	if p == nil {
		if p, err = r.readProject(given("project")); err != nil {
			return nil, "", err
		}
	}
	scratch, err := os.MkdirTemp("", "pmlam-page-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(scratch)
	c, err := r.open(scratch, r.quality)
	if err != nil {
		return nil, "", err
	}
	if r.cache != "" {
		if err := copyFiles(c.Cache, r.cache); err != nil {
			return nil, "", err
		}
		c.Cache = r.cache
	}
	c.Out, c.Previous = r.out, r.previous
	for _, pair := range r.copies {
		address, file, ok := strings.Cut(pair, "=")
		if !ok || address == "" || file == "" {
			return nil, "", cli.Usagef("--copy is %q; want ADDRESS=FILE, for example terms.txt=legal/terms.txt",
				brief.Text(pair))
		}
		c.Copy[address] = file
	}
	if p != nil {
		if given("model") {
			if p.Train.Model, err = filepath.Abs(r.model); err != nil {
				return nil, "", err
			}
		}
		note, err := useProject(&c, p, given)
		if err != nil {
			return nil, "", err
		}
		if note != "" {
			r.Notef("%s: %s", p.File, note)
		}
	} else {
		if err := checkModel(r.model, &siteconfig.Project{}); err != nil {
			return nil, "", err
		}
		c.With[pageModel] = r.model
	}
	report, err := site.Build(c)
	return report, c.Out, err
}

// copyFiles copies the files of a folder, if there is one, to another folder.
func copyFiles(from, to string) error {
	names, err := durable.OS.List(from)
	if err == nil {
		err = durable.OS.MakeFolder(to)
	}
	for _, name := range names {
		if err != nil {
			return err
		}
		var content []byte
		if content, err = os.ReadFile(filepath.Join(from, name)); err == nil {
			err = os.WriteFile(filepath.Join(to, name), content, 0o644)
		}
	}
	return err
}

// readProject reads the project file. It returns nil if the default file does not exist.
func (r *siteRun) readProject(asked bool) (*siteconfig.Project, error) {
	p, err := siteconfig.Read(r.project)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		if r.model == "" {
			return nil, cli.Usagef("no %s in this folder: pmlam init writes one, or name a model with --model",
				siteconfig.Name)
		}
		return nil, nil
	}
	return p, err
}
