package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/siteconfig"
)

// similarRun is one run of the similar command.
type similarRun struct {
	cli.Work
	asked
	k                    int
	all, html, goesWith  bool
	out                  string
	link, picture, price string // templates
}

func similarCommand(a *cli.App) *cobra.Command {
	q := similarRun{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "similar TITLE | --all --out PATH [flags]",
		Short: "List items similar to one, or write such lists for all items",
		Long: "List items similar to one, or write such lists for all items: for pages that are built in\n" +
			"advance and work without scripts. The lists equal the lists of the page and the npm package, rules\n" +
			"included.\n\n" +
			"--out FOLDER writes a file for each item, ID.json or with --html ID.html; --out NAME.json writes\n" +
			"one file with all lists by id. In file names, bytes other than letters, digits, - and _ become %\n" +
			"and two hexadecimal digits. Links, pictures and prices default to those of [site] in pmlam.toml.",
		Example: `  pmlam similar "Toy Story"` + "\n" +
			`  pmlam similar --all --html --out similar --link "https://shop.example/p/{id}"` + "\n" +
			`  pmlam similar --all --number 6 --out data/similar.json` + "\n" +
			`  pmlam similar --all --goes-with --html --out goes-with`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, args []string) error { return q.run(c, args) },
	}
	who := cli.NewGroup("Request")
	q.asked.register(who)
	who.IntVarP(&q.k, "number", "k", 10, "maximum length of each list")
	who.BoolVar(&q.goesWith, "goes-with", false, "list what people choose with an item or after it, then similar "+
		"items; the model must know the order of likes")
	who.Placeholder("N", "number")
	all := cli.NewGroup("Lists of all items")
	all.BoolVar(&q.all, "all", false, "write the lists of all items to --out")
	all.StringVar(&q.out, "out", "", "folder, new or written by this command before, or NAME.json")
	all.BoolVar(&q.html, "html", false, "write HTML fragments instead of JSON")
	all.StringVar(&q.link, "link", "", "address of an item, with catalogue columns in braces")
	all.StringVar(&q.picture, "picture", "", "address of its picture, likewise")
	all.StringVar(&q.price, "price", "", "text below its title, likewise: \"{price} €\"")
	all.Placeholder("PATH", "out")
	all.Placeholder("TEXT", "link", "picture", "price")
	cli.AddGroups(c, who, all, q.Group())
	return c
}

// check reports wrong flags before anything is read.
func (q *similarRun) check(args []string) error {
	single := strings.HasSuffix(q.out, ".json")
	switch {
	case q.k < 1:
		return cli.Usagef("--number is %d; it must be at least 1", q.k)
	case q.all && len(args) > 0:
		return cli.Usagef("give a title or --all, not both")
	case q.all && q.out == "":
		return cli.Usagef("--all needs --out FOLDER or --out NAME.json")
	case !q.all && len(args) == 0:
		return cli.Usagef("pass a title, an id as id:ID, or --all")
	case !q.all && (q.out != "" || q.html || q.link != "" || q.picture != "" || q.price != ""):
		return cli.Usagef("--out, --html, --link, --picture and --price need --all")
	case q.html && single:
		return cli.Usagef("--html writes a file for each item, so --out must be a folder")
	}
	return q.Work.Check()
}

