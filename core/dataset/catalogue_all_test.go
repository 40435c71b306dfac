package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// All items of a catalogue are read once each, in order, and further files only describe these items.
func TestLoadCatalogue(t *testing.T) {
	c, report, err := LoadCatalogue("testdata/ml-latest", Options{Tags: 3})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Load("testdata/ml-latest", Options{MinUser: -1, MinItem: -1, Tags: 3})
	if err != nil {
		t.Fatal(err)
	}
	if c.Len() < d.Items.Len() || report.Described != c.Len() || len(c.Columns) != len(d.Catalogue.Columns) {
		t.Fatalf("%d items with the columns %v, %d described; the ratings name %d", c.Len(), c.Columns, report.Described,
			d.Items.Len())
	}
	if want := c.Len() - d.Read.Described; d.Read.Others != want {
		t.Errorf("%d items are not in the ratings, want %d", d.Read.Others, want)
	}
	at := map[string]int{}
	for i := range c.Items {
		if c.Items[i].Count != 0 || len(c.Items[i].Values) != len(c.Columns) {
			t.Errorf("%+v", c.Items[i])
		}
		at[c.Items[i].ID] = i
	}
	if len(at) != c.Len() {
		t.Errorf("%d items have %d ids", c.Len(), len(at))
	}
	for i := range d.Catalogue.Items {
		want := d.Catalogue.Items[i]
		k, ok := at[want.ID]
		if !ok {
			continue // without a title
		}
		got := c.Items[k]
		want.Count = 0
		if got.Title != want.Title || got.Year != want.Year || strings.Join(got.Values, "|") !=
			strings.Join(want.Values, "|") {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

func TestLoadCatalogueFiles(t *testing.T) {
	load := func(text string) (string, error) {
		path := filepath.Join(t.TempDir(), "items.csv")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c, _, err := LoadCatalogue(path, Options{})
		if err != nil {
			return "", err
		}
		var out []string
		for _, it := range c.Items {
			out = append(out, it.ID+"="+it.Title)
		}
		return strings.Join(out, " "), nil
	}
	if got, err := load("id,title\nb,Second\na,First\nb,Again\n"); err != nil || got != "b=Second a=First" {
		t.Errorf("%q, %v", got, err)
	}
	for text, says := range map[string]string{
		"":                                "is empty",
		"id,title\n":                      "describes no item",
		"colour,weight\nred,3\n":          "no column has a name known for the id",
		"id,title\n,Nameless\n":           "an id must not be empty",
		"id,title\na\n":                   "1 fields where the header has 2",
		"id,title\n\x01,Control\n":        "control characters",
		"id,title\na,\"open and no end\n": "",
	} {
		if _, err := load(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v does not say %q", text, err, says)
		}
	}
	if _, _, err := LoadCatalogue("testdata/lightgcn", Options{}); err == nil {
		t.Error("a folder without a catalogue was read")
	}
}

// FuzzLoadCatalogue: whatever is read has ids that are unique and texts that a model file takes.
func FuzzLoadCatalogue(f *testing.F) {
	f.Add([]byte("id,title,genres,price\n1,Heat (1995),Crime|Drama,3\n1,Again,,\n2,Alien,Horror,x\n"))
	f.Add([]byte("movieId,title,genres\n1,\"Matrix, The (1999)\",Action\n"))
	f.Add([]byte("1::Toy Story (1995)::Animation|Comedy\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "items.csv")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, skip := range []bool{false, true} {
			c, _, err := LoadCatalogue(path, Options{SkipBadLines: skip})
			if err != nil {
				continue
			}
			seen := map[string]bool{}
			for _, it := range c.Items {
				if it.ID == "" || seen[it.ID] || len(it.Title) > maxTitle || len(it.Values) != len(c.Columns) {
					t.Fatalf("%+v", it)
				}
				seen[it.ID] = true
			}
		}
	})
}
