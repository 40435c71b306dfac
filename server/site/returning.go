package site

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// Returning describes the downloads of visitors who have the previous site, in bytes with brotli.
type Returning struct {
	Previous string    // its folder
	None     string    // why all files are downloaded whole; "" if they are not
	Fetched  []Fetched // most bytes first
	Whole    int       // bytes for a new visitor
}

// Fetched is a changed file.
type Fetched struct {
	Name        string
	Size, Whole int    // bytes to download, and of the whole file
	Why         string // why it is downloaded whole; "" for a delta
}

// returning reports the downloads of returning visitors, or nil without a previous site. Files must be compressed.
func (b *builder) returning() *Returning {
	switch {
	case b.Previous == "":
		return nil
	case b.worker == "":
		return &Returning{Previous: b.Previous, None: "the page has no service worker to keep its files"}
	case b.older.worker == "":
		return &Returning{Previous: b.Previous, None: "that folder has no site yet"}
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
		default: // the newest step starts there
			step := f.Steps[len(f.Steps)-1]
			add(Fetched{name, files[nameOf(step.Address)].served(), whole, ""})
		}
	}
	worker := b.done[b.worker]
	r.Whole += worker.served()
	if fingerprint.Sum(worker.content) != b.older.worker {
		add(Fetched{worker.name, worker.served(), worker.served(), "browsers always download the service worker whole"})
	}
	slices.SortStableFunc(r.Fetched, func(a, b Fetched) int { return cmp.Compare(b.Size, a.Size) })
	return r
}

// served returns the transfer size of the file.
func (f *built) served() int {
	if f.br != nil {
		return len(f.br)
	}
	return len(f.content)
}

// mostFetched is the number of files to list.
const mostFetched = 10

// print writes the sum and its largest files.
func (r *Returning) print(w io.Writer) error {
	if r.None != "" {
		_, err := fmt.Fprintf(w, "Visitors of the previous site, %s, download whole files: %s\n", r.Previous, r.None)
		return err
	}
	sum := 0
	for _, f := range r.Fetched {
		sum += f.Size
	}
	if _, err := fmt.Fprintf(w, "Visitors of the previous site, %s, download %s of %s bytes, %s\n", r.Previous,
		digits(sum), digits(r.Whole), share(sum, r.Whole)); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, f := range r.Fetched[:min(mostFetched, len(r.Fetched))] {
		how := "as a delta"
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

func share(part, whole int) string {
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(max(whole, 1)))
}