func (q *similarRun) run(c *cobra.Command, args []string) error {
	if err := q.check(args); err != nil {
		return err
	}
	_, r, p, err := q.open(q.App, c)
	if err != nil {
		return err
	}
	if q.goesWith && !r.About().Order {
		return fmt.Errorf("%s does not know the order of likes, so --goes-with has no lists; its training says why",
			q.model)
	}
	if !q.all {
		item, err := find(r, args[0])
		if err != nil {
			return err
		}
		if q.goesWith {
			return q.answer(r, item, goesWith(r, item, q.k, false))
		}
		return q.answer(r, item, r.Similar(item, recommend.Visit{}, q.k))
	}
	w := similarWriter{r: r, k: q.k, html: q.html, goesWith: q.goesWith}
	if w.link, w.picture, w.price, err = q.templates(c, r, p); err != nil {
		return err
	}
	write := w.folder
	if strings.HasSuffix(q.out, ".json") {
		write = w.file
	}
	bar := q.StepsBar("listing", "items")
	listed, err := write(c.Context(), q.out, q.Workers, bar)
	bar.Done()
	if err != nil {
		if c.Context().Err() != nil {
			return err
		}
		return fmt.Errorf("the lists cannot be written to %s: %w", q.out, err)
	}
	q.Printf("wrote lists of %s to %s, %d items each on average\n", counted(r.Len(), "item"), q.out,
		(listed+r.Len()/2)/r.Len())
	for i, name := range w.others {
		if i == 5 {
			q.Printf("and %d more\n", len(w.others)-i)
			break
		}
		q.Printf("left in the folder, because this command did not write them or they have changed: %s\n", name)
	}
	if q.JSON {
		return q.PrintJSON(map[string]any{"model": q.model, "digest": r.About().Digest, "out": q.out, "items": r.Len(),
			"listed": listed})
	}
	return nil
}

// templates returns the templates of the flags or, if not given, of the project. Their columns must exist.
func (q *similarRun) templates(c *cobra.Command, r *recommend.Recommender, p *siteconfig.Project) (link, picture,
	price string, err error) {
	link, picture, price = q.link, q.picture, q.price
	if p != nil {
		if !c.Flags().Changed("link") && len(p.Site.Links) > 0 {
			link = p.Site.Links[0].Address
		}
		if !c.Flags().Changed("picture") {
			picture = p.Site.Pictures
		}
		if !c.Flags().Changed("price") {
			price = p.Site.Price
		}
	}
	for _, t := range []struct {
		name, text string
		address    bool
	}{{"link", link, true}, {"picture", picture, true}, {"price", price, false}} {
		if t.text == "" {
			continue
		}
		if err := catalogue.CheckTemplate(t.text, r.Columns()); err != nil {
			return "", "", "", cli.Usagef("the %s %v", t.name, err)
		}
		names := catalogue.Placeholders(t.text)
		whole := len(names) == 1 && t.text == "{"+names[0]+"}"
		if len(names) == 0 || t.address && !whole && !catalogue.Leads(t.text) {
			return "", "", "", cli.Usagef("the %s is %q; it needs a column in braces, such as {id}, and addresses "+
				"must lead to a site with https: or to this one", t.name, t.text)
		}
	}
	return link, picture, price, nil
}

// goesWith lists what people choose with an item or after it, as goesWith of the npm package does.
func goesWith(r *recommend.Recommender, item, k int, bare bool) []recommend.Suggestion {
	v := recommend.Visit{Recent: []int{item}}
	return r.Recommend(v, r.Taste(v, nil), recommend.Request{K: k, Bare: bare})
}

// answer prints the list of one item.
func (q *similarRun) answer(r *recommend.Recommender, item int, found []recommend.Suggestion) error {
	if q.JSON {
		of := r.Item(item)
		kind := "similar"
		if q.goesWith {
			kind = "goes_with"
		}
		return q.PrintJSON(map[string]any{"model": q.model, "digest": r.About().Digest, "id": of.ID, "title": of.Title,
			kind: suggestionsJSON(r, found)})
	}
	if len(found) == 0 {
		return errors.New("the list is empty: the rules exclude all other items")
	}
	if q.goesWith {
		q.Printf("with %s or after it:\n", name(r, item))
	} else {
		q.Printf("like %s:\n", name(r, item))
	}
	for i, s := range found {
		mark := ""
		if s.Pinned {
			mark = ", pinned"
		}
		q.Printf("%3d. %-50s distance %.3f%s\n", i+1, name(r, s.Item), s.Distance, mark)
	}
	return nil
}
