package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/siteconfig"
	"github.com/pmlam/pmlam/server/site"
)

// useProject puts the project's model, icon, notice and folder into c, and checks that they fit together. given tells
// which flags were given; they override the file. note is a warning for the owner, or "".
func useProject(c *site.Config, p *siteconfig.Project, given func(flag string) bool) (note string, err error) {
	c.Project = p
	if p.Train.Model == "" {
		return "", fmt.Errorf("%s does not name a model; write model = \"model.msgpack\" under [train]", p.File)
	}
	file := p.Path(p.Train.Model)
	if _, err := os.Stat(file); err != nil {
		return "", fmt.Errorf("%s names the model %s, which cannot be read; pmlam train writes it: %w", p.File,
			p.Train.Model, err)
	}
	if err = checkModel(file, p); err == nil {
		note, err = checkCatalogue(file, p)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.File, err)
	}
	c.With[pageModel] = file
	if p.Site.Logo != "" {
		if !strings.HasSuffix(p.Site.Logo, ".svg") {
			return "", fmt.Errorf("%s: the logo %s is not an SVG file; SVG fits every size", p.File, p.Site.Logo)
		}
		c.With["assets/icons/icon.svg"] = p.Path(p.Site.Logo)
	}
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

// checkModel returns an error if the model holds data that must not be public: ids of users, or columns that look
// private and that the project neither names nor uses.
func checkModel(file string, p *siteconfig.Project) error {
	m, err := model.ReadFile(file)
	if err != nil {
		return err
	}
	if len(m.UserIDs) > 0 {
		return fmt.Errorf("%s holds the ids of %d users, which everybody could read; train it without --with-users",
			file, len(m.UserIDs))
	}
	named, reduced := append(p.Shown(), p.Data.Columns...), p.Reduced()
	for _, name := range slices.Clone(named) {
		named = append(named, catalogue.RuleColumn(name))
	}
	for k, name := range m.Catalogue.Columns {
		why := dataset.PrivateColumn(name)
		if why == "" || slices.Contains(named, name) || reduced[name] != nil && (name != p.Rules.InStock ||
			len(p.Rules.Boosts) > 0 || onlyAvailability(m.Catalogue, k)) {
			continue
		}
		return fmt.Errorf("%s holds the column %q, which looks like %s and which everybody could read; run pmlam "+
			"train again, which leaves it out, or name it in columns under [data] of %s", file, name, why,
			siteconfig.Name)
	}
	return nil
}

// onlyAvailability reports whether a column says whether items are in stock, but not how many there are.
func onlyAvailability(c *catalogue.Catalogue, column int) bool {
	for i := range c.Items {
		values := c.Items[i].Values
		if column >= len(values) || values[column] == "" {
			continue
		}
		if v := values[column]; siteconfig.Availability(v) != v {
			return false
		}
	}
	return true
}

// checkCatalogue returns an error if a rule or a card names a column that the model's catalogue does not have. Items
// come and go: note lists ids of the rules that the catalogue does not have.
func checkCatalogue(file string, p *siteconfig.Project) (note string, err error) {
	templates := [][2]string{{"price", p.Site.Price}, {"pictures", p.Site.Pictures}}
	for _, l := range p.Site.Links {
		templates = append(templates, [2]string{"links", l.Address})
	}
	needsColumn := func(t [2]string) bool { return catalogue.CheckTemplate(t[1], nil) != nil }
	if p.Rules.IsZero() && !slices.ContainsFunc(templates, needsColumn) {
		return "", nil
	}
	m, err := model.ReadFile(file)
	if err != nil {
		return "", err
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return "", err
	}
	for _, t := range templates {
		if err := catalogue.CheckTemplate(t[1], r.Columns()); err != nil {
			return "", fmt.Errorf("%s of site: %w; if the items' file has it, run pmlam train again", t[0], err)
		}
	}
	notes, err := p.Doubts(m.Catalogue)
	if err != nil {
		return "", err
	}
	p.Rules.Rules = recommend.RulesFor(p.Rules.Rules, m.Catalogue.Columns)
	_, unknown, err := r.WithRules(p.Rules.Rules)
	if err != nil {
		return "", fmt.Errorf("[rules] do not fit the model: %w", err)
	}
	if len(unknown) > 0 {
		notes = append(notes, siteconfig.Vanished(unknown))
	}
	return strings.Join(notes, "; "), nil
}
