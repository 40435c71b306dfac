package catalogue

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"
)

const moviesFile = "../../assets/data/ml-latest-small/movies.csv"

// movies reads all 9,742 titles as written in the file, with their numbers of ratings as counts.
var movies = sync.OnceValues(func() ([]Title, error) {
	read := func(path string) ([][]string, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			return nil, err
		}
		return rows[1:], nil
	}
	ratings, err := read(strings.Replace(moviesFile, "movies", "ratings", 1))
	if err != nil {
		return nil, err
	}
	count := map[string]int{}
	for _, r := range ratings {
		count[r[1]]++
	}
	rows, err := read(moviesFile)
	if err != nil {
		return nil, err
	}
	var out []Title
	for _, r := range rows {
		t := Title{Name: strings.TrimSpace(r[1]), Count: count[r[0]]}
		if n := len(t.Name); n > 6 && t.Name[n-1] == ')' && t.Name[n-6] == '(' {
			if y, err := strconv.Atoi(t.Name[n-5 : n-1]); err == nil {
				t.Year, t.Name = y, strings.TrimSpace(t.Name[:n-6])
			}
		}
		out = append(out, t)
	}
	return out, nil
})

func movieIndex(t testing.TB) (*Index, []Title) {
	t.Helper()
	titles, err := movies()
	if err != nil {
		t.Fatal(err)
	}
	return NewIndex(titles), titles
}

func TestPeopleFindTheirFilms(t *testing.T) {
	x, titles := movieIndex(t)
	for _, c := range []struct{ query, want string }{
		{"matrix", "Matrix, The"},
		{"the matrix", "Matrix, The"},
		{"matrix, the", "Matrix, The"},
		{"THE MATRX", "Matrix, The"},
		{"matrxi", "Matrix, The"},
		{"teh matrix", "Matrix, The"},
		{"amelie", "Amelie (Fabuleux destin d'Amélie Poulain, Le)"},
		{"Amélie", "Amelie (Fabuleux destin d'Amélie Poulain, Le)"},
		{"fabuleux destin d'amelie", "Amelie (Fabuleux destin d'Amélie Poulain, Le)"},
		{"le fabuleux destin", "Amelie (Fabuleux destin d'Amélie Poulain, Le)"},
		{"star wars empire", "Star Wars: Episode V - The Empire Strikes Back"},
		{"empire strikes", "Star Wars: Episode V - The Empire Strikes Back"},
		{"starwars", "Star Wars: Episode IV - A New Hope"},
		{"leon professional", "Léon: The Professional (a.k.a. The Professional) (Léon)"},
		{"leon", "Léon: The Professional (a.k.a. The Professional) (Léon)"},
		{"se7en", "Seven (a.k.a. Se7en)"},
		{"seven", "Seven (a.k.a. Se7en)"},
		{"heat", "Heat"},
		{"heat 1995", "Heat"},
		{"shawshenk", "Shawshank Redemption, The"},
		{"shawshank redemtion", "Shawshank Redemption, The"},
		{"pulp ficton", "Pulp Fiction"},
		{"forest gump", "Forrest Gump"},
		{"silence lambs", "Silence of the Lambs, The"},
		{"lambs silence", "Silence of the Lambs, The"},
		{"schindlers list", "Schindler's List"},
		{"schindler’s", "Schindler's List"},
		{"spiderman", "Spider-Man"},
		{"spider man", "Spider-Man"},
		{"wall-e", "WALL·E"},
		{"walle", "WALL·E"},
		{"wall e", "WALL·E"},
		{"godfather 2", "Godfather: Part II, The"},
		{"godfather part ii", "Godfather: Part II, The"},
		{"la confidential", "L.A. Confidential"},
		{"crouching tiger", "Crouching Tiger, Hidden Dragon (Wo hu cang long)"},
		{"harry poter azkaban", "Harry Potter and the Prisoner of Azkaban"},
		{"lord rings return", "Lord of the Rings: The Return of the King, The"},
		{"fast and furious", "Fast & Furious (Fast and the Furious 4, The)"},
		{"eternal sunshine of the spotless mnd", "Eternal Sunshine of the Spotless Mind"},
		{"toy st", "Toy Story"},
		{"2001", "2001: A Space Odyssey"},
	} {
		found := x.Search(c.query, 3)
		if len(found) == 0 {
			t.Errorf("%q found nothing, want %q", c.query, c.want)
			continue
		}
		if got := titles[found[0].Item].Name; got != c.want {
			t.Errorf("%q found %q (tier %d, %.2f), want %q", c.query, got, found[0].Tier, found[0].Score, c.want)
		}
	}
}

