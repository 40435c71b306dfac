package main

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/internal/cli"
)

func rated(name string) string {
	return filepath.Join(repo, "core", "importer", "testdata", name)
}

// An export gives the recommendations of its titles, packed or not.
func TestRecommendFromExports(t *testing.T) {
	packed := filepath.Join(t.TempDir(), "letterboxd-export.zip")
	f, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	if err := w.AddFS(os.DirFS(rated("letterboxd"))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, as []string
		want     imported
	}{
		{
			[]string{"--from", rated("imdb.csv")},
			[]string{"--like", "Toy Story", "--like", "Heat", "--like", "The Good, the Bad and the Ugly", "--dislike",
				"Batman Forever", "--seen", "Forrest Gump"},
			imported{Titles: 6, Liked: 3, Disliked: 1, Seen: 1, Series: 1},
		},
		{
			// Flags override the file, and unsure titles are left out.
			[]string{"--from", rated("titles.csv"), "--dislike", "Heat"},
			[]string{"--like", "Toy Story", "--dislike", "Heat"},
			imported{Titles: 5, Liked: 2, Unsure: []string{
				rated("titles.csv") + `, line 2: "Hamlet" may be Hamlet (1996)`, rated("titles.csv") +
					`, line 5: "Jurasic Park" may be Jurassic Park (1993)`,
				rated("titles.csv") + `, line 6: "The Lion Kng" may be The Lion King (1994)`,
			}},
		},
		{
			[]string{"--from", packed},
			[]string{
				"--from", rated("letterboxd/ratings.csv"), "--from", rated("letterboxd/diary.csv"), "--from",
				rated("letterboxd/watched.csv"),
				"--from", rated("letterboxd/watchlist.csv"), "--from", rated("letterboxd/likes/films.csv"),
			},
			imported{Titles: 14, Liked: 7, Disliked: 1, Seen: 3, Wished: 2, Unknown: 1},
		},
	} {
		r := ok(t, append([]string{"recommend", "--json", "--model", shipped}, c.args...)...)
		if got, want := titles(recommended(t, r)), titles(ask(t, c.as...)); len(got) != 10 || !slices.Equal(got, want) {
			t.Errorf("%v: %v, but %v: %v", c.args, got, c.as, want)
		}
		var out struct{ Import imported }
		if err := json.Unmarshal([]byte(r.out), &out); err != nil {
			t.Fatal(err)
		}
		if c.want.Unsure == nil {
			c.want.Unsure = []string{}
		}
		if len(out.Import.Tables) == 0 || out.Import.Tables[0].Title == "" {
			t.Errorf("%v: the tables are %+v", c.args, out.Import.Tables)
		}
		c.want.Tables, c.want.LeftOut = out.Import.Tables, []string{}
		if !reflect.DeepEqual(out.Import, c.want) {
			t.Errorf("%v: %+v, want %+v", c.args, out.Import, c.want)
		}
	}
}

// The report lists the titles found, and how to correct the others.
func TestTellsWhatAnExportHolds(t *testing.T) {
	r := ok(t, "recommend", "--model", shipped, "--from", rated("titles.csv"))
	for _, want := range []string{
		"pmlam: " + rated("titles.csv") + ": titles from \"Title\", ratings from \"Rating\" of 5\n",
		"pmlam: of 5 titles in " + rated("titles.csv") + ": 2 liked, 3 unsure and left out\n",
		"pmlam: unsure: " + rated("titles.csv") + ", line 5: \"Jurasic Park\" may be Jurassic Park (1993)\n",
		"pmlam: add the right ones with --like, --dislike or --seen\n",
	} {
		if !strings.Contains(r.errors, want) {
			t.Errorf("%q is not in\n%s", want, r.errors)
		}
	}
}

// Missing columns are reported, and an unreadable file does not end the command.
func TestTellsWhatAnExportDoesNotSay(t *testing.T) {
	list, picture := filepath.Join(t.TempDir(), "list.csv"), filepath.Join(t.TempDir(), "x.png")
	write(t, list, "Position,Const,Created,Title,Year,Title Type,Your Rating\n1,tt0078748,2025-07-09,Alien,1979,Movie,\n"+
		"2,tt0113277,2025-07-09,Heat,1995,Movie,9\n3,tt0903747,2025-07-09,Breaking Bad,2008,TV Series,10\n")
	write(t, picture, "\x89PNG\r\n")
	r := ok(t, "recommend", "--model", shipped, "--from", list, "--from", picture)
	for _, want := range []string{
		"pmlam: " + list + ": titles from \"Title\", years from \"Year\", ratings from \"Your Rating\" of 10\n",
		"pmlam: left out: " + picture + ": this kind of file is not supported; save or export it as CSV (PNG)\n",
		": 1 liked, 1 only listed, 1 series and episodes\n",
	} {
		if !strings.Contains(r.errors, want) {
			t.Errorf("%q is not in\n%s", want, r.errors)
		}
	}
}

func TestExportsWithoutAnswer(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.csv")
	if err := os.WriteFile(large, []byte("title,rating\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, importer.MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--from", "nosuch.csv"}, cli.ExitFailed, "open nosuch.csv: "},
		{[]string{"--from", large}, cli.ExitFailed, large + ": "},
		{[]string{"--from", filepath.Join(repo, "go.mod")}, cli.ExitFailed, "../../../go.mod, line 1: there is no column " +
			"of titles"},
		{[]string{"--from", rated("goodreads.csv")}, cli.ExitFailed, rated("goodreads.csv") + ": titles from "},
		{[]string{"--from", rated("imdb.csv"), "--user", "1"}, cli.ExitUsage, "--user cannot be combined with titles or --from"},
	} {
		r := command(append([]string{"recommend", "--model", shipped}, c.args...)...)
		if r.code != c.code || !strings.HasPrefix(r.errors, "pmlam: "+c.want) || r.out != "" {
			t.Errorf("%v: exit code %d, %s%s", c.args, r.code, r.errors, r.out)
		}
	}
}
