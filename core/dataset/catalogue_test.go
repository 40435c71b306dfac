package dataset

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestSplitTitle and TestRestoreArticles take their titles from the real files.
func TestSplitTitle(t *testing.T) {
	for _, c := range []struct {
		in, title string
		year      int
	}{
		{"Toy Story (1995)", "Toy Story", 1995},
		{"From Dusk Till Dawn 2: Texas Blood Money (1999) ", "From Dusk Till Dawn 2: Texas Blood Money", 1999},
		{"Death Note: Desu nôto (2006–2007)", "Death Note: Desu nôto", 2006},
		{"Land Before Time III: The Time of the Great Giving (1995) (V)",
			"Land Before Time III: The Time of the Great Giving", 1995},
		{"Babylon 5", "Babylon 5", 0},
		{"2001: A Space Odyssey (1968)", "2001: A Space Odyssey", 1968},
		{"(500) Days of Summer (2009)", "(500) Days of Summer", 2009},
		{"Twelve Monkeys (a.k.a. 12 Monkeys) (1995)", "Twelve Monkeys (a.k.a. 12 Monkeys)", 1995},
		{"Space (9999)", "Space (9999)", 0},
		{"(1995)", "(1995)", 0},
		{"", "", 0},
		{"unknown", "unknown", 0},
	} {
		if title, year := SplitTitle(c.in); title != c.title || year != c.year {
			t.Errorf("SplitTitle(%q) = %q, %d; want %q, %d", c.in, title, year, c.title, c.year)
		}
	}
}

func TestRestoreArticles(t *testing.T) {
	for in, want := range map[string]string{
		"Matrix, The":                  "The Matrix",
		"Misérables, Les":              "Les Misérables",
		"Enfer, L'":                    "L'Enfer",
		"Christmas Carol, A":           "A Christmas Carol",
		"American in Paris, An":        "An American in Paris",
		"Toy Story":                    "Toy Story",
		"Monsters, Inc.":               "Monsters, Inc.",
		"Bye Bye, Love":                "Bye Bye, Love",
		"Tinker, Tailor, Soldier, Spy": "Tinker, Tailor, Soldier, Spy",
		"Patrik Age 1.5 (Patrik 1,5)":  "Patrik Age 1.5 (Patrik 1,5)",
		"McFarland, USA":               "McFarland, USA",
		"Lust, Caution (Se, jie)":      "Lust, Caution (Se, jie)",
		"City of Lost Children, The (Cité des enfants perdus, La)": "The City of Lost Children (La Cité des enfants " +
			"perdus)",
		"Postman, The (Postino, Il)":                         "The Postman (Il Postino)",
		"Wings of Desire (Himmel über Berlin, Der)":          "Wings of Desire (Der Himmel über Berlin)",
		"Tin Drum, The (Blechtrommel, Die)":                  "The Tin Drum (Die Blechtrommel)",
		"Boot, Das (Boat, The)":                              "Das Boot (The Boat)",
		"Mariachi, El":                                       "El Mariachi",
		"Vitelloni, I (a.k.a. The Young and the Passionate)": "I Vitelloni (a.k.a. The Young and the Passionate)",
		"City of the Living Dead (a.k.a. Gates of Hell, The) (Paura nella città dei morti " +
			"viventi)": "City of the Living Dead (a.k.a. The Gates of Hell) (Paura nella città dei " +
			"morti viventi)",
		"Good, the Bad and the Ugly, The (Buono, il brutto, il cattivo, " +
			"Il)": "The Good, the Bad and the Ugly (Il Buono, il brutto, il " +
			"cattivo)",
		"Legend of 1900, The (a.k.a. The Legend of the Pianist on the Ocean) (Leggenda del pianista " +
			"sull'oceano)": "The Legend of 1900 (a.k.a. The Legend of the Pianist on the Ocean) (Leggenda del " +
			"pianista sull'oceano)",
		"Beat That My Heart Skipped, The (battre mon coeur s'est arrêté, " +
			"De)": "The Beat That My Heart Skipped (De battre mon coeur s'est " +
			"arrêté)",
		"Adventures of Priscilla, Queen of the Desert, " +
			"The": "The Adventures of Priscilla, Queen of the " +
			"Desert",
		"(500) Days of Summer": "(500) Days of Summer",
		", The":                ", The",
		"":                     "",
		"Half (open, The":      "Half (The open",
	} {
		if got := RestoreArticles(in); got != want {
			t.Errorf("RestoreArticles(%q) = %q; want %q", in, got, want)
		}
	}
}

