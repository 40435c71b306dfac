package dataset

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrors: what is wrong is said with file, line, column, value and rule, under its own type.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, text string
		o          Options
		want       any // a pointer to an error type
		says       []string
	}{
		{"rating.csv", "userId,movieId,rating\n1,2,4\n1,3,fine\n", none, new(*ParseError),
			[]string{"rating.csv, line 3, column 3 (rating)", `"fine"`, "a rating is a number", "skipped"}},
		{"infinity.csv", "userId,movieId,rating\n1,2,Inf\n", none, new(*ParseError), []string{"line 2, column 3", `"Inf"`}},
		{"inf.csv", "userId,movieId,rating\n1,2,1e999\n", none, new(*ParseError),
			[]string{"line 2, column 3", `"1e999"`}},
		{"time.csv", "user,item,time\r\n1,2,yesterday\r\n", Options{Times: true}, new(*ParseError),
			[]string{"line 2, column 3 (time)", `"yesterday"`, "seconds"}},
		{"fields.csv", "user,item\n1,2\n1,2,3\n", none, new(*ParseError),
			[]string{"line 3", "3 fields where the first line has 2"}},
		{"empty id.csv", "user,item\n,2\n", none, new(*ParseError),
			[]string{"line 2, column 1 (user)", "must not be empty"}},
		{"no item.csv", "user,item\n1, \n", none, new(*ParseError),
			[]string{"line 2, column 2 (item)", "must not be empty"}},
		{"long id.csv", "user,item\n1," + strings.Repeat("x", 1025) + "\n", none, new(*ParseError),
			[]string{"line 2, column 2", "1,024 bytes", "…"}},
		{"latin.csv", "user,item\nü,1\n1,caf\xe9\n", none, new(*ParseError), []string{"line 3", "UTF-8"}},
		{"binary.csv", "user,item\n1,a\x00b\n", none, new(*ParseError), []string{"control characters"}},
		{"open quote.csv", "user,item\n1,\"abc\n2,3\n", none, new(*ParseError),
			[]string{"line 2", "a quote that opens on this line is not closed"}},
		{"quote.csv", "user,item\n1,\"ab\"c\n", none, new(*ParseError), []string{"line 2, column 2", "closing quote"}},
		{"quoted lines.csv", "user,item,note\n1,2,\"a\nb\"\n1,3\n", none, new(*ParseError), []string{"line 4"}},
		{"columns.csv", "who,what\n1,2\n", Options{Columns: Columns{User: "who", Item: "which"}}, new(*ColumnError),
			[]string{`no column "which" for the item`, `"who", "what"`}},
		{"unknown.csv", "userId,what\n1,2\n", none, new(*ColumnError),
			[]string{"no column has a name known for the item", `"what"`}},
		{"number.csv", "1,2\n", Options{Columns: Columns{User: "1", Item: "7"}}, new(*ColumnError),
			[]string{`"7"`, "1 (1), 2 (2)"}},
		{"empty.csv", "", none, new(*FileError), []string{"is empty"}},
		{"bom.csv", "\ufeff", none, new(*FileError), []string{"is empty"}},
		{"header.csv", "user,item\n", none, new(*EmptyError), []string{"holds no interactions"}},
		{"low.csv", "user,item,rating\n1,2,3\n", none, new(*EmptyError),
			[]string{"none of 1 interactions has a rating of at least 4 (the largest is 3)"}},
		{"few.csv", "user,item\n1,2\n", Options{}, new(*EmptyError), []string{"fewer than 10", "lower the minima"}},
		{"counts.csv", "user,item,rating\n1,2,5300\n", none, new(*ScaleError), []string{"5300", "minimum rating"}},
		{"x.zip", "PK\x03\x04....", none, new(*FileError), []string{"zip archive"}},
		{"x.gz", "\x1f\x8b\x08nonsense", none, new(*FileError), []string{"gzip"}},
		{"one.csv", "user\n1\n", none, new(*FormatError), []string{"no delimiter"}},
		{"text.txt", "Once\nupon a time\n", Options{Format: "delimited", MinUser: -1, MinItem: -1}, new(*FormatError),
			[]string{"no delimiter"}},
		{"array.json", "[{\"user\":1}]\n", none, new(*ParseError), []string{"JSON array"}},
		{"python.json", "{'user': 1}\n", none, new(*ParseError), []string{"Python"}},
		{"torn.json", "{\"user\":1,\"item\":2}\n{\"user\":1,\"it\n", none, new(*ParseError), []string{"line 2"}},
		{"lacks.json", "{\"user\":1,\"item\":2}\n{\"user\":1}\n", none, new(*ParseError),
			[]string{"line 2 (item)", "lacks this key"}},
		{"kind.json", "{\"user\":1,\"item\":2}\n{\"user\":1,\"item\":[2]}\n", none, new(*ParseError),
			[]string{"line 2 (item)", "must be a string or a number"}},
		{"keys.json", "{\"a\":1,\"b\":2}\n", none, new(*ColumnError), []string{"user", `"a", "b"`}},
		{"many.csv", "user,item\n1,2\n1,3\n1,4\n", Options{MaxInteractions: 2}, new(*LimitError),
			[]string{"line 4", "too many interactions"}},
		{"wide.csv", "user,item" + strings.Repeat(",x", maxFields) + "\n", none, new(*LimitError),
			[]string{"too many fields"}},
		{"line.csv", "user,item\n1," + strings.Repeat("x", maxLine+1) + "\n", none, new(*LimitError),
			[]string{"line 2", "too long"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load(write(t, dir, c.name, c.text), c.o)
			if err == nil {
				t.Fatal("no error")
			}
			if !errors.As(err, c.want) {
				t.Errorf("a %T: %v", err, err)
			}
			for _, s := range append(c.says, filepath.Join(dir, c.name)) {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%q does not say %q", err, s)
				}
			}
		})
	}
	for path, says := range map[string]string{filepath.Join(dir, "none.csv"): "there is no such file or folder",
		t.TempDir(): "holds nothing known"} {
		if _, err := Load(path, none); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Load(filepath.Join(dir, "none.csv"), none); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file should be os.ErrNotExist: %v", err)
	}
	if _, _, err := LoadFixed("testdata/ml-latest", "", none); err == nil ||
		!strings.Contains(err.Error(), "no test part") {
		t.Errorf("a folder without a test part: %v", err)
	}
	one := write(t, dir, "one part.csv", "user,item\n1,2\n")
	if _, _, err := LoadFixed(one, one, none); err == nil || !strings.Contains(err.Error(), "training part itself") {
		t.Errorf("the same file twice: %v", err)
	}
}