func TestEveryTitleFindsItself(t *testing.T) {
	x, titles := movieIndex(t)
	for i := 0; i < len(titles); i += 7 {
		title := titles[i]
		query := title.Name
		if title.Year > 0 {
			query += " (" + strconv.Itoa(title.Year) + ")"
		}
		found := x.Search(query, 10)
		at := slices.IndexFunc(found, func(f Found) bool { return f.Item == i })
		if at < 0 {
			t.Errorf("%q does not find itself", query)
			continue
		}
		// Another film with the same name and year may be better known; no other may come first.
		for _, f := range found[:at] {
			if f.Tier < found[at].Tier {
				t.Errorf("%q comes after %q of a lower tier", query, titles[f.Item].Name)
			}
		}
		if at > 3 {
			t.Errorf("%q is found at place %d", query, at+1)
		}
	}
}

// One error in a word of a well-known title must not hide it.
func TestTypingErrorsAreForgiven(t *testing.T) {
	x, titles := movieIndex(t)
	r := rand.New(rand.NewPCG(4, 4))
	tried, found := 0, 0
	for i, title := range titles {
		words := strings.Fields(Forms(title.Name)[0])
		if title.Count < 100 {
			continue
		}
		long := slices.IndexFunc(words, func(w string) bool { return len(w) >= 6 && tolerance(w) > 0 })
		if long < 0 {
			continue
		}
		for range 5 {
			w := []byte(words[long])
			p := 1 + r.IntN(len(w)-2)
			switch r.IntN(4) {
			case 0:
				w = slices.Delete(w, p, p+1)
			case 1:
				w = slices.Insert(w, p, 'a'+byte(r.IntN(26)))
			case 2:
				w[p] = 'a' + byte(r.IntN(26))
			case 3:
				w[p], w[p+1] = w[p+1], w[p]
			}
			q := slices.Clone(words)
			q[long] = string(w)
			tried++
			if slices.ContainsFunc(x.Search(strings.Join(q, " "), 5), func(f Found) bool { return f.Item == i }) {
				found++
			} else {
				t.Logf("%q did not find %q", strings.Join(q, " "), title.Name)
			}
		}
	}
	if tried < 300 || float64(found) < 0.99*float64(tried) {
		t.Errorf("%d of %d titles were found with one error in a word", found, tried)
	}
}

func TestTiersRankAndPopularityBreaksTies(t *testing.T) {
	x := NewIndex([]Title{
		0:  {Name: "Alien Nation", Count: 900},
		1:  {Name: "Alien", Count: 1},
		2:  {Name: "Aliens", Count: 50},
		3:  {Name: "Cowboys & Aliens", Count: 800},
		4:  {Name: "My Stepmother Is an Alien", Count: 10},
		5:  {Name: "Alien, The", Count: 5},
		6:  {Name: "Alien Autopsy", Count: 900},
		7:  {Name: "Allen", Count: 10000},
		8:  {Name: "Something Else", Count: 10000},
		9:  {Name: "", Count: 10000},
		10: {Name: "!!!", Count: 10000},
	})
	var got []int
	for _, f := range x.Search("alien", 20) {
		got = append(got, f.Item)
	}
	// Exact with the article last, prefixes by count then index, the whole word, its prefix, the typing error.
	if want := []int{1, 5, 0, 6, 2, 4, 3, 7}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	found := x.Search("alien", 20)
	for i := range found {
		if found[i].Score <= 0 || found[i].Score > 1 ||
			i > 0 && (found[i].Score > found[i-1].Score || found[i].Tier > found[i-1].Tier) {
			t.Errorf("answer %d is %+v after %+v", i, found[i], found[max(i-1, 0)])
		}
	}
	if found[0].Score != 1 || found[0].Tier != Exact {
		t.Errorf("the very title scores %+v", found[0])
	}
	if two := x.Search("alien", 2); !slices.Equal(two, found[:2]) {
		t.Errorf("two answers are %v, of all they were %v", two, found[:2])
	}
}