// TestCatalogues reads what each kind of folder tells of its items.
func TestCatalogues(t *testing.T) {
	type item struct {
		title  string
		year   int
		genres string
		values string
		count  int
	}
	for _, c := range []struct {
		path    string
		columns string
		want    map[string]item
	}{
		{"testdata/ml-latest", "imdbId tmdbId tags", map[string]item{
			"1": {"Toy Story", 1995, "Adventure|Animation", "0114709,862,fun|pixar", 1},
			"3": {"The City of Lost Children (La Cité des enfants perdus)", 1995, "Adventure|Drama", "0112682,902,",
				1},
			"11": {"The American President", 1995, "", "0112346,,", 1},
		}},
		{"testdata/ml-100k", "", map[string]item{
			"1":  {"Toy Story", 1995, "Animation|Children's|Comedy", "", 3},
			"50": {"L'Enfer", 1994, "", "", 1},
		}},
		{"testdata/ml-1m", "", map[string]item{
			"661":  {"James and the Giant Peach", 1996, "Animation|Children's|Musical", "", 1},
			"1193": {"One Flew Over the Cuckoo's Nest", 1975, "Drama", "", 2},
		}},
		{"testdata/owner", "price sku", map[string]item{
			"p-1":   {"Lamp; red", 2021, "Home|Light", "010.50,0007", 1},
			`p "2"`: {"Chair", 2019, "Home", "99,", 1},
		}},
		{"testdata/lightgcn", "", map[string]item{"3": {"3", 0, "", "", 3}}},
	} {
		o := none
		o.Tags, o.Publish.Scope = 2, Learned
		d, err := Load(c.path, o)
		if err != nil {
			t.Fatal(err)
		}
		check(t, d)
		if got := strings.Join(d.Catalogue.Columns, " "); got != c.columns {
			t.Errorf("%s: columns %q; want %q", c.path, got, c.columns)
		}
		for id, want := range c.want {
			i, ok := d.Items.Index(id)
			if !ok {
				t.Errorf("%s: no item %q", c.path, id)
				continue
			}
			x := d.Catalogue.Items[i]
			if got := (item{x.Title, x.Year, strings.Join(x.Genres, "|"), strings.Join(x.Values, ","),
				x.Count}); got != want {
				t.Errorf("%s: item %s is %+v; want %+v", c.path, id, got, want)
			}
		}
	}
}

// TestLatin1 reads a title that is not UTF-8, and refuses one behind others that are.
func TestLatin1(t *testing.T) {
	ratings := "1::73::5::978300760\n"
	dir := t.TempDir()
	write(t, dir, "ratings.dat", ratings)
	write(t, dir, "movies.dat", "73::Mis\xe9rables, Les (1995)::Drama|Musical\n")
	d, err := Load(dir, none)
	if err != nil || d.Catalogue.Items[0].Title != "Les Misérables" {
		t.Fatalf("%v, %v", d, err)
	}
	dir = t.TempDir()
	write(t, dir, "ratings.csv", "user,item\n1,2\n")
	write(t, dir, "items.csv", "id,title\n1,Amélie\n2,Mis\xe9rables\n")
	var parse *ParseError
	if _, err = Load(dir, none); !errors.As(err, &parse) || parse.Line != 3 || parse.Column != 2 ||
		!strings.Contains(parse.Rule, "UTF-8") {
		t.Errorf("Latin-1 behind UTF-8 in items.csv: %v", err)
	}
	o := none
	o.SkipBadLines = true
	if d, err = Load(dir, o); err != nil || d.Read.Skipped != 1 || d.Catalogue.Items[0].Title != "2" {
		t.Errorf("skipped: %v", err)
	}
}

// TestItemsOption takes a catalogue from elsewhere, a folder or a file, and says what is wrong with one.
func TestItemsOption(t *testing.T) {
	o := none
	for _, path := range []string{"testdata/ml-latest", "testdata/ml-latest/movies.csv"} {
		o.Items = path
		d, err := Load("testdata/lightgcn/train.txt", o)
		if err != nil {
			t.Fatal(err)
		}
		if i, _ := d.Items.Index("1"); d.Catalogue.Items[i].Title != "Toy Story" {
			t.Errorf("%s: item 1 is %+v", path, d.Catalogue.Items[i])
		}
	}
	for text, says := range map[string]string{"": "is empty", "what,where\n": "no column has a name known for the id",
		"id,title\n1\n": "1 fields where the header has 2"} {
		o.Items = write(t, t.TempDir(), "items.csv", text)
		if _, err := Load("testdata/lightgcn/train.txt", o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("items %q: %v", text, err)
		}
	}
	o.Items = "testdata/lightgcn"
	if _, err := Load("testdata/lightgcn/train.txt", o); err == nil ||
		!strings.Contains(err.Error(), "no catalogue that is known") {
		t.Errorf("a folder without a catalogue: %v", err)
	}
}

func TestGenres(t *testing.T) {
	for in, want := range map[string][]string{
		"Action|Drama": {"Action", "Drama"}, "(no genres listed)": nil, "": nil, " A ; B;;A": {"A", "B"},
		"Sci-Fi, Noir": {"Sci-Fi", "Noir"}, "a,b|c": {"a,b", "c"},
	} {
		if got := splitGenres([]byte(in)); !slices.Equal(got, want) {
			t.Errorf("splitGenres(%q) = %q; want %q", in, got, want)
		}
	}
}
