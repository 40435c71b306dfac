package dataset

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
)

// TestYears: years however they are written; a text without one is counted.
func TestYears(t *testing.T) {
	for text, want := range map[string]int{
		"1995": 1995, "1995.0": 1995, "1995.00": 1995, "(1999)": 1999, "[1999]": 1999, "'1999'": 1999, "©1999": 1999,
		"May 1999": 1999, "Mai 1999": 1999, "25 May 1999": 1999, "May 25, 1999": 1999, "25.05.1979": 1979, "25.5.1979": 1979,
		"12/25/1999": 1999, "25/12/1999": 1999, "05/04/1999": 1999, "25-05-1979": 1979, "1979-05-25": 1979, "1979-05": 1979,
		"1979/05/25": 1979, "1979.05.25": 1979, "19990101": 1999, "1999-05-25T00:00:00Z": 1999, "1999-05-25 12:30:00": 1999,
		"1999年5月25日": 1999, "1999年": 1999, "c. 1500": 1500, "ca. 1500": 1500, "circa 1889": 1889, "1999-2003": 1999,
		"1999–2003": 1999, "1999/2000": 1999, "1999-": 1999, "Spring 1999": 1999, "1999 (restored)": 1999, "~1999": 1999,
		"Fri, 25 May 1979 00:00:00 GMT": 1979, "927590400": 1999, "927590400000": 1999, "36305": 1999, "36305.5": 1999,
		"Apr 3, 1998 to Apr 24, 1999": 1998, "1 мая 1999": 1999, "Q3 2004": 2004, "25.05.79": 1979, "1066": 1066, "800": 800,
		"": 0, "nan": 0, "N/A": 0, "None": 0, "0": 0, "0.0": 0, "0000": 0, "NULL": 0,
	} {
		if y, ok := parseYear([]byte(text)); y != want || !ok {
			t.Errorf("%q is %d, %t; want %d", text, y, ok, want)
		}
	}
	for _, text := range []string{"unknown", "TBA", "-750.0", "-750", "next year", "99999999", "3019", "v1.2", "1999.5",
		"12345678901234567890", "soon", "B001999"} {
		if y, ok := parseYear([]byte(text)); y != 0 || ok {
			t.Errorf("%q is %d, %t", text, y, ok)
		}
	}
}

// TestGenreLists: lists as JSON, Python, NumPy and PostgreSQL write them.
func TestGenreLists(t *testing.T) {
	for text, want := range map[string]string{
		"Drama|Comedy": "Drama/Comedy", "Drama; Comedy": "Drama/Comedy", "Drama, Comedy": "Drama/Comedy",
		`["Drama", "Sci-Fi & Fantasy"]`:                                       "Drama/Sci-Fi & Fantasy",
		`['Drama', "Children's"]`:                                             "Drama/Children's",
		`['Drama', 'Children\'s']`:                                            "Drama/Children's",
		`[{'id': 16, 'name': 'Animation'}, {'id': 35, 'name': 'Comedy'}]`:     "Animation/Comedy",
		`[{"id":1,"description":"Action"},{"id":2,"description":"RPG"}]`:      "Action/RPG",
		`{"id":1,"name":"Drama"}`:                                             "Drama",
		`{'Drama', 'Comedy'}`:                                                 "Drama/Comedy",
		`('Drama', 'Comedy')`:                                                 "Drama/Comedy",
		`('Drama',)`:                                                          "Drama",
		`['Drama' 'Comedy']`:                                                  "Drama/Comedy",
		`{Drama,"Sci-Fi, Fantasy"}`:                                           "Drama/Sci-Fi, Fantasy",
		`[Drama, Comedy]`:                                                     "Drama/Comedy",
		`[["Books","Fiction"],["Books","Poetry"]]`:                            "Books/Fiction/Poetry",
		`{"Drama": 0.8, "Comedy": 0.2}`:                                       "Drama/Comedy",
		`{"1": "Drama", "2": "Comedy"}`:                                       "Drama/Comedy",
		`[{"count": "12", "name": "fantasy"}, {"count": "3", "name": "own"}]`: "fantasy/own",
		`["Caf\u00e9", "a\/b"]`:                                               "Café/a\\/b",
		`["Drama", null, "", "N/A"]`:                                          "Drama",
		`[None, 'Drama', nan]`:                                                "Drama",
		`[]`:                                                                  "",
		`{}`:                                                                  "",
		`[ ]`:                                                                 "",
		`N/A`:                                                                 "",
		`None`:                                                                "",
		`nan`:                                                                 "",
		`NULL`:                                                                "",
		`(no genres listed)`:                                                  "",
		`[Drama`:                                                              "[Drama",
		`Drama]`:                                                              "Drama]",
		`["Drama"`:                                                            `["Drama"`,
	} {
		want = strings.ReplaceAll(want, `\/`, "|")
		got := strings.ReplaceAll(strings.Join(splitGenres([]byte(text)), "/"), "a/b", "a|b")
		if got != want {
			t.Errorf("%s is %s; want %s", text, got, want)
		}
	}
}