// TestSkipBadLines: bad lines are counted, the first few kept, and leave no trace in the numbering.
func TestSkipBadLines(t *testing.T) {
	text := "user,item,rating,note\n" +
		"1,2,4,\"a\nb\"\n" +
		"9,9,?,\n" + // bad: rating
		"8,,5,\n" + // bad: no item; user 8 must not be numbered
		"1,3,5\n" + // bad: three fields
		"1,\"3,5,\n" + // bad: a quote never closed; the lines behind it are read
		"2,2,5,\n" +
		"2,7,4,\"x\"y\n" + // bad: text behind a quote
		"7,\x01,5,\n" + // bad: control character; user 7 must not be numbered
		"2,5,5,ok\n"
	d, err := Load(write(t, t.TempDir(), "x.csv", text), Options{SkipBadLines: true, MinUser: -1, MinItem: -1})
	if err != nil {
		t.Fatal(err)
	}
	check(t, d)
	if got := strings.Join(pairs(d, d.Positives), ";"); got != "1 2;2 2;2 5" {
		t.Errorf("positives %s", got)
	}
	if d.Read.Skipped != 6 || len(d.Read.Examples) != keptExamples || d.Read.Lines != 9 {
		t.Errorf("skipped %d of %d lines, examples %v", d.Read.Skipped, d.Read.Lines, d.Read.Examples)
	}
	if e := d.Read.Examples[0]; e.Line != 4 || e.Column != 3 || e.Value != "?" {
		t.Errorf("the first example is %+v", e)
	}
	if e := d.Read.Examples[3]; e.Line != 7 {
		t.Errorf("the open quote is reported as %+v", e)
	}
	if _, err := Load(write(t, t.TempDir(), "y.csv", "user,item,rating\n1,2,?\n"),
		Options{SkipBadLines: true}); err == nil || !strings.Contains(err.Error(), "all 1 lines are bad") {
		t.Errorf("nothing but bad lines: %v", err)
	}
}

func TestThreshold(t *testing.T) {
	for _, c := range []struct {
		largest string
		want    float64
	}{{"1", 0.8}, {"5", 4}, {"3", 4}, {"5.5", 8}, {"10", 8}, {"100", 80}} {
		d, err := Load(write(t, t.TempDir(), "x.csv", "user,item,rating\n1,2,"+c.largest+"\n1,3,99\n"),
			Options{MinRating: &c.want, MinUser: -1, MinItem: -1})
		if err != nil {
			t.Fatal(err)
		}
		if d.Read.MinRating != c.want {
			t.Errorf("asked for %g, used %g", c.want, d.Read.MinRating)
		}
		col := newCollector(Options{})
		col.report.HasRatings = true
		col.report.MaxRating, _ = map[string]float64{"1": 1, "5": 5, "3": 3, "5.5": 5.5, "10": 10,
			"100": 100}[c.largest]
		if got, err := col.threshold("x", nil); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("largest rating %s: positive from %g on (%v); want %g", c.largest, got, err, c.want)
		}
	}
}
