package words

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/siteconfig"
	"github.com/pmlam/pmlam/ui/internal/demo"
)

// each calls f with the name and value of every text and phrase, and of every element of arrays.
func each(v reflect.Value, name string, f func(name string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if of := v.Type().Field(i); of.IsExported() {
				each(v.Field(i), of.Name, f)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			each(v.Index(i), fmt.Sprintf("%s[%d]", name, i), f)
		}
	default:
		f(name, v)
	}
}

// sample returns an argument for a phrase.
func sample(t reflect.Type) reflect.Value {
	switch t {
	case reflect.TypeFor[recommend.Reliability]():
		return reflect.ValueOf(recommend.Reliability{People: 3, Bins: []model.LikeBin{{Count: 4}}})
	case reflect.TypeFor[*importer.Error]():
		return reflect.ValueOf(&importer.Error{Reason: importer.Empty, File: "a.csv", Line: 2, Column: "B", Value: "c"})
	case reflect.TypeFor[Tally]():
		return reflect.ValueOf(Tally{1, 2, 3, 4, 5})
	}
	switch t.Kind() {
	case reflect.Int:
		return reflect.ValueOf(2)
	case reflect.Float64:
		return reflect.ValueOf(0.5)
	case reflect.String:
		return reflect.ValueOf("Xyz")
	case reflect.Slice:
		return reflect.ValueOf([]string{"Xyz", "Zyx"})
	}
	return reflect.Zero(t)
}

func uttered(phrase reflect.Value) string {
	var in []reflect.Value
	for i := range phrase.Type().NumIn() {
		in = append(in, sample(phrase.Type().In(i)))
	}
	return phrase.Call(in)[0].String()
}

// alike lists the texts that are the same in English and another language. Any other such text was left untranslated.
var alike = map[string]bool{
	"Name": true, "Genres": true, "Away": true, "Filter": true, "Metric": true, "ShareOf": true,
	"Ungrouped": true, "Months[3]": true, "Months[7]": true, "Months[8]": true, "Months[10]": true,
	"GenreName": true, "RatedAs": true,
}

func TestEveryWordIsTranslated(t *testing.T) {
	texts := func(w *Words) (out map[string]string) {
		out = map[string]string{}
		each(reflect.ValueOf(*w), "", func(name string, v reflect.Value) {
			switch v.Kind() {
			case reflect.Func:
				out[name] = uttered(v)
			case reflect.String:
				out[name] = v.String()
			}
		})
		return out
	}
	english := texts(English())
	for _, language := range Languages[1:] {
		w := language()
		for name, text := range texts(w) {
			if text == english[name] && text != "" && !alike[name] {
				t.Errorf("%s: %s is English: %q", w.Tag, name, text)
			}
			if strings.ContainsAny(text, "\"'") || strings.Contains(text, "  ") || strings.TrimSpace(text) != text &&
				!slices.Contains([]string{"And", "Or", "Day", "Group", "Percent"}, name) {
				t.Errorf("%s: %s has straight quotes or stray spaces: %q", w.Tag, name, text)
			}
		}
	}
	genres, german := 0, German().For(OwnerOf(demo.Meta("../../index.html")))
	for _, g := range []string{"Action", "Adventure", "Animation", "Children", "Comedy", "Crime", "Documentary",
		"Drama", "Fantasy",
		"Film-Noir", "Horror", "IMAX", "Musical", "Mystery", "Romance", "Sci-Fi", "Thriller", "War",
		"Western", "Baking"} {
		if name := german.GenreName(g); name != g {
			genres++
		} else if name == "" {
			t.Errorf("%s has no name", g)
		}
	}
	if genres != 9 {
		t.Errorf("%d genres of MovieLens are named in German, want 9", genres)
	}
}

