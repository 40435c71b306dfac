package dataset

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/catalogue"
)

func FuzzMatrix(f *testing.F) {
	seeds(f, []string{"files/matrix.csv", "files/matrix-binary.tsv", "files/matrix-comma.csv"}, ",a,b,c\n1,,,\n",
		"user,a,b,c\n1,-1,0,1\n2,like,,5\n")
	f.Fuzz(func(t *testing.T, b []byte) { fuzzRead(t, b, "matrix", Options{}) })
}

func FuzzRecbole(f *testing.F) {
	seeds(f, []string{"files/atomic/shop.inter", "files/atomic-split/shop.test.inter"},
		"user_id:token\titem_id:token\n")
	f.Fuzz(func(t *testing.T, b []byte) { fuzzRead(t, b, "recbole", Options{}) })
}

func FuzzCountedLists(f *testing.F) {
	seeds(f, []string{"files/counts.txt", "files/user-counts.txt", "files/count-or-user.txt"}, "1 a\n1 b\n",
		"x 1 a\ny 2 a b\nz 1 c\n")
	f.Fuzz(func(t *testing.T, b []byte) {
		fuzzRead(t, b, "adjacency-counts", Options{Format: "adjacency-counts"})
		fuzzRead(t, b, "adjacency", Options{})
	})
}

// FuzzEncodings: what comes out of the decoder is UTF-8 unless the file began as such, and UTF-8 passes unchanged.
func FuzzEncodings(f *testing.F) {
	seeds(f, []string{"files/utf16le.txt", "files/utf16be.csv", "files/utf16-unmarked.csv", "files/bom.csv",
		"files/windows-1252.csv", "files/excel-sep.csv"}, "\xc3", "a\xe9", "é\xe9")
	f.Fuzz(func(t *testing.T, b []byte) {
		r, name := decoded(bytes.NewReader(b), b[:min(len(b), 4)], nil)
		out, err := io.ReadAll(iotestOneByte{r})
		if err != nil {
			t.Fatal(err)
		}
		switch n := name(); {
		case n == "UTF-8" && !bytes.Equal(out, b):
			t.Fatalf("%q became %q", b, out)
		case n != "UTF-8" && n != "UTF-8 with a byte order mark" && n != "UTF-8, encoded twice" && !utf8.Valid(out):
			t.Fatalf("%q, taken for %s, became %q", b, n, out)
		}
		fuzzRead(t, b, "", Options{})
	})
}

// iotestOneByte reads a byte at a time, so that characters are cut.
type iotestOneByte struct{ r io.Reader }

func (o iotestOneByte) Read(b []byte) (int, error) { return o.r.Read(b[:min(len(b), 1)]) }

// FuzzColumns: every header and every values are taken for something, or asked about, without a fault; what is taken is
// taken once.
func FuzzColumns(f *testing.F) {
	seeds(f, []string{"files/shopify.csv", "files/woocommerce.csv", "files/bewertung.csv", "files/hyoka-ja.csv",
		"files/unused-title.csv", "files/other-columns.csv"})
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, err := sampleOf(&source{path: "fuzz", lines: newLines(bytes.NewReader(b))}, newCutter(nil, ","))
		if err != nil || len(rows) == 0 {
			return
		}
		var l layout
		if err := l.resolve("fuzz", &sample{rows: rows}, Options{Times: true}); err != nil {
			typed(t, err)
			return
		}
		seen := map[int]bool{}
		for r, at := range l.columns {
			if at >= l.fields || at >= 0 && seen[at] || at < 0 && role(r) <= roleItem {
				t.Fatalf("columns %v of %d", l.columns, l.fields)
			}
			seen[at] = true
		}
	})
}

// FuzzDates: a date that is read lies on the calendar, and only once.
func FuzzDates(f *testing.F) {
	for _, s := range []string{"31.12.2021", "12/31/21 6:30 PM", "03/04/2021", "12 March 2021, 18:30", "März 3, 2021",
		"20211231", "29.02.2021", "1. Mai 1999 um 7:05 Uhr"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		order := dayOrderOf([]string{a, b})
		for _, s := range []string{a, b} {
			if v, ok := parseWritten(s, order); ok {
				if y := time.Unix(v, 0).UTC().Year(); y < 0 || y > 9999 {
					t.Fatalf("%q is of the year %d", s, y)
				}
			}
		}
		profileOf([]string{a, b}).looksLikeRating()
	})
}

