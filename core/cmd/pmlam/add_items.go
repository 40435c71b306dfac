package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/siteconfig"
)

// mostTags is the number of an item's most frequent tags that count, if MovieLens' tags.csv is next to the titles.
const mostTags = 20

// adding is one run of the add-items command.
type adding struct {
	cli.Work
	model, items, vectors, out, title string
	item, encoding                    string
	judge                             func(*catalogue.Catalogue) (notes []string, err error) // as cli.Source's
	columns                           []string
	flags                             *cli.Group
	update, skipBadLines              bool
	share                             float64 // as coldstart.Items'
}

func addItemsCommand(a *cli.App) *cobra.Command {
	p := adding{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "add-items --model FILE --items PATH [--out FILE] [flags]",
		Short: "Add items that nobody has rated yet to a model, placed by their features",
		Long: "Add the items of a catalogue that a model does not have, without a training. Their places are\n" +
			"predicted from genres, tags, year, further columns, words of titles and descriptions, and\n" +
			"vectors if given. The prediction is learned from the model's own items; columns that the model\n" +
			"does not store, and vectors, need a catalogue that describes those items too. Existing items\n" +
			"keep their places.\n\n" +
			"With --update, the catalogue also replaces prices, stock, links and all other columns of\n" +
			"existing items. core/lab/docs/cold.md has the method and its quality.",
		Example: "  pmlam add-items --model model.msgpack --items new.csv --out model.msgpack\n" +
			"  pmlam add-items --model model.msgpack --items products.csv --update --out model.msgpack\n" +
			"  pmlam add-items --model model.msgpack --items all.csv --vectors all.npy --out with-new.msgpack",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return p.run(c.Context()) },
	}
	g := cli.NewGroup("Model file")
	g.StringVar(&p.model, "model", "", "a model file")
	g.StringVar(&p.items, "items", "", "file or folder with ids, titles and other columns of the items")
	g.StringVar(&p.vectors, "vectors", "", "a .npy file with a vector for each of --items, in the same order")
	g.StringVar(&p.item, "item-column", "", "the column of the items' ids")
	g.StringVar(&p.title, "title-column", "", "the column of the items' titles; - for none")
	g.BoolVar(&p.skipBadLines, "skip-bad-lines", false, "leave out lines that cannot be read, and count them")
	g.StringSliceVar(&p.columns, "columns", nil, "further columns of --items to store in the model, "+
		"where everybody can read them (default: with --update, those whose names are known to be safe)")
	g.BoolVar(&p.update, "update", false, "also update the columns of the model's existing items")
	shareFlag(g, &p.share)
	g.StringVar(&p.out, "out", "", "file to write the extended model to; may be the file of --model")
	g.Placeholder("FILE", "model", "vectors", "out")
	g.Placeholder("PATH", "items")
	g.Placeholder("COLUMN", "item-column", "title-column")
	g.Placeholder("LIST", "columns")
	p.flags = g
	cli.AddGroups(c, g, p.Group())
	return c
}

