package dataset

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// fuzzRead reads text by a format, with and without skipping bad lines, and holds what the package promises of every
// reader: an error of one of its types, or a well-formed data set.
func fuzzRead(t *testing.T, text []byte, format string, o Options) {
	t.Helper()
	o.MinUser, o.MinItem, o.MaxInteractions = -1, -1, 1<<20
	strict, strictErr := readBytes(t, text, format, o)
	o.SkipBadLines = true
	lenient, _ := readBytes(t, text, format, o)
	if strictErr == nil && lenient == nil {
		t.Fatal("what reads strictly does not read with bad lines skipped")
	}
	if strict != nil && (lenient.Read.Skipped > 0 || lenient.Positives.Len() != strict.Positives.Len()) {
		t.Fatalf("what reads strictly, %d positives, loses lines: %+v", strict.Positives.Len(), lenient.Read)
	}
}

func readBytes(t *testing.T, text []byte, format string, o Options) (*Dataset, error) {
	t.Helper()
	s, err := newSource("fuzz", strings.NewReader(string(text)))
	if err != nil {
		return nil, typed(t, err)
	}
	defer s.close()
	c := newCollector(o)
	if err := c.readSource(s, readers[format], o); err != nil {
		return nil, typed(t, err)
	}
	if records := c.report.Interactions; records > len(text) && !strings.HasPrefix(string(text), "\x1f\x8b") &&
		!strings.HasPrefix(string(text), "\x28\xb5") {
		t.Fatalf("%d interactions from %d bytes", records, len(text))
	}
	d, err := c.build("fuzz", o)
	if err != nil {
		return nil, typed(t, err)
	}
	d.Read = c.report
	d.Catalogue = newCatalogue(d.Items, d.Positives)
	check(t, d)
	for _, id := range append(d.Users.Strings(), d.Items.Strings()...) {
		if !utf8.ValidString(id) || id == "" || len(id) > maxIDLength {
			t.Fatalf("the id %q came through", id)
		}
	}
	return d, nil
}

// typed fails unless err is one of the package's types.
func typed(t *testing.T, err error) error {
	t.Helper()
	switch e := err.(type) {
	case *ParseError:
		if e.File == "" || e.Line < 1 || e.Rule == "" || len(e.Value) > 70 {
			t.Fatalf("an error that does not tell enough: %+v", e)
		}
	case *FileError, *FormatError, *ColumnError, *QuestionError, *LimitError, *ScaleError, *EmptyError:
	default:
		t.Fatalf("a %T: %v", err, err)
	}
	if err.Error() == "" {
		t.Fatal("an error without words")
	}
	return err
}

// seeds adds the fixtures under testdata and the texts given.
func seeds(f *testing.F, files []string, texts ...string) {
	f.Helper()
	for _, name := range files {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, s := range texts {
		f.Add([]byte(s))
	}
}

func FuzzDelimited(f *testing.F) {
	seeds(f, []string{"owner/ratings.csv", "ml-latest/ratings.csv", "amazon/ratings_2023.csv", "recbole/x.inter"},
		"user,item\n1,\"a\"\"b\"\n", "user,item\n\"1\n\",2\n", "1,2\n3,4\n", "\"\n\"\n\"\n", "user\titem\n\"a\tb\n",
		"1 2 3\n", "1::2::3\n", "user,item,rating\r\n1,2,\r\n", "\xef\xbb\xbfuser;item\n1;2")
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, format := range []string{"csv", "tsv", "delimited"} {
			fuzzRead(t, b, format, Options{})
		}
		fuzzRead(t, b, "delimited", Options{Delimiter: "::", Header: HeaderNo})
	})
}

// FuzzDetect reads whatever the first bytes look like.
func FuzzDetect(f *testing.F) {
	seeds(f, []string{"owner/ratings.csv", "ml-100k/u.data", "ml-1m/ratings.dat", "amazon/ratings_2014.csv",
		"amazon/ratings_2018.csv", "amazon/reviews.json", "goodreads/interactions.json",
		"gowalla/Gowalla_totalCheckins.txt", "lightgcn/train.txt"},
		"\x1f\x8b\x08\x00\x00\x00\x00\x00", "\x28\xb5\x2f\xfd\x04\x00", "PK\x03\x04", "\xff\xfe")
	f.Fuzz(func(t *testing.T, b []byte) { fuzzRead(t, b, "", Options{}) })
}