// FuzzParquet reads whatever begins and ends like a Parquet file.
func FuzzParquet(f *testing.F) {
	seeds(f, []string{"files/pandas.parquet", "files/spark.parquet", "files/nested.parquet"},
		"PAR1\x00\x01\x00\x00\x00PAR1")
	f.Fuzz(func(t *testing.T, b []byte) {
		c := newCollector(Options{})
		if err := readParquet("fuzz", bytes.NewReader(b), int64(len(b)), c,
			Options{MaxInteractions: 1 << 16}); err != nil {
			typed(t, err)
		}
		items := &catalogue.Catalogue{}
		by := newDescriber(new(IDs), items, new(Report), Options{})
		by.all = newInterner()
		if err := by.parquet("fuzz", bytes.NewReader(b), int64(len(b))); err != nil {
			typed(t, err)
		}
	})
}

// FuzzZip goes through an archive as through a folder.
func FuzzZip(f *testing.F) {
	seeds(f, []string{"files/one-table.zip", "files/known-folder.zip", "files/with-items.zip", "files/two-tables.zip",
		"files/sheet.xlsx"})
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "x.zip")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if d, err := Load(path, Options{MinUser: -1, MinItem: -1, MaxInteractions: 1 << 16}); err == nil {
			check(t, d)
		} else {
			typed(t, err)
		}
	})
}

// TestHostileParquet: lengths and counts that no file has are refused before memory is taken for them.
func TestHostileParquet(t *testing.T) {
	good, err := os.ReadFile("testdata/files/pandas.parquet")
	if err != nil {
		t.Fatal(err)
	}
	read := func(b []byte) error {
		return readParquet("x", bytes.NewReader(b), int64(len(b)), newCollector(Options{}), Options{})
	}
	footer := func(body string) []byte {
		n := len(body)
		return append([]byte("PAR1"+body), byte(n), byte(n>>8), byte(n>>16), byte(n>>24), 'P', 'A', 'R', '1')
	}
	// A list of 2^31−1 schema elements in a footer of 8 bytes; one that nests for ever; one that is longer than the
	// file.
	for name, b := range map[string][]byte{
		"list":   footer("\x15\x02\x19\xfc\xff\xff\xff\xff\x07"),
		"depth":  footer(strings.Repeat("\x1c", 1000)),
		"length": append([]byte("PAR1"), "\xff\xff\xff\x0fPAR1"...),
		"short":  []byte("PAR1PAR1"),
		"end":    append(append([]byte(nil), good[:len(good)-4]...), "PAR2"...),
	} {
		var file *FileError
		if err := read(b); !errors.As(err, &file) || errors.Unwrap(err) != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A page that says it holds 2^31−1 bytes, or values.
	for _, page := range []string{"\x15\x00\x15\xfe\xff\xff\xff\x0f\x15\x02\x00\x00",
		"\x15\x00\x15\x02\x15\x02\x2c\x15\xfe\xff\xff\xff\x0f\x00\x00\x00"} {
		if reason := checkPages(strings.NewReader(page), 0, int64(len(page))); !strings.Contains(reason,
			"larger than any") {
			t.Errorf("%q: %q", page, reason)
		}
	}
	if err := read(good); err != nil {
		t.Error(err)
	}
}

// TestHostileZip: a directory that is longer than any is refused before it is read, and names that no file has, and
// paths out of the archive, lead nowhere.
func TestHostileZip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.zip")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	name := strings.Repeat("x", 60_000)
	for i := range 30 {
		if _, err := z.Create(name + string(rune('a'+i%26)) + string(rune('a'+i/26))); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	var limit *LimitError
	if _, err := Load(path, none); !errors.As(err, &limit) || limit.Limit != maxDirectory {
		t.Errorf("%v", err)
	}
	path = filepath.Join(t.TempDir(), "y.zip")
	if out, err = os.Create(path); err != nil {
		t.Fatal(err)
	}
	z = zip.NewWriter(out)
	for _, name := range []string{strings.Repeat("x/", 3000) + "a.csv", strings.Repeat("x", 2000) + ".csv", "../b.csv",
		"/c.csv", "d/../../e.csv", "ok/f.csv"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, "user,item\n1,2\n")
	}
	if err := errors.Join(z.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	if d, err := Load(path, none); err != nil || d.Read.Files[0] != filepath.Join(path, "ok", "f.csv") {
		t.Errorf("%v, %v", d, err)
	}
	if names, err := list(path); err != nil || strings.Join(names, " ") != "ok/" {
		t.Errorf("%q, %v", names, err)
	}
}
