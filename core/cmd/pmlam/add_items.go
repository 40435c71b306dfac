package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/content"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
)

// mostTags is how many tags of an item count, the most frequent ones, where MovieLens' tags.csv lies beside the titles.
const mostTags = 20

// adding is one run of the add-items command.
type adding struct {
	work
	model, items, vectors, out, title string
}

func (a *app) addItemsCommand() *cobra.Command {
	p := adding{work: work{app: a}}
	c := &cobra.Command{
		Use:   "add-items --model FILE --items PATH [--out FILE] [flags]",
		Short: "Enter items that nobody has rated yet into a model, by what is known of them",
		Long: "Enter the items of a catalogue that a model does not have, without training again. Where they lie\n" +
			"is predicted from genres, tags, year, further columns, words of titles and descriptions, and vectors\n" +
			"where you bring some; what these mean is learned from the model's own items. The catalogue may\n" +
			"describe those too: a column that the model file does not keep, or vectors, can be learned from only\n" +
			"then. Items that are there keep their places. docs/cold.md says how, and how good it is.",
		Example: "  pmlam add-items --model model.msgpack --items new.csv --out model.msgpack\n" +
			"  pmlam add-items --model model.msgpack --items all.csv --vectors all.npy --out with-new.msgpack",
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return p.run(c.Context()) },
	}
	g := newGroup("Model file")
	g.StringVar(&p.model, "model", "", "a model file")
	g.StringVar(&p.items, "items", "", "file or folder with ids, titles and what else is known of the items")
	g.StringVar(&p.vectors, "vectors", "", "a .npy file with a vector for each of --items, in their order")
	g.StringVar(&p.title, "title-column", "", "the column of the items' titles; - for none")
	g.StringVar(&p.out, "out", "", "file to write the model to, with the items; it may be that of --model")
	g.placeholder("FILE", "model", "vectors", "out")
	g.placeholder("PATH", "items")
	g.placeholder("COLUMN", "title-column")
	addGroups(c, g, p.group())
	return c
}

func (p *adding) run(ctx context.Context) error {
	switch {
	case p.model == "":
		return usagef("--model is needed: the model file")
	case p.items == "":
		return usagef("--items is needed: the file with the new items")
	}
	if err := p.check(); err != nil {
		return err
	}
	if p.out != "" {
		if err := writable(p.out); err != nil {
			return err
		}
	} else {
		p.notef("without --out nothing is written")
	}
	m, err := openModel(p.model)
	if err != nil {
		return err
	}
	about, err := loadItems(p.items, p.title)
	if err != nil {
		return err
	}
	if p.vectors != "" {
		if about.Vectors, err = content.OpenNPY(p.vectors); err != nil {
			return err
		}
	}
	with, r, err := content.Add(ctx, m, about, p.workers)
	if err != nil {
		return err
	}
	p.noteColumns(m, about.Catalogue)
	p.printf("%s", addedLines(r))
	if p.out != "" {
		if err := model.WriteFile(p.out, with); err != nil {
			return err
		}
		p.printf("wrote %s: %d items\n", p.out, with.Items.Len())
	}
	if p.json {
		return p.printJSON(map[string]any{"items": with.Items.Len(), "cold": r, "out": p.out})
	}
	return nil
}

// loadItems reads all items of a catalogue.
func loadItems(path, title string) (content.Items, error) {
	c, _, err := dataset.LoadCatalogue(path, dataset.Options{Columns: dataset.Columns{Title: title}, Tags: mostTags})
	return content.Items{Catalogue: c}, err
}

// noteColumns says which columns of the new items the model's catalogue has no place for.
func (a *app) noteColumns(m *model.Model, c *catalogue.Catalogue) {
	var lost []string
	for _, name := range c.Columns {
		if !slices.Contains(m.Catalogue.Columns, name) {
			lost = append(lost, name)
		}
	}
	if len(lost) > 0 {
		a.notef("the model keeps no column %s: learned from where the catalogue describes the model's items too, and "+
			"not kept", strings.Join(lost, ", "))
	}
}

// addedLines says what became of the items.
func addedLines(r *content.Report) string {
	return fmt.Sprintf("%d items added; skipped: %d that the model has, %d of which nothing is known that its items "+
		"share\nplaced by %d features of the %d items that people like, which tell %.0f%% of where these lie\n",
		r.Added, r.Known, r.Blank, r.Features, r.Warm, 100*r.Explained)
}
