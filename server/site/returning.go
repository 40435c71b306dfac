package site

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// Returning says what somebody who has the previous site fetches of this one, in bytes as brotli sends them.
type Returning struct {
	Previous string    // its folder
	None     string    // why everything is fetched whole; "": it is not
	Fetched  []Fetched // most bytes first
	Whole    int       // what a visitor without it fetches
}

// Fetched is a file that is not as it was.
type Fetched struct {
	Name        string
	Size, Whole int    // what is fetched, and what the whole file has
	Why         string // it is fetched whole; "": by a delta
}

// returning says what a visitor of the previous site fetches; nil without one. The forms are compressed by now.
func (b *builder) returning() *Returning {
	switch {
	case b.Previous == "":
		return nil
	case b.worker == "":
		return &Returning{Previous: b.Previous, None: "the page names no service worker, which keeps files of a site"}
	case b.older.worker == "":
		return &Returning{Previous: b.Previous, None: "there is no site there yet"}
	}
	files, had := map[string]*built{}, map[string]bool{}
	for _, f := range b.done {
		files[f.name] = f
	}
	for _, f := range b.older.files {
		had[f.Digest] = true
	}
	r := &Returning{Previous: b.Previous}
	add := func(f Fetched) { r.Fetched = append(r.Fetched, f) }
	for _, f := range b.files {
		name := nameOf(f.Address)
		whole := files[name].served()
		r.Whole += whole
		_, known := b.older.files[stem(name)]
		size := b.unworthy[name]
		switch {
		case had[f.Digest]:
		case !known:
			add(Fetched{name, whole, whole, "the previous site has no file of this name"})
		case len(f.Steps) == 0 && size == 0:
			add(Fetched{name, whole, whole, "it is damaged in the previous site"})
		case size > 0:
			add(Fetched{name, whole, whole, fmt.Sprintf("a delta has %s bytes, more than half of it", digits(size))})
		default: // the newest step leads from there
			step := f.Steps[len(f.Steps)-1]
			add(Fetched{name, files[nameOf(step.Address)].served(), whole, ""})
		}
	}
	worker := b.done[b.worker]
	r.Whole += worker.served()
	if fingerprint.Sum(worker.content) != b.older.worker {
		add(Fetched{worker.name, worker.served(), worker.served(), "browsers do so with a service worker"})
	}
	slices.SortStableFunc(r.Fetched, func(a, b Fetched) int { return cmp.Compare(b.Size, a.Size) })
	return r
}

// served returns how many bytes the file has on its way.
func (f *built) served() int {
	if f.br != nil {
		return len(f.br)
	}
	return len(f.content)
}

// mostFetched is how many files are listed.
const mostFetched = 10

// print writes the sum, and the files that make most of it.
func (r *Returning) print(w io.Writer) error {
	if r.None != "" {
		_, err := fmt.Fprintf(w, "Who has the previous site, %s, fetches whole files: %s\n", r.Previous, r.None)
		return err
	}
	sum := 0
	for _, f := range r.Fetched {
		sum += f.Size
	}
	if _, err := fmt.Fprintf(w, "Who has the previous site, %s, fetches %s of %s bytes, %s\n", r.Previous, digits(sum),
		digits(r.Whole), share(sum, r.Whole)); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, f := range r.Fetched[:min(mostFetched, len(r.Fetched))] {
		how := "by a delta"
		if f.Why != "" {
			how = "whole: " + f.Why
		}
		fmt.Fprintf(t, "%s\tof %s\t%s\t  %s, %s\n", digits(f.Size), digits(f.Whole), share(f.Size, f.Whole), f.Name,
			how)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if more := len(r.Fetched) - mostFetched; more > 0 {
		_, err := fmt.Fprintf(w, "and %d smaller files\n", more)
		return err
	}
	return nil
}

// share writes a part of a whole.
func share(part, whole int) string {
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(max(whole, 1)))
}
