package importer

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"
)

// rows returns all rows of a table, and the error that ended them.
func rows(data string, comma byte) (out [][]string, err error) {
	t := newDelimited([]byte(data))
	t.comma, t.width = comma, 1
	for {
		row, err := t.next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, slices.Clone(row))
	}
}

// oracle reads the table with encoding/csv; ok is false if that fails.
func oracle(data string, comma byte) (out [][]string, ok bool) {
	r := csv.NewReader(strings.NewReader(data))
	r.Comma, r.FieldsPerRecord = rune(comma), -1
	out, err := r.ReadAll()
	out = slices.DeleteFunc(out, func(row []string) bool { return strings.Join(row, "") == "" })
	return out, err == nil
}

func equal(a, b [][]string) bool { return slices.EqualFunc(a, b, slices.Equal[[]string]) }

func TestTable(t *testing.T) {
	for data, want := range map[string][][]string{
		"a,b\r\nc,d":                         {{"a", "b"}, {"c", "d"}},
		"a,b\rc,d\r":                         {{"a", "b"}, {"c", "d"}},
		"\"a\nb\",\"c\"\"d\"\n\n,\ne":        {{"a\nb", "c\"d"}, {"e"}},
		"a \"quoted\" word,\"in \"the\" f\"": {{"a \"quoted\" word", "in \"the\" f"}},
		" \"a\" ,b":                          {{"a", "b"}},
		"=\"0618\",=\"\"":                    {{"=\"0618\"", "=\"\""}},
		"a,\"\",c":                           {{"a", "", "c"}},
	} {
		if got, err := rows(data, ','); err != nil || !equal(got, want) {
			t.Errorf("%q is read as %q, %v", data, got, err)
		}
	}
}

// Lines are counted as in an editor, even after fields with line ends.
func TestLines(t *testing.T) {
	x := newDelimited([]byte("a,b\n\"x\ny\r\nz\",\"q\"\"\n\"\nlast"))
	for _, want := range []int{1, 2, 6} {
		if _, err := x.next(); err != nil || x.begin != want {
			t.Errorf("a row begins on line %d, want %d (%v)", x.begin, want, err)
		}
	}
}

func TestSeparators(t *testing.T) {
	for data, want := range map[string]byte{"a,b;c,d": ',', "a;b;c,d": ';', "a\tb\tc": '\t', "a|b|c,": '|',
		"\"a;b;c\",d": ',', "a": ',', "\n\na;b": ';', "sep=|\na;b": '|'} {
		if x := newDelimited([]byte(data)); x.comma != want {
			t.Errorf("%q is separated by %q, want %q", data, x.comma, want)
		}
	}
}

// A table that encoding/csv reads is read the same.
func FuzzTable(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "\"a\"\"b\",c\r\n\"x\ny\"", "a\rb", ",,\n", "\"", " \"a\" ",
		"\xEF\xBB\xBFa"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		if len(data) > 1<<12 || strings.HasPrefix(data, "sep=") || strings.Contains(data, "\x00") {
			return
		}
		got, err := rows(data, ',')
		if err != nil && err != OpenQuote && err != TooManyParts {
			t.Fatal(err)
		}
		// encoding/csv treats a lone CR as text, turns CR LF in a field into LF, and treats a byte order mark as a
		// letter.
		if err != nil || strings.Contains(data, "\r") || strings.HasPrefix(data, "\xEF\xBB\xBF") {
			return
		}
		if want, ok := oracle(data, ','); ok && !equal(got, want) {
			t.Fatalf("%q is read as %q, encoding/csv reads %q", data, got, want)
		}
	})
}