func FuzzGenres(f *testing.F) {
	for _, s := range []string{`[{'id': 16, 'name': 'a'}]`, `{a,"b"}`, `[[[[[[[[[[1]]]]]]]]]]`, `["\u12"]`, "a|b", `{a:{b:c}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, g := range splitGenres([]byte(s)) {
			if g == "" || g != strings.TrimSpace(g) {
				t.Errorf("%q gives %q", s, g)
			}
		}
	})
}

// TestPlainHTML: references and tags go; what only looks like them stays.
func TestPlainHTML(t *testing.T) {
	for text, want := range map[string]string{
		"Tom &amp; Jerry": "Tom & Jerry", "Tom &amp;amp; Jerry": "Tom & Jerry", "&#39;500&#39;": "'500'", "&#x27;a&#x27;": "'a'",
		"Caf&eacute;": "Café", "a&nbsp;b": "a b", "<b>new</b> lamp": "new lamp", "<p>one</p><p>two</p>": "one two",
		"one<br/>two": "one two", `<span class="x">a</span>`: "a", "&lt;i&gt;Alien&lt;/i&gt;": "Alien", "H<sub>2</sub>O": "H2O",
		"<![CDATA[Lilo & Stitch]]>": "Lilo & Stitch", "a<!-- b -->c": "ac", "&quot;q&quot;": `"q"`, "L&#8217;été": "L’été",
		"AT&T": "AT&T", "R&B; soul": "R&B; soul", "I <3 you": "I <3 you", "a < b > c": "a < b > c", "<unknown>": "<unknown>",
		"&copy 2020": "&copy 2020", "Q&A": "Q&A", "https://x.example/?a=1&amp;lt;=2": "https://x.example/?a=1&lt;=2",
		"plain": "plain", "<Bible>": "<Bible>", "5 &lt; 6": "5 < 6", "&notanentity;": "&notanentity;",
	} {
		if got, changed := plainHTML([]byte(text)); string(got) != want || changed != (text != want) {
			t.Errorf("%q is %q, %t; want %q", text, got, changed, want)
		}
	}
}

// describe loads interactions with the items 500 to 504 and a catalogue.
func describe(t *testing.T, name, text string) (*Dataset, error) {
	t.Helper()
	folder := t.TempDir()
	ratings := write(t, folder, "ratings.csv", "user,item\nu,500\nu,501\nv,502\nv,503\nw,504\n")
	o := none
	o.Items = write(t, folder, name, text)
	return Load(ratings, o)
}

// item shows what is known of an item.
func item(c *catalogue.Catalogue, i int) string {
	it := &c.Items[i]
	return fmt.Sprintf("%s %d %s", it.Title, it.Year, strings.Join(it.Genres, "/"))
}

// TestCatalogueColumns: years and genres are found under many names, by their values too.
func TestCatalogueColumns(t *testing.T) {
	for header, want := range map[string]string{
		"id,title,release_date,genres|500,A,1999-05-25,Drama":                            "A 1999 Drama",
		"id,title,Year-Of-Publication,product_category|500,A,1999,Lamps":                 "A 1999 Lamps",
		"id,title,Erscheinungsjahr,Warengruppe|500,A,1999,Lampen":                        "A 1999 Lampen",
		"id,title,Erscheinungsdatum,Produktkategorie|500,A,25.05.1999,Lampen":            "A 1999 Lampen",
		"id,título,año,géneros|500,A,1999,Drama":                                         "A 1999 Drama",
		"id,название,год,жанр|500,A,1999,Драма":                                          "A 1999 Драма",
		"id,标题,年份,类别|500,A,1999,剧情":                                                      "A 1999 剧情",
		"id,titre,date de sortie,catégorie|500,A,25/05/1999,Drame":                       "A 1999 Drame",
		"id,title,published,category_name|500,A,May 1999,Drama":                          "A 1999 Drama",
		"id,title,original_publication_year,shelves|500,A,1999.0,Drama":                  "A 1999 Drama",
		"id,title,first_air_date,categoryId,category|500,A,1999-01-01,7,Drama":           "A 1999 Drama",
		"id,title,birth_year,release year,genre_id,main_category|500,A,1950,1999,7,Film": "A 1999 Film",
		"id,title,genre,category|500,A,,Drama":                                           "A 0 Drama",
		"id,title,year,release_date|500,A,TBA,1999-05-25":                                "A 1999 ",
		"id,title,vintage,product_type|500,A,1999,Wine":                                  "A 1999 Wine",
		"id,title,created_at,updated year|500,A,1999-01-01,2001":                         "A 0 ",
		"id,title,published|500,A,true":                                                  "A 0 ",
	} {
		d, err := describe(t, "items.csv", strings.ReplaceAll(header, "|", "\n")+"\n")
		if err != nil {
			t.Errorf("%s: %v", header, err)
			continue
		}
		if got := item(d.Catalogue, 0); got != want {
			t.Errorf("%s is %q; want %q", header, got, want)
		}
	}
	// Dates and further categories stay columns; what was unread is counted.
	d, err := describe(t, "items.csv", "id,title,release_date,product_category\n500,A,1999-05-25,Lamps\n501,B,soon,Lamps\n"+
		"502,C,nan,\n503,D,2001,X\n")
	if err != nil || !slices.Equal(d.Catalogue.Columns, []string{"release_date", "product_category"}) ||
		d.Read.UnreadYears != 1 || d.Read.UnreadYear != "soon" || d.Read.YearColumn != "release_date" ||
		d.Read.GenreColumn != "product_category" || d.Catalogue.Items[0].Values[0] != "1999-05-25" {
		t.Errorf("%v, %+v", err, d)
	}
	d, err = describe(t, "items.csv", "id,title\n500,Tom &amp; Jerry\n501,<b>B</b>\n502,C\n")
	if err != nil || d.Catalogue.Items[0].Title != "Tom & Jerry" || d.Catalogue.Items[1].Title != "B" || d.Read.PlainHTML != 2 {
		t.Errorf("%v, %+v", err, d)
	}
}

// TestCatalogueMatch: catalogues of other ids are refused with an example of each side; ids that are the same but for
// their writing match.
func TestCatalogueMatch(t *testing.T) {
	rows := func(format string) string {
		text := "id,title\n"
		for i := 499; i < 505; i++ {
			text += fmt.Sprintf(format, i, i) + "\n"
		}
		return text
	}
	for _, c := range []struct {
		name, text  string
		matched     string
		says        string
		withoutIDs  bool
		title, code string
	}{
		{name: "items.csv", text: rows("%d,F %d")},
		{name: "items.csv", text: rows("%d.0,F %d"), matched: "as numbers"},
		{name: "items.csv", text: rows("0000%d,F %d"), matched: "as numbers"},
		{name: "items.csv", text: rows("+%d,F %d"), matched: "as numbers"},
		{name: "items.csv", text: rows("\"=\"\"%d\"\"\",F %d"), matched: "as numbers"},
		{name: "items.csv", text: rows("'%d,F %d"), matched: "as numbers"},
		{name: "items.csv", text: "id,title\n5.00E+02,F 500\n5.01E+02,F 501\n", matched: "as numbers"},
		{name: "items.csv", text: rows("%d.00,F %d"), matched: "as numbers"},
		{name: "items.jsonl", text: "{\"id\":500.0,\"title\":\"F 500\"}\n{\"id\":501.0,\"title\":\"F 501\"}\n", matched: "as numbers"},
		{name: "items.jsonl", text: "{\"id\":500,\"title\":\"F 500\",\"tags\":[\"a\",\"b\"]}\n"},
		{name: "items.json", text: "{\"title\":\"F 500\",\"id\":\"500\"}\n{\"id\":\"501\",\"x\":{\"y\":1}}\n"},
		{name: "items.json.gz", text: string(packers["gzip"]([]byte("{\"title\":\"F 500\",\"id\":\"500\"}\n")))},
		{name: "items.csv", text: "sep=;\nid;title\n500;F 500\n"},
		{name: "items.csv", text: "id,sku,title\n1,500,F 500\n2,501,F 501\n3,502,F 502\n"},
		{name: "items.tar", text: string(tarred("goods.csv", rows("%d,F %d")))},
		{name: "items.zip", text: string(zippedFiles("a.jsonl", "{\"title\":\"F 500\",\"id\":\"500\"}\n"))},
		{name: "shards.zip", text: string(zippedFiles("part-0.csv", "id,title\n499,F 499\n", "part-1.csv", "id,title\n500,F 500\n"))},
		{name: "items.csv", text: rows("x%d,F %d"), says: `describes 0 of the 5 items: the interactions have ids such as "500" ` +
			`and the catalogue such as "x499" (column "id")`},
		{name: "items.csv", text: "id,title\n1500,A\n1501,B\n", says: `"1500"`},
		{name: "items.csv", text: "id,price\n1500,3\n", says: "describes 0 of the 5 items"},
		{name: "items.json", text: `[{"id": "500"}]`, says: "write one object per line"},
		{name: "items.json", text: "{\n\"items\": [\n", says: "write one object per line"},
		{name: "items.xml", text: "<?xml version=\"1.0\"?><rss></rss>", says: "is XML or HTML"},
		{name: "items.html", text: "\n<!DOCTYPE html><table>", says: "is XML or HTML"},
		{name: "feed.xml", text: "\ufeff<rss version=\"2.0\">", says: "is XML or HTML"},
		{name: "items.xlsx", text: string(zippedFiles("[Content_Types].xml", "x", "xl/workbook.xml", "x")), says: "table of Excel"},
		{name: "items.ods", text: string(zippedFiles("mimetype", "x", "content.xml", "x")), says: "table of LibreOffice"},
		{name: "items.xls", text: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("x", 600), says: "older Excel"},
	} {
		d, err := describe(t, c.name, c.text)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q: %v; want %q", c.text, err, c.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if d.Catalogue.Items[0].Title != "F 500" || d.Read.Matched != c.matched || d.Read.Of != 5 {
			t.Errorf("%q: %q, matched %q", c.text, d.Catalogue.Items[0].Title, d.Read.Matched)
		}
	}
	// Letter case; few of many; drafts under other ids.
	folder := t.TempDir()
	ratings := "user,item\n"
	for i := range 50 {
		ratings += fmt.Sprintf("u,Sku-%d\n", i)
	}
	path := write(t, folder, "ratings.csv", ratings)
	o := none
	o.Items = write(t, folder, "items.csv", "id,title,status\nSKU-0,A,active\nSKU-1,B,draft\nx,C,active\ny,D,\n")
	if d, err := Load(path, o); err == nil || !strings.Contains(err.Error(), "describes 1 of the 49 items") {
		t.Errorf("%v, %v", d, err)
	}
	text := "id,title,status\n"
	for i := range 50 {
		text += fmt.Sprintf("SKU-%d,T%d,%s\n", i, i, map[bool]string{true: "draft", false: "active"}[i == 1])
	}
	o.Items = write(t, folder, "items.csv", text)
	d, err := Load(path, o)
	if err != nil || d.Items.Len() != 49 || d.Catalogue.Items[1].Title != "T2" || d.Read.Matched != "regardless of case" ||
		d.Read.WithheldLikes != 1 || !slices.Equal(d.Read.Withheld, []string{"Sku-1"}) {
		t.Errorf("%v, %+v", err, d)
	}
	o.Items = write(t, folder, "items.csv", "id,title\nSku-0,A\nother,C\nSku-1,B\nx,D\ny,E\n")
	var file *FileError
	if _, err := Load(path, o); !errors.As(err, &file) || !strings.Contains(err.Error(), `describes 2 of the 50 items`) ||
		!strings.Contains(err.Error(), `"Sku-2" and the catalogue such as "other"`) {
		t.Error(err)
	}
	// A catalogue in the same folder is checked too.
	write(t, folder, "items.csv", "id,title\nz1,A\nz2,B\n")
	if _, err := Load(folder, none); !errors.As(err, &file) {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(folder, "items.csv")); err != nil {
		t.Fatal(err)
	}
	write(t, folder, "items.jsonl", `{"id":"Sku-0","title":"A"}`+"\n"+strings.ReplaceAll(`{"id":"Sku-N","title":"A"}`, "N", "1")+
		"\n"+`{"id":"Sku-2","title":"A","genres":["x",{"name":"y"}],"year":1999}`+"\n")
	if d, err := Load(folder, none); err != nil || item(d.Catalogue, 2) != "A 1999 x/y" {
		t.Errorf("%v, %+v", err, d)
	}
}

// TestCatalogueEncodings: MovieLens' files and lists of ids are read in the encoding asked for, without comments.
func TestCatalogueEncodings(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "ratings.csv", "userId,movieId,rating,timestamp\n1,1,5,1000000000\n1,2,4,1000000000\n")
	write(t, folder, "movies.csv", "# made by x\n# on a day\nmovieId,title,genres\n1,\xc1\xf0\xe0\xf2 (1997),\xc4\xf0\xe0\xec\xe0\n2,B (1998),x\n")
	write(t, folder, "tags.csv", "# tags\nuserId,movieId,tag,timestamp\n1,1,\xe7,1000000000\n# more\n")
	o := none
	o.Encoding, o.Tags = "windows-1251", 3
	d, err := Load(folder, o)
	if err != nil || item(d.Catalogue, 0) != "Брат 1997 Драма" || d.Catalogue.Items[0].Values[0] != "з" ||
		!strings.Contains(d.Read.ItemsEncoding, "windows-1251") || d.Read.ItemsExample != "Брат" {
		t.Fatalf("%v, %+v", err, d)
	}
	folder = t.TempDir()
	write(t, folder, "users.txt", "# users\nu\xe9\n")
	write(t, folder, "items.txt", "# items\na\nb\n# end\n#music\n")
	write(t, folder, "interactions.tsv", "0\t0\n0\t2\n")
	o = none
	o.Encoding = "windows-1252"
	if d, err = Load(folder, o); err != nil || strings.Join(pairs(d, d.Positives), ";") != "ué a;ué #music" {
		t.Fatalf("%v, %q", err, pairs(d, d.Positives))
	}
}
