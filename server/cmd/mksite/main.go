// Command mksite writes a site folder for any static host. See package server/site; `make site` calls it:
//
//	go run ./server/cmd/mksite --out site --with assets/app.wasm=build/app.wasm …
//
// It prints the sizes. Exit codes: 0 the site is written, 1 an error with its place is on standard error.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/siteconfig"
	"github.com/pmlam/pmlam/server/site"
)

func main() {
	if err := command().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, brief.Message(err.Error()))
		os.Exit(1)
	}
}

func command() *cobra.Command {
	var (
		c           site.Config
		with, also  []string
		all, budget bool
		file        string
	)
	cmd := &cobra.Command{
		Use:           "mksite",
		Short:         "Write the site folder: the page and everything it names",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if c.With, err = pairs("--with", with); err != nil {
				return err
			}
			if c.Copy, err = pairs("--copy", also); err != nil {
				return err
			}
			if file != "" {
				note, err := ofProject(&c, file, cmd.Flags().Changed)
				if err != nil {
					return err
				}
				if note != "" {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", file, note)
				}
			}
			report, err := site.Build(c)
			if err != nil {
				return err
			}
			if err := report.Print(cmd.OutOrStdout(), all); err != nil {
				return err
			}
			if budget {
				return report.Over()
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.Tree, "tree", ".", "the folder with index.html and assets/")
	f.StringVar(&c.Out, "out", "site", "the site folder to write; replaces an older site")
	f.StringVar(&file, "project", "", "a pmlam.toml with the settings of the site, such as its model; it also sets "+
		"--out and --previous unless given")
	f.StringArrayVar(&with, "with", nil, "ADDRESS=FILE: use this file for an address of the tree, "+
		"for example assets/app.wasm=build/app.wasm")
	f.StringArrayVar(&also, "copy", nil, "ADDRESS=FILE: publish this file under exactly this name, "+
		"for example LICENSE=LICENSE")
	f.IntVar(&c.Quality, "quality", 11, "quality of brotli compression, 0 (fastest) to 11 (smallest)")
	f.StringVar(&c.Cache, "cache", "", "a folder that caches compressed files between runs")
	f.StringVar(&c.Previous, "previous", "", "the site that visitors have, which can be --out: they download only the "+
		"changes")
	f.BoolVar(&all, "sizes", false, "print the size of every file, not only the totals")
	f.BoolVar(&budget, "budget", false, "fail if a size exceeds its budget")
	return cmd
}

// ofProject applies the project file: the model, the icon, the text next to the model, the folder to write. given
// reports whether a flag was given; flags have precedence. note is a hint for the owner, or "".
func ofProject(c *site.Config, file string, given func(flag string) bool) (note string, err error) {
	p, err := siteconfig.Read(file)
	if err != nil {
		return "", err
	}
	c.Project = p
	if p.Train.Model == "" {
		return "", fmt.Errorf("%s does not set the model to publish: write model = \"model.msgpack\" under [train]",
			file)
	}
	if _, err := os.Stat(p.Path(p.Train.Model)); err != nil {
		return "", fmt.Errorf("%s: cannot read the model %s; pmlam train writes it: %w", file,
			p.Train.Model, err)
	}
	if err = checkPrivate(p); err == nil {
		note, err = checkCatalogue(p)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	c.With["assets/models/movielens.msgpack"] = p.Path(p.Train.Model)
	if p.Site.Logo != "" {
		if !strings.HasSuffix(p.Site.Logo, ".svg") {
			return "", fmt.Errorf("%s: the logo %s must be an SVG file", file, p.Site.Logo)
		}
		c.With["assets/icons/icon.svg"] = p.Path(p.Site.Logo)
	}
	delete(c.Copy, "assets/models/README.txt")
	if p.Site.Notice != "" {
		c.Copy["assets/models/README.txt"] = p.Path(p.Site.Notice)
	}
	if !given("out") && p.Site.Out != "" {
		c.Out = p.Path(p.Site.Out)
	}
	if !given("previous") {
		c.Previous = p.Path(p.Site.Previous)
	}
	return note, nil
}

// checkCatalogue checks the columns that rules and cards use against the model's catalogue. note lists ids in rules
// that the catalogue no longer has.
func checkCatalogue(p *siteconfig.Project) (note string, err error) {
	templates := [][2]string{{"price", p.Site.Price}, {"pictures", p.Site.Pictures}}
	for _, l := range p.Site.Links {
		templates = append(templates, [2]string{"links", l.Address})
	}
	needsColumn := func(t [2]string) bool { return catalogue.CheckTemplate(t[1], nil) != nil }
	if p.Rules.IsZero() && !slices.ContainsFunc(templates, needsColumn) {
		return "", nil
	}
	m, err := model.ReadFile(p.Path(p.Train.Model))
	if err != nil {
		return "", err
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return "", err
	}
	for _, t := range templates {
		if err := catalogue.CheckTemplate(t[1], r.Columns()); err != nil {
			return "", fmt.Errorf("%s of site: %w; if the items file has it, run pmlam train again", t[0], err)
		}
	}
	_, unknown, err := r.WithRules(p.Rules)
	if err != nil {
		return "", fmt.Errorf("[rules] does not fit the model: %w", err)
	}
	if len(unknown) > 0 {
		note = siteconfig.Vanished(unknown)
	}
	return note, nil
}

// pairs parses the values of a flag ADDRESS=FILE.
func pairs(flag string, values []string) (map[string]string, error) {
	m := map[string]string{}
	for _, v := range values {
		address, file, ok := strings.Cut(v, "=")
		if !ok || address == "" || file == "" {
			return nil, fmt.Errorf("%s %q is not of the form ADDRESS=FILE, for example assets/app.wasm=build/app.wasm",
				flag, brief.Text(v))
		}
		m[address] = file
	}
	return m, nil
}