func (p *adding) run(ctx context.Context) error {
	switch {
	case p.model == "":
		return cli.Usagef("--model is missing: pass the model file")
	case p.items == "":
		return cli.Usagef("--items is missing: pass the file with the new items")
	}
	if err := errors.Join(p.Check(), checkShare(p.share)); err != nil {
		return err
	}
	if p.out != "" {
		if err := writable(p.out); err != nil {
			return err
		}
	} else {
		p.Notef("without --out nothing is written")
	}
	m, err := cli.OpenModel(p.model)
	if err != nil {
		return err
	}
	public, err := p.public(m)
	if err != nil {
		return err
	}
	var updated *coldstart.Updated
	if p.update {
		c, _, err := dataset.LoadCatalogue(p.items, p.reading(public))
		if err != nil {
			return err
		}
		m, updated = coldstart.Update(m, c)
	}
	about, read, err := loadItems(p.items, p.reading(public))
	if err != nil {
		return err
	}
	if err := (&cli.Source{Judge: p.judge}).JudgeCatalogue(p.Work.App, about.Catalogue); err != nil {
		return err
	}
	if read.Skipped > 0 {
		if p.vectors != "" {
			return fmt.Errorf("%w; --vectors has one for each line, so none can be skipped: correct the lines",
				read.Examples[0])
		}
		noteSkipped(p.Work.App, read)
	}
	if n := len(read.Withheld); n > 0 && p.vectors != "" {
		return fmt.Errorf("%s: %d items are drafts, archived or not published, and are left out, but --vectors has "+
			"one for each line; remove their lines and vectors", p.items, n)
	}
	p.Printf("%s", cli.ColumnsText(read.TitleReport))
	if p.vectors != "" {
		if about.Vectors, err = coldstart.OpenNPY(p.vectors); err != nil {
			return err
		}
	}
	about.Share = p.share
	with, r, err := coldstart.AddHeld(ctx, m, about, p.Workers)
	if err != nil {
		return err
	}
	p.noteWithheld(m, read.Withheld)
	noteColumns(p.Work.App, m.Catalogue, about.Catalogue)
	noteUntitled(p.Work.App, with.Catalogue.Items[m.Items.Len():])
	if updated != nil {
		p.Printf("%s", updatedLine(updated))
	}
	p.Printf("%s", addedLines(r))
	if p.out != "" {
		if err := model.WriteFile(p.out, with); err != nil {
			return err
		}
		p.Printf("wrote %s: %d items\n", p.out, with.Items.Len())
	}
	if p.JSON {
		o := map[string]any{"items": with.Items.Len(), "cold": r, "out": p.out}
		if updated != nil {
			o["updated"] = updated
		}
		return p.PrintJSON(o)
	}
	return nil
}

// public returns the columns that the model will hold: its own, and those named by --columns or, if this folder's
// project has this model, by the project; by default those with safe names. A column that the model has only as 1 and 0
// stays reduced to that, which is enough for a rule about stock.
func (p *adding) public(m *model.Model) (dataset.Publish, error) {
	var out dataset.Publish
	is := func(other string) bool { return sameFile(other, p.model) || sameFile(other, p.out) }
	switch toml, err := siteconfig.Read(siteconfig.Name); {
	case err == nil && is(toml.Path(toml.Train.Model)):
		out, p.judge = needed(toml), toml.Doubts
		for _, of := range []struct {
			flag       string
			from, into *string
		}{{"item-column", &toml.Data.ItemColumn, &p.item}, {"title-column", &toml.Data.TitleColumn, &p.title},
			{"", &toml.Data.Encoding, &p.encoding}} {
			if of.flag == "" || !p.flags.Changed(of.flag) {
				*of.into = *of.from
			}
		}
		if share := toml.Train.ColdShare; share != nil && !p.flags.Changed("cold-share") {
			p.share = *share
		}
		if skip := toml.Data.SkipBadLines; skip != nil && !p.flags.Changed("skip-bad-lines") {
			p.skipBadLines = *skip
		}
		if toml.Data.Columns != nil { // the catalogue need not have them all
			out.Columns, out.Shown = []string{}, append(out.Shown, toml.Data.Columns...)
		}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return out, err
	}
	if p.flags.Changed("columns") {
		out.Columns = append([]string{}, p.columns...)
	}
	for k, name := range m.Catalogue.Columns {
		named := slices.Contains(out.Columns, name) || slices.Contains(out.Shown, name)
		if out.Reduced[name] != nil || named {
			continue
		}
		if onlyAvailable(m.Catalogue, k) {
			if out.Reduced == nil {
				out.Reduced = map[string]dataset.Reduce{}
			}
			out.Reduced[name] = func([]string) func(string) string { return siteconfig.Availability }
		} else {
			out.Shown = append(out.Shown, name)
		}
	}
	return out, nil
}

