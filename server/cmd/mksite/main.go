// Command mksite writes the site folder that any static host can serve. See package server/site; `make site` calls it:
//
//	go run ./server/cmd/mksite --out site --with assets/app.wasm=build/app.wasm …
//
// It prints the sizes. Exit codes: 0 the site is written, 1 a sentence on standard error says what is wrong and where.
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
	f.StringVar(&c.Tree, "tree", ".", "the folder that holds index.html and assets/")
	f.StringVar(&c.Out, "out", "site", "the site folder to write; an older site there is replaced")
	f.StringVar(&file, "project", "", "the pmlam.toml that says which model is published and what the page says; "+
		"where --out is not given, its folder is written")
	f.StringArrayVar(&with, "with", nil, "ADDRESS=FILE: the file on disk that stands for an address of the tree, "+
		"for example assets/app.wasm=build/app.wasm")
	f.StringArrayVar(&also, "copy", nil, "ADDRESS=FILE: a file that is published under exactly this name, "+
		"for example LICENSE=LICENSE")
	f.IntVar(&c.Quality, "quality", 11, "of the brotli forms, 0 (at once) to 11 (smallest)")
	f.StringVar(&c.Cache, "cache", "", "a folder that keeps compressed forms from run to run")
	f.StringVar(&c.Previous, "previous", "", "the site that visitors have, which --out may be: who has it fetches "+
		"only what has changed since")
	f.BoolVar(&all, "sizes", false, "print the size of every file, not only the totals")
	f.BoolVar(&budget, "budget", false, "fail where a size is over its budget")
	return cmd
}

// ofProject sets what the project file says: the model, the icon, the text beside the model, the folder to write.
// given says which flags were given, which go before the file. note is something that the owner should know, or "".
func ofProject(c *site.Config, file string, given func(flag string) bool) (note string, err error) {
	p, err := siteconfig.Read(file)
	if err != nil {
		return "", err
	}
	c.Project = p
	if p.Train.Model == "" {
		return "", fmt.Errorf("%s does not say which model is published: write model = \"model.msgpack\" under [train]",
			file)
	}
	if _, err := os.Stat(p.Path(p.Train.Model)); err != nil {
		return "", fmt.Errorf("%s names the model %s, which cannot be read; pmlam train writes it: %w", file,
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
			return "", fmt.Errorf("%s: the logo %s is no SVG file, which fits every size", file, p.Site.Logo)
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

// checkCatalogue finds what names a column that the model's catalogue does not have: rules, and what cards show. Items
// come and go; note says which of the rules' are not there.
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
			return "", fmt.Errorf("%s of site: %w; if the file of the items has it, run pmlam train again", t[0], err)
		}
	}
	_, unknown, err := r.WithRules(p.Rules)
	if err != nil {
		return "", fmt.Errorf("[rules] do not fit the model: %w", err)
	}
	if len(unknown) > 0 {
		note = siteconfig.Vanished(unknown)
	}
	return note, nil
}

// pairs reads the values of a flag ADDRESS=FILE.
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
