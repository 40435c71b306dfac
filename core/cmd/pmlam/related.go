package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/related"
)

// relatedRun is one run of the command related.
type relatedRun struct {
	cli.Work
	number          int
	file, fragments string
	list            bool // print the pages that lists leave out
	views           cli.Source
}

func relatedCommand(a *cli.App) *cobra.Command {
	r := relatedRun{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "related FOLDER [flags]",
		Short: "Write lists of related pages into a static site, without ratings",
		Long: "Read the built HTML of a static site, find the pages that are like each page, and write the lists\n" +
			"into the pages: into every <pmlam-related></pmlam-related> element. The lists are plain links and\n" +
			"work without JavaScript. Run it after every build of the site.\n\n" +
			"Pages without the element stay as they are, and a second run changes nothing. --json-file and\n" +
			"--fragments write the lists elsewhere instead. Pages with noindex, redirects, error pages, copies\n" +
			"(rel=canonical) and pages that only list others are not offered.",
		Example: "  pmlam related public\n  pmlam related dist --number 4 --fragments related",
		Args:    cli.ExactArgs(1, "the folder of a built site"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(c *cobra.Command, args []string) error { return r.run(c.Context(), args[0]) },
	}
	g := cli.NewGroup("Lists")
	g.IntVarP(&r.number, "number", "k", 5, "maximum length of each list; an element's attribute number overrides it")
	g.StringVar(&r.file, "json-file", "", "write all lists to this JSON file instead of the pages")
	g.StringVar(&r.fragments, "fragments", "", "write each list to an HTML file in this folder instead of the pages")
	g.BoolVar(&r.list, "unlisted", false, "print the pages that lists do not offer, and why")
	g.Placeholder("N", "number")
	g.Placeholder("FILE", "json-file")
	g.Placeholder("FOLDER", "fragments")
	views := r.views.Add(cli.NewGroup("Page views"))
	views.StringVar(&r.views.Data, "views", "", "page views: a visitor and the address of a page on each line")
	views.Placeholder("FILE", "views")
	r.views.RegisterReading(views)
	cli.AddGroups(c, g, views, r.Group())
	return c
}

// mostRelated is the largest --number.
const mostRelated = 50

// relatedResult is the result in JSON.
type relatedResult struct {
	Pages    int               `json:"pages"`
	Offered  int               `json:"offered"` // pages that lists may offer
	Lists    int               `json:"lists"`   // pages with a list
	Unlisted []related.Skipped `json:"unlisted"`
	Skipped  []related.Skipped `json:"skipped"` // .html files that are not pages
	Out      string            `json:"out"`
	Others   []string          `json:"others,omitzero"` // files of the fragments' folder that others wrote
	*related.Report
	Seconds float64 `json:"seconds"`
}

func (r *relatedRun) run(ctx context.Context, folder string) error {
	start := time.Now()
	switch {
	case r.number < 1 || r.number > mostRelated:
		return cli.Usagef("--number is %d; it must be between 1 and %d", r.number, mostRelated)
	case r.file != "" && r.fragments != "":
		return cli.Usagef("--json-file and --fragments exclude each other")
	}
	if err := r.Check(); err != nil {
		return err
	}
	o := related.Options{Workers: r.Workers}
	if r.fragments != "" {
		o.Except = []string{r.fragments}
	}
	site, err := related.Read(ctx, folder, o)
	if err != nil {
		return err
	}
	if r.views.Data != "" {
		if err := r.addViews(ctx, site); err != nil {
			return err
		}
	}
	longest := r.number
	if r.file == "" && r.fragments == "" {
		longest = mostRelated // elements may ask for more
	}
	lists, err := site.Lists(ctx, longest, r.Workers)
	if err != nil {
		return err
	}
	out := relatedResult{Pages: len(site.Pages), Unlisted: []related.Skipped{},
		Skipped: append([]related.Skipped{}, site.Skipped...), Out: folder}
	for i, p := range site.Pages {
		if p.Unlisted == "" {
			out.Offered++
		} else {
			out.Unlisted = append(out.Unlisted, related.Skipped{File: p.File, Why: p.Unlisted})
		}
		if len(lists[i]) > 0 {
			out.Lists++
		}
	}
	switch {
	case r.file != "":
		out.Out, err = r.file, site.WriteFile(r.file, lists)
	case r.fragments != "":
		out.Out = r.fragments
		out.Others, err = site.WriteFragments(ctx, r.fragments, lists, r.Workers)
	default:
		out.Report, err = site.WriteElements(ctx, lists, r.number, r.Workers)
	}
	if err != nil {
		return err
	}
	out.Seconds = time.Since(start).Seconds()
	return r.print(&out)
}

// addViews reads the page views.
func (r *relatedRun) addViews(ctx context.Context, site *related.Site) error {
	r.views.MinUser, r.views.MinItem = 1, 1
	in, err := r.views.Read(ctx, r.App)
	if err != nil {
		return err
	}
	found := site.Views(in.Dataset)
	if found == 0 {
		return fmt.Errorf("%s: none of its %d addresses is a page of the site, for example %q; want paths such as "+
			"/posts/a/, or pass --item-column", r.views.Data, in.Items.Len(), brief.Text(in.Items.ID(0)))
	}
	r.Notef("%s: %d of its %d addresses are pages of the site", r.views.Data, found, in.Items.Len())
	return nil
}

func (r *relatedRun) print(out *relatedResult) error {
	if out.Report != nil {
		for _, left := range out.Left {
			r.Notef("%s %s", filepath.Join(out.Out, left.File), left.Why)
		}
	}
	if r.JSON {
		if err := r.PrintJSON(out); err != nil {
			return err
		}
	} else {
		r.Printf("read %d pages; lists may offer %d of them\n", out.Pages, out.Offered)
		if r.list {
			for _, u := range out.Unlisted {
				r.Printf("  %s: %s\n", u.File, u.Why)
			}
			for _, u := range out.Skipped {
				r.Printf("  %s: %s\n", u.File, u.Why)
			}
		}
		switch {
		case out.Report == nil:
			r.Printf("wrote lists of %d pages to %s\n", out.Lists, out.Out)
		case out.With == 0 && len(out.Left) == 0:
			r.Printf("no page has a <pmlam-related></pmlam-related> element, so nothing was written: add it to the\n" +
				"template, build the site and run this again; or pass --json-file or --fragments\n")
		default:
			r.Printf("%d pages have a <pmlam-related> element; the lists of %d are new\n", out.With, out.Changed)
		}
	}
	if out.Report != nil && len(out.Left) > 0 {
		return errors.New("some elements could not be filled; they are named above")
	}
	return nil
}