func TestNothingToFind(t *testing.T) {
	x, _ := movieIndex(t)
	for _, q := range []string{"", "   ", "?!", "zzzzqqqq", "\xff\xfe", "()"} {
		if f := x.Search(q, 5); len(f) != 0 {
			t.Errorf("%q found %v", q, f)
		}
	}
	if f := x.Search("matrix", 0); len(f) != 0 {
		t.Errorf("a limit of 0 gave %v", f)
	}
	if f := NewIndex(nil).Search("matrix", 5); len(f) != 0 {
		t.Errorf("no titles gave %v", f)
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"Amélie":               "amelie",
		"ÀÉÎÕÜ çñø ŠŽ łódź":    "aeiou cno sz lodz",
		"Æon Œuvre Straße Þór": "aeon oeuvre strasse thor",
		"Schindler’s  List!":   "schindlers list",
		"Fast&Furious":         "fast and furious",
		"& ":                   "and",
		"e\u0301toile":         "etoile",
		"L.A. Confidential":    "l a confidential",
		"WALL·E":               "wall e",
		"3×3":                  "3 3",
		"Người Việt Ệ":         "nguoi viet e",
		"Сталкер ΑΒΓ 千と":       "сталкер αβγ 千と",
		"  --  ":               "",
		"a\xffb":               "a b",
	} {
		if got := Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
	if len(latin) != 0x180-0xC0 {
		t.Errorf("the table of Latin letters has %d entries, want %d", len(latin), 0x180-0xC0)
	}
}

func TestForms(t *testing.T) {
	for in, want := range map[string][]string{
		"Matrix, The":          {"the matrix"},
		"Seven (a.k.a. Se7en)": {"seven", "se7en"},
		"Amelie (Fabuleux destin d'Amélie Poulain, Le)": {"amelie", "le fabuleux destin damelie poulain"},
		"Heat (1995)":             {"heat"},
		"Oh (my (god)) x":         {"oh x", "my god"},
		"Unclosed (here":          {"unclosed here"},
		"Good, Bad and Ugly, The": {"the good bad and ugly"},
		"(500) Days":              {"days", "500"},
		"":                        nil,
	} {
		if got := Forms(in); !slices.Equal(got, want) {
			t.Errorf("Forms(%q) = %q, want %q", in, got, want)
		}
	}
}

// naiveErrors is optimal string alignment by its recurrence, with prefix the smallest value over b's prefixes.
func naiveErrors(a, b string) (errors, prefix int) {
	memo := map[[2]int]int{}
	var d func(i, j int) int
	d = func(i, j int) int {
		if i == 0 || j == 0 {
			return i + j
		}
		if v, ok := memo[[2]int{i, j}]; ok {
			return v
		}
		cost := 1
		if a[i-1] == b[j-1] {
			cost = 0
		}
		v := min(d(i-1, j)+1, d(i, j-1)+1, d(i-1, j-1)+cost)
		if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
			v = min(v, d(i-2, j-2)+1)
		}
		memo[[2]int{i, j}] = v
		return v
	}
	prefix = len(a)
	for j := range len(b) + 1 {
		prefix = min(prefix, d(len(a), j))
	}
	return d(len(a), len(b)), prefix
}

func TestDistancesAreTheRecurrence(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	word := func() string {
		b := make([]byte, r.IntN(9))
		for i := range b {
			b[i] = 'a' + byte(r.IntN(3))
		}
		return string(b)
	}
	for range 5000 {
		a, b, limit := word(), word(), r.IntN(3)
		e, p := naiveErrors(a, b)
		ge, gp := distances(a, b, limit)
		if ge != min(e, limit+1) || gp != min(p, limit+1) {
			t.Fatalf(
				"distances(%q, %q, %d) = %d, %d; want %d, %d",
				a,
				b,
				limit,
				ge,
				gp,
				min(e, limit+1),
				min(p, limit+1),
			)
		}
	}
}

