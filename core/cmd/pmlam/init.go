package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/siteconfig"
)

func initCommand(a *cli.App) *cobra.Command {
	var s cli.Source
	var replace bool
	c := &cobra.Command{
		Use:   "init RATINGS|ITEMS [ITEMS] [flags]",
		Short: "Look at your files and write " + siteconfig.Name,
		Long: "Read interactions (ratings, orders, page views) and, optionally, a file of titles; report how\n" +
			"every column was understood; and write pmlam.toml into the current folder. After that, \"pmlam\n" +
			"train\" needs no flags there. Columns that cannot be identified are asked for on a terminal;\n" +
			"elsewhere an error names the flag to pass. You can edit pmlam.toml. A file of titles alone makes\n" +
			"a site without ratings, from their features.",
		Example: "  pmlam init orders.csv products.csv\n  pmlam init log.csv --user-column visitor --item-column 3",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return cli.Usagef("pmlam init takes a file of interactions and, optionally, a file of titles; %d "+
					"arguments were given", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if args[0] == "-" {
				return cli.Usagef("a project needs a file or folder that stays, not standard input")
			}
			s.Data, s.PrintsReading, s.Publish.Scope = args[0], true, dataset.Everything
			if len(args) == 2 {
				s.Items = args[1]
			}
			return initProject(a, c.Context(), &s, replace)
		},
	}
	g := s.Add(cli.NewGroup("Data"))
	s.RegisterReading(g)
	file := cli.NewGroup("Project file")
	file.BoolVar(&replace, "replace", false, "overwrite an existing file; changes made to it are lost")
	cli.AddGroups(c, g, file)
	cli.CompleteSource(c)
	return c
}

// initProject reads the data, reports how they were understood, and writes the project file.
func initProject(a *cli.App, ctx context.Context, s *cli.Source, replace bool) error {
	if _, err := os.Lstat(siteconfig.Name); err == nil && !replace {
		return fmt.Errorf("%s already exists; edit it, or overwrite it with --replace", siteconfig.Name)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be written: %w", siteconfig.Name, err)
	}
	in := titlesAlone(s, ctx, a)
	if in == nil {
		var err error
		if in, err = readByMinima(s, ctx, a); err != nil {
			return err
		}
		a.Printf("%s", cli.ReadingText(in.Read))
		a.Printf("\n%s: %s\n", in.Name, in.Read)
	} else {
		a.Printf("%s has no column of users: it is read as a catalogue of %d items, and lists are made from their "+
			"features\n%s", s.Items, in.Catalogue.Len(), cli.ColumnsText(in.Read.TitleReport))
	}
	text, notes := projectFile(s, in)
	if _, err := siteconfig.Parse([]byte(text)); err != nil {
		return fmt.Errorf("%s cannot be written: it could not be read back: %w", siteconfig.Name, err)
	}
	err := durable.WriteFile(durable.OS, siteconfig.Name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", siteconfig.Name, err)
	}
	for _, n := range notes {
		a.Printf("%s\n", n)
	}
	a.Printf("%s is written. Next: pmlam train\n", siteconfig.Name)
	if a.JSON {
		result := map[string]any{"file": siteconfig.Name, "reading": cli.NewReadingReport(in.Read), "notes": notes,
			"min_user": s.MinUser, "min_item": s.MinItem, "items": in.Catalogue.Len()}
		if in.Positives != nil {
			result["users"], result["items"] = in.Users.Len(), in.Items.Len()
			result["interactions"] = in.Positives.Len()
		}
		return a.PrintJSON(result)
	}
	return nil
}

