package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Control characters and turned directions do not come out of a text, and nothing else is lost.
func TestCleanText(t *testing.T) {
	for in, want := range map[string]string{
		"Toy Story":                      "Toy Story",
		"\x1b[31mred\x1b[0m":             "[31mred [0m",
		"\x1b]52;c;cm0gLXJmIH4=\x07Heat": "]52;c;cm0gLXJmIH4= Heat",
		"good\rbad":                      "good bad",
		"two\r\nlines":                   "two lines",
		"a \t b":                         "a  b",
		"\x00\x01":                       "",
		"ends\n":                         "ends",
		"invoice\u202egpj.exe":           "invoicegpj.exe",
		"\u2066isolated\u2069":           "isolated",
		"\u009b31mC1":                    "31mC1",
		"line\u2028paragraph\u2029":      "line paragraph",
		"千と千尋 — Amélie 👩\u200d👩\u200d👧 \u200fשלום": "千と千尋 — Amélie 👩\u200d👩\u200d👧 \u200fשלום",
	} {
		if got := cleanText(in); got != want || cleanText(got) != got {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// Items whose texts held such characters are counted once each, and told to people; so are titles that are too long.
func TestItemsAreCleanedAndCounted(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("ratings.csv", "user,item,rating\n1,a,5\n1,b,5\n1,c,5\n1,d,5\n1,e,5\n")
	long := strings.Repeat("é", maxTitle)
	write("items.csv", "id,title,genres,link\n"+
		"a,\x1b]0;you are root\x07Heat (1995),Crime|Dra\rma,\x1b[2Jhttp://a\n"+ // three texts of one item
		"b,Alien,Horror,http://b\n"+
		"c,\"two\nlines\",Horror,\n"+
		"d,invoice\u202egpj.exe,,\n"+
		"e,"+long+",,\n")
	d, err := Load(folder, Options{MinUser: -1, MinItem: -1})
	if err != nil {
		t.Fatal(err)
	}
	if d.Read.Cleaned != 3 || d.Read.Shortened != 1 || d.Read.Described != 5 {
		t.Errorf("cleaned %d, shortened %d, described %d", d.Read.Cleaned, d.Read.Shortened, d.Read.Described)
	}
	for _, says := range []string{"3 items had control characters in their texts, taken out",
		"1 items had titles of more than 4096 bytes, cut"} {
		if !strings.Contains(d.Read.String(), says) {
			t.Errorf("the report does not say %q:\n%v", says, d.Read)
		}
	}
	items := d.Catalogue.Items
	if it := items[0]; it.Title != "]0;you are root Heat" || it.Year != 1995 ||
		strings.Join(it.Genres, "|") != "Crime|Dra ma" || it.Values[0] != "[2Jhttp://a" {
		t.Errorf("%+v", it)
	}
	if items[1].Title != "Alien" || items[2].Title != "two lines" || items[3].Title != "invoicegpj.exe" {
		t.Errorf("%q, %q, %q", items[1].Title, items[2].Title, items[3].Title)
	}
	if got := items[4].Title; len(got) > maxTitle || len(got) < maxTitle-4 || !utf8.ValidString(got) ||
		!strings.HasSuffix(got, "é…") {
		t.Errorf("a title of %d bytes", len(got))
	}
}