func TestManySearchAtOnce(t *testing.T) {
	x, _ := movieIndex(t)
	queries := []string{"matrix", "star wars empire", "se7en", "godfather 2", "shawshenk"}
	want := make([][]Found, len(queries))
	for i, q := range queries {
		want[i] = x.Search(q, 10)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				for i, q := range queries {
					if got := x.Search(q, 10); !slices.Equal(got, want[i]) {
						t.Errorf("%q found %v in parallel, want %v", q, got, want[i])
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

// Fold handles one rune at a time, so it is enough to test every rune.
func TestFoldOfEveryRune(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		once := Fold("x" + string(r) + "y")
		if Fold(once) != once {
			t.Errorf("U+%04X folds to %q, and that to %q", r, once, Fold(once))
		}
	}
}

func FuzzSearch(f *testing.F) {
	for _, s := range []string{"matrix", "Amélie", "star wars (1977", "a.k.a.", "\xff", "& & &", "Seven, The, The", "0(n", strings.Repeat("long ", 80)} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, title, query string) {
		if len(title) > 1000 || len(query) > 1000 {
			return
		}
		folded := Fold(title)
		if Fold(folded) != folded || !utf8.ValidString(folded) {
			t.Fatalf("Fold(%q) = %q, which folds to %q", title, folded, Fold(folded))
		}
		x := NewIndex([]Title{{Name: title, Year: 1999, Count: 3}, {Name: "The Matrix", Count: 2}})
		for range 2 { // the second time on used memory
			for _, found := range x.Search(query, 5) {
				if found.Score <= 0 || found.Score > 1 || found.Tier == None {
					t.Fatalf("%q found %+v", query, found)
				}
			}
		}
		if len(title) < maxQuery && len(strings.Fields(folded)) <= maxWords && len(Forms(title)) > 0 {
			if found := x.Search(title, 2); len(found) == 0 || found[0].Item != 0 && found[0].Tier != Exact {
				t.Fatalf("%q does not find itself: %v", title, found)
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	x, _ := movieIndex(b)
	for _, q := range []string{"s", "matrix", "star wars empire", "eternal sunshine of the spotless mnd"} {
		b.Run(strings.ReplaceAll(q, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				x.Search(q, 10)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	_, titles := movieIndex(b)
	for b.Loop() {
		NewIndex(titles)
	}
}

func TestKeys(t *testing.T) {
	for title, want := range map[string][]string{
		"Lord of the Rings, The":  {"lord of the rings", "of the rings", "rings", "lordoftherings"},
		"Seven (a.k.a. Se7en)":    {"seven", "se7en"},
		"Spider-Man":              {"spider man", "man", "spiderman"},
		"A":                       {"a"},
		"!":                       nil,
		strings.Repeat("ab", 100): {strings.Repeat("ab", MaxKey/2)},
	} {
		if got := Keys(title); !slices.Equal(got, want) {
			t.Errorf("the keys of %q are %q, want %q", title, got, want)
		}
	}
	for query, want := range map[string][]string{ // the whole query, and its words
		"The Lord of the Rings": {"lord of the rings", "rings", "lord", "of"},
		"Matrix, The":           {"matrix"},
		"Heat (1995)":           {"heat 1995", "heat"},
		"the":                   {""},
		"1995":                  {"1995", ""},
		"?":                     {""},
		"one two three four five six": {
			"one two three four five six", "three", "four", "five", "one",
		},
	} {
		all, words := Lookups(query)
		if got := append(all, words...); !slices.Equal(got, want) {
			t.Errorf("%q is looked up by %q, want %q", query, got, want)
		}
	}
	// A title's first words, typed in any form, are a prefix of a key.
	titles, err := movies()
	if err != nil {
		t.Fatal(err)
	}
	for _, title := range titles {
		keys := Keys(title.Name)
		main := ""
		if f := Forms(title.Name); len(f) > 0 {
			all, _ := Lookups(f[0])
			main = all[0]
		}
		begins := func(text string) bool {
			return slices.ContainsFunc(keys, func(k string) bool { return strings.HasPrefix(k, text) })
		}
		if main != "" && !begins(main) {
			t.Errorf("%q has the keys %q, and is looked up by %q", title.Name, keys, main)
		}
	}
}

// Further titles find an item, and a sequel's number does not stand for a year.
func TestOtherTitlesAndSequels(t *testing.T) {
	c := Catalogue{Columns: []string{"other_titles", "title_fr", "note"}, Items: []Item{
		{Title: "The Godfather", Values: []string{"Der Pate|El padrino", "Le Parrain", "Mafia"}}, {Title: "Paddington"}}}
	x := NewIndex([]Title{{Name: c.Items[0].Title, Others: c.Names(0), Year: 1972}, {Name: "Paddington", Year: 2014}})
	for query, want := range map[string]int{"der pate": 0, "padrino": 0, "le parrain": 0, "godfather": 0, "paddington 2014": 1} {
		if found := x.Search(query, 2); len(found) != 1 || found[0].Item != want || found[0].Tier < Whole {
			t.Errorf("%q finds %v", query, found)
		}
	}
	if found := x.Search("mafia", 2); len(found) > 0 {
		t.Errorf("a note is searched: %v", found)
	}
	if found := x.Search("paddington 2", 2); len(found) > 0 && found[0].Tier > Fuzzy {
		t.Errorf("a sequel that is not there is taken for %v", found)
	}
}