// titlesAlone reads a single file as a catalogue, if it has titles and no possible users, and stores it in s; nil for
// other files.
func titlesAlone(s *cli.Source, ctx context.Context, a *cli.App) *cli.Input {
	if s.Items != "" || s.Columns.User != "" {
		return nil
	}
	o := s.ReadingOptions(cli.NoSplit)
	o.MinUser, o.MinItem = -1, -1
	_, err := s.Load(ctx, a, cli.NoSplit, o)
	column, ok := errors.AsType[*dataset.ColumnError](err)
	if !ok || column.Role != "user" || column.Wanted != "" {
		return nil
	}
	c, read, err := dataset.LoadCatalogue(s.Data, o)
	if err != nil || read.Untitled != "" || c.Len() < 2 {
		return nil
	}
	titles := map[string]bool{}
	for i := range c.Items {
		titles[c.Items[i].Title] = true
	}
	if len(titles)*3 < c.Len() { // a column with few different words
		return nil
	}
	base := filepath.Base(s.Data)
	s.Items, s.Data = s.Data, ""
	in := &cli.Input{Dataset: &dataset.Dataset{Name: strings.TrimSuffix(base, filepath.Ext(base)), Catalogue: c}}
	in.Read.TitleReport = read.TitleReport
	return in
}

// minima are the minimum likes of users and items that readByMinima tries, the paper's first.
var minima = [...]struct{ user, item int }{{10, 5}, {5, 3}, {3, 3}, {3, 2}, {2, 2}}

// leftShare is the share of likes that must remain.
const leftShare = 0.9

// readByMinima reads with the largest minima that keep nine tenths of the likes, and stores them in s: buyers order
// less often than viewers rate. It reads everything again for each pair of minima.
func readByMinima(s *cli.Source, ctx context.Context, a *cli.App) (*cli.Input, error) {
	s.MinUser, s.MinItem = 1, 1
	all, err := s.Read(ctx, a) // may ask questions
	if err != nil {
		return nil, err
	}
	for _, m := range minima {
		o := s.ReadingOptions(cli.NoSplit)
		o.MinUser, o.MinItem = m.user, m.item
		in, err := s.Load(ctx, a, cli.NoSplit, o)
		switch {
		case ctx.Err() != nil:
			return nil, err
		case err != nil: // no described interactions remain, but without minima the data are readable
		case float64(in.Read.Kept) >= leftShare*float64(all.Read.Kept):
			s.MinUser, s.MinItem = m.user, m.item
			return in, nil
		}
	}
	return all, nil
}