func FuzzJSONLines(f *testing.F) {
	seeds(f, []string{"amazon/reviews.json", "goodreads/interactions.json"},
		`{"user":"a","item":1,"rating":4.5,"time":1e9}`, `{"user":"\ud83d\ude00","item":"\u00e9\n"}`,
		`{"user":"\ud83d","item":""}`, `{"a":[[[{"b":{}}]]],"user":null}`, `[1]`, `{'user':1}`)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, format := range []string{"jsonlines", "amazon-reviews", "goodreads"} {
			fuzzRead(t, b, format, Options{})
		}
	})
}

// FuzzJSONObject holds the scanner against encoding/json: the same texts are objects, with the same members.
func FuzzJSONObject(f *testing.F) {
	seeds(f, nil, `{}`, `{"a":1,"b":"x\u0041\n","c":null,"d":[1,{"e":[]}],"f":-0.5e+3,"g":true}`, `{"a":01}`,
		`{"a":"\ud800"}`, `{"a":1,}`, `{"a" : "b"} x`, "{\"a\":\"\t\"}")
	f.Fuzz(func(t *testing.T, b []byte) {
		type member struct {
			text string
			kind jsontext.Kind
		}
		got := map[string]member{}
		var j jsonScanner
		bad := j.object(b, func(key, value []byte, kind jsontext.Kind) {
			got[string(key)] = member{string(value),
				kind}
		})
		var want map[string]json.RawMessage
		err := json.Unmarshal(b, &want)
		if !utf8.Valid(b) {
			return // encoding/json puts U+FFFD there; here a wanted value that is not UTF-8 is refused as an id
		}
		if bad == "" && (err != nil || want == nil) {
			t.Fatalf("%q is taken for an object: %v", b, err)
		}
		if bad != "" {
			if err == nil && want != nil && strings.Count(string(b), "[")+strings.Count(string(b), "{") <= maxDepth {
				t.Fatalf("%q is refused: %s", b, bad)
			}
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%q has %d members; want %d", b, len(got), len(want))
		}
		for k, raw := range want {
			m, ok := got[k]
			if !ok {
				t.Fatalf("%q: no member %q", b, k)
			}
			if m.kind == '"' {
				var s string
				if err := json.Unmarshal(raw, &s); err != nil || s != m.text {
					t.Fatalf("%q: %q is %q; want %q (%v)", b, k, m.text, s, err)
				}
			} else if m.kind != 'n' && m.text != string(raw) {
				t.Fatalf("%q: %q is %q; want %q", b, k, m.text, raw)
			}
		}
	})
}

func FuzzAdjacency(f *testing.F) {
	seeds(f, []string{"lightgcn/train.txt", "lightgcn/test.txt"}, "0\n", "a\tb  c \r\n\r\n a", "\x00 1\n")
	f.Fuzz(func(t *testing.T, b []byte) { fuzzRead(t, b, "adjacency", Options{}) })
}

func FuzzMovieLensRatings(f *testing.F) {
	seeds(f, []string{"ml-100k/u.data", "ml-1m/ratings.dat"})
	f.Fuzz(func(t *testing.T, b []byte) {
		fuzzRead(t, b, "movielens-100k", Options{})
		fuzzRead(t, b, "movielens-dat", Options{})
	})
}

func FuzzAmazonRatings(f *testing.F) {
	seeds(f, []string{"amazon/ratings_2014.csv", "amazon/ratings_2018.csv", "amazon/ratings_2023.csv"})
	f.Fuzz(func(t *testing.T, b []byte) { fuzzRead(t, b, "amazon-ratings", Options{}) })
}

func FuzzGowalla(f *testing.F) {
	seeds(f, []string{"gowalla/Gowalla_totalCheckins.txt"}, "0\t2010-02-31T00:00:00Z\t0\t0\t1\n",
		"0\t0001-01-01T00:00:00Z\t0\t0\t1\n")
	f.Fuzz(func(t *testing.T, b []byte) { fuzzRead(t, b, "gowalla", Options{}) })
}

