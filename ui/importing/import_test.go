package importing_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/importing"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/tabs"
	"github.com/pmlam/pmlam/ui/words"
)

func csv(rows string) []importer.File {
	return []importer.File{{Name: "mine.csv", Data: []byte(rows)}}
}

// linked is a line with IMDb's numbers: item i is tt0001000 + i.
type linked struct{ *uitest.Line }

func (linked) Columns() []string { return []string{"imdbId"} }

func newLinked(n int) linked {
	e := linked{uitest.NewLine(n)}
	for i := range e.Items {
		e.Items[i].Values = []string{strconv.Itoa(1000 + i)}
	}
	return e
}

// An owner can switch imports off: no text of the page offers one.
func TestImportOff(t *testing.T) {
	for _, off := range []bool{false, true} {
		owner := words.Owner{NoImport: off}
		v := uitest.ComeTo(t, ui.New(ui.Config{Engine: uitest.NewLine(60), Disk: uitest.NewMemory(), Owner: owner}))
		pages := v.HTML()
		v.Does(func() { v.P.Starters.Pick(0); v.P.People.Add("Anna") })
		pages = strings.ToLower(pages + v.HTML())
		if strings.Contains(pages, "import") == off || strings.Contains(pages, strings.ToLower(v.P.W.BringInstead)) == off {
			t.Errorf("with imports off: %v, the page says the opposite", off)
		}
	}
}

func TestImportIsReviewedFirst(t *testing.T) {
	v := uitest.Come(t, newLinked(60), uitest.NewMemory())
	v.Does(func() { v.P.Marking.Toggle(5, keep.NotForMe) })
	v.Does(func() {
		v.P.Import.Bring(csv("Const,Title,Year,Your Rating\ntt0001003,Anything,1953,9\n,Film 4,1954,3\n,Film " +
			"5,1955,10\n,Film 6,1956,6\n,Film 7,,8\n,Nowhere,1970,9\n"))
	})
	v.Sees("From IMDb: 6 titles", "5 found, 1 of them to check and 1 not in this catalogue.",
		"This adds 2 likes, 1 dislike and 1 known. 1 that you marked here stays as it is.",
		`aria-label="Film 7"`, "Film 7, 1957", "None of these")
	if len(v.P.Now().Likes) != 0 || !slices.Equal(v.P.Now().Dislikes, []string{"id5"}) {
		t.Fatalf("marks were added before the visitor agreed: %+v", v.P.Now().State)
	}
	v.Does(v.P.Import.AgreeImport)
	if s := v.P.Now().State; !slices.Equal(s.Likes, []string{"id3", "id7"}) ||
		!slices.Equal(s.Dislikes, []string{"id5", "id4"}) || !slices.Equal(s.Seen, []string{"id6"}) {
		t.Fatalf("after agreeing: %+v", s)
	}
	v.Sees("Added from IMDb: 2 likes, 1 dislike and 1 known.", "Undo the import", ">Undo<")
	v.Does(func() { v.P.Marking.Toggle(3, keep.Seen) }) // a mark after the import
	v.Does(v.P.Import.TakeImportBack)
	if s := v.P.Now().State; len(s.Likes) != 0 || !slices.Equal(s.Dislikes, []string{"id5"}) ||
		!slices.Equal(s.Seen, []string{"id3"}) {
		t.Errorf("after undoing the import: %+v", s)
	}
	v.Misses("Undo the import")
}

// Stars and dates of an import are kept, and undoing it removes them. The numbers of a review never exceed those found.
func TestImportDetails(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	file := csv("Name,Year,Letterboxd URI,Rating,Watched Date\nFilm 1,1951,u,5,2019-05-01\nFilm 2,1952,u,4.5,2018-01-02\n" +
		"Film 3,1953,u,1.5,\nFilm 4,1954,u,,2020-02-29\nFilm 5,,u,4,2017-01-01\nFilm 5,1955,u,4,2017-01-01\n")
	for range 2 {
		v.Does(func() { v.P.Import.Bring(file) })
		m := v.P.Import
		if a := m.Adds; a.Likes+a.Dislikes+a.Seen+a.Kept > len(m.Found)+len(m.Doubts) {
			t.Errorf("the review adds %+v of %d found", a, len(m.Found)+len(m.Doubts))
		}
		v.Does(m.AgreeImport)
		want := map[int]keep.Details{1: {Stars: 10, When: 1_556_668_800}, 2: {Stars: 9, When: 1_514_851_200}, 3: {Stars: 3},
			4: {When: 1_582_934_400}, 5: {Stars: 8, When: 1_483_228_800}}
		if got := v.P.Now().Details; !maps.Equal(got, want) {
			t.Errorf("after the import: %+v, want %+v", got, want)
		}
		if w := v.P.Now().Visit.Weights; len(w) != 60 || w[1] != 1.5 || w[2] != 1.25 || w[5] != 0 {
			t.Errorf("the likes weigh %v", w)
		}
		v.Does(m.TakeImportBack)
		if got := v.P.Now().Details; len(got) > 0 || v.P.Now().Marked() {
			t.Errorf("after undoing the import: %+v", got)
		}
	}
	v.Does(func() { v.P.Import.Bring(csv("title,rating\nFilm 1,👍\n")) }) // thumbs are not stars
	v.Does(func() { v.P.Import.ChooseAll(true) })
	v.Does(v.P.Import.AgreeImport)
	if len(v.P.Now().Likes) != 1 || len(v.P.Now().Details) > 0 {
		t.Errorf("after a thumb: %+v, %+v", v.P.Now().State, v.P.Now().Details)
	}
}

