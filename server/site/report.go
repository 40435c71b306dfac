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

// Budgets in bytes, as brotli sends them. They are what a visitor on a phone pays for the first look, at this site or
// at one that embeds it.
const (
	ProgramBudget   = 1_400_000 // the Go program
	EmbeddedBudget  = 860_000   // the Go program that other pages embed
	ModelBudget     = 1_000_000 // the model of the embedded catalogue
	FirstLoadBudget = 2_400_000 // everything the page loads before it can be used
)

// Report says what a site holds. Sizes are in bytes; a file without a compressed form travels as it is, so that its
// three sizes are equal.
type Report struct {
	Files  []File
	Unused []string // files under assets/ that nothing names; they are not published
	Others []string // files in the folder that the builder did not write and has left alone
	Notes  []string // sentences for the owner

	Returning *Returning // what visitors of the previous site fetch; nil without one
}

// File is one file of the site.
type File struct {
	Name              string // its address in the site
	Source            string // its address in the tree
	Raw, Brotli, Gzip int
	FirstLoad         bool     // loaded with the page, rather than by a visitor's click
	Roles             []string // "program" for what the page names in data-program, and so on
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

// Of returns the files of a role, and nil where the page names none.
func (r *Report) Of(role string) []File {
	var files []File
	for _, f := range r.Files {
		if slices.Contains(f.Roles, role) {
			files = append(files, f)
		}
	}
	return files
}

// total is a line of the report's second part: what is budgeted.
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
	for _, f := range r.Files {
		if f.Name == embed+"embed.wasm" { // a site may be without
			t := total{what: "embedded program", budget: EmbeddedBudget}
			add(&t, f)
			ts = append(ts, t)
		}
	}
	return ts
}

// Print writes the sizes as a table: every file where all is set, and the totals with their budgets; then what those
// fetch who have the previous site.
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
		if _, err := fmt.Fprintf(w, "Not published, as nothing names it: %s\n", name); err != nil {
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

// lines are the notes, and what says which files of others are in the folder: each by its name, or with many of them by
// the folder at the top.
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
		line := "Left in the folder, as it was not written here or has been changed: " + printable(name)
		if n := within[name]; strings.HasSuffix(name, "/") {
			line += fmt.Sprintf(", %s files of it", digits(n))
		}
		all = append(all, line)
	}
	return all
}

// printable returns a name that a terminal shows as it is, and any other in quotes.
func printable(name string) string {
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}

// Over returns an error that names each budget that is exceeded, nil where all are kept.
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

// digits writes a number in groups of three.
func digits(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