// projectFile returns the text of the project file, and notes for the user.
func projectFile(s *cli.Source, in *cli.Input) (text string, notes []string) {
	var b strings.Builder
	line := func(key, value, comment string) {
		if value == "" {
			return
		}
		fmt.Fprintf(&b, "%s = %s", key, value)
		if comment != "" {
			fmt.Fprintf(&b, " # %s", comment)
		}
		b.WriteByte('\n')
	}
	b.WriteString("# What pmlam train and the site builder need to know. docs/owners.md describes every key.\n\n" +
		"[data]\n")
	line("ratings", quoted(filepath.ToSlash(s.Data)), "")
	line("items", quoted(filepath.ToSlash(s.Items)), "")
	line("format", quoted(s.Format), "")
	columns := s.Columns
	if len(in.Read.Readings) > 0 {
		if r := in.Read.Readings[0]; r.Format == "delimited" && r.Header {
			for _, c := range r.Columns {
				if into := cli.ColumnOf(&columns, c.Role); into != nil && *into == "" {
					*into = c.Name
				}
			}
		}
	}
	line("user-column", quoted(columns.User), "")
	line("item-column", quoted(columns.Item), "")
	line("rating-column", quoted(columns.Rating), "")
	line("time-column", quoted(columns.Time), "")
	line("title-column", quoted(s.Columns.Title), "")
	line("event-column", quoted(s.EventColumn), "")
	line("events", list(s.Events), "")
	line("delimiter", quoted(s.Delimiter), "")
	line("encoding", quoted(s.Encoding), "")
	if s.NoRatings {
		line("no-ratings", "true", "")
	}
	if s.SkipBadLines {
		line("skip-bad-lines", "true", "")
	}
	if s.Changed("min-rating") {
		line("min-rating", fmt.Sprint(s.MinRating), "")
	}
	if s.Data != "" {
		line("min-user", fmt.Sprint(s.MinUser), "minimum likes of a user; users with fewer are left out")
		line("min-item", fmt.Sprint(s.MinItem), "of an item, likewise")
	}
	if s.MinUser > 1 {
		notes = append(notes, fmt.Sprintf("Users with fewer than %d likes and items with fewer than %d are left out "+
			"(min-user, min-item): %d likes remain.", s.MinUser, s.MinItem, in.Read.Kept))
	}
	line("name", quoted(in.Name), "of the data, as shown on the page")
	if public := in.Read.PublishedColumns(); len(in.Read.Columns) > 0 {
		b.WriteString("# Public columns of the items, in addition to those that site and rules name.\n")
		fmt.Fprintf(&b, "columns = [%s]\n", strings.Trim(list(public), "[]"))
	}

	b.WriteString("\n[train]\nmodel = \"model.msgpack\"\n")
	if s.Data == "" {
		b.WriteString("cold-items = true # lists from features; ratings = \"FILE\" under [data] adds people's taste\n")
	}
	if in.Read.HasTimes {
		fmt.Fprintf(&b, "# again = %t # may lists offer what a person chose before? Without this line the data say: "+
			"%t\n", !in.Read.ComesAgain(), in.Read.ComesAgain())
	}
	b.WriteString("\n[site]\nout = \"public\"\n")
	line("previous", quoted("public"), "returning visitors download only the difference from this site")
	line("title", quoted(in.Name), "")
	pictures, links, origins, folders := addresses(in)
	if pictures != "" {
		line("pictures", quoted("{"+pictures+"}"), "")
		line("picture-origins", list(origins), "other sites with pictures for the page")
		line("copy", list(folders), "published unchanged")
		notes = append(notes, fmt.Sprintf("The column %q holds pictures.", pictures))
	} else {
		b.WriteString("# pictures = \"pictures/{id}.jpg\"\n")
	}
	if links == "" {
		b.WriteString("# links = [{ name = \"Our shop\", address = \"https://shop.example/p/{id}\" }]\n")
	} else {
		fmt.Fprintf(&b, "links = [{ name = %s, address = %s }]\n", quoted(in.Name), quoted("{"+links+"}"))
		notes = append(notes, fmt.Sprintf("The column %q holds links.", links))
	}
	b.WriteString("# accent = \"#b23a12\" # on light ground\n# accent-dark = \"#ff9d76\"\n# logo = \"logo.svg\"\n\n" +
		"[words.en]\n# thing = \"product\"\n# things = \"products\"\n" +
		"# known = \"Bought\"\n# groups = [\"category\", \"categories\"]\n\n" +
		"[words.de]\n# thing = \"Produkt\"\n# things = \"Produkte\"\n" +
		"# known = \"Gekauft\"\n# groups = [\"Kategorie\", \"Kategorien\"]\n")
	notes = append(notes, writeRules(&b, in)...)
	return b.String(), notes
}

// stockColumn returns the first stock column of the catalogue with values for at least half of the items, or "".
func stockColumn(in *cli.Input) string {
	for k, name := range in.Catalogue.Columns {
		filled := 0
		for i := range in.Catalogue.Items {
			if v := in.Catalogue.Items[i].Values; k < len(v) && v[k] != "" {
				filled++
			}
		}
		if dataset.PrivateColumn(name) == "stock" && filled*2 >= len(in.Catalogue.Items) {
			return name
		}
	}
	return ""
}

// quoted returns a TOML string, or "" for "". JSON's escapes are valid in TOML.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(strings.ToValidUTF8(s, "")) // a strings.Builder accepts everything
	return strings.TrimSpace(b.String())
}