// A file that adds nothing cannot be added.
func TestImportOfNothing(t *testing.T) {
	v := uitest.Come(t, newLinked(60), uitest.NewMemory())
	file := csv("Const,Title,Year,Your Rating\ntt0001003,Anything,1953,9\n")
	v.Does(func() { v.P.Import.Bring(file) })
	v.Sees("review-agree")
	v.Does(v.P.Import.AgreeImport)
	v.Does(func() { v.P.Import.Bring(file) })
	v.Sees(v.P.W.BringCancel)
	v.Misses("review-agree")
}

func TestImportUndo(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	list := v.Titles()
	v.Does(func() { v.P.Import.Bring(csv("title,year,rating\nFilm 8,1958,5\nFilm 9,1959,1\n")) })
	v.Does(v.P.Import.AgreeImport)
	if slices.Equal(v.Titles(), list) {
		t.Error("an import changed nothing in the list")
	}
	v.Does(v.P.Offer.TakeBack)
	if !slices.Equal(v.Titles(), list) || !slices.Equal(v.P.Now().Likes, []string{"id0"}) ||
		len(v.P.Now().Dislikes) != 0 {
		t.Errorf("after undo: %+v", v.P.Now().State)
	}
	v.Misses("Undo the import")
}

func TestImportMeaning(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() {
		v.P.Import.Bring(csv("title,year,rating\nFilm 1,1951,5\nFilm 2,1952,4\nFilm 3,1953,3\nFilm 4,1954,2\nFilm " +
			"5,1955,\n"))
	})
	says := func(want string) {
		t.Helper()
		v.Sees("This adds " + want + ".")
	}
	press := func(group, text string) {
		t.Helper()
		for _, b := range v.P.Import.ReviewBlocks() {
			for _, x := range b.Choices {
				if b.Text == group && x.Text == text {
					v.Does(x.Do)
					return
				}
			}
		}
		t.Fatalf("there is no %q under %q", text, group)
	}
	w := v.P.W
	says("2 likes, 1 dislike and 2 known")
	press(w.BringLike, "5 of 5")
	says("1 like, 1 dislike and 3 known")
	press(w.BringDislike, w.BringNever)
	says("1 like and 4 known")
	press(w.BringUnrated, w.BringUnratedAs[importer.Ignored])
	says("1 like and 3 known")
	press(w.BringUnrated, w.BringUnratedAs[importer.Liked])
	says("2 likes and 3 known")
	press(w.BringScale, "10")
	says("1 like and 4 known")
	v.Sees("10 of 10")
	v.Does(v.P.Import.CancelImport)
	v.Misses("This adds")
	if v.P.Now().Marked() {
		t.Error("a cancelled import left marks")
	}
}

func TestImportProblems(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Import.Bring(csv("%PDF-1.4")) })
	v.Sees(`role="alert"`, "mine.csv: this page cannot read this kind of file. Save or export it as CSV: “PDF”.")
	v.Does(func() { v.P.Import.Bring(csv("title\n\"open")) })
	v.Sees("mine.csv, line 2: a quote opens here and never closes.")
	v.Does(func() { v.P.Import.Take(browser.Files{Unread: "gone.csv"}) })
	v.Sees("gone.csv could not be read. Is it still there?")
	v.Does(func() { v.P.Import.Take(browser.Files{Unread: "big.zip", Large: true, Dropped: true}) })
	v.Sees("big.zip: more than 32 MB, which is all this page reads.")
	if v.P.Tabs.Tab != tabs.Taste {
		t.Error("dropping a file does not open the import")
	}
	v.Does(func() { v.P.Import.Bring(csv("title,year\nNowhere,1950\n")) })
	v.Sees("None of these is in this catalogue of 60 titles.", "This adds nothing.")
	v.Does(v.P.Import.AgreeImport)
	v.Misses("None of these titles", ">Undo<")
}