func FuzzIndexed(f *testing.F) {
	seeds(f, []string{"indexed/interactions_partial.tsv"}, "-1\t0\n", "0 3\n", "0 1 2\n")
	f.Fuzz(func(t *testing.T, b []byte) {
		readers["fuzz indexed"] = readIndexed([]string{"a", "b"}, []string{"x", "y", "z"})
		defer delete(readers, "fuzz indexed")
		fuzzRead(t, b, "fuzz indexed", Options{})
	})
}

// FuzzMovieLensItems reads catalogues of every kind.
func FuzzMovieLensItems(f *testing.F) {
	seeds(f, []string{"ml-100k/u.item", "ml-100k/u.genre", "ml-1m/movies.dat", "ml-latest/movies.csv",
		"ml-latest/links.csv", "ml-latest/tags.csv", "owner/items.csv"},
		"id,title\n1,\"a\n\"\n", "id,a,a,\n1,2,3,4\n", "1::, The (1995)::\n")
	f.Fuzz(func(t *testing.T, b []byte) {
		ids, err := NewIDs([]string{"1", "2", "p-1", "661"})
		if err != nil {
			t.Fatal(err)
		}
		for _, skip := range []bool{false, true} {
			for _, read := range []func(*describer, *source) error{
				(*describer).file, (*describer).moviesDat,
				func(d *describer, s *source) error { return d.uItem(s, genres100K) },
				func(d *describer, s *source) error { return d.tags(s, 3) },
				func(d *describer, s *source) error { _, err := genreList(s); return err },
			} {
				s, err := newSource("fuzz", strings.NewReader(string(b)))
				if err != nil {
					typed(t, err)
					continue
				}
				d := newDescriber(ids, newCatalogue(ids, &Matrix{}), new(Report), Options{SkipBadLines: skip})
				if err := read(d, s); err != nil {
					typed(t, err)
				}
				for _, item := range d.catalogue.Items {
					for _, text := range append(append([]string{item.Title}, item.Genres...), item.Values...) {
						if cleanText(text) != text || len(item.Title) > maxTitle {
							t.Fatalf("a text of the catalogue is %q", text)
						}
					}
				}
				s.close()
				for _, x := range d.catalogue.Items {
					if x.Title == "" || !utf8.ValidString(x.Title) || len(x.Title) > maxField+1 ||
						len(x.Genres) > maxGenres || len(x.Values) > len(d.catalogue.Columns) || x.Year < 0 ||
						x.Year > 9999 {
						t.Fatalf("%+v came through", x)
					}
				}
			}
		}
	})
}

// FuzzTitles: titles keep their letters, and a restored title is one that needs no restoring.
func FuzzTitles(f *testing.F) {
	f.Add("City of Lost Children, The (Cité des enfants perdus, La) (1995)")
	f.Add("a, The, A (aka b, L') (19")
	f.Fuzz(func(t *testing.T, s string) {
		title, year := SplitTitle(s)
		if year != 0 && (year < 1870 || year > 2100) || len(title) > len(s) {
			t.Fatalf("%q is %q of %d", s, title, year)
		}
		if restored := RestoreArticles(title); len(restored) > len(title) || utf8.ValidString(title) &&
			!utf8.ValidString(restored) {
			t.Fatalf("%q becomes %q", title, restored)
		}
	})
}

// FuzzTimes: a time that is read is a number of seconds that a person could mean.
func FuzzTimes(f *testing.F) {
	for _, s := range []string{"2010-10-19T23:55:27Z", "1588615855070", "Mon Aug 01 13:41:57 -0700 2011", "09 13, 2009",
		"1e400", "-5", "2024-02-29"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, ok := parseTime([]byte(s), dayUnknown)
		if ok && (v > 1<<50 || v < -1<<50) {
			t.Fatalf("%q is %d", s, v)
		}
		if r, _, ok := parseRating([]byte(s)); ok && !isNull([]byte(s)) &&
			(math.IsNaN(float64(r)) || math.IsInf(float64(r), 0)) {
			t.Fatalf("%q is the rating %g", s, r)
		}
	})
}
