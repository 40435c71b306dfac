package site

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Budgets of downloads on a first visit to this site, or to one that embeds the package, in bytes compressed with
// brotli.
const (
	ProgramBudget   = 1_400_000 // the Go program
	EmbeddedBudget  = 860_000   // the Go program that other pages embed
	ModelBudget     = 1_000_000 // the model of the embedded catalogue
	FirstLoadBudget = 2_400_000 // everything the page loads before it can be used
	StudioBudget    = 4_000_000 // the Go program of the studio
)

// Report describes a site's content. Sizes are in bytes; all three are equal for a file without compressed forms.
type Report struct {
	Files  []File
	Unused []string // files under assets/ without a reference; not published
	Others []string // other files in the folder, left unchanged
	Notes  []string // notes for the owner, in sentences

	Written []string // new files, in the order of upload: the page last
	Removed []string // files of an older site that were removed, sorted; remove them from a host last

	Returning *Returning // what visitors of the previous site download; nil without one
}

// File is a file of the site.
type File struct {
	Name              string // its address in the site
	Source            string // its address in the tree
	Raw, Brotli, Gzip int
	FirstLoad         bool     // loaded with the page, not after a click
	Roles             []string // "program" for the file in the page's data-program, and so on
}

func newReport(files []*built, unused []string) *Report {
	r := &Report{Unused: unused}
	for _, f := range files {
		e := File{f.name, f.source, len(f.content), f.served(), len(f.content), f.load, f.roles}
		if f.gz != nil {
			e.Gzip = len(f.gz)
		}
		r.Files = append(r.Files, e)
	}
	return r
}

// Of returns the files of a role.
func (r *Report) Of(role string) []File {
	var files []File
	for _, f := range r.Files {
		if slices.Contains(f.Roles, role) {
			files = append(files, f)
		}
	}
	return files
}

// total is a budgeted line of the report.
type total struct {
	what                      string
	raw, brotli, gzip, budget int
}

func (r *Report) totals() []total {
	ts := []total{
		{what: "program", budget: ProgramBudget},
		{what: "model", budget: ModelBudget},
		{what: "first load", budget: FirstLoadBudget},
	}
	add := func(t *total, f File) {
		t.raw += f.Raw
		t.brotli += f.Brotli
		t.gzip += f.Gzip
	}
	for i, files := range [][]File{r.Of("program"), r.Of("model"), r.Files} {
		for _, f := range files {
			if i < 2 || f.FirstLoad {
				add(&ts[i], f)
			}
		}
	}
	for _, optional := range []struct {
		name, what string
		budget     int
	}{
		{embed + "embed.wasm", "embedded program", EmbeddedBudget},
		{studioFolder + "studio.wasm", "studio's program", StudioBudget},
	} {
		for _, f := range r.Files {
			if f.Name == optional.name {
				t := total{what: optional.what, budget: optional.budget}
				add(&t, f)
				ts = append(ts, t)
			}
		}
	}
	return ts
}

// Print writes the sizes as a table: each file if all is set, then the totals with their budgets. Notes and the
// downloads of returning visitors follow.
func (r *Report) Print(w io.Writer, all bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(what string, raw, brotli, gzip int, budget string) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t  %s\n", digits(raw), digits(brotli), digits(gzip), budget, what)
	}
	fmt.Fprintln(t, "bytes\tbrotli\tgzip\tbudget\t ")
	if all {
		for _, f := range r.Files {
			row(f.Name, f.Raw, f.Brotli, f.Gzip, "")
		}
	}
	for _, s := range r.totals() {
		row(s.what, s.raw, s.brotli, s.gzip, digits(s.budget))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, name := range r.Unused {
		if _, err := fmt.Fprintf(w, "Not published, because nothing refers to it: %s\n", name); err != nil {
			return err
		}
	}
	for _, note := range r.lines() {
		if _, err := fmt.Fprintln(w, note); err != nil {
			return err
		}
	}
	if r.Returning != nil {
		return r.Returning.print(w)
	}
	return nil
}

// lines returns the notes and the other files in the folder: by name, or if there are many, by top-level folder.
func (r *Report) lines() []string {
	const most = 10
	names, within := r.Others, map[string]int{}
	if len(names) > most {
		names = nil
		for _, name := range r.Others {
			top, _, deeper := strings.Cut(name, "/")
			if deeper {
				top += "/"
			}
			if within[top]++; within[top] == 1 {
				names = append(names, top)
			}
		}
	}
	all := slices.Clone(r.Notes)
	for i, name := range names {
		if i == most {
			return append(all, fmt.Sprintf("and %d more", len(names)-most))
		}
		line := "Left unchanged, because it was not written by this program or was changed since: " + printable(name)
		if n := within[name]; strings.HasSuffix(name, "/") {
			line += fmt.Sprintf(", %s files", digits(n))
		}
		all = append(all, line)
	}
	return all
}

// printable returns a name as is, or in quotes if it contains unprintable characters.
func printable(name string) string {
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}

// Over returns an error that lists the exceeded budgets, or nil.
func (r *Report) Over() error {
	var over []string
	for _, s := range r.totals() {
		if s.brotli > s.budget {
			over = append(over, fmt.Sprintf("the %s has %s bytes in brotli, %s more than its budget",
				s.what, digits(s.brotli), digits(s.brotli-s.budget)))
		}
	}
	if over == nil {
		return nil
	}
	return fmt.Errorf("the site is too large: %s", strings.Join(over, "; "))
}

// digits formats a number with thousands separators.
func digits(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