// list returns a TOML array of strings, or "" for none.
func list(all []string) string {
	if len(all) == 0 {
		return ""
	}
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = quoted(s)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// mostOrigins is the maximum number of sites with pictures.
const mostOrigins = 8

// addresses returns the catalogue's columns with addresses of pictures and of pages, or "": at least half of the items
// must have one. For pictures it also returns the other sites and the local folders that contain them.
func addresses(in *cli.Input) (pictures, links string, origins, folders []string) {
	for k, name := range in.Catalogue.Columns {
		if dataset.PrivateColumn(name) != "" {
			continue
		}
		shown, led := 0, 0
		image := pictureName(name)
		for i := range in.Catalogue.Items {
			if k >= len(in.Catalogue.Items[i].Values) {
				continue
			}
			v := in.Catalogue.Items[i].Values[k]
			file, _, _ := strings.Cut(v, "?")
			end := strings.ToLower(filepath.Ext(strings.TrimRight(file, " ")))
			switch {
			case slices.Contains([]string{".jpg", ".jpeg", ".png", ".webp", ".avif", ".gif", ".svg"}, end):
				shown++
			case image && strings.HasPrefix(v, "https://"): // of a service whose addresses have no file names
				shown++
			case strings.HasPrefix(v, "https://"):
				led++
			}
		}
		half := (len(in.Catalogue.Items) + 1) / 2
		if pictures == "" && shown >= half {
			pictures = name
			for i := range in.Catalogue.Items {
				origins, folders = wherePicture(in.Catalogue.Items[i].Values, k, origins, folders)
			}
		} else if links == "" && led >= half && !image {
			links = name
		}
	}
	if links == "" && addressesAsIDs(in) {
		links = "id"
	}
	return pictures, links, origins, folders
}

// pictureName reports whether a column's name means pictures, whose addresses are not pages.
func pictureName(name string) bool {
	name = catalogue.Fold(name)
	words := strings.Fields("image img picture photo cover poster thumb bild foto affiche imagen portada")
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}

// addressesAsIDs reports whether the items are web pages.
func addressesAsIDs(in *cli.Input) bool {
	for i := range in.Catalogue.Items {
		if !strings.HasPrefix(in.Catalogue.Items[i].ID, "https://") {
			return false
		}
	}
	return true
}

// wherePicture adds the place of the picture in column k: another site, or a folder next to the project file.
func wherePicture(values []string, k int, origins, folders []string) (at, in []string) {
	if k >= len(values) {
		return origins, folders
	}
	u, err := url.Parse(values[k])
	if err != nil {
		return origins, folders
	}
	folder, _, _ := strings.Cut(u.Path, "/")
	switch {
	case u.Scheme == "https" && u.Host != "" && len(origins) < mostOrigins:
		if o := "https://" + strings.ToLower(u.Host); !slices.Contains(origins, o) {
			origins = append(origins, o)
		}
	case u.Scheme == "" && u.Host == "" && folder != "" && folder != "." && folder != ".." &&
		!slices.Contains(folders, folder):
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			folders = append(folders, folder)
		}
	}
	return origins, folders
}

// fromProject sets flags that were not given from the project file, and the columns that its site and rules need in s,
// unless --data was given or there is no such file.
func fromProject(a *cli.App, c *cobra.Command, s *cli.Source) error {
	if c.Flags().Changed("data") {
		return nil
	}
	file := siteconfig.Name
	if f := c.Flags().Lookup("project"); f != nil {
		file = f.Value.String()
	}
	p, err := siteconfig.Read(file)
	if errors.Is(err, fs.ErrNotExist) && !c.Flags().Changed("project") {
		return nil
	}
	if err != nil {
		return err
	}
	if err := applyProject(c, s, p, file); err != nil {
		return err
	}
	a.Notef("using the settings of %s", file)
	return nil
}

// applyProject sets flags that were not given from the project, and the columns that its site and rules need in s.
func applyProject(c *cobra.Command, s *cli.Source, p *siteconfig.Project, file string) error {
	for _, f := range p.Flags() {
		if c.Flags().Changed(f.Name) {
			continue
		}
		if err := c.Flags().Set(f.Name, f.Value); err != nil {
			return fmt.Errorf("%s: %w", file, cli.FlagError(err))
		}
	}
	s.Publish, s.Judge = needed(p), p.Doubts
	return nil
}

// needed returns the columns that the project's site and rules need.
func needed(p *siteconfig.Project) dataset.Publish {
	out := dataset.Publish{Shown: p.Shown(), Reduced: map[string]dataset.Reduce{}, Unreadable: p.Unreadable()}
	for column, reduce := range p.Reduced() {
		out.Reduced[column] = reduce
	}
	return out
}
