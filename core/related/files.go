package related

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/publish"
)

// Entry is a page of a list in JSON.
type Entry struct {
	Address     string  `json:"address"` // relative to the folder, as the site's own links have it
	Title       string  `json:"title"`
	Description string  `json:"description,omitzero"`
	Score       float32 `json:"score"`
}

// format is the first member of the JSON file, by which a later run recognises it.
const format = "pmlam-related/1"

// Entries returns a list as written to JSON.
func (s *Site) Entries(list []Listed) []Entry {
	out := make([]Entry, len(list))
	for k, l := range list {
		p := s.Pages[l.Page]
		out[k] = Entry{s.addressOf(l.Page), p.Title, p.Description, l.Score}
	}
	return out
}

// WriteFile writes all lists to one JSON file, {"format": …, "pages": {ADDRESS: [ENTRY, …]}}. It returns an error
// instead of replacing a file that does not hold such lists.
func (s *Site) WriteFile(path string, lists [][]Listed) error {
	if info, err := os.Stat(path); err == nil && (!info.Mode().IsRegular() || !holdsLists(path)) {
		return fmt.Errorf("%s exists and does not hold such lists; remove it, or pass another name", path)
	}
	return durable.WriteFile(durable.OS, path, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "{\"format\":%q,\"pages\":{", format); err != nil {
			return err
		}
		before := "\n"
		for i, list := range lists {
			key, err := json.Marshal(s.addressOf(i))
			if err != nil {
				return err
			}
			text, err := json.Marshal(s.Entries(list))
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "%s%s:%s", before, key, text); err != nil {
				return err
			}
			before = ",\n"
		}
		_, err := io.WriteString(w, "\n}}\n")
		return err
	})
}

// holdsLists reports whether a file begins like one of WriteFile.
func holdsLists(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, 1024))
	for _, want := range []json.Token{json.Delim('{'), "format", format} {
		if t, err := d.Token(); err != nil || t != want {
			return false
		}
	}
	return true
}

// fragmentKind is the name of such folders in package publish.
const fragmentKind = "related"

// WriteFragments writes the list of every page to a file of the same name in another folder, an empty file for an empty
// list. Links are relative to the page, not to the fragment. Package publish says which files it replaces. It returns
// files of that folder that others wrote.
func (s *Site) WriteFragments(ctx context.Context, folder string, lists [][]Listed, workers int) ([]string, error) {
	if same(folder, s.Folder) {
		return nil, errors.New("the folder of the fragments is the site itself; pass another folder")
	}
	f, err := publish.Target{Path: folder, Kind: fragmentKind}.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := s.group(ctx, workers, func(i int) error {
		return f.Put(s.Pages[i].File, []byte(s.HTML(i, lists[i])))
	}); err != nil {
		return nil, err
	}
	return f.Finish()
}

// same reports whether two paths are the same folder.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