// onlyAvailable reports whether a column contains only 1 and 0.
func onlyAvailable(c *catalogue.Catalogue, column int) bool {
	for i := range c.Items {
		if v := c.Items[i].Values; column < len(v) && v[column] != "" && v[column] != "0" && v[column] != "1" {
			return false
		}
	}
	return true
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// loadItems reads all items of a catalogue, with tags, and with unpublished columns that can be learned from.
func loadItems(path string, o dataset.Options) (coldstart.Items, dataset.Report, error) {
	o.Tags, o.Publish.Scope = mostTags, dataset.Learned
	c, read, err := dataset.LoadCatalogue(path, o)
	return coldstart.Items{Catalogue: c}, read, err
}

// reading says how the catalogue is read: without tags, which are learned from and are not a column of a model.
func (p *adding) reading(public dataset.Publish) dataset.Options {
	return dataset.Options{Columns: dataset.Columns{Item: p.item, Title: p.title}, Encoding: p.encoding,
		SkipBadLines: p.skipBadLines, Publish: public}
}

// noteSkipped reports skipped lines of a catalogue.
func noteSkipped(a *cli.App, read dataset.Report) {
	if read.Skipped > 0 {
		a.Notef("%s of the catalogue could not be read and left out, the first: %v", counted(read.Skipped, "line"),
			read.Examples[0])
	}
}

// noteColumns reports columns of the new items, c, that the model's catalogue does not have.
func noteColumns(a *cli.App, has, c *catalogue.Catalogue) {
	var lost []string
	for _, name := range c.Columns {
		if !slices.Contains(has.Columns, name) {
			lost = append(lost, name)
		}
	}
	if len(lost) > 0 {
		a.Notef("the model has no column %s: it is used for the prediction if the catalogue also describes the "+
			"model's items, and not stored", strings.Join(lost, ", "))
	}
}

// noteWithheld reports the model's items that are no longer public.
func (p *adding) noteWithheld(m *model.Model, ids []string) {
	n := 0
	for i := range m.Catalogue.Items {
		if _, found := slices.BinarySearch(ids, m.Catalogue.Items[i].ID); found {
			n++
		}
	}
	if n > 0 {
		p.Notef("%d of the model's items are now drafts, archived or not published, and stay in it until it is "+
			"trained or refreshed; exclude them by rules until then", n)
	}
}

// noteUntitled reports added items without a title.
func noteUntitled(a *cli.App, added []catalogue.Item) {
	n := 0
	for i := range added {
		if added[i].Title == added[i].ID {
			n++
		}
	}
	if n > 0 {
		a.Notef("%d of the added items have no title and are shown by their ids (--title-column)", n)
	}
}

// addedLines reports the added items.
func addedLines(r *coldstart.Report) string {
	out := fmt.Sprintf("%d items added; skipped: %d that the model has, %d without features that its items "+
		"share\n", r.Added, r.Known, r.Blank)
	if r.Warm > 0 {
		out += fmt.Sprintf("placed by %d features of the %d items with likes, which explain %.0f%% of where these "+
			"lie\n", r.Features, r.Warm, 100*r.Explained)
	}
	if h := r.Held; h != nil {
		out += fmt.Sprintf("items without likes have %.1f%% of the places in lists of similar items, held to %.1f%% "+
			"(--cold-share); %.1f%% otherwise\n", 100*h.After, 100*h.Share, 100*h.Before)
	}
	return out
}

// shareFlag adds the flag that limits the share of items without likes in the lists.
func shareFlag(g *cli.Group, share *float64) {
	g.Float64Var(share, "cold-share", 0, "limit items without likes to this share of lists of similar items; 1 for "+
		"no limit (default: their share of the catalogue)")
	g.Placeholder("SHARE", "cold-share")
	g.Lookup("cold-share").DefValue = ""
}

// checkShare returns a usage error unless the share is from 0 to 1.
func checkShare(share float64) error {
	if !(share >= 0 && share <= 1) {
		return cli.Usagef("--cold-share is %v; want a share from 0 to 1", share)
	}
	return nil
}

// updatedLine reports the changes to the model's items.
func updatedLine(r *coldstart.Updated) string {
	out := fmt.Sprintf("%d of the model's items described, %d of them changed", r.Known, r.Items)
	for k, c := range r.Changes {
		out += fmt.Sprintf("%s %s of %d", [2]string{":", ","}[min(k, 1)], c.Of, c.Items)
	}
	if len(r.Columns) > 0 {
		out += "; new in the model: " + strings.Join(r.Columns, ", ")
	}
	return out + "\n"
}