func TestGerman(t *testing.T) {
	films := OwnerOf(demo.Meta("../../index.html"))
	w := German().For(films)
	filmEnglish := English().For(films)
	for _, c := range []struct{ got, want string }{
		{w.Number(0), "0"}, {w.Number(1947), "1947"}, {w.Number(48580), "48\u202f580"}, {w.Number(-1234567),
			"-1\u202f234\u202f567"},
		{w.percent(0.426), "43\u202f%"}, {w.size(1), "1 Byte"}, {w.size(12345), "12,3 KB"}, {w.Stars(4.5),
			"4,5"}, {w.Stars(10), "10"},
		{w.Join([]string{"A", "B", "C"}), "A, B und C"}, {w.Date("2026-11-21"),
			"21. November 2026"}, {w.Date("unknown"), "unknown"},
		{w.Date("2026-13-21"), "2026-13-21"}, {English().Date("2026-03-04"), "4 March 2026"},
		{w.Because([]string{"<b>Heat</b>"}), "Weil dir <b>Heat</b> gefällt"},
		{w.Reasoned("Wegen <b>Heat</b>", Named), "Wegen <b>Heat</b> – und vielen anderen auch"},
		{w.Reasoned("Weil dir <b>Heat</b> gefällt", NamedFirst),
			"Von vielen geliebt, und weil dir <b>Heat</b> gefällt"},
		{w.Because([]string{"<b>Heat</b>", "<b>Alien</b>"}), "Weil dir <b>Heat</b> und <b>Alien</b> gefallen"},
		{w.TextItem("Heat", w.Certain[1], 1.234), "Heat: könnte passen, Abstand 1,23"},
		{w.RegionName([]string{"Sci-Fi"}, 1980, 1990), "Science-Fiction der 1980er"},
		{w.Around("Alien", "Tron"), "Rund um Alien und Tron"}, {filmEnglish.Around("Alien", "Tron"), "Around Alien and Tron"},
		{w.RegionName([]string{"Fern", "Loom", "Horror"}, 0, 0), "Fern, Loom und Horrorfilme"},
		{w.RegionName(nil, 1980, 1990), "Die 1980er"}, {w.RegionName(nil, 1980, 2000), "Die 1980er und 1990er"},
		{w.RegionName([]string{"Horror", "Sci-Fi"}, 0, 1980), "Horrorfilme und Science-Fiction vor 1980"},
		{w.RegionName(nil, 2000, 0), "Seit 2000"}, {w.RegionName([]string{"Horror"}, 1950, 1990), "Horrorfilme von 1950 bis 1989"},
		{w.RegionName([]string{"Baking"}, 0, 0), "Baking"}, {w.TextTaste("40\u202f%", ""), "40\u202f%"},
		{w.TasteLabel("Horrorfilme", "69\u202f%", ""), "Horrorfilme · 69\u202f% deines Geschmacks"},
		{w.TasteLabel("", "31\u202f%", "Maria"), "31\u202f% des Geschmacks von Maria"},
		{w.TasteLabel("", "", ""), "Dein Geschmack"}, {filmEnglish.TasteLabel("Horror", "", "Maria"), "Horror · Maria’s taste"},
		{filmEnglish.TasteLabel("Horror", "69%", ""), "Horror · 69% of your taste"},
		{filmEnglish.TasteLabel("", "31%", "Maria"), "31% of Maria’s taste"},
		{filmEnglish.RegionName([]string{"Sci-Fi"}, 1980, 1990), "1980s science fiction"},
		{filmEnglish.RegionName(nil, 1980, 1990), "The 1980s"}, {filmEnglish.RegionName([]string{"Film-Noir"}, 0, 0), "Film noir"},
		{filmEnglish.RegionName(nil, 1980, 2000), "The 1980s and 1990s"},
		{filmEnglish.RegionName([]string{"Comedy", "Romance"}, 1980, 2000), "Comedy and romance of the 1980s and 1990s"},
		{filmEnglish.RegionName([]string{"Comedy", "Romance"}, 0, 0), "Comedy and romance"},
		{filmEnglish.RegionName(nil, 0, 1960), "Before 1960"}, {filmEnglish.RegionName([]string{"Drama"}, 2000, 0), "Drama since 2000"},
		{filmEnglish.RegionName([]string{"Drama"}, 1950, 1990), "Drama from 1950 to 1989"},
		{w.BringAdds(Tally{Likes: 1, Dislikes: 2, Kept: 1}), "Neu dazu: 1 Favorit und 2 nicht deins. 1 Film, hier " +
			"schon markiert, bleibt unverändert."},
		{w.BringAdds(Tally{}), "Neu dazu: nichts."},
		{w.BackupHolds("a.json", "21. November 2026", 3, 1), "„a.json“ vom 21. November 2026 enthält 3 Filme. 1 " +
			"davon ist nicht in diesem Katalog und bleibt aufgehoben für einen, der es hat."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// Numbers of titles get the right form.
func TestPlurals(t *testing.T) {
	en, de := English(), German()
	for _, c := range []struct {
		say  func(n int) string
		want [4]string
	}{
		{en.Matches, [4]string{"0 titles found", "1 title found", "2 titles found", "5 titles found"}},
		{de.Matches, [4]string{"0 Titel gefunden", "1 Titel gefunden", "2 Titel gefunden", "5 Titel gefunden"}},
		{en.Updated, [4]string{"0 recommendations updated", "1 recommendation updated", "2 recommendations updated",
			"5 recommendations updated"}},
		{de.Updated, [4]string{"0 Empfehlungen aktualisiert", "1 Empfehlung aktualisiert",
			"2 Empfehlungen aktualisiert", "5 Empfehlungen aktualisiert"}},
		{en.MapCanvas, [4]string{"Map of 0 titles", "Map of 1 title", "Map of 2 titles", "Map of 5 titles"}},
		{de.MapCanvas, [4]string{"Karte: 0 Titel", "Karte: 1 Titel", "Karte: 2 Titel",
			"Karte: 5 Titel"}},
		{de.BringLooking, [4]string{"0 Titel werden gesucht", "1 Titel wird gesucht", "2 Titel werden gesucht",
			"5 Titel werden gesucht"}},
		{de.BringMore, [4]string{"und 0 weitere", "und 1 weiterer", "und 2 weitere", "und 5 weitere"}},
		{func(n int) string { return strings.Join(en.marks(n, 0, 0), "") }, [4]string{"", "1 like", "2 likes",
			"5 likes"}},
		{func(n int) string { return strings.Join(de.marks(n, 0, 0), "") }, [4]string{"", "1 Favorit", "2 Favoriten",
			"5 Favoriten"}},
		{en.Picked, [4]string{"None picked yet", "One picked, two to go", "Two picked, one to go", "Three picked"}},
		{de.Picked, [4]string{"Noch keiner gewählt", "Einer gewählt, noch zwei", "Zwei gewählt, noch einer",
			"Drei gewählt"}},
	} {
		for i, n := range []int{0, 1, 2, 5} {
			if got := c.say(n); got != c.want[i] {
				t.Errorf("for %d: %q, want %q", n, got, c.want[i])
			}
		}
	}
}

// The scripts have the same languages as the program, with every text in each.
func TestTheScriptsSpeakTheSameLanguages(t *testing.T) {
	b, err := os.ReadFile("../../assets/js/page/words.js")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?ms)^  (\w+): \{\n(.*?)^  \}`).FindAllStringSubmatch(string(b), -1) {
		for _, key := range regexp.MustCompile(`(?m)^    (\w+):`).FindAllStringSubmatch(m[2], -1) {
			said[m[1]] = append(said[m[1]], key[1])
		}
	}
	for _, language := range Languages {
		tag := language().Tag
		if len(said[tag]) == 0 || !slices.Equal(said[tag], said["en"]) {
			t.Errorf("in %s words.js has %v, in English %v", tag, said[tag], said["en"])
		}
	}
	if len(said) != len(Languages) {
		t.Errorf("words.js has %d languages, the program %d", len(said), len(Languages))
	}
}

// With an owner's noun, no text and no phrase calls titles anything else, in any number.
func TestOwnersNoun(t *testing.T) {
	others := regexp.MustCompile(`(?i)\btitles?\b|titel|film|movie`)
	for _, language := range Languages {
		w := language().For(Owner{Nouns: "en widget/widgets; de Dings/Dinger"})
		said := 0
		each(reflect.ValueOf(*w), "", func(name string, v reflect.Value) {
			text := ""
			switch v.Kind() {
			case reflect.Func:
				text = uttered(v)
			case reflect.String:
				text = v.String()
			}
			if strings.Contains(strings.ToLower(text), strings.ToLower(w.Things)) {
				said++
			}
			text = strings.NewReplacer("“Title”", "", "„Title“", "").Replace(text) // the name of a column
			if bad := others.FindString(text); bad != "" {
				t.Errorf("%s: %s says %q: %q", w.Tag, name, bad, text)
			}
		})
		if said < 25 {
			t.Errorf("%s: %d texts name the widgets, want more", w.Tag, said)
		}
	}
	for nouns, want := range map[string]string{"en product/products": "1 product found", "en recipes": "1 recipe found",
		"de Produkt/Produkte": "1 title found", "": "1 title found"} {
		if got := English().For(Owner{Nouns: nouns}).Matches(1); got != want {
			t.Errorf("with %q: %q, want %q", nouns, got, want)
		}
	}
}

// A pmlam.toml may give words in the page's languages, and in no other.
func TestOwnersLanguages(t *testing.T) {
	var tags []string
	for _, language := range Languages {
		tags = append(tags, language().Tag)
	}
	if slices.Sort(tags); !slices.Equal(tags, siteconfig.Languages) {
		t.Errorf("the page speaks %q, but pmlam.toml takes %q", tags, siteconfig.Languages)
	}
}

func TestSpeak(t *testing.T) {
	for tag, want := range map[string]string{"": "en", "de": "de", "de-AT": "de", "DE": "de", "en-GB": "en",
		"fr": "en", "-": "en"} {
		if got := Speak(tag).Tag; got != want {
			t.Errorf("Speak(%q) gives %q, want %q", tag, got, want)
		}
	}
}

// A sentence about two people leaves out unknown parts. A certainty inside it begins in lower case: "ein Wagnis", not
// "ein wagnis".
func TestBothBecause(t *testing.T) {
	for _, speak := range Languages {
		w := speak()
		for _, titles := range [][]string{nil, {"X"}} {
			for _, certainty := range []string{"", w.Certain[0]} {
				small := certainty
				if small != "" {
					small = strings.ToLower(small[:1]) + small[1:]
				}
				got := w.BothBecause("Anna", titles, false, certainty)
				if !strings.HasPrefix(got, "Anna: ") || strings.Contains(got, ": ,") || strings.HasSuffix(got, ",") ||
					(certainty != "") != strings.Contains(got,
						small+map[bool]string{true: ", "}[titles != nil && certainty != ""]) &&
						certainty != "" ||
					(titles != nil) != strings.Contains(got, "X") {
					t.Errorf("%s, %q, %q: %q", w.Tag, titles, certainty, got)
				}
				general := map[string]string{"en": "widely loved",
					"de": "von vielen geliebt"}[w.Tag]
				if got != "Anna: " {
					general = ", " + general
				}
				if near := w.BothBecause("Anna", titles, true, certainty); near != got+general {
					t.Errorf("%s, %q, %q: %q, and %q where people like such titles", w.Tag, titles, certainty, got, near)
				}
			}
		}
	}
}

func TestRightToLeft(t *testing.T) {
	for r, want := range map[rune]bool{'a': false, 'é': false, 'א': true, 'ع': true, 'ﷺ': true, '中': false,
		'1': false} {
		if rightToLeft(r) != want {
			t.Errorf("%q is written from right to left: %v", r, !want)
		}
	}
}