// The review asks for information that a table lacks, and names the columns in use.
func TestImportAsks(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	press := func(group, text string) {
		t.Helper()
		for _, b := range v.P.Import.ReviewBlocks() {
			for _, x := range b.Choices {
				if b.Text == group && x.Text == text {
					v.Does(x.Do)
					return
				}
			}
		}
		t.Fatalf("there is no %q under %q", text, group)
	}
	w := v.P.W
	v.Does(func() {
		v.P.Import.Bring(append(csv("Title,Year,Wow,Type\nFilm 1,1951,9,movie\nFilm 2,1952,2,movie\nFilm 3,1953,10,TV Series\n"),
			importer.File{Name: "x.pdf", Data: []byte("%PDF")}))
	})
	v.Sees("This adds nothing.", "mine.csv: names from “Title”, years from “Year”, no column of ratings.", w.BringListed,
		"1 series or episode left out", "x.pdf: this page cannot read this kind of file.")
	press(w.BringListed, w.BringUnratedAs[importer.Seen])
	v.Sees("This adds 2 known.")
	press(w.BringRatings, "Wow")
	v.Sees("This adds 1 like and 1 dislike.", "ratings from “Wow”")
	v.Misses(w.BringRatings, w.BringListed)
}

// Stopping, or erasing, leaves everything as it was, and the next file works.
func TestImportStops(t *testing.T) {
	for _, stop := range []func(p *ui.Page){func(p *ui.Page) { p.Import.CancelImport() },
		func(p *ui.Page) { p.EraseAll() }} {
		v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
		v.Env.Lock()
		v.P.Import.Bring(csv("title,rating\n" + strings.Repeat("Film 1,5\n", 90_000)))
		stop(v.P) // the work waits for the lock before announcing its search
		v.Env.UnlockRender()
		v.P.Tasks.Wait()
		if v.P.Import.Stage != importing.Waiting || v.P.Now().Marked() {
			t.Errorf("after stopping, the import is at stage %d", v.P.Import.Stage)
		}
		v.Does(func() { v.P.Import.Bring(csv("title,year,rating\nFilm 1,1951,5\n")) })
		v.Sees("From a table: 1 title", "1 found.")
	}
}

// New files replace those being read, whether they can be read or not. Only one reading uses the matcher at a time, as
// the race detector checks.
func TestImportOfTheLatestFiles(t *testing.T) {
	long := csv("title,year,rating\n" + strings.Repeat("Film 1,1951,5\n", 90_000))
	for _, c := range []struct {
		name  string
		next  func(m *importing.State)
		shows []string
	}{
		{"a table", func(m *importing.State) { m.Bring(csv("title,year,rating\nFilm 2,1952,5\nFilm 3,1953,5\n")) },
			[]string{"From a table: 2 titles", "2 found."}},
		{"two, one after the other", func(m *importing.State) {
			m.Bring(csv("title,year,rating\nFilm 2,1952,5\nFilm 3,1953,5\n"))
			m.Bring(csv("title,year,rating\nFilm 4,1954,5\n"))
		}, []string{"From a table: 1 title", "1 found."}},
		{"a damaged table", func(m *importing.State) { m.Bring(csv("title\n\"open")) },
			[]string{"mine.csv, line 2: a quote opens here and never closes."}},
		{"an unreadable file", func(m *importing.State) { m.Take(browser.Files{Unread: "gone.csv"}) },
			[]string{"gone.csv could not be read. Is it still there?"}},
		{"none, the latest being stopped", func(m *importing.State) {
			m.Bring(csv("title,year,rating\nFilm 2,1952,5\n"))
			m.CancelImport()
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
			v.Env.Lock()
			v.P.Import.Bring(long)
			c.next(v.P.Import) // the work waits for the lock before announcing its search
			v.Env.UnlockRender()
			v.P.Tasks.Wait()
			v.Sees(c.shows...)
			if c.shows == nil && (v.P.Import.Stage != importing.Waiting || v.P.Import.Problem != nil) {
				t.Errorf("after stopping, the import is at stage %d", v.P.Import.Stage)
			}
			v.Misses("90,000")
		})
	}
}
