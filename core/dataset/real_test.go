package dataset

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const small = "../../assets/data/ml-latest-small"

// TestLatestSmall holds the embedded data set against counts made of its files by other means.
func TestLatestSmall(t *testing.T) {
	d, err := Load(small, none)
	if err != nil {
		t.Fatal(err)
	}
	check(t, d)
	if d.Name != "MovieLens latest small" || d.Attribution != MovieLensAttribution || d.Licence == "" {
		t.Errorf("named %q, licence %q", d.Name, d.Licence)
	}
	r := d.Read
	if r.Interactions != 100_836 || r.Kept != 48_580 || r.BelowRating != 52_256 || r.Duplicates != 0 ||
		r.MaxRating != 5 || r.MinRating != 4 {
		t.Errorf("%+v", r)
	}
	if d.Users.Len() != 609 || d.Items.Len() != 6298 || r.Described != 6298 {
		t.Errorf("%d users, %d items, %d described", d.Users.Len(), d.Items.Len(), r.Described)
	}
	// Of the 52,256 ratings below 4, the ones of the 3,426 films without any higher rating are missing.
	if d.Unliked.Len() != 45_479 {
		t.Errorf("%d ratings are below the threshold", d.Unliked.Len())
	}
	everything := 0.5
	o := none
	o.MinRating = &everything
	if all, err := Load(small, o); err != nil || all.Users.Len() != 610 || all.Items.Len() != 9724 ||
		all.Positives.Len() != 100_836 {
		t.Errorf("with every rating positive: %v, %v", all.Stats(), err)
	}
	filtered, err := Load(small, Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, filtered)
	if s := filtered.Stats(); s.Users != 563 || s.Items != 1947 || s.Interactions != 40_921 || s.PerUser.Least < 10 ||
		s.PerItem.Least < 5 {
		t.Errorf("after 10/5: %+v", s)
	}
	i, _ := filtered.Items.Index("1")
	if x := filtered.Catalogue.Items[i]; x.Title != "Toy Story" || x.Year != 1995 ||
		x.Values[filtered.Catalogue.Column("imdbId")] != "0114709" ||
		x.Values[filtered.Catalogue.Column("tmdbId")] != "862" {
		t.Errorf("item 1 is %+v", x)
	}
	again, err := Load(small, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.Positives, filtered.Positives) ||
		!reflect.DeepEqual(again.Catalogue, filtered.Catalogue) ||
		!slices.Equal(again.Users.Strings(), filtered.Users.Strings()) {
		t.Error("two readings differ")
	}
}

// TestRealTitles: no title of the real catalogue ends with an article, and none is lost.
func TestRealTitles(t *testing.T) {
	everything := 0.5
	d, err := Load(small, Options{MinRating: &everything, MinUser: -1, MinItem: -1})
	if err != nil {
		t.Fatal(err)
	}
	noYear := 0
	for _, x := range d.Catalogue.Items {
		for _, part := range strings.FieldsFunc(x.Title, func(r rune) bool { return r == '(' || r == ')' }) {
			for _, a := range articles {
				if strings.HasSuffix(strings.TrimSpace(part), ", "+a) {
					t.Errorf("%q still ends with an article", x.Title)
				}
			}
		}
		if x.Title == x.ID && x.ID != "" {
			t.Errorf("item %s has no title", x.ID)
		}
		if x.Year == 0 {
			noYear++
		} else if x.Year < 1900 || x.Year > 2018 {
			t.Errorf("%q is of %d", x.Title, x.Year)
		}
	}
	if noYear != 12 {
		t.Errorf("%d titles have no year; the file has 12 of them among the rated", noYear)
	}
}

// folder returns a folder of PMLAM_DATA, or skips.
func folder(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("PMLAM_DATA")
	if root == "" {
		t.Skipf("SKIPPED: %s is not part of the project; set PMLAM_DATA to the folder that holds it", name)
	}
	path := filepath.Join(root, name)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		t.Skipf("SKIPPED: PMLAM_DATA holds no %s", name)
	}
	return path
}

func Test100K(t *testing.T) {
	path := folder(t, "ml-100k")
	everything := 1.0
	for _, c := range []struct {
		o                       Options
		users, items, positives int
	}{
		{Options{MinRating: &everything, MinUser: -1, MinItem: -1}, 943, 1682, 100_000},
		{none, 942, 1447, 55_375},
		{Options{}, 893, 1007, 54_067},
	} {
		d, err := Load(path, c.o)
		if err != nil {
			t.Fatal(err)
		}
		check(t, d)
		if s := d.Stats(); s.Users != c.users || s.Items != c.items || s.Interactions != c.positives {
			t.Errorf("%+v: %d users, %d items, %d positives; want %d, %d, %d", c.o, s.Users, s.Items, s.Interactions,
				c.users, c.items, c.positives)
		}
		if d.Read.Described != d.Items.Len() {
			t.Errorf("%d of %d items are described", d.Read.Described, d.Items.Len())
		}
		if i, ok := d.Items.Index("73"); !ok || d.Catalogue.Items[i].Title != "Maverick" ||
			d.Catalogue.Items[i].Year != 1994 {
			t.Errorf("item 73: %+v", d.Catalogue.Items[i])
		}
		if i, ok := d.Items.Index("519"); ok && d.Catalogue.Items[i].Title != "The Treasure of the Sierra Madre" {
			t.Errorf("item 519: %+v", d.Catalogue.Items[i])
		}
	}
}

func TestCDs(t *testing.T) {
	d, err := Load(folder(t, "amazon-cds-pmlam-partial"), none)
	if err != nil {
		t.Fatal(err)
	}
	check(t, d)
	if s := d.Stats(); s.Users != 17_030 || s.Items != 24_633 || s.Interactions != 425_758 {
		t.Errorf("%d users, %d items, %d positives", s.Users, s.Items, s.Interactions)
	}
	if _, ok := d.Items.Index("B007MJ9LA2"); !ok {
		t.Error("the ids differ from items.txt")
	}
}

// TestPublishedSplits: users, items and the sizes of all parts are those published.
func TestPublishedSplits(t *testing.T) {
	for _, c := range []struct {
		name                                string
		users, items, train, val, test, all int
	}{
		{"gowalla-lightgcn", 29_858, 40_981, 810_128, 0, 217_242, 1_027_370},
		{"amazon-book-kgat", 70_679, 24_915, 652_514, 0, 193_920, 846_434},
		{"dpq-electronics", 20_247, 11_589, 244_630, 33_986, 68_777, 347_393},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, s, err := LoadFixed(folder(t, c.name), "", Options{})
			if err != nil {
				t.Fatal(err)
			}
			check(t, d)
			checkMatrix(t, s.Train)
			checkMatrix(t, s.Test)
			val := 0
			if d.Validation != nil {
				val = d.Validation.Len()
			}
			if d.Users.Len() != c.users || d.Items.Len() != c.items || s.Train.Len() != c.train || val != c.val ||
				s.Test.Len() != c.test || d.Positives.Len() != c.all {
				t.Errorf("%d users, %d items, %d + %d + %d = %d", d.Users.Len(), d.Items.Len(), s.Train.Len(), val,
					s.Test.Len(), d.Positives.Len())
			}
		})
	}
}

// BenchmarkLatestSmall reads the embedded data set with its catalogue.
func BenchmarkLatestSmall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(small, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
