package importer

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fixture is a file of testdata. A folder becomes a zip of its files, as Letterboxd sends it.
func fixture(t testing.TB, name string) File {
	t.Helper()
	path := filepath.Join("testdata", name)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		if err := z.AddFS(os.DirFS(path)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return File{name + ".zip", b.Bytes()}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return File{name, b}
}

func read(t testing.TB, files ...File) *Library {
	t.Helper()
	l, err := Read(files, inflate, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// describe describes an entry and its mark.
func describe(l *Library, e *Entry) string {
	s := e.Title
	if e.Title == "" {
		s = "id " + e.ID
	}
	if e.Original != "" && e.Original != e.Title {
		s += " = " + e.Original
	}
	if e.Year != 0 {
		s += fmt.Sprint(" ", e.Year)
	}
	if e.Author != "" {
		s += " by " + e.Author
	}
	if e.IMDb != 0 {
		s += fmt.Sprint(" tt", e.IMDb)
	}
	if e.TMDB != 0 {
		s += fmt.Sprint(" tmdb", e.TMDB)
	}
	if e.ISBN != 0 {
		s += fmt.Sprint(" isbn", e.ISBN)
	}
	if share, ok := l.Share(e); ok {
		s += fmt.Sprintf(" %.3g", share)
	}
	return s + ": " + [...]string{"ignored", "liked", "disliked", "seen"}[DefaultMeaning.Mark(l, e)]
}

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		file   string
		format Format
		scale  float64
		bad    int
		want   string
	}{
		{"letterboxd", Letterboxd, 5, 0, `
Alien 1979 0.8: liked
Aliens 1986 0.8: liked
Jurassic Park 1993: liked
Toy Story 1995 1: liked
Heat 1995 0.9: liked
Se7en 1995: seen
Stalker 1979: ignored
Casablanca 1942: ignored
Léon: The Professional 1994 0.9: liked
The Good, the Bad and the Ugly 1966 1: liked
Batman Forever 1995 0.1: disliked
Forrest Gump 1994 0.6: seen
Cinderella 1950 0.7: seen
A Film Nobody Has Seen 2031 0.8: liked`},
		{"imdb.csv", IMDb, 10, 0, `
Toy Story 1995 tt114709 1: liked
Heat 1995 tt113277 0.8: liked
Zwei glorreiche Halunken = Il buono, il brutto, il cattivo 1966 tt60196 0.9: liked
Batman Forever 1995 tt112462 0.2: disliked
Forrest Gump 1994 tt109830 0.6: seen
Breaking Bad 2008 tt903747 1: liked`},
		{"imdb-old.csv", IMDb, 10, 0, "\nAlien 1979 tt78748 0.9: liked"},
		{"goodreads.csv", Goodreads, 5, 0, `
The Hobbit, or There and Back Again (The Lord of the Rings, #0) 1937 by J.R.R. Tolkien isbn978061826030 1: liked
Dune (Dune, #1) 1965 by Frank Herbert 0.8: liked
The Shining 1977 by Stephen King isbn978045004018: seen
Neuromancer 1984 by William Gibson isbn978044156956 0.4: disliked
Interview with the Vampire 1976 by Anne Rice isbn978034547687: ignored`},
		{"storygraph.csv", StoryGraph, 5, 0, `
Dune by Frank Herbert isbn978044101359 0.85: liked
The Hobbit by J.R.R. Tolkien isbn978061826030 0.95: liked
Neuromancer by William Gibson isbn978044156956 0.3: disliked
The Shining by Stephen King isbn978045004018: ignored
The Martian by Andy Weir isbn978055341802: seen`},
		{"movielens.csv", MovieLens, 5, 0, `
id 1 1: liked
id 6 0.8: liked
id 1214 0.9: liked
id 153 0.1: disliked
id 356 0.6: seen`},
		{"movielens-site.csv", MovieLens, 5, 0, `
Toy Story (1995) tt114709 tmdb862 1: liked
Heat (1995) tt113277 tmdb949 0.8: liked
Alien (1979) tt78748 tmdb348 0.9: liked`},
		{"semicolons.csv", Plain, 10, 0, `
Die fabelhafte Welt der Amélie 2001 0.9: liked
Alien 1979 1: liked
Heat 1995 0.8: liked
Batman Forever 1995 0.2: disliked`},
		{"latin1.csv", Plain, 5, 0, `
Léon: The Professional 1994 0.9: liked
Amélie 2001 1: liked
Alien 1979 0.8: liked`},
		{"titles.csv", Plain, 5, 0, `
Hamlet 1: liked
Toy Story 1: liked
Heat 0.8: liked
Jurasic Park 0.8: liked
The Lion Kng 0.2: disliked`},
	} {
		t.Run(c.file, func(t *testing.T) {
			l := read(t, fixture(t, c.file))
			var got strings.Builder
			for i := range l.Entries {
				got.WriteString("\n" + describe(l, &l.Entries[i]))
			}
			if got.String() != c.want {
				t.Errorf("got%s\nwant%s", got.String(), c.want)
			}
			for _, s := range l.Sources {
				if s.Format != c.format || s.Scale != c.scale || s.Told != (c.format != Plain) {
					t.Errorf("%+v", s)
				}
			}
			if l.Bad != c.bad {
				t.Errorf("%d rows could not be read: %v", l.Bad, l.Why)
			}
		})
	}
}

// Columns may be in any order, with others between them, and after a byte order mark.
func TestColumnsByName(t *testing.T) {
	a := read(t, File{"a.csv", []byte("Rating,Letterboxd URI,Tags,Year,Name\n4,x,\"a,b\",1995,Heat\n")})
	if got := describe(a, &a.Entries[0]); got != "Heat 1995 0.8: liked" || a.Sources[0].Format != Letterboxd {
		t.Errorf("%q, %+v", got, a.Sources[0])
	}
	b := read(t, File{"b.tsv", []byte("\xEF\xBB\xBF\"IMDb Rating\"\t\"Your " +
		"Rating\"\tTitle\tConst\n9.1\t3\tHeat\ttt0113277\n")})
	if got := describe(b, &b.Entries[0]); got != "Heat tt113277 0.3: disliked" {
		t.Errorf("%q", got)
	}
	c := read(t, File{"c.csv", []byte("sep=;\nname;rating\n\"Heat\";★★★½\n Alien ;\"4/5\"\n\nUp;☆\n")})
	for i, want := range []string{"Heat 0.7: seen", "Alien 0.8: liked", "Up: seen"} {
		if got := describe(c, &c.Entries[i]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestScalesFromTheData(t *testing.T) {
	for ratings, want := range map[string]struct {
		scale float64
		marks string
	}{
		"5 4 3 2 1": {5, "++.--"}, "10 8 6 4": {10, "++.-"}, "100 85 50 10 0": {100, "++.--"}, "1 0 1": {1, "+-+"},
		"1 -1": {1, "+-"},
		"0 5":  {5, ".+"}, "3.5 4.25": {5, ".+"}, "80% 20%": {100, "+-"}, "3/4 1/4": {4, ".-"}, "16 20 4": {20, "++-"},
	} {
		var b strings.Builder
		b.WriteString("title,rating\n")
		for i, r := range strings.Fields(ratings) {
			fmt.Fprintf(&b, "Film %d,%s\n", i, r)
		}
		l := read(t, File{"x.csv", []byte(b.String())})
		got := ""
		for i := range l.Entries {
			got += string("?+-."[DefaultMeaning.Mark(l, &l.Entries[i])])
		}
		if l.Sources[0].Scale != want.scale || got != want.marks || l.Bad > 0 {
			t.Errorf("%s: scale %v, marks %s, want %v, %s (%v)", ratings, l.Sources[0].Scale, got, want.scale,
				want.marks, l.Why)
		}
	}
}

func TestParseRating(t *testing.T) {
	for s, want := range map[string]float64{"4": 4, "4.25": 4.25, "4,5": 4.5, " 7 ": 7, "0": 0, "-1": -1, "−1": -1,
		"★★★★★": 5, "⭐️⭐️": 2, ".5": 0.5, "9/10": 9, "3.5 / 5": 3.5, "8 out of 10": 8, "8 von 10": 8, "4 stars": 4,
		"7 Sterne": 7, "85 %": 85, "★★★★☆☆☆☆☆☆": 4, "Liked": 1, "👎": 0, "9分": 9} {
		if got, ok := parseRating(s); !ok || got.value != want {
			t.Errorf("%q is parsed as %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "x", "4 x 3", "101", "-2", "1e3", "NaN", "5/0", "6/5", "1,2,3", "★★★★★★", "/", "%",
		"00000000000000000001"} {
		if got, ok := parseRating(s); ok {
			t.Errorf("%q is parsed as %v", s, got)
		}
	}
}

func TestISBN(t *testing.T) {
	for s, want := range map[string]int{"0618260307": 978061826030, "978-0-618-26030-0": 978061826030,
		"080442957X": 978080442957, "": 0, "B00ABC": 0, "123": 0, "97806182603001": 0} {
		if got := isbn(s); got != want {
			t.Errorf("%q is parsed as %d, want %d", s, got, want)
		}
	}
}

// Errors name the file, the line and the column.
func TestBadFiles(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		want string
	}{
		"empty":       {"", "f: the table has no rows"},
		"header only": {"title,rating\n\n", "f: the table has no rows"},
		"no title":    {"\nfoo,bar\n1,2\n", "f, line 2: there is no column of titles (foo, bar)"},
		"open quote":  {"\"title,rating\nHeat,5\n", "f, line 1: a quote opens here and is not closed"},
		"many columns": {strings.Repeat("title,", 300) + "\n",
			"f, line 1: too many columns or files for an export of ratings"},
		"many rows": {"title\n" + strings.Repeat("a\n", maxRows+1),
			"f, line 100002: there are more than 100,000 rows; keep only the ratings of one " +
				"person"},
		"many people": {"userId,movieId,rating\n1,1,5\n2,1,4\n",
			"f, line 3, column userId: this holds the ratings of several people; keep the rows of one"},
		"binary": {"\x89PNG\r\n\x1a\n\x00\x00", "f: this kind of file is not supported; save or export it as CSV (PNG)"},
		"zip without": {string(zipped(t, map[string]string{"a.txt": "hello", "b.bin": "x"})),
			"f: the zip does not contain a table of ratings"},
		"zip cut short": {string(zipped(t, map[string]string{"ratings.csv": "title\nx\n"})[:40]),
			"f: the zip is damaged; download it again"},
		"zip of an export": {strings.Replace(string(zipped(t,
			map[string]string{"ratings.csv": strings.Repeat("title\n", 50)})), "\x00\x00PK\x01\x02",
			"\x00\x01PK\x01\x02", 1), ""},
	} {
		_, err := Read([]File{{"f", []byte(c.data)}}, inflate, nil)
		if c.want == "" {
			continue
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if e := AsError(err); err != nil && e == nil {
			t.Errorf("%s: %T is not an *Error", name, err)
		}
	}
	if _, err := Read([]File{{"a", make([]byte, MaxBytes)}, {"b", []byte("title\nx\n")}}, inflate, nil); err == nil ||
		AsError(err).Reason != TooLarge {
		t.Errorf("more than MaxBytes: %v", err)
	}
	if _, err := Read(nil, nil, nil); err == nil {
		t.Error("no error without any file")
	}
}

// A bad row is counted and reported, and the other rows are read.
func TestBadRows(t *testing.T) {
	l := read(t, File{"f.csv", []byte("Title,Year,Rating\nHeat,1995,5\nThe Good, the " +
		"Bad,1966,5\n,1990,4\nAlien,1979,great\nUp,2009,4,\n")})
	if len(l.Entries) != 2 || l.Bad != 3 || l.Rows != 5 {
		t.Fatalf("%+v", l)
	}
	for i, want := range []string{
		"f.csv, line 3: the row has more fields than the header", "f.csv, line 4: the row has no title",
		"f.csv, line 5, column Rating: this is not a rating (great)",
	} {
		if got := l.Why[i].Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A row that does not end, or is too long, is one bad row: the rows below it are read.
func TestRowsWithoutAnEnd(t *testing.T) {
	long := strings.Repeat("x", maxField+1)
	for name, c := range map[string]struct {
		row string
		bad string
	}{
		"open quote":     {`"Alien,5`, "f, line 3: a quote opens here and is not closed"},
		"long field":     {long + ",5", "f, line 3: a field is longer than 1 MB; is a quote missing?"},
		"long quote":     {`Alien,"` + long + `"`, "f, line 3: a field is longer than 1 MB; is a quote missing?"},
		"doubled quotes": {`Alien,"` + strings.Repeat(`""`, maxField+1), "f, line 3: a field is longer than 1 MB; is a quote missing?"},
		"many fields":    {strings.Repeat("a,", 300), "f, line 3: too many columns or files for an export of ratings"},
	} {
		l, err := Read([]File{{"f", []byte("title,rating\nHeat,5\n" + c.row + "\nUp,1\nSaw,4\n")}}, inflate, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(l.Entries) != 3 || l.Bad != 1 || l.Why[0].Error() != c.bad {
			t.Errorf("%s: %d entries, %d bad, %v; want 3, 1 and %s", name, len(l.Entries), l.Bad, l.Why, c.bad)
		} else if e := l.Entries[1]; e.Title != "Up" || e.Line != 4 || l.Entries[2].Line != 5 {
			t.Errorf("%s: %+v", name, e)
		}
	}
	// After too many such rows, the file is refused.
	if _, err := Read([]File{{"f", []byte("title,rating\n" + strings.Repeat("\"Alien,5\n", 1001))}}, inflate, nil); err == nil ||
		err.Error() != "f, line 22: a quote opens here and is not closed" {
		t.Error(err)
	}
}

// One unreadable file does not stop the others, and it is named.
func TestOneFileEndsNothing(t *testing.T) {
	good := File{"good.csv", []byte("title,rating\nHeat,5\n")}
	for _, bad := range []File{
		{"x.pdf", []byte("%PDF-1.4\n")}, {"x.csv", []byte("a,b\n1,2\n")}, {"x.zip", []byte("PK\x03\x04")},
		{"x.csv", []byte("userId,movieId,rating\n1,1,5\n2,1,4\n")}, {"x.gz", []byte("\x1F\x8B\x08")},
		{"x.csv", []byte("title\n" + strings.Repeat("a\n", maxRows+1))},
		{"x.zip", zipped(t, map[string]string{"a.txt": "hello"})}, {"x.csv", nil},
	} {
		for _, files := range [][]File{{good, bad}, {bad, good}} {
			l, err := Read(files, inflate, nil)
			if err != nil {
				t.Errorf("%s: %v", bad.Name, err)
				continue
			}
			if len(l.Entries) != 1 || len(l.Sources) != 1 || l.Rows != 1 {
				t.Errorf("%s: %+v", bad.Name, l)
			}
			if bad.Name != "x.zip" && (len(l.LeftOut) != 1 || l.LeftOut[0].File != bad.Name) {
				t.Errorf("%s: left out are %v", bad.Name, l.LeftOut)
			}
		}
	}
	// A damaged member does not stop the other members.
	b := zipped(t, map[string]string{"ratings.csv": "title,rating\n" + strings.Repeat("Heat,5\n", 50), "good.csv": "title,rating\nUp,4\n"})
	b[bytes.Index(b, []byte("ratings.csv"))+20]++
	if l, err := Read([]File{{"x.zip", b}}, inflate, nil); err != nil || len(l.Entries) != 1 || len(l.LeftOut) != 1 ||
		l.LeftOut[0].Reason != ZipDamaged {
		t.Errorf("a damaged member: %+v, %v", l, err)
	}
}

// Several files become one library; a rating in any of them wins over none.
func TestSeveralFiles(t *testing.T) {
	l := read(t,
		File{"watched.csv", []byte("Date,Name,Year,Letterboxd URI\n,Heat,1995,a\n,Up,2009,b\n")},
		File{"mine.csv", []byte("title,year,rating\nheat,1995,9\nAlien,1979,3\n")})
	if got := describe(l, &l.Entries[0]); len(l.Entries) != 3 || got != "Heat 1995 0.9: liked" {
		t.Errorf("%d entries, the first %q", len(l.Entries), got)
	}
}

// Pause is called often, and its error stops the work at once.
func TestPause(t *testing.T) {
	data := []byte("title,rating\n" + strings.Repeat("Some film that is not known,4\n", 5000))
	stop := errors.New("stop")
	for _, f := range []File{{"a.csv", data}, {"a.zip", zipped(t, map[string]string{"ratings.csv": string(data)})}} {
		calls, last := 0, 0
		if _, err := Read([]File{f}, inflate, func(done, total int) error {
			if calls++; done < last || done > total {
				t.Fatalf("%s: %d of %d after %d", f.Name, done, total, last)
			}
			last = done
			return nil
		}); err != nil || calls < 50 {
			t.Errorf("%s: asked %d times, %v", f.Name, calls, err)
		}
		for at := 1; at < calls; at += 7 {
			n := 0
			if _, err := Read([]File{f}, inflate, func(int, int) error {
				if n++; n == at {
					return stop
				}
				return nil
			}); err != stop || n != at {
				t.Fatalf("%s: stopped at %d, %d asked: %v", f.Name, at, n, err)
			}
		}
	}
	m, _ := matcher(t)
	l := read(t, File{"a.csv", []byte("title\nA\nB\nC\nD\nE\nF\nG\nH\nI\n")})
	if _, err := m.Match(l, func(int, int) error { return stop }); err != stop {
		t.Errorf("Match was not stopped: %v", err)
	}
}

func zipped(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, s := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(s))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func FuzzRead(f *testing.F) {
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d.Name() == "fuzz" {
				return fs.SkipDir
			}
			return err
		}
		b, err := os.ReadFile(path)
		f.Add(b)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(fixture(f, "letterboxd").Data)
	for _, c := range readings() {
		f.Add([]byte(c.data))
	}
	f.Add([]byte("sep=|\ntitle|rating\n\"a\"\"b\" c|★½\r\"x|1"))
	m, c := matcher(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		l, err := Read([]File{{"f", b}}, inflate, nil)
		if err != nil {
			if AsError(err) == nil || len(err.Error()) > 4*maxText {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if len(l.Entries)+l.Bad > l.Rows || len(l.Entries) == 0 && l.Bad == 0 || len(l.Why) > maxBad ||
			len(l.LeftOut) > maxBad {
			t.Fatalf("%d rows, %d entries, %d bad", l.Rows, len(l.Entries), l.Bad)
		}
		for i := range l.Entries {
			e := &l.Entries[i]
			if share, ok := l.Share(e); share < 0 || share > 1 || ok && !e.Rated || len(e.Title) > maxText ||
				strings.ContainsAny(e.Title, "\n\x00") {
				t.Fatalf("%+v: %v", e, share)
			}
		}
		found, err := m.Match(l, nil)
		if err != nil || len(found) != len(l.Entries) {
			t.Fatal(len(found), err)
		}
		taken := map[int]bool{}
		for _, x := range found {
			if x.Item >= c.Len() || x.Item >= 0 && (taken[x.Item] || len(x.Candidates) > 0) ||
				len(x.Candidates) > candidates {
				t.Fatalf("%+v", x)
			}
			taken[x.Item] = x.Item >= 0
		}
	})
}
